import { clockText } from '../shared/clock.ts'
import { factType, worthsOf } from './buttons.ts'
import type { FactSaid } from './press.ts'

/** A fact as a person edits it: text where a field may be left empty. */
export type FactDraft = {
  type: string
  teamId: number | null
  playerId: number | null
  secondaryPlayerId: number | null
  points: number | undefined
  /** How, of those that the type knows; empty: not said. */
  kind: string
  minute: string
  period: string
  /** `23:45`, what the clock is set to. */
  clock: string
  /** `15:04:05`, by the clock of this telephone. */
  time: string
}

type Given = {
  readonly [Field in keyof FactSaid]?: FactSaid[Field] | boolean | null
} & { readonly type: string }

/** What is edited: a fact, or what a press says of one. `at`: its time when it says none, ms since 1970 by the server's clock. */
export function draftOf(given: Given, at: number): FactDraft {
  const { teamId, playerId, secondaryPlayerId, points, minute, period, clockMs } = given
  return {
    type: given.type,
    teamId: numberOr(teamId, null),
    playerId: numberOr(playerId, null),
    secondaryPlayerId: numberOr(secondaryPlayerId, null),
    points: numberOr(points, undefined),
    kind: kindOf(given),
    minute: String(numberOr(minute, '')),
    period: String(numberOr(period, '')),
    clock: typeof clockMs === 'number' ? clockText(clockMs) : '',
    time: timeText(momentOf(given, at)),
  }
}

/** What the draft says that was not given. An emptied minute or period stays what it was. */
export function saidIn(sport: string, draft: FactDraft, given: Given, at: number): FactSaid {
  const { type, teamId, playerId, secondaryPlayerId, points, kind } = draft
  const before = draftOf(given, at)
  const isOther = type !== given.type
  const clock = clockOf(draft.clock)
  const moment = movedTo(momentOf(given, at), draft.time)
  // how a goal was scored says nothing of a card
  const known = isOther && !(kind in (factType(sport, type)?.kinds ?? {})) ? '' : kind
  const { kind: _, ...details } = (given.details ?? {}) as Record<string, unknown>
  return {
    ...(isOther && { type }),
    ...(teamId !== before.teamId && { teamId }),
    ...(playerId !== before.playerId && { playerId }),
    ...(secondaryPlayerId !== before.secondaryPlayerId && { secondaryPlayerId }),
    ...(worthsOf(sport, type).length > 0 &&
      points !== undefined &&
      (isOther || points !== before.points) && { points }),
    ...(known !== before.kind && { details: { ...details, ...(known !== '' && { kind: known }) } }),
    ...(isNumber(draft.minute) && draft.minute !== before.minute && { minute: Number(draft.minute) }),
    ...(isNumber(draft.period) && draft.period !== before.period && { period: Number(draft.period) }),
    ...(clock !== undefined && draft.clock !== before.clock && { clockMs: clock }),
    ...(moment !== undefined && draft.time !== before.time && { timestamp: new Date(moment).toISOString() }),
  }
}

/** What is recorded once the draft is said of a press that was not taken: of another type the old one's worth means nothing. */
export function recordedAs<Said extends FactSaid & { type: string }>(sport: string, fact: Said, said: FactSaid): Said {
  const { points: _, ...others } = fact
  return { ...(said.type !== undefined && worthsOf(sport, said.type).length === 0 ? others : fact), ...said } as Said
}

/** ms of `23:45`; undefined when it is no time of a clock. */
export function clockOf(text: string): number | undefined {
  const [, minutes, seconds] = /^(\d{1,3}):([0-5]\d)$/.exec(text.trim()) ?? []
  return minutes === undefined ? undefined : (Number(minutes) * 60 + Number(seconds)) * 1000
}

const isNumber = (text: string) => /^\d{1,3}$/.test(text)
const numberOr = <Other>(value: unknown, other: Other) => (typeof value === 'number' ? value : other)

function kindOf({ details }: Given): string {
  const kind = typeof details === 'object' ? details?.kind : undefined
  return typeof kind === 'string' ? kind : ''
}

const momentOf = ({ timestamp }: Given, at: number) => (typeof timestamp === 'string' ? Date.parse(timestamp) : at)

const two = (number: number) => String(number).padStart(2, '0')
const timeText = (ms: number) => {
  const moment = new Date(ms)
  return [moment.getHours(), moment.getMinutes(), moment.getSeconds()].map(two).join(':')
}

/** The same day at another time; undefined when that is none. */
function movedTo(ms: number, text: string): number | undefined {
  const [, hours, minutes, seconds = '0'] = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(text) ?? []
  return hours === undefined ? undefined : new Date(ms).setHours(Number(hours), Number(minutes), Number(seconds), 0)
}
