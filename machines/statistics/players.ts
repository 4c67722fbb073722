import type { Competitor, Fact, MatchConfig, MatchState } from '../match-model.ts'
import { ClockRule } from '../play/clock.ts'
import type { FactType } from '../sports/fact-type.ts'
import { sportOf } from '../sports.ts'
import { cricketCard } from './cricket.ts'

export type Values = Record<string, number>

/** A match as its players are counted. */
export type Counted = {
  sport: string
  config: MatchConfig
  facts: readonly Fact[]
  competitors: readonly Competitor[]
  /** Of line-ups that were set or follow from the roster. */
  starters: readonly { playerId: number; teamId: number }[]
  state: MatchState
}

const CARDS = ['yellowCard', 'secondYellow', 'redCard', 'greenCard', 'blueCard']
/** Sports in which an assist is a point. */
const ASSISTS_SCORE = new Set(['iceHockey', 'lacrosse'])
/** Sports whose points are no sum of what players are credited with, or are counted as such already. */
const NO_POINTS = new Set(['cricket', 'baseball', 'tennis', 'volleyball'])
/** Sports in which who goes off stays off: starters without a substitution played all of it. */
const STAY_OFF = new Set(['football', 'rugbyUnion', 'rugbyLeague', 'rugbySevens'])

/** What the facts of a match come to for each player, by id. Pure. show-control: Statistics and standings */
export function playerValues(match: Counted): Map<number, Values> {
  const players = new Map<number, Values>()
  const add = (playerId: number | null, name: string, value = 1) => {
    if (playerId === null) return
    const values = players.get(playerId) ?? {}
    players.set(playerId, values)
    values[name] = (values[name] ?? 0) + value
  }
  if (match.sport === 'cricket') cricketers(match.facts, add)
  else count(match, add)
  for (const [playerId, minutes] of minutesOf(match)) add(playerId, 'minutes', minutes)
  return players
}

type Add = (playerId: number | null, name: string, value?: number) => void

function count({ sport, facts }: Counted, add: Add): void {
  const { factTypes } = sportOf(sport)
  const assistsAreFacts = facts.some(({ type }) => type === 'assist')
  for (const fact of facts) {
    const type = factTypes[fact.type]
    // a kick of the shoot-out is no goal of the match
    if (!type || (fact.periodType === 'shootout' && type.scoring)) continue
    const { playerId, points } = fact
    const scored = points > 0 && type.credit === 'own'
    const goal = scored && isGoal(fact.type)
    if (goal && sport !== 'ausRules') add(playerId, 'goals')
    if (type.statistic !== undefined && !(goal && type.statistic === 'goals' && sport !== 'ausRules'))
      add(playerId, type.statistic)
    const kind = kindOf(type, fact)
    if (kind !== undefined) add(playerId, kind)
    if (scored && !NO_POINTS.has(sport)) add(playerId, 'points', points)
    if (CARDS.includes(fact.type)) add(playerId, 'cards')
    if (goal && !assistsAreFacts && fact.secondaryPlayerId !== null) {
      add(fact.secondaryPlayerId, 'assists')
      if (ASSISTS_SCORE.has(sport)) add(fact.secondaryPlayerId, 'points')
    }
    if (fact.type === 'assist' && ASSISTS_SCORE.has(sport)) add(playerId, 'points')
  }
}

const isGoal = (type: string) => /goal$/i.test(type) || type === 'twoPointer' || type === 'threePointer'

function kindOf({ kinds }: FactType, { details, value }: Fact): string | undefined {
  const said = details.kind ?? value
  return typeof said === 'string' && Object.hasOwn(kinds, said) ? kinds[said] : undefined
}

function cricketers(facts: readonly Fact[], add: Add): void {
  for (const { batting, bowling, fielding } of cricketCard(facts)) {
    for (const { playerId, runs, balls, fours, sixes } of batting)
      for (const [name, value] of Object.entries({ runs, balls, fours, sixes })) add(playerId, name, value)
    for (const { playerId, balls, runs, wickets, maidens } of bowling)
      for (const [name, value] of Object.entries({ ballsBowled: balls, runsConceded: runs, wickets, maidens }))
        add(playerId, name, value)
    for (const { playerId, name } of fielding) add(playerId, name)
  }
}

/** Full minutes on the pitch up to the latest fact, without added time. None where nobody says who came and went. */
function minutesOf({
  sport,
  config,
  facts,
  starters,
  competitors,
  state,
}: Counted): [playerId: number, minutes: number][] {
  if (!config.useClock || facts.length === 0) return []
  const rule = new ClockRule(sportOf(sport), config)
  const changes = facts.filter(({ type, secondaryPlayerId }) => isChange(type) && secondaryPlayerId !== null)
  const told = (teamId: number) => STAY_OFF.has(sport) || changes.some((fact) => fact.teamId === teamId)
  const teams = competitors.flatMap(({ teamId }) => (teamId !== null && told(teamId) ? [teamId] : []))
  if (teams.length === 0) return []
  const last = facts.reduce((most, fact) => Math.max(most, playedAt(rule, fact)), 0)
  const periods = facts.reduce(
    (most, { period, periodType }) => (periodType === 'shootout' ? most : Math.max(most, period)),
    0,
  )
  const end = state === 'finished' ? Math.max(last, rule.before(periods + 1)) : last
  const since = new Map(starters.flatMap(({ playerId, teamId }) => (teams.includes(teamId) ? [[playerId, 0]] : [])))
  const played = new Map<number, number>()
  const off = (playerId: number | null, at: number) => {
    const from = playerId === null ? undefined : since.get(playerId)
    if (playerId === null || from === undefined) return
    since.delete(playerId)
    played.set(playerId, (played.get(playerId) ?? 0) + Math.max(0, at - from))
  }
  for (const fact of facts) {
    const at = playedAt(rule, fact)
    if (isChange(fact.type) && fact.teamId !== null && teams.includes(fact.teamId)) {
      off(fact.secondaryPlayerId, at)
      if (fact.playerId !== null && !since.has(fact.playerId)) since.set(fact.playerId, at)
    }
    if (fact.type === 'redCard' || fact.type === 'secondYellow') off(fact.playerId, at)
  }
  for (const playerId of [...since.keys()]) off(playerId, end)
  return [...played].map(([playerId, ms]) => [playerId, Math.round(ms / 60_000)])
}

const isChange = (type: string) => type === 'substitution' || type === 'interchange'

/** Playing time before a fact, ms; what is beyond the length of a period is added time. */
function playedAt(rule: ClockRule, { period, periodType, clockMs, minute }: Fact): number {
  if (period < 1 || periodType === 'shootout') return 0
  const before = rule.before(period)
  const length = rule.lengthOf(period)
  if (clockMs === null)
    return minute === null ? before : Math.min(Math.max(before, (minute - 1) * 60_000), before + length)
  const { clockDirection, cumulative } = rule.config
  const ran = clockDirection === 'down' ? length - clockMs : clockMs - (cumulative ? before : 0)
  return before + Math.min(Math.max(0, ran), length)
}
