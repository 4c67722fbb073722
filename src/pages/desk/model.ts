import type { z } from 'zod'
import type { Fact, FactAsked, Match, MatchCommand, MatchEvent, Play, Refusal } from '../../../machines/match-model.ts'
import { correct, erase, record } from '../../../machines/play/facts.ts'
import { foldMatch } from '../../../machines/play/fold.ts'
import { isRefusal } from '../../../machines/play/refusal.ts'
import { update } from '../../../machines/play/update.ts'
import { inMatchOrder, play } from '../../../machines/play.ts'
import type * as schema from '../../resources/matches/desk.schema.ts'
import type { Press, Target } from './press.ts'

/** What the server said last; its facts are all of them. */
export type Desk = z.output<typeof schema.Desk>
export type DeskTeam = Desk['teams'][number]
export type DeskFact = Fact & { press?: Press }

/** The desk as it will stand once everything that was pressed has been taken. */
export type Projected = {
  desk: Desk
  facts: readonly DeskFact[]
  play: Pick<Play, 'state' | 'period' | 'clock' | 'score' | 'situation'>
  config: Match['config']
  teams: readonly DeskTeam[]
  /** What was said by hand, and the state that the facts come to without it. */
  declared: Match['declared']
  scoreOverride: Match['scoreOverride']
  undeclared: Match['play']['state']
  /** What was pressed and waits to be sent, in its order. */
  waiting: readonly Press[]
  /** Why a press that waits will not be taken as the match stands, in the words of the server, by its id. */
  doubts: ReadonlyMap<string, string>
}

/** The facts of a newer answer, which may hold only those that changed. */
export function merged(before: Desk | undefined, answer: Desk): Desk {
  const known = new Map([...(before?.facts ?? []), ...answer.facts].map((fact) => [fact.id, fact]))
  return { ...answer, facts: answer.factIds.flatMap((id) => known.get(id) ?? []) }
}

/** The desk with a fact that was just taken, and with one that was taken back: what follows from it is folded here until it is read. */
export function learned(desk: Desk, { fact, erased }: { fact?: Desk['facts'][number]; erased?: number }): Desk {
  const others = desk.facts.filter(({ id }) => id !== fact?.id && id !== erased)
  const facts = (fact ? [...others, fact] : others).sort(inMatchOrder)
  const known = { ...desk, facts, factIds: facts.map(({ id }) => id) }
  const { state, period, clock, score, situation } = matchOf(known).play
  const shown = { state, period, clock, situation, score: { ...score, periods: [...score.periods] } }
  return { ...known, match: { ...desk.match, ...shown } }
}

/** From when on facts are asked for again: the overlap makes good for commits that overtook each other. Undefined: all. */
export function sinceOf(desk: Desk | undefined): string | undefined {
  const newest = Math.max(0, ...(desk?.facts.map(({ updatedAt }) => Date.parse(updatedAt)) ?? []))
  return newest > 0 ? new Date(newest - 60_000).toISOString() : undefined
}

/** The state that the server folds facts over. Its settings do not matter to play but for one. */
function matchOf({ match, facts }: Desk): Match {
  const { sport, config, competitors, declared, declaredAt, scoreOverride, createdAt } = match
  const known = facts.map(
    ({ matchId: _, clientFactId = null, dataProvider = null, ...fact }): Fact => ({
      ...fact,
      clientFactId,
      dataProvider,
    }),
  )
  const settings = {
    name: match.name,
    competitorsType: match.competitorsType,
    date: match.date,
    timezone: match.timezone,
    venueId: null,
    round: match.round,
    officials: [],
    pregameAutomationTime: null,
    postgameAutomationTime: null,
  }
  const own = { sport, competitors, declared, declaredAt, scoreOverride, createdAt, settings, facts: known }
  const base = { ...own, config: defined(config) }
  const folded = play(base)
  // of facts that this page cannot fold (it is older than the server) the server's own words are right
  const told = { state: match.state, period: match.period, clock: match.clock, score: match.score }
  const fallback = { ...told, situation: match.situation, competitorScores: [], statistics: { home: {}, away: {} } }
  return { ...base, play: isRefusal(folded) ? fallback : folded }
}

const defined = (config: Desk['match']['config']): Match['config'] =>
  Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined))

