import { SPORT_WORDS } from '../../../../../machines/sports/words.ts'
import type { SportName } from '../../../../../machines/sports.ts'
import {
  endOfPeriod,
  halfTime,
  lineUps,
  players,
  redCard,
  result,
  scoreBug,
  sponsor,
  substitution,
  type TemplateRule,
  timeOut,
  told,
  yellowCard,
} from './rules.ts'

const scored = { priority: 80 }
/** A goal every minute: the name goes as fast as it came, and none waits for its turn. */
const often = { ...scored, end: { afterSeconds: 5 }, onInterrupt: 'drop' } as const

const goalScorer = (...factTypes: readonly string[]) => told('Goal scorer', factTypes, ['Scorer', 'Goal'], scored)
const tryScorer = told('Try scorer', ['try'], ['Try', 'Scorer'], scored)
const kicker = (...factTypes: readonly string[]) => told('Kicker', factTypes, ['Kick', 'Conversion', 'Penalty goal'])

/** From the start to the end of a match around what happens in it. */
const inHalves = (...rules: readonly TemplateRule[]) => [scoreBug, ...lineUps, ...rules, halfTime(1)]
const inQuarters = (...rules: readonly TemplateRule[]) => [
  scoreBug,
  ...lineUps,
  ...rules,
  endOfPeriod('Quarter score', ['Quarter break', 'Score by quarter', 'Period score']),
  halfTime(2),
]

/** All but the end. */
const COURSES: Readonly<Record<SportName, readonly TemplateRule[]>> = {
  football: inHalves(
    goalScorer('goal', 'penaltyGoal'),
    yellowCard,
    redCard('redCard', 'secondYellow'),
    substitution(),
    told('Video decision', ['varDecision'], ['VAR', 'Video referee'], { delaySeconds: 0 }),
  ),
  futsal: inHalves(
    goalScorer('goal', 'penaltyGoal', 'secondPenaltyGoal'),
    yellowCard,
    redCard('redCard', 'secondYellow'),
    told('Team fouls', ['accumulatedFoul'], ['Fouls', 'Accumulated fouls']),
    timeOut,
  ),
  rugbyUnion: inHalves(
    tryScorer,
    kicker('conversion', 'penaltyGoal', 'dropGoal'),
    yellowCard,
    redCard('redCard'),
    substitution(),
  ),
  rugbySevens: inHalves(tryScorer, kicker('conversion', 'penaltyGoal', 'dropGoal'), yellowCard, redCard('redCard')),
  rugbyLeague: inHalves(
    tryScorer,
    kicker('conversion', 'penaltyGoal', 'fieldGoal'),
    told('Sin bin', ['sinBin'], ['Yellow card', 'Card']),
    redCard('redCard'),
  ),
  touchFootball: inHalves(
    told('Touchdown scorer', ['touchdown'], ['Touchdown', 'Try scorer', 'Scorer'], scored),
    told('Sin bin', ['sinBin'], ['Card']),
  ),
  ausRules: inQuarters(told('Goal kicker', ['goal'], ['Goal scorer', 'Scorer', 'Goal'], scored)),
  gridiron: inQuarters(
    told('Touchdown scorer', ['touchdown'], ['Touchdown', 'Scorer'], scored),
    told('Field goal', ['fieldGoal'], ['Kicker', 'Kick'], scored),
    told('Turnover', ['interception', 'fumble'], ['Interception', 'Fumble']),
    told('Flag', ['flag'], ['Penalty']),
    timeOut,
  ),
  basketball: inQuarters(
    told('Three-pointer', ['threePointer'], ['3-pointer', 'Three points', 'Scorer'], often),
    told('Team fouls', ['foul'], ['Fouls', 'Foul'], { cooldownSeconds: 60 }),
    told('Technical foul', ['technicalFoul'], ['Technical'], { priority: 80 }),
    substitution(),
    timeOut,
  ),
  netball: inQuarters(told('Super goal', ['superGoal'], ['Goal scorer', 'Scorer', 'Goal'], often), substitution()),
  fieldHockey: inQuarters(
    goalScorer('goal', 'fieldGoal', 'penaltyCornerGoal', 'penaltyStrokeGoal'),
    told('Penalty corner', ['penaltyCorner'], ['Corner'], { delaySeconds: 0, onInterrupt: 'drop' }),
    told('Green card', ['greenCard'], ['Card']),
    yellowCard,
    redCard('redCard'),
  ),
  iceHockey: [
    scoreBug,
    ...lineUps,
    goalScorer('goal'),
    told('Penalty', ['penalty'], ['Penalty box', 'Power play']),
    told('Goalie change', ['goalieChange'], ['Goalkeeper', 'Goalie']),
    timeOut,
    endOfPeriod('Intermission score', ['Intermission', 'Period score', 'Period break']),
  ],
  handBall: inHalves(
    told('Goal scorer', ['goal', 'sevenMetreGoal'], ['Scorer', 'Goal'], often),
    told('Two minutes', ['twoMinuteSuspension'], ['Suspension', '2 minutes']),
    yellowCard,
    redCard('redCard', 'blueCard'),
    timeOut,
  ),
  waterPolo: inQuarters(
    goalScorer('goal', 'penaltyGoal'),
    told('Exclusion', ['exclusion', 'thirdExclusion'], ['Suspension']),
    timeOut,
  ),
  lacrosse: inQuarters(goalScorer('goal'), told('Penalty', ['penalty'], ['Penalty box', 'Man up']), timeOut),
  volleyball: [
    scoreBug,
    ...lineUps,
    substitution(),
    told('Challenge', ['challenge'], ['Video challenge'], { delaySeconds: 0 }),
    timeOut,
    endOfPeriod('Set score', ['Set result', 'Set summary', 'Score by set']),
  ],
  tennis: [
    scoreBug,
    ...players,
    told('Ace', ['ace'], ['Aces', 'Serve'], { every: 3, onInterrupt: 'drop' }),
    told('Break point', ['breakPoint'], [], { delaySeconds: 0, end: { afterSeconds: 6 }, onInterrupt: 'drop' }),
    told('Challenge', ['challenge'], ['Video challenge'], { delaySeconds: 0 }),
    endOfPeriod('Set score', ['Set result', 'Set summary', 'Score by set']),
  ],
  cricket: [
    scoreBug,
    ...lineUps,
    told('Wicket', ['wicket'], ['Dismissal', 'Batter out'], { ...scored, end: { afterSeconds: 10 } }),
    told('Boundary', ['four', 'six'], ['Four', 'Six'], often),
    told('New batter', ['newBatter'], ['Batter', 'Next batter']),
    told('New bowler', ['newBowler'], ['Bowler']),
    told('Over summary', ['overEnd'], ['End of over', 'Over'], { onInterrupt: 'drop' }),
    endOfPeriod('Innings score', ['Innings break', 'Innings summary', 'End of innings']),
  ],
  baseball: [
    scoreBug,
    ...lineUps,
    told('Home run', ['homeRun'], ['Homer', 'Scorer'], scored),
    told('Pitching change', ['pitchingChange'], ['New pitcher', 'Pitcher']),
    substitution(),
    endOfPeriod('Line score', ['Innings score', 'Inning score', 'Innings break'], {
      end: { afterSeconds: 15 },
    }),
  ],
}

/** The plans that people may begin with: what each sport shows by itself, in the order of a match. */
export const templateOf = (sport: SportName): readonly TemplateRule[] => [
  ...COURSES[sport],
  result(SPORT_WORDS[sport]),
  sponsor,
]
