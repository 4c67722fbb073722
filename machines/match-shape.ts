import type {
  Competitor,
  Fact,
  Match,
  MatchClock,
  MatchConfig,
  MatchSettings,
  MatchState,
  PeriodScore,
  PeriodType,
  Play,
} from './match-model.ts'
import {
  anything,
  flag,
  list,
  members,
  nullable,
  number,
  oneOf,
  type Shape,
  scalar,
  someMembers,
  table,
  text,
} from './shape.ts'

export const MATCH_STATES: readonly MatchState[] = [
  'scheduled',
  'live',
  'break',
  'finished',
  'delayed',
  'postponed',
  'suspended',
  'abandoned',
  'cancelled',
]

const state = oneOf(...MATCH_STATES)
const period: Shape<PeriodType> = oneOf('half', 'quarter', 'period', 'set', 'innings', 'overtime', 'shootout')
const direction = oneOf('up', 'down')
const bothSides = { home: number, away: number }

const config: Shape<Partial<MatchConfig>> = someMembers<MatchConfig>({
  periodCount: number,
  periodLength: number,
  breakLength: number,
  extraTime: flag,
  goldenGoal: flag,
  shootout: flag,
  useClock: flag,
  clockDirection: direction,
  cumulative: flag,
  injuryTime: flag,
  endBehaviour: oneOf('stopAtLength', 'tickUntilEnd'),
  statCoverage: oneOf('minimum', 'standard'),
  startingSize: number,
  benchSize: number,
})

const settings = members<MatchSettings>({
  name: nullable(text),
  competitorsType: oneOf('singles', 'doubles', 'teams', 'group'),
  date: text,
  timezone: text,
  venueId: nullable(number),
  round: nullable(text),
  officials: list(members<{ id: number; role: string }>({ id: number, role: text })),
  pregameAutomationTime: nullable(number),
  postgameAutomationTime: nullable(number),
})

const competitor = members<Competitor>({
  entityType: oneOf('team', 'player'),
  teamId: nullable(number),
  playerId: nullable(number),
  isHome: flag,
})

const fact = members<Fact>({
  id: number,
  type: text,
  teamId: nullable(number),
  playerId: nullable(number),
  secondaryPlayerId: nullable(number),
  period: number,
  periodType: nullable(period),
  clockMs: nullable(number),
  minute: nullable(number),
  addedMinute: nullable(number),
  points: number,
  value: scalar,
  details: table(anything),
  timestamp: text,
  source: oneOf('api', 'app', 'provider'),
  dataProvider: nullable(members<{ name: string; id: string }>({ name: text, id: text })),
  clientFactId: nullable(text),
  createdAt: text,
  updatedAt: text,
})

const play = members<Play>({
  state,
  period: nullable(members<NonNullable<Play['period']>>({ number, type: period, name: text })),
  clock: members<MatchClock>({ running: flag, valueMs: number, asOf: text, direction }),
  score: members<Play['score']>({
    ...bothSides,
    periods: list(members<PeriodScore>({ number, type: period, name: text, ...bothSides })),
  }),
  competitorScores: list(number),
  statistics: members<Play['statistics']>({ home: table(number), away: table(number) }),
  situation: nullable(table(anything)),
})

export const matchShape: Shape<Match> = members({
  sport: text,
  config,
  settings,
  competitors: list(competitor),
  facts: list(fact),
  declared: nullable(state),
  declaredAt: nullable(text),
  scoreOverride: nullable(members<{ home: number; away: number }>(bothSides)),
  createdAt: text,
  play,
})
