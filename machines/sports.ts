import type { MatchConfig, Refusal } from './match-model.ts'
import { BaseballScoring } from './sports/baseball.ts'
import { CricketScoring } from './sports/cricket.ts'
import { counted, counts, type FactTypes, notes, plays, scores } from './sports/fact-type.ts'
import { ANY, down, overtime, periods, type Sport, sport, untimed, up } from './sports/sport.ts'
import { BehindsScoring, DownsScoring, FoulsScoring } from './sports/sum.ts'
import { TennisScoring } from './sports/tennis.ts'
import { VolleyballScoring } from './sports/volleyball.ts'

export { type FactType, STRUCTURAL } from './sports/fact-type.ts'
export type { Sport } from './sports/sport.ts'

const goal = scores('goal', 1)
const ownGoal = scores('ownGoal', 1, { credit: 'opponent' })
const penaltyGoal = scores('penaltyGoal', 1)
const penaltyMissed = scores('penaltyMissed', 0, { statistic: 'penaltiesMissed' })
const cards = counts('yellowCard', 'secondYellow', 'redCard')
const sub = counts('substitution')
/** A try of so many points and the kicks of both codes, by their worth. */
const rugby = (tryPoints: number, kicks: FactTypes): readonly FactTypes[] => [
  scores('try', tryPoints),
  scores('conversion', 2),
  kicks,
  counts('yellowCard', 'redCard', 'scrum', 'tackle', 'penaltyConceded', 'knockOn'),
  counted('conversionMissed', 'conversionsMissed'),
  counted('penaltyMissed', 'penaltiesMissed'),
]
const union = rugby(5, {
  ...scores('penaltyTry', 7),
  ...scores('penaltyGoal', 3),
  ...scores('dropGoal', 3),
  ...counted('dropGoalMissed', 'dropGoalsMissed'),
  ...counts('lineout', 'substitution'),
})

