import {
  type Automation,
  type Schedule,
  type Stream,
  type StreamCommand,
  type StreamEvent,
  type StreamTimer,
  without,
} from './stream-model.ts'

/** A timer this late comes after a time in which nobody was there: nothing was tried meanwhile. */
const AWAY_MS = 10_000

const noLongerDue: StreamEvent = { type: 'stream.liveDue', due: false }

/** Whether two schedules come to the same. */
export const isSameSchedule = (one: Schedule, other: Schedule): boolean =>
  one.startAt === other.startAt &&
  one.stopAt === other.stopAt &&
  one.startHidden === other.startHidden &&
  one.cannotStart === other.cannotStart

/** Whether an instant of the schedule has come. */
const isPast = (instant: number | null, at: string | undefined) =>
  instant !== null && at !== undefined && Date.parse(at) >= instant

/** Whether that start (or stop) was made already, or made impossible by hand. */
export const isUsed = (instant: number, used: number | null) => used !== null && instant <= used

const automated = (automation: Automation, change: Partial<Automation>): StreamEvent => ({
  type: 'stream.automated',
  automation: { ...automation, ...change },
})

/** That the start of the schedule is made now; nothing when it was before, or there is none. */
function makeStart(automation: Automation | null, at: string | undefined): StreamEvent[] {
  if (!automation || automation.startAt === null || isUsed(automation.startAt, automation.startUsed)) return []
  return [automated(automation, { startUsed: momentOf(automation.startAt, at) })]
}

function makeStop(automation: Automation | null, at: string | undefined): StreamEvent[] {
  if (!automation || automation.stopAt === null || isUsed(automation.stopAt, automation.stopUsed)) return []
  return [automated(automation, { stopUsed: momentOf(automation.stopAt, at) })]
}

// the clocks of the database and of a server may differ
const momentOf = (instant: number, at: string | undefined) =>
  at === undefined ? instant : Math.max(instant, Date.parse(at))

const starting = ({ run, overlayHidden }: Stream, auto: boolean): StreamEvent => ({
  type: 'stream.starting',
  run: run + 1,
  auto,
  overlayHidden,
})

const stopped = ({ run }: Stream, error: string | null): StreamEvent => ({ type: 'stream.stopped', run, error })

/** The facts that a command or a timer comes to now. No facts: nothing changes. */
export function decideStream(stream: Stream, command: StreamCommand | StreamTimer): StreamEvent[] {
  const { phase, run, automation, liveOnceRunning } = stream
  switch (command.type) {
    case 'start': {
      const { at, overlayHidden = stream.overlayHidden } = command
      const late = automation !== null && isPast(automation.stopAt, at)
      const undone = late ? [automated(automation, { stopUsed: Date.parse(at) })] : []
      return [...undone, starting({ ...stream, overlayHidden }, false)]
    }
    case 'autoStart':
      return autoStart(stream, command.at)
    case 'started': {
      const running: StreamEvent[] =
        phase === 'starting' ? [{ type: 'stream.running', run: command.run, at: command.at }] : []
      return liveOnceRunning
        ? [...running, { type: 'stream.wentLive', at: command.at, destinationIds: command.linked }]
        : running
    }
    case 'failed':
      return failed(stream, command.error)
    case 'startOverdue':
      return (command.lateMs ?? 0) > AWAY_MS
        ? [starting(stream, liveOnceRunning)]
        : failed(stream, 'The stream did not start in time')
    case 'troubled':
      return command.error === stream.error ? [] : [{ type: 'stream.troubled', error: command.error }]
    case 'goLive': {
      const { at, destinationIds } = command
      const all = stream.liveAt !== null && without(destinationIds, stream.publishing).length === 0
      return all ? [] : [{ type: 'stream.wentLive', at, destinationIds }]
    }
    case 'publish': {
      const destinationIds = without(command.destinationIds, stream.publishing)
      return destinationIds.length > 0 ? [{ type: 'stream.published', destinationIds }] : []
    }
    case 'unpublish': {
      const destinationIds = stream.publishing.filter((id) => command.destinationIds.includes(id))
      return destinationIds.length > 0 ? [{ type: 'stream.unpublished', destinationIds }] : []
    }
    case 'stop':
      return stop(stream, command.at)
    case 'autoStop': {
      const made = makeStop(automation, command.at)
      if (made.length === 0 || phase === 'stopped') return made
      if (phase === 'stopping') return liveOnceRunning ? [...made, noLongerDue] : made
      return [...made, { type: 'stream.stopping', run, auto: true }]
    }
    case 'stopped':
    case 'stopOverdue':
      return [stopped(stream, null), ...(liveOnceRunning ? startByItself(stream) : [])]
    case 'setOverlayHidden':
      return command.hidden === stream.overlayHidden ? [] : [{ type: 'stream.overlayHidden', hidden: command.hidden }]
    case 'automate':
      return automate(stream, command)
    case 'stopAutomating': {
      if (!automation) return []
      const off: StreamEvent = { type: 'stream.automated', automation: null }
      return phase === 'stopping' && liveOnceRunning ? [off, noLongerDue] : [off]
    }
  }
}

