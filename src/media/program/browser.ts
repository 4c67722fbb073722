import { rm } from 'node:fs/promises'
import { Socket } from 'node:net'
import { signal } from '../pidfiles.ts'
import type { Processes } from '../process.ts'
import { confinement, newProfile } from './confinement.ts'
import { connectDevtools, type Devtools, type DevtoolsEvent } from './devtools.ts'
import { NO_SANDBOX, saysNoSandbox } from './sandbox.ts'

const FLAGS = [
  '--headless=new',
  '--remote-debugging-pipe',
  '--disable-gpu',
  '--hide-scrollbars',
  '--mute-audio',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-extensions',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-sync',
  '--disable-breakpad',
  '--disable-background-networking',
  '--disable-domain-reliability',
  '--disable-features=Translate,MediaRouter,OptimizationHints',
  // it is never the window in front, and must go on as if it were
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--autoplay-policy=no-user-gesture-required',
  '--force-color-profile=srgb',
  '--force-device-scale-factor=1',
  // text with coloured edges would be wrong on any other ground
  '--disable-lcd-text',
  '--password-store=basic',
  '--use-mock-keychain',
]

export type BrowserSpec = {
  processes: Processes
  command: string
  /** Without it only when the administrator says so; where the machine has none it then does not start. */
  sandbox: boolean
  /** The stream it draws for, or a word. */
  of: number | string
  width: number
  height: number
  proxyUrl: string
  direct: readonly string[]
}

/** Graphics are code of others, and this machine is in a network that they must not see. */
const networkFlags = ({ proxyUrl, direct }: Pick<BrowserSpec, 'proxyUrl' | 'direct'>) => [
  `--proxy-server=${proxyUrl}`,
  // without the first, everything on this machine would be reached without it
  `--proxy-bypass-list=${['<-loopback>', ...direct].join(';')}`,
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
]

export interface Browser {
  readonly devtools: Devtools
  /** Resolves with the reason when it is gone, whyever. */
  readonly ended: Promise<string>
  stop(): Promise<void>
}

/** Starts a browser that shows nothing yet. Throws one line for people. */
export async function startBrowser(
  { processes, command, sandbox, of, width, height, ...network }: BrowserSpec,
  listener: (event: DevtoolsEvent) => void,
): Promise<Browser> {
  const confined = await confinement(sandbox)
  const profile = await newProfile(confined)
  const { prefix, flags } = confined
  const args = [
    ...FLAGS,
    ...networkFlags(network),
    ...flags,
    `--user-data-dir=${profile}`,
    `--window-size=${width},${height}`,
    'about:blank',
  ]
  const [program = command, ...rest] = [...prefix, command, ...args]
  const child = processes.start({
    kind: 'browser',
    of,
    command: program,
    args: rest,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    env: { HOME: profile },
  })
  const [, , , to, from] = child.process.stdio
  const reason = child.ended.then(({ code, signal: by }) => {
    if (child.lines().some(saysNoSandbox)) return NO_SANDBOX
    const fatal = child.lines().findLast((line) => line.includes('FATAL'))
    return fatal ?? `The browser ended (${by ?? code ?? 'it cannot be started'})`
  })
  const ended = reason.finally(() => rm(profile, { recursive: true, force: true, maxRetries: 3 }).catch(() => {}))
  if (!(to instanceof Socket && from instanceof Socket)) throw new Error(await ended)
  const devtools = connectDevtools(to, from, listener)
  void reason.then(devtools.close)
  return {
    devtools,
    ended,
    async stop() {
      const stopped = child.stop()
      // it has nothing to save
      if (child.pid !== undefined) signal(child.pid, 'SIGKILL')
      await Promise.all([stopped, ended])
    },
  }
}
