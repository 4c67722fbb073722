import { z } from 'zod'

/** Length in Unicode code points, as every limit of the service counts it. spec: Limits */
const codePoints = (text: string) => {
  let count = 0
  for (const _ of text) count++
  return count
}

/** A string of `min` to `max` code points, both included. */
export const text = (min: number, max: number) =>
  z
    .string()
    .refine((value) => codePoints(value) >= min && codePoints(value) <= max, {
      error: min === 0 ? `at most ${max} characters` : `${min} to ${max} characters`,
    })
    .meta({ minLength: min, maxLength: max })

/** spec: Conventions */
export const Id = z.int32().min(1).meta({ id: 'Id', description: 'Identifier' })
/** The preset of a graphic on air. One that the OGraf Server API shows need not have one. */
export const ShownPreset = z
  .int32()
  .min(0)
  .meta({ description: 'Its preset; 0: none, as the OGraf Server API may show it' })
/** spec: Conventions */
export const Count = z.int32().min(0).meta({ id: 'Count' })
/** spec: Conventions */
export const Name = text(6, 39).meta({ id: 'Name' })
/** spec: Conventions */
export const GfxName = text(6, 19).meta({ id: 'GfxName' })
/** spec: Conventions */
export const NullableGfxName = text(6, 19).nullable().meta({ id: 'NullableGfxName' })
/** spec: Conventions */
export const GfxFullName = text(6, 35).meta({ id: 'GfxFullName' })
/** spec: Conventions */
export const Abbreviation = text(2, 4).meta({ id: 'Abbreviation' })

/** Narrows a list of people. */
export const PersonNameFilter = z
  .string()
  .optional()
  .meta({ description: 'Part of the first and last name, with a space between them, in any case' })

const isoDatetime = z.iso.datetime({
  offset: true,
  error: ({ code }) =>
    code === 'invalid_format' ? 'needs date, time and offset, such as 2027-03-01T18:00:00+01:00' : undefined,
})

/** ISO 8601 with milliseconds, in UTC, as every response prints it. */
export const Timestamp = isoDatetime.meta({ id: 'Timestamp' })

// also asked about text that is no date at all, which the format refuses
const inStorableYears = (text: string) => {
  const year = new Date(text).getUTCFullYear()
  return !(year < 1 || year > 9999)
}

/** A moment that a request names: in UTC within the years 1 to 9999, which ISO 8601 writes with four digits and PostgreSQL can store. */
export const Moment = isoDatetime
  .refine(inStorableYears, { error: 'outside the years 1 to 9999' })
  .meta({ id: 'Moment' })

const isTimezone = (name: string) => {
  try {
    // an offset such as +01:00 is taken by the formatter, but is no place with a history of its own
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

/** The name of a time zone: `Europe/Oslo`. */
export const Timezone = text(1, 64).refine(isTimezone, { error: 'not an IANA time zone' }).meta({ id: 'Timezone' })

/**
 * Option of a rule over several fields of an object: it is checked even when single fields are bad, so that an answer names
 * every bad field at once.
 */
export const alsoWhenInvalid = { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null }
