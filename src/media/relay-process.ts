import { FLOW_LIMITS, Flow, type FlowLimits } from './flow.ts'
import { createMeter, type Meter } from './meter.ts'
import type { Relay, RelayEvent, RelaySpec } from './ports.ts'
import type { Child, ChildSpec, Processes } from './process.ts'
import { PROGRESS_ARGS, readProgress } from './progress.ts'
import { DESTINATION, relayError, SOURCE } from './relay-error.ts'

/** The source is given up when it stays silent for longer than any engine keeps the place of a sender that lost its connection. */
const SOURCE_SILENT_US = '35000000'
const LOOK_EACH_MS = 250

/**
 * The line of ffmpeg about a track that the source did not have when it was opened, and that is left out: an encoder may send its
 * picture long before its sound. Opened anew, the source has both.
 */
const NEW_TRACK = /New (audio|video) stream/
const MAX_ANEW = 3

/** Found out before ffmpeg is started: it is not, and the relay has failed. */
export class NotStarted extends Error {}

export type Sending = {
  /** Output arguments of ffmpeg. */
  args: readonly string[]
  secrets: readonly string[]
  /** The argument that messages call the destination. */
  url?: string
}

export type Measuring = {
  /** Of a destination; given when its history is to outlive this relay. */
  meter?: (destinationId: number) => Meter
  limits?: Partial<FlowLimits>
}

export type RelayProcessParts = Measuring & {
  processes: Processes
  /** Path of ffmpeg. */
  ffmpeg: string
}

export type RelayProcess = {
  /** Everything before ffmpeg starts. Throws NotStarted. */
  prepare(): Promise<Sending>
  /** Counts the bytes written, where ffmpeg does not. */
  count?: () => Promise<number>
  /** Watches it from outside. Returns how to stop that. */
  started?: (stalled: () => void) => () => void
  /** Why it ended, when that is known better than ffmpeg knows it. */
  fault?: () => string | undefined
  /** A rate over less than this is none. */
  steadyMs?: number
  /** After its process has ended. */
  ended?: () => Promise<void> | undefined
  activeClients?: () => number
}

/** A clock that nobody sets. */
const now = () => performance.now()

/** One `ffmpeg -c copy` from the source to somewhere, watched until it is stopped or has failed. */
export function startRelayProcess(
  { destinationId, readUrl, lease }: RelaySpec,
  listener: (event: RelayEvent) => void,
  parts: RelayProcessParts,
  process: RelayProcess,
): Relay {
  const meter = parts.meter?.(destinationId) ?? createMeter()
  const flow = new Flow({ ...FLOW_LIMITS, ...parts.limits }, now())
  let child: Child | undefined
  let fault: string | undefined
  let connected = false
  let stopped = false
  /** How often ffmpeg was started anew for a track that came late. */
  let anew = 0

  const wrote = (bytes: number) => {
    meter.sample(bytes, Date.now())
    if (!flow.wrote(bytes, now()) || stopped) return
    connected = true
    listener({ type: 'connected' })
  }
  const giveUp = (reason: string) => {
    if (stopped || fault !== undefined) return
    fault = reason
    // blocked in a write, it would not listen to anything milder
    void child?.kill()
  }
  const look = async () => {
    if (process.count) wrote(await process.count())
    const found = flow.fault(now())
    if (found) giveUp(found === 'silent' ? NEVER : STALLED)
  }

  const hear = (line: string) => {
    if (!NEW_TRACK.test(line) || anew === MAX_ANEW) return
    anew += 1
    void child?.stop()
  }

  const runOnce = async () => {
    const sending = await process.prepare()
    if (stopped) return
    const started = parts.processes.start({
      ...relayChild(destinationId, parts.ffmpeg, readUrl, sending),
      lease,
      onLine: hear,
    })
    child = started
    const { stdout } = started.process
    if (stdout) readProgress(stdout, ({ totalBytes }) => totalBytes !== null && !process.count && wrote(totalBytes))
    const timer = setInterval(() => void look().catch(() => {}), LOOK_EACH_MS)
    const unwatch = process.started?.(() => flow.isPaused || giveUp(STALLED))
    const { asked } = await started.ended
    clearInterval(timer)
    unwatch?.()
    if (!asked) fault ??= process.fault?.() ?? relayError(started.lines(), connected)
  }
  const run = async () => {
    for (let runs = 0; runs <= anew && !stopped && fault === undefined; runs++) {
      if (runs > 0) flow.begin(now())
      meter.begin(process.steadyMs)
      connected = false
      await runOnce()
    }
  }

  const ended = run()
    .catch((error: unknown) => {
      fault = error instanceof NotStarted ? error.message : 'The relay could not be started'
    })
    .then(() => process.ended?.()?.catch(() => {}))
    .then(() => {
      if (!stopped) listener({ type: 'failed', error: fault ?? 'The relay ended' })
    })

  return {
    measured: () => meter.measured(Date.now()),
    activeClients: () => process.activeClients?.() ?? null,
    pauseWatch: (paused) => flow.pause(paused, now()),
    async stop() {
      stopped = true
      await child?.stop()
      await ended
    },
  }
}

const STALLED = 'The destination takes no more video'
const NEVER = 'No video reached the destination'

function relayChild(of: number, command: string, readUrl: string, { args, secrets, url }: Sending): ChildSpec {
  const source = ['-rw_timeout', SOURCE_SILENT_US, '-probesize', '500000', '-analyzeduration', '200000', '-i', readUrl]
  return {
    kind: 'relay',
    of,
    command,
    args: ['-hide_banner', '-nostdin', '-loglevel', 'warning', ...PROGRESS_ARGS, ...source, '-c', 'copy', ...args],
    secrets,
    called: { [readUrl]: SOURCE, ...(url !== undefined && { [url]: DESTINATION }) },
  }
}
