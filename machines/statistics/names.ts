import { sportOf, statisticsOf } from '../sports.ts'

/** A value that somebody tells, with an example of each side. */
type Given = Readonly<Record<string, readonly [home: number, away: number]>>

const FOOTBALL: Given = {
  possession: [54, 46],
  shots: [13, 9],
  shotsOnTarget: [6, 3],
  corners: [7, 4],
  fouls: [9, 12],
  offsides: [2, 3],
  saves: [3, 4],
  expectedGoals: [1.8, 0.9],
  passes: [487, 402],
  passAccuracy: [86, 81],
  tackles: [15, 18],
  distance: [108.4, 106.9],
}
const RUGBY: Given = {
  possession: [52, 48],
  territory: [57, 43],
  tackles: [118, 131],
  carries: [112, 98],
  metresGained: [412, 356],
  turnovers: [11, 14],
  penaltiesConceded: [9, 11],
  distance: [88.2, 87.1],
}
const HOCKEY: Given = { possession: [53, 47], shots: [14, 10], saves: [7, 11], distance: [94.6, 92.3] }

/** By sport, values that a club or a provider tells, since no fact or not every fact counts them. Percentages, kilometres, counts. */
const GIVEN: Readonly<Record<string, Given>> = {
  football: FOOTBALL,
  futsal: { possession: [55, 45], shots: [24, 19], corners: [8, 6], saves: [11, 13], passes: [311, 274] },
  rugbyUnion: { ...RUGBY, scrums: [7, 6], lineouts: [13, 11] },
  rugbySevens: RUGBY,
  rugbyLeague: { ...RUGBY, completionRate: [81, 76], errors: [8, 11] },
  touchFootball: { possession: [51, 49], completionRate: [84, 79], metresGained: [298, 271], errors: [5, 7] },
  ausRules: {
    disposals: [352, 331],
    kicks: [208, 197],
    handballs: [144, 134],
    marks: [92, 86],
    tackles: [61, 66],
    hitOuts: [34, 29],
    inside50s: [52, 47],
    clearances: [38, 35],
  },
  gridiron: {
    totalYards: [356, 312],
    passingYards: [241, 198],
    rushingYards: [115, 114],
    firstDowns: [21, 17],
    thirdDownRate: [46, 38],
    turnovers: [1, 2],
    timeOfPossession: [31.4, 28.6],
  },
  basketball: {
    fieldGoalRate: [47.1, 43.8],
    threePointRate: [36.4, 33.3],
    freeThrowRate: [81, 74],
    rebounds: [41, 38],
    assists: [23, 19],
    steals: [7, 9],
    blocks: [4, 3],
    turnovers: [12, 14],
    pointsInPaint: [44, 38],
    fastBreakPoints: [13, 9],
    benchPoints: [27, 31],
  },
  netball: { possession: [52, 48], shootingRate: [88, 84], intercepts: [7, 5], turnovers: [17, 21], rebounds: [5, 4] },
  fieldHockey: { ...HOCKEY, circleEntries: [19, 15], penaltyCorners: [6, 4] },
  iceHockey: { shots: [31, 26], saves: [24, 28], hits: [19, 22], faceoffRate: [53, 47], timeOnAttack: [14.2, 11.8] },
  handBall: { shots: [44, 47], saves: [13, 11], turnovers: [9, 11], shotRate: [64, 57] },
  waterPolo: { shots: [28, 26], saves: [9, 8], steals: [6, 5], blocks: [4, 3], turnovers: [7, 9], sprintsWon: [3, 1] },
  lacrosse: { shots: [36, 33], saves: [11, 12], groundBalls: [31, 28], faceoffRate: [56, 44], turnovers: [14, 16] },
  volleyball: { attackRate: [48, 43], receptionRate: [61, 57], digs: [42, 38], serviceErrors: [9, 11] },
  tennis: {
    firstServeRate: [64, 59],
    firstServePointsWon: [74, 69],
    secondServePointsWon: [53, 47],
    breakPointsWon: [3, 2],
    winners: [31, 26],
    unforcedErrors: [22, 28],
    serveSpeed: [204, 198],
    distance: [3.1, 3.3],
  },
  cricket: { runRate: [8.4, 7.9], dotBalls: [41, 46], boundaries: [19, 16] },
  baseball: { battingAverage: [0.274, 0.251], leftOnBase: [7, 9], pitches: [128, 141], strikeouts: [9, 7] },
}

/** What the facts of a player come to beside their plain counts. */
const OF_PLAYERS = ['goals', 'assists', 'points', 'cards', 'minutes']
const OF_CRICKETERS = [
  'runs',
  'balls',
  'wickets',
  'ballsBowled',
  'runsConceded',
  'maidens',
  'catches',
  'stumpings',
  'runOuts',
]
const OF_SETS = ['setPoints']

const named = (sport: string): Given => (Object.hasOwn(GIVEN, sport) ? (GIVEN[sport] ?? {}) : {})

/** Names that somebody may tell values of. */
export const givenNames = (sport: string): string[] => Object.keys(named(sport))

/** Values of both sides as examples, for matches that nobody plays. */
export const exampleValues = (sport: string): Given => named(sport)

/** Every name that a statistic of the sport may have, those that facts count first. Names of one's own begin with `x_`. */
export const statisticNames = (sport: string): string[] => [
  ...new Set([
    ...statisticsOf(sport),
    ...givenNames(sport),
    ...(sport === 'cricket' ? OF_CRICKETERS : OF_PLAYERS),
    ...(sportOf(sport).periodType === 'set' ? OF_SETS : []),
  ]),
]

/** A name of one's own: `x_` and up to 40 letters, digits and underlines. */
export const isOwnName = (name: string): boolean => /^x_[A-Za-z0-9_]{1,40}$/.test(name)

/** Why a value of this name cannot be told; undefined when it can. `counted`: names that facts of the match count. */
export function refusedName(sport: string, name: string, counted: ReadonlySet<string>): string | undefined {
  if (isOwnName(name)) return undefined
  if (counted.has(name)) return 'is counted from the facts of the match'
  if (givenNames(sport).includes(name)) return undefined
  return statisticNames(sport).includes(name)
    ? 'is counted from facts'
    : `is no statistic of ${sport}; names of your own begin with x_`
}
