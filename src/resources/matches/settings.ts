import type { MatchSettings } from '../../../machines/match-model.ts'
import type { ReadContext } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { ownRecords } from '../ownership.ts'
import type { MatchUpdate } from './write.schema.ts'

type Named = Pick<MatchUpdate, 'venueId' | 'officials'>

/** Venue and officials must be there (404) and the caller's own (403). */
export async function ownNamed(ctx: ReadContext, sql: Parameters<typeof ownRecords>[1], { venueId, officials }: Named) {
  if (typeof venueId === 'number') await ownRecords(ctx, sql, 'venue', [venueId])
  const ids = officials?.map(({ id }) => id) ?? []
  await ownRecords(ctx, sql, 'official', ids)
}

/** Throws invalid when an official is named twice. */
export function checkOfficials({ officials = [] }: Named) {
  const ids = officials.map(({ id }) => id)
  const repeated = ids.findIndex((id, index) => ids.indexOf(id) < index)
  if (repeated >= 0)
    throw invalid({ [`body.officials[${repeated}].id`]: { message: 'named twice', value: ids[repeated] } })
}

/** A moment as all are stored. */
export const moment = (date: string) => new Date(date).toISOString()

/** The settings that a request sets; those it leaves out are absent. */
export function settingsOf(asked: MatchUpdate): Partial<MatchSettings> {
  const { name, round, timezone, venueId, competitorsType, officials, date } = asked
  const { pregameAutomationTime, postgameAutomationTime } = asked
  return defined({
    name,
    round,
    timezone,
    venueId,
    competitorsType,
    officials,
    pregameAutomationTime,
    postgameAutomationTime,
    date: date === undefined ? undefined : moment(date),
  })
}

/** The members of the configuration that a request sets. */
export const configOf = ({ config = {} }: Pick<MatchUpdate, 'config'>) => defined(config)

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }

function defined<T extends object>(value: T): Defined<T> {
  // entries of T without those that are undefined
  return Object.fromEntries(Object.entries(value).filter(([, given]) => given !== undefined)) as Defined<T>
}
