import type { Importer } from './importer.ts'
import type { Judged } from './judged.ts'
import { choicesOf, judgeRecords, type Kind, sheetOf } from './records.ts'

/** The pages of an import for a kind of records. */
export function kindImporter(kind: Kind): Importer {
  const columns = new Map(kind.columns.map((column) => [column.name, column]))
  return {
    ...{ noun: kind.noun, nouns: kind.nouns, choices: choicesOf(kind), example: kind.example },
    sheetOf: (text) => sheetOf(kind, text),
    judge: (rows, mapping) => judgeRecords(kind, rows, mapping),
    // rows that `judge` answered
    stepsOf: (judged) => kind.stepsOf(judged as readonly Judged[]),
    titleOf: (field) => columns.get(field)?.title ?? field,
    shown: (field, value, whole) => columns.get(field)?.shown?.(value, whole) ?? String(value),
    inName: kind.inName,
  }
}
