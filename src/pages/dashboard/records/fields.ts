/** One field of the form of a record. */
export type FieldDef = {
  /** Of the body of the API. */
  readonly name: string
  readonly label: string
  readonly hint?: string
  /** The longest text that the API takes. */
  readonly maxLength?: number
  readonly required?: boolean
  readonly input?: 'text' | 'number' | 'colour' | 'select' | 'list'
  /** Of a select: value and title; the first stands for nothing. */
  readonly options?: readonly (readonly [value: string, title: string])[]
  /** Ids and the like: what is chosen is sent as a number. */
  readonly isNumber?: boolean
  /** The field is of new records only: it stays as it was made. */
  readonly onlyNew?: boolean
  /** The text that stands for a value that the API does not tell: it is sent only when it was changed. */
  readonly untold?: string
  /** Shown when it is asked for: few fill it in. */
  readonly isSeldom?: boolean
  /** Emptied, the API is told null; without it the empty text, which it judges. */
  readonly clears?: boolean
}

/** The colours of teams and clubs. */
export const COLOUR_FIELDS: readonly FieldDef[] = (
  [
    ['primaryBackgroundColor', 'Colour'],
    ['primaryTextColor', 'Text on it'],
    ['secondaryBackgroundColor', 'Second colour'],
    ['secondaryTextColor', 'Text on the second'],
  ] as const
).map(([name, label]) => ({ name, label, input: 'colour', required: false, maxLength: 64 }))

export type Values = Readonly<Record<string, string>>

/** The values of a record as the inputs have them. */
export function valuesOf(fields: readonly FieldDef[], record: Readonly<Record<string, unknown>> | undefined): Values {
  return Object.fromEntries(fields.map(({ name }) => [name, textOf(record?.[name])]))
}

const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.join('\n')
  return value === null || value === undefined ? '' : String(value)
}

/** The body of a write: of a new record what was filled in, of one that is there what was changed. */
export function bodyOf(fields: readonly FieldDef[], before: Values | undefined, now: Values): Record<string, unknown> {
  const body: Record<string, unknown> = {}
  for (const field of fields) {
    const value = tidied(field, now[field.name] ?? '')
    if (before ? !field.onlyNew && value !== tidied(field, before[field.name] ?? '') : value !== '')
      body[field.name] = sentOf(field, value)
  }
  return body
}

const tidied = ({ input }: FieldDef, value: string) => (input === 'list' ? linesOf(value).join('\n') : value.trim())

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

function sentOf({ input, isNumber, clears }: FieldDef, value: string): unknown {
  if (input === 'list') return linesOf(value)
  if (value === '' && clears) return null
  // what is no number is sent as it was typed, for the server to say so
  if ((isNumber || input === 'number') && value !== '' && Number.isFinite(Number(value))) return Number(value)
  return value
}
