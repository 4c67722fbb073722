import {
  decideMatch,
  foldMatch,
  judgeMatch,
  matchMachine,
  type NewMatch,
  newMatch,
  UNSAID,
} from '../../machines/match.ts'
import type {
  FactAsked,
  Match,
  MatchCommand,
  MatchConfig,
  MatchSettings,
  MatchState,
} from '../../machines/match-model.ts'
import type { SportName } from '../../machines/sports.ts'

export const HOME = 10
export const AWAY = 20
export const KICK_OFF = Date.parse('2026-05-02T15:00:00.000Z')
/** Minutes after kick-off as a timestamp. */
export const minutes = (after: number) => new Date(KICK_OFF + after * 60_000).toISOString()

export const settings: MatchSettings = { ...UNSAID, date: minutes(0) }

export const matchOf = (sport: SportName, config: Partial<MatchConfig> = {}, more: Partial<NewMatch> = {}): Match =>
  newMatch({
    sport,
    settings,
    config,
    competitors: [
      { entityType: 'team', teamId: HOME, playerId: null, isHome: true },
      { entityType: 'team', teamId: AWAY, playerId: null, isHome: false },
    ],
    at: minutes(-60),
    ...more,
  })

/** A command without what the host stamps. */
export type Ask = MatchCommand extends infer C
  ? C extends MatchCommand
    ? Omit<C, 'seq' | 'at'> & { at?: string }
    : never
  : never

export const stamped = (ask: Ask): MatchCommand => ({ seq: 1, at: minutes(0), ...ask }) as MatchCommand

/** The match after commands that must be possible. */
export function commanded(match: Match, ...asks: readonly Ask[]): Match {
  return asks.reduce((state, ask) => {
    const command = stamped(ask)
    const refusal = judgeMatch(state, command)
    if (refusal) throw new Error(`${JSON.stringify(ask)}: ${refusal.path} ${refusal.message}`)
    return decideMatch(state, command).reduce(foldMatch, state)
  }, match)
}

export const refusalOf = (match: Match, ask: Ask) => judgeMatch(match, stamped(ask))

export type Brief = Omit<FactAsked, 'teamId'> & { side?: 'home' | 'away' | undefined }

export const factOf = ({ side, ...fact }: Brief): FactAsked =>
  side ? { ...fact, teamId: side === 'home' ? HOME : AWAY } : fact

/** Records of facts, a second apart unless they say when. */
export const records = (facts: readonly Brief[], first = 1): Ask[] =>
  facts.map((fact, index) => ({
    type: 'record',
    id: first + index,
    fact: factOf({ timestamp: minutes((first + index) / 60), ...fact }),
  }))

/** The match in which these facts happened, one a second. */
export const played = (match: Match, ...facts: readonly Brief[]): Match => {
  const last = match.facts.reduce((most, { id }) => Math.max(most, id), 0)
  return commanded(match, ...records(facts, last + 1))
}

/** One more fact, long after all that `played` records. */
export const recording = (type: string, more: object = {}, at = minutes(200)): Ask => ({
  type: 'record',
  id: 999,
  at,
  fact: { type, ...more },
})

/** A state said by hand, later still. */
export const saying = (state: MatchState, more: object = {}): Ask => ({
  type: 'update',
  at: minutes(201),
  state,
  ...more,
})

/** The match as its machine holds it. */
export const snapshotOf = (context: Match) => matchMachine.resolveState({ value: context.play.state, context })