/** A start of the schedule that failed was not made: it is due again. */
function failed(stream: Stream, error: string): StreamEvent[] {
  const { automation, liveOnceRunning } = stream
  const { startAt, startUsed } = automation ?? { startAt: null, startUsed: null }
  // one that lies ahead again has its timer
  if (!liveOnceRunning || !automation || startAt === null || !isUsed(startAt, startUsed))
    return [stopped(stream, error)]
  return [automated(automation, { startUsed: startAt - 1 }), stopped(stream, error)]
}

/** Stops by hand: a stream that has been live, or was due, is not started again. */
function stop({ phase, run, automation, liveAt, liveOnceRunning }: Stream, at: string): StreamEvent[] {
  if (phase === 'stopping' && !liveOnceRunning) return []
  const undone = automation !== null && (liveAt !== null || isPast(automation.startAt, at))
  return [
    ...(undone ? [automated(automation, { startUsed: Date.parse(at) })] : []),
    phase === 'stopping' ? noLongerDue : { type: 'stream.stopping', run, auto: false },
  ]
}

/** The start of the schedule is due: an overdue one is not made when the stop is overdue, too. */
function autoStart(stream: Stream, at: string | undefined): StreamEvent[] {
  const { phase, automation, error, liveAt, liveOnceRunning } = stream
  const made = makeStart(automation, at)
  if (made.length === 0 || !automation || isPast(automation.stopAt, at)) return []
  if (phase === 'stopped') {
    const { cannotStart } = automation
    if (cannotStart === null) return [...made, ...startByItself(stream)]
    return error === cannotStart ? [] : [stopped(stream, cannotStart)]
  }
  // started by hand to be looked at, or stopped by hand before its time: now it is time for the public
  const due = !liveOnceRunning && (phase === 'stopping' || liveAt === null)
  return due ? [...made, { type: 'stream.liveDue', due }] : made
}

function startByItself(stream: Stream): StreamEvent[] {
  const { automation, overlayHidden } = stream
  return [starting({ ...stream, overlayHidden: overlayHidden || automation?.startHidden === true }, true)]
}

type Automate = Extract<StreamCommand, { type: 'automate' }>

/** Another schedule; starts and stops that were made or undone stay so. */
function automate({ phase, automation, liveOnceRunning }: Stream, command: Automate): StreamEvent[] {
  const { schedule, startInMs } = command
  if (automation && isSameSchedule(automation, schedule)) return []
  const used = { startUsed: automation?.startUsed ?? null, stopUsed: automation?.stopUsed ?? null }
  const fact = automated({ ...schedule, ...used }, {})
  const later = startInMs === null || startInMs > 0
  return phase === 'stopping' && liveOnceRunning && later ? [fact, noLongerDue] : [fact]
}
