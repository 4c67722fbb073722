import type { Importer } from './importer.ts'
import { COLUMNS, type Judged, judge, type Known, sheetOf, stepsOf } from './players.ts'

const TITLES = new Map<string, string>([
  ...COLUMNS,
  ['captain', 'Captain'],
  ['defaultStarter', 'Starts'],
  ['defaultBench', 'Bench'],
])

/** Players of a team, against those who are on its roster. */
export const playerImporter = (teamId: number, roster: readonly Known[]): Importer => ({
  ...{ noun: 'player', nouns: 'players', choices: COLUMNS, inName: ['firstName', 'lastName'] },
  example: 'No\tFirst name\tLast name\tPosition\n1\tIngrid\tBerg\tGoalkeeper\n9\tAna María\tLopes\tForward',
  sheetOf,
  judge: (rows, mapping) => judge(rows, mapping, roster),
  // rows that `judge` answered
  stepsOf: (judged) => stepsOf(teamId, judged as readonly Judged[]),
  titleOf: (field) => TITLES.get(field) ?? field,
  shown: (_, value) => (typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)),
})
