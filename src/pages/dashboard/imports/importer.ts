import type { Fields, Judged, Step } from './judged.ts'
import type { Row, Sheet } from './sheet.ts'

/** What the pages of an import know of what is imported. */
export type Importer = {
  /** `player`, `players` */
  readonly noun: string
  readonly nouns: string
  /** What a column may be, and its title. */
  readonly choices: readonly (readonly [column: string, title: string])[]
  readonly example: string
  sheetOf(text: string): Sheet
  judge(rows: readonly Row[], mapping: readonly string[]): readonly Judged<object>[]
  stepsOf(judged: readonly Judged<object>[]): Step[]
  titleOf(field: string): string
  /** The value of a field for people; `whole` is the record that has it. */
  shown(field: string, value: unknown, whole: Fields): string
  /** Fields that stand beside a new one anyhow. */
  readonly inName: readonly string[]
}

/** `1 player`, `1,024 players` */
export const counted = ({ noun, nouns }: Pick<Importer, 'noun' | 'nouns'>, count: number): string =>
  `${count.toLocaleString('en')} ${count === 1 ? noun : nouns}`