/** The desk with everything that waits on top, by the rules that the server itself goes by. */
export function projected(desk: Desk, presses: readonly Press[]): Projected {
  const doubts = new Map<string, string>()
  const waiting = presses.filter(({ refusal }) => !refusal)
  const { match } = desk
  const pressOf = new Map<number, Press>()
  let teams: readonly DeskTeam[] = desk.teams
  let state = matchOf(desk)
  for (const press of waiting) {
    if (press.command.type === 'lineup') {
      teams = withLineups(teams, press.command.teams)
      continue
    }
    const outcome = outcomeOf(state, press, pressOf)
    if (outcome === 'there') continue
    if (isRefusal(outcome)) doubts.set(press.id, outcome.message)
    else for (const event of outcome) state = foldMatch(state, event)
  }
  const { declared, scoreOverride, config } = state
  // what the server said of its own state is right, also where this page is older than the server
  const told = { state: match.state, period: match.period, clock: match.clock, score: match.score }
  const shown = waiting.length === 0 ? { ...told, situation: match.situation } : state.play
  const alone = declared === null ? shown : play({ ...state, declared: null, declaredAt: null })
  const undeclared = isRefusal(alone) ? shown.state : alone.state
  const facts = state.facts.map((fact): DeskFact => {
    const press = pressOf.get(fact.id)
    return press ? { ...fact, press } : fact
  })
  return { desk, facts, play: shown, config, teams, declared, scoreOverride, undeclared, waiting, doubts }
}

/** Why a command would be refused if it were the next press, in the words of the server; undefined when it would not. */
export function wouldBe(
  { desk: { match, facts }, desk, waiting }: Projected,
  command: Press['command'],
): string | undefined {
  const after = [...facts.map(({ timestamp }) => timestamp), match.createdAt, match.declaredAt ?? match.createdAt]
  const at = Math.max(...after.map((moment) => Date.parse(moment)), ...waiting.map((one) => one.at)) + 1
  const order = Math.max(0, ...waiting.map((one) => one.order)) + 1
  const press: Press = { id: NEXT, order, at, local: at, run: '', command, tried: false }
  return projected(desk, [...waiting, press]).doubts.get(NEXT)
}
const NEXT = 'next'

/** What a press comes to; `there`: the server has it, and only its answer is on the way. */
function outcomeOf(match: Match, press: Press, pressOf: Map<number, Press>): MatchEvent[] | Refusal | 'there' {
  const at = new Date(press.at).toISOString()
  const { command } = press
  const stamp = { seq: 0, at }
  if (command.type === 'record') {
    if (match.facts.some(({ clientFactId }) => clientFactId === press.id)) return 'there'
    const id = -press.order
    pressOf.set(id, press)
    const fact: FactAsked = { source: 'app', timestamp: at, ...command.fact, clientFactId: press.id }
    return record(match, { ...stamp, type: 'record', id, fact })
  }
  if (command.type === 'update') {
    const { state, score } = command
    const asked = { ...(state !== undefined && { state }), ...(score !== undefined && { score }) }
    return update(match, { ...stamp, type: 'update', ...asked } satisfies MatchCommand)
  }
  if (command.type === 'lineup') return 'there'
  const fact = targetIn(match.facts, command.target)
  if (!fact) return command.type === 'erase' ? 'there' : { path: '', message: 'the fact is not there any more' }
  if (command.type === 'erase') return erase(match, { ...stamp, type: 'erase', factId: fact.id })
  pressOf.set(fact.id, pressOf.get(fact.id) ?? press)
  return correct(match, { ...stamp, type: 'correct', factId: fact.id, fact: command.fact })
}

/** The fact that a press is about. */
export const targetIn = <One extends { id: number; clientFactId?: string | null | undefined }>(
  facts: readonly One[],
  target: Target,
): One | undefined =>
  facts.find((fact) => ('factId' in target ? fact.id === target.factId : fact.clientFactId === target.press))

type SentLineups = Extract<Press['command'], { type: 'lineup' }>['teams']

/** Squads with line-ups that the server does not have. */
export function withLineups(teams: readonly DeskTeam[], sent: SentLineups): DeskTeam[] {
  return teams.map((team) => {
    const lineup = sent.find(({ teamId }) => teamId === team.id)
    if (!lineup) return team
    const players = lineup.players.flatMap(({ playerId, number, position, starting, captain = false }) => {
      const one = team.roster.find(({ id }) => id === playerId)
      if (!one) return []
      const { starter: _s, bench: _b, ...rest } = one
      const worn = { number: number ?? one.number, position: position ?? one.position }
      return { ...rest, ...worn, teamId: team.id, starting, captain }
    })
    const { formation = null } = lineup
    return { ...team, lineup: { teamId: team.id, staff: team.lineup?.staff ?? [], formation, players, isSet: true } }
  })
}