/** All that differs between the sports. spec: Enumerations */
const table = {
  football: sport(periods('half', 2, 45, 15), up, [11, 9], {
    overtime: overtime(2, 15),
    facts: [
      goal,
      ownGoal,
      penaltyGoal,
      penaltyMissed,
      cards,
      sub,
      counts('corner', 'shot', 'shotOnTarget', 'offside'),
      counts('foul', 'freeKick', 'save', 'assist', 'varDecision'),
    ],
    config: { injuryTime: true },
  }),
  futsal: sport(periods('half', 2, 20, 10), down, [5, 9], {
    overtime: overtime(2, 5),
    facts: [
      goal,
      ownGoal,
      penaltyGoal,
      scores('secondPenaltyGoal', 1),
      penaltyMissed,
      cards,
      sub,
      counts('foul', 'accumulatedFoul', 'corner', 'shot', 'save'),
    ],
    scoring: (config) => new FoulsScoring(config),
  }),
  rugbyUnion: sport(periods('half', 2, 40, 12), up, [15, 8], { overtime: overtime(2, 10), facts: union }),
  rugbySevens: sport(periods('half', 2, 7, 2), up, [7, 5], { overtime: overtime(ANY, 5), facts: union }),
  rugbyLeague: sport(periods('half', 2, 40, 10), up, [13, 6], {
    overtime: overtime(2, 5),
    facts: [
      ...rugby(4, { ...scores('penaltyGoal', 2), ...scores('fieldGoal', { min: 1, max: 2, default: 1 }) }),
      counts('sinBin', 'interchange', 'setRestart', 'error'),
    ],
  }),
  touchFootball: sport(periods('half', 2, 20, 5), { ...down, stops: false }, [6, 8], {
    overtime: overtime(ANY, 0),
    facts: [scores('touchdown', 1), counts('penalty', 'forcedSubstitution', 'substitution', 'sinBin')],
  }),
  ausRules: sport(periods('quarter', 4, 20, 6), down, [18, 5], {
    overtime: overtime(2, 3),
    facts: [
      scores('goal', 6),
      scores('behind', 1),
      scores('rushedBehind', 1),
      counts('mark', 'kick', 'handball', 'tackle', 'interchange', 'freeKick', 'hitOut', 'inside50'),
    ],
    scoring: (config) => new BehindsScoring(config),
  }),
  gridiron: sport(periods('quarter', 4, 15, 12), down, [11, 42], {
    overtime: overtime(ANY, 10),
    facts: [
      scores('touchdown', 6),
      scores('extraPoint', 1),
      scores('twoPointConversion', 2),
      scores('fieldGoal', 3),
      scores('safety', 2),
      scores('defensiveConversion', 2),
      counts('flag', 'firstDown', 'interception', 'fumble', 'sack', 'punt', 'turnover', 'challenge'),
      counted('fieldGoalMissed', 'fieldGoalsMissed'),
      notes('down', 'possession', 'playClock'),
    ],
    scoring: (config) => new DownsScoring(config),
    config: { extraTime: true },
  }),
  basketball: sport(periods('quarter', 4, 10, 2), down, [5, 7], {
    overtime: overtime(ANY, 5),
    facts: [
      scores('freeThrow', 1),
      scores('twoPointer', 2),
      scores('threePointer', 3),
      counted('freeThrowMissed', 'freeThrowsMissed'),
      counted('twoPointerMissed', 'twoPointersMissed'),
      counted('threePointerMissed', 'threePointersMissed'),
      counts('miss', 'rebound', 'assist', 'steal', 'block', 'turnover', 'foul', 'technicalFoul', 'substitution'),
      notes('shotClock'),
    ],
    scoring: (config) => new FoulsScoring(config),
    config: { extraTime: true },
  }),
  netball: sport(periods('quarter', 4, 15, 4), down, [7, 5], {
    overtime: overtime(ANY, 7),
    facts: [
      goal,
      scores('superGoal', 2),
      sub,
      counts('miss', 'centrePass', 'intercept', 'turnover', 'rebound', 'penalty', 'warning', 'suspension'),
    ],
  }),
  fieldHockey: sport(periods('quarter', 4, 15, 2), down, [11, 7], {
    overtime: overtime(2, 8),
    facts: [
      goal,
      scores('fieldGoal', 1),
      scores('penaltyCornerGoal', 1),
      scores('penaltyStrokeGoal', 1),
      scores('shootoutMissed', 0, { statistic: 'shootoutsMissed' }),
      sub,
      counts('greenCard', 'yellowCard', 'redCard', 'penaltyCorner', 'penaltyStroke', 'circleEntry', 'shot', 'save'),
    ],
  }),
  iceHockey: sport(periods('period', 3, 20, 15), down, [6, 16], {
    overtime: overtime(ANY, 5),
    facts: [
      scores('goal', 1, {
        kinds: { powerPlay: 'powerPlayGoals', shortHanded: 'shortHandedGoals', emptyNet: 'emptyNetGoals' },
      }),
      scores('shootoutMissed', 0, { statistic: 'shootoutsMissed' }),
      counts('penalty', 'shot', 'save', 'faceoff', 'assist', 'hit', 'goalieChange'),
    ],
    config: { extraTime: true },
  }),
  handBall: sport(periods('half', 2, 30, 10), { ...up, stops: true }, [7, 9], {
    overtime: overtime(4, 5),
    facts: [
      goal,
      scores('sevenMetreGoal', 1),
      scores('sevenMetreMissed', 0, { statistic: 'sevenMetresMissed' }),
      sub,
      counts('twoMinuteSuspension', 'yellowCard', 'redCard', 'blueCard', 'shot', 'save', 'turnover'),
    ],
  }),
  waterPolo: sport(periods('quarter', 4, 8, 2), down, [7, 7], {
    overtime: overtime(2, 3),
    facts: [
      goal,
      penaltyGoal,
      penaltyMissed,
      sub,
      counts('exclusion', 'thirdExclusion', 'shot', 'save', 'steal', 'block', 'turnover'),
      notes('shotClock'),
    ],
  }),
  lacrosse: sport(periods('quarter', 4, 15, 2), down, [10, 13], {
    overtime: overtime(ANY, 4),
    facts: [
      scores('goal', { min: 1, max: 2, default: 1 }),
      sub,
      counts('faceoff', 'draw', 'save', 'penalty', 'groundBall', 'shot', 'assist', 'turnover'),
    ],
  }),
  volleyball: sport(periods('set', 5, 0, 3), untimed, [6, 8], {
    facts: [
      scores('point', 1, { kinds: { ace: 'aces', kill: 'kills', block: 'blocks', error: 'opponentErrors' } }),
      counts('substitution', 'challenge', 'sideOut', 'rotation'),
    ],
    scoring: (config) => new VolleyballScoring(config),
  }),
  tennis: sport(periods('set', 3, 0, 2), untimed, [2, 0], {
    facts: [
      scores('point', 1),
      counts('ace', 'doubleFault', 'winner', 'unforcedError', 'breakPoint', 'challenge', 'medical'),
      notes('serveChange'),
    ],
    scoring: (config) => new TennisScoring(config),
  }),
  cricket: sport(periods('innings', 2, 0, 10), untimed, [11, 1], {
    overtime: overtime(2, 0),
    facts: [
      scores('runs', { min: 0, max: 6 }, { statistic: 'scoringStrokes' }),
      scores('four', 4),
      scores('six', 6),
      scores('wide', { min: 1, max: 5, default: 1 }),
      scores('noBall', { min: 1, max: 7, default: 1 }),
      scores('bye', { min: 1, max: 5, default: 1 }),
      scores('legBye', { min: 1, max: 5, default: 1 }),
      scores('penaltyRuns', 5, { statistic: 'penaltyRuns' }),
      scores('wicket', { min: 0, max: 6, default: 0 }, { team: 'optional' }),
      plays('declaration'),
      counts('review'),
      notes('overEnd', 'newBatter', 'newBowler', 'target'),
    ],
    scoring: (config) => new CricketScoring(config),
  }),
  baseball: sport(periods('innings', 9, 0, 2), untimed, [9, 17], {
    overtime: overtime(ANY, 0, 'innings'),
    facts: [
      scores('run', 1),
      scores('homeRun', { min: 1, max: 4, default: 1 }),
      plays('ball', 'strike', 'foulBall', 'out', 'hit', 'error', 'walk', 'hitByPitch', 'stolenBase'),
      counts('pitchingChange', 'substitution'),
      notes('bases'),
    ],
    scoring: (config) => new BaseballScoring(config),
    config: { extraTime: true },
  }),
} satisfies Record<string, Sport>

