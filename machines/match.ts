import { assign, emit, setup } from 'xstate'
import { type Decided, decided } from './decided.ts'
import type {
  Competitor,
  Match,
  MatchCommand,
  MatchConfig,
  MatchEvent,
  MatchSettings,
  MatchState,
  Refusal,
} from './match-model.ts'
import { MATCH_STATES } from './match-shape.ts'
import { correct, erase, record } from './play/facts.ts'
import { foldMatch } from './play/fold.ts'
import { isRefusal } from './play/refusal.ts'
import { update } from './play/update.ts'
import { play } from './play.ts'

export { foldMatch } from './play/fold.ts'

export type NewMatch = {
  sport: string
  settings: MatchSettings
  config: Partial<MatchConfig>
  competitors: readonly Competitor[]
  /** ISO 8601. */
  at: string
}

/** A match that nothing has happened in. Throws when there is no such sport. */
export function newMatch({ sport, settings, config, competitors, at }: NewMatch): Match {
  const nothing = { facts: [], declared: null, declaredAt: null, scoreOverride: null, createdAt: at }
  const begun = play({ sport, settings, config, competitors, ...nothing })
  if (isRefusal(begun)) throw new Error(begun.message)
  return { sport, settings, config, competitors, play: begun, ...nothing }
}

const comesTo = (match: Match, command: MatchCommand): MatchEvent[] | Refusal => {
  switch (command.type) {
    case 'record':
      return record(match, command)
    case 'correct':
      return correct(match, command)
    case 'erase':
      return erase(match, command)
    case 'update':
      return update(match, command)
  }
}

// the judge, `can()`, each guard and the decision ask about the same command: all facts are refolded once for all of them
let last: { match: Match; command: MatchCommand; outcome: MatchEvent[] | Refusal } | undefined

function outcomeOf(match: Match, command: MatchCommand): MatchEvent[] | Refusal {
  if (last?.match !== match || !sameButSeq(last.command, command))
    last = { match, command, outcome: comesTo(match, command) }
  return last.outcome
}

/** The host stamps a command that was judged before; nothing follows from its seq. */
function sameButSeq(one: MatchCommand, other: MatchCommand): boolean {
  if (one === other) return true
  const entries = Object.entries({ ...one, seq: other.seq })
  return (
    entries.length === Object.keys(other).length && entries.every(([key, value]) => Reflect.get(other, key) === value)
  )
}

/** Why a command cannot be; undefined when it can. */
export function judgeMatch(match: Match, command: MatchCommand): Refusal | undefined {
  const outcome = outcomeOf(match, command)
  return isRefusal(outcome) ? outcome : undefined
}

/** The facts that a command comes to now. No facts: nothing changes, or it cannot be. */
export function decideMatch(match: Match, command: MatchCommand): MatchEvent[] {
  const outcome = outcomeOf(match, command)
  return isRefusal(outcome) ? [] : outcome
}

/** The state that a command leads to, undefined when it is refused. */
function stateAfter(match: Match, command: MatchCommand): MatchState | undefined {
  const outcome = outcomeOf(match, command)
  return isRefusal(outcome) ? undefined : (outcome.at(-1)?.play.state ?? match.play.state)
}

const step = decided(decideMatch, foldMatch)

type Guarded = { context: Match; event: MatchCommand }

/** The settings of a match of which nothing is said. */
export const UNSAID: Omit<MatchSettings, 'date'> = {
  name: null,
  competitorsType: 'teams',
  timezone: 'UTC',
  venueId: null,
  round: null,
  officials: [],
  pregameAutomationTime: null,
  postgameAutomationTime: null,
}

const EPOCH = '1970-01-01T00:00:00.000Z'

/** The blank match that the machine starts with, before a match's own context is put in its place. */
const BLANK = newMatch({
  sport: 'football',
  settings: { ...UNSAID, date: EPOCH },
  config: {},
  competitors: [],
  at: EPOCH,
})

const moves = MATCH_STATES.map((state) => ({
  guard: { type: 'leadsTo', params: { state } } as const,
  target: `.${state}` as const,
  actions: ['tell', 'fold'] as const,
}))

/**
 * A match. Facts decide its state and any of them may be corrected, so from every state a command may lead to any other: the one
 * that all facts, refolded, come to. A command that would make them impossible is refused.
 */
export const matchMachine = setup({
  types: { context: {} as Match, events: {} as MatchCommand, emitted: {} as Decided<MatchEvent> },
  guards: {
    leadsTo: ({ context, event }: Guarded, { state }: { state: MatchState }) => stateAfter(context, event) === state,
  },
  actions: {
    tell: emit(step.facts),
    fold: assign(step.folded),
  },
}).createMachine({
  id: 'match',
  context: BLANK,
  initial: 'scheduled',
  on: { record: moves, correct: moves, erase: moves, update: moves },
  states: {
    scheduled: {},
    live: {},
    break: {},
    finished: {},
    delayed: {},
    postponed: {},
    suspended: {},
    abandoned: {},
    cancelled: {},
  },
})

/** The event that the journal of a match begins with; a snapshot of version 0 holds it too. */
export type MatchCreated = { type: 'match.created'; match: NewMatch }

/** The state that journaled events make, the first of them being that of its creation. */
export const replayMatch = (events: readonly (MatchEvent | MatchCreated)[], before: Match = BLANK): Match =>
  events.reduce(
    (match, event) => (event.type === 'match.created' ? newMatch(event.match) : foldMatch(match, event)),
    before,
  )
