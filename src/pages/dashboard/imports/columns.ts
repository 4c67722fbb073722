import { worded } from '../../../schema/worded.ts'
import type { Fields } from './judged.ts'
import { alike, lengthOf, unreadable } from './sheet.ts'

/** What a cell says for the API, or why it says nothing. */
export type Read = { value: unknown } | { fault: string }

export type Column = {
  /** The field that it fills. */
  readonly name: string
  readonly title: string
  /** Names of it in a first line, as `headerKey` has them; the field and the title are known anyhow. */
  readonly aliases: readonly string[]
  read(cell: string): Read
  /** The value for people, of a record as it will be. */
  shown?(value: unknown, whole: Fields): string
  /** Whether a record has the value already. */
  has?(known: unknown, value: unknown): boolean
  /** The API does not tell it: only new records are given it. */
  readonly onlyNew?: boolean
}

/** Text of `min` to `max` characters. */
export const textColumn = (
  name: string,
  title: string,
  [min, max]: readonly [min: number, max: number],
  ...aliases: string[]
): Column => ({
  name,
  title,
  aliases,
  read(cell) {
    const fault = unreadable(cell)
    if (fault) return { fault }
    const length = lengthOf(cell)
    return length < min || length > max
      ? { fault: `has ${length} characters, and needs ${min} to ${max}` }
      : { value: cell }
  },
})

/** One of a list of words, in any case, as the API or as people write it. */
export const choiceColumn = (
  name: string,
  title: string,
  choices: readonly string[],
  ...aliases: string[]
): Column => ({
  name,
  title,
  aliases,
  read(cell) {
    const found = choices.find((choice) => alike(choice) === alike(cell) || alike(worded(choice)) === alike(cell))
    return found === undefined ? { fault: `“${cell}” is none of ${listed(choices.map(worded))}` } : { value: found }
  },
  shown: (value) => worded(String(value)),
})

const listed = (words: readonly string[]) =>
  words.length > 6 ? `${words.slice(0, 5).join(', ')} and ${words.length - 5} more` : words.join(', ')

export const numberColumn = (
  name: string,
  title: string,
  [min, max]: readonly [min: number, max: number],
  ...aliases: string[]
): Column => ({
  name,
  title,
  aliases,
  read(cell) {
    // spreadsheets of half of Europe write 59,91
    const number = Number(cell.replace(',', '.'))
    return Number.isFinite(number) && number >= min && number <= max
      ? { value: number }
      : { fault: `“${cell}” is no number of ${min} to ${max}` }
  },
})

type Named = { id: number; name: string; gfxName?: string | null | undefined; abbreviation?: string | undefined }

/** A record that is there, by its name, what graphics call it, what is short for it, or its id. */
export const recordColumn = (
  name: string,
  title: string,
  noun: string,
  records: readonly Named[],
  ...aliases: string[]
): Column => {
  const byName = new Map<string, Set<number>>()
  const nameOf = new Map(records.map((record) => [record.id, record.name]))
  const add = (word: string, id: number) => byName.set(word, new Set(byName.get(word)).add(id))
  for (const { id, name: full } of records) add(alike(full), id)
  // what another one is called in full is no short name
  for (const { id, gfxName, abbreviation } of records)
    for (const short of [gfxName, abbreviation])
      if (short && !records.some((one) => alike(one.name) === alike(short))) add(alike(short), id)
  return {
    name,
    title,
    aliases,
    read(cell) {
      const [found, ...more] = byName.get(alike(cell)) ?? (nameOf.has(Number(cell)) ? [Number(cell)] : [])
      if (found === undefined) return { fault: `“${cell}” is no ${noun} that is there` }
      if (more.length > 0) return { fault: `${more.length + 1} records are called “${cell}”: say the id` }
      return { value: found }
    },
    shown: (value) => nameOf.get(Number(value)) ?? String(value),
  }
}