export type SportName = keyof typeof table

/** Every sport by its name in the API. */
export const SPORTS: Readonly<Record<SportName, Sport>> = table

const named = (name: string): name is SportName => Object.hasOwn(SPORTS, name)

/** Throws when there is no such sport. */
export function sportOf(name: string): Sport {
  if (!named(name)) throw new Error(`no sport is called ${name}`)
  return SPORTS[name]
}

/** The configuration in force: members that were set, over the defaults of the sport. */
export const effectiveConfig = (sport: string, config: Partial<MatchConfig>): MatchConfig => ({
  ...sportOf(sport).defaults,
  ...config,
})

/** Names of the types that a fact of this sport may have. */
export const factTypesOf = (sport: string): string[] => Object.keys(sportOf(sport).factTypes)

/** Names that the statistics of a side may hold. */
export const statisticsOf = (sport: string): string[] => [
  ...new Set(
    Object.values(sportOf(sport).factTypes).flatMap(({ statistic, kinds }) => [
      ...(statistic === undefined ? [] : [statistic]),
      ...Object.values(kinds),
    ]),
  ),
]

/** Why a match of this sport cannot be played so; undefined when it can. */
export function judgeConfig(sport: string, { periodCount }: Partial<MatchConfig>): Refusal | undefined {
  if (sportOf(sport).periodType !== 'set' || periodCount === undefined || periodCount % 2 === 1) return undefined
  return {
    path: 'config.periodCount',
    message: 'a match is the best of an odd number of sets',
    value: periodCount,
  }
}
