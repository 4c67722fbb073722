import { MOST_MATCHES } from '../../../schema/batch-sizes.ts'
import { worded } from '../../../schema/worded.ts'
import { type Column, recordColumn, textColumn } from './columns.ts'
import { batchesOf, type Fields, type Judged, type Step } from './judged.ts'
import type { Kind } from './records.ts'
import { alike } from './sheet.ts'
import { type DateOrder, type Day, dateOf, localDay, momentIn, type Time, timeOf } from './times.ts'
import type { Competition, Match, Team, Venue } from './told.ts'

type ForMatches = {
  competition: Competition
  /** Those of the competition. */
  teams: readonly Team[]
  venues: readonly Venue[]
  matches: readonly Match[]
  /** Times are those of the venue, else of this zone. */
  zone: string
  order: DateOrder
}

/** Matches that nobody has begun to play. */
const OPEN = ['scheduled', 'postponed', 'delayed']

/**
 * The fixtures of one competition. A match is the one that is there between the same teams in the same round, at the same time, or else on
 * the same day: so a list with other times moves matches, and doubles none.
 */
export function matchKind({ competition, teams, venues, matches, zone, order }: ForMatches): Kind {
  const zoneOf = (venueId: unknown) => venues.find(({ id }) => id === venueId)?.timezone ?? zone
  const shownAt = (value: unknown, { venueId }: Fields) => momentWords(String(value), zoneOf(venueId))
  const nameOf = ({ homeTeamId, awayTeamId }: Fields) =>
    [homeTeamId, awayTeamId].map((id) => teams.find((team) => team.id === id)?.name ?? '?').join(' – ')
  return {
    ...{ noun: 'match', nouns: 'matches', defaults: {}, nameOf },
    needs: ['date', 'homeTeamId', 'awayTeamId'],
    inName: ['homeTeamId', 'awayTeamId'],
    between: ' – ',
    identity: ['homeTeamId', 'awayTeamId', 'date'],
    columns: [
      dateColumn(order, shownAt),
      timeColumn,
      recordColumn('homeTeamId', 'Home', 'team of the competition', teams, 'hometeam', 'heim', 'team1'),
      recordColumn('awayTeamId', 'Away', 'team of the competition', teams, 'awayteam', 'gast', 'team2', 'visitor'),
      recordColumn('venueId', 'Venue', 'venue', venues, 'ground', 'place', 'location', 'stadium'),
      textColumn('round', 'Round', [1, 255], 'matchday', 'week', 'runde'),
      textColumn('name', 'Name', [1, 255], 'title', 'matchname'),
    ],
    known: matches.map((match) => ({ id: match.id, fields: match })),
    joined(fields) {
      const { date, time, ...others } = fields
      const { homeTeamId, awayTeamId, venueId } = fields
      const faults =
        homeTeamId !== undefined && homeTeamId === awayTeamId ? ['Away: a team cannot play against itself'] : []
      if (!isDated(date)) return { fields: others, faults }
      if (date.at) return { fields: { ...others, date: date.at }, faults }
      const at = isTime(time) ? time : date.time
      if (!at) return { fields: others, faults: [...faults, 'Time: is missing'] }
      return { fields: { ...others, date: momentIn(date.day, at, zoneOf(venueId)) }, faults }
    },
    narrow(fields, among) {
      const pair = among.filter(({ fields: known }) => known.awayTeamId === fields.awayTeamId)
      const { round, date } = fields
      const sameRound = pair.filter(
        (one) => round !== undefined && alike(String(one.fields.round ?? '')) === alike(String(round)),
      )
      if (sameRound.length > 0) return sameRound
      const sameTime = pair.filter((one) => one.fields.date === date)
      if (sameTime.length > 0 || typeof date !== 'string') return sameTime
      const day = localDay(date, zoneOf(fields.venueId))
      return pair.filter((one) => localDay(String(one.fields.date), zoneOf(one.fields.venueId)) === day)
    },
    lockedBy: ({ fields: { state } }) =>
      OPEN.includes(String(state))
        ? undefined
        : `The match is ${worded(String(state)).toLowerCase()}: it is changed on its own page`,
    sentOf: (fields, known) =>
      known
        ? fields
        : {
            ...{ competitionId: competition.id, ...fields },
            ...(!venues.find(({ id }) => id === fields.venueId)?.timezone && { timezone: zone }),
          },
    stepsOf,
    example: 'Date\tTime\tHome\tAway\tRound\n2027-03-06\t18:00\tHarbour United\tNorthgate Rovers\tRound 1',
  }
}

/** New ones in batches; each that is there by itself, since it has an owner. */
const stepsOf = (judged: readonly Judged[]): Step[] => [
  ...batchesOf(
    judged.filter(({ is }) => is === 'new'),
    { path: '/v2/matches/batch', member: 'matches', most: MOST_MATCHES },
  ),
  ...judged.flatMap((row): Step[] =>
    row.is === 'changed'
      ? [{ lines: [row.line], method: 'POST', path: `/v2/matches/${row.id}`, body: row.body ?? row.fields }]
      : [],
  ),
]

type Dated = { day: Day; time?: Time; at?: string }
const isDated = (value: unknown): value is Dated => typeof value === 'object' && value !== null && 'day' in value
const isTime = (value: unknown): value is Time => typeof value === 'object' && value !== null && 'hour' in value

const dateColumn = (order: DateOrder, shown: NonNullable<Column['shown']>): Column => ({
  ...{ name: 'date', title: 'Date', aliases: ['day', 'kickoff', 'datum', 'starts', 'datetime', 'when'] },
  read(cell) {
    const value = dateOf(cell, order)
    return value ? { value } : { fault: `“${cell}” is no day: write it as 2027-03-06, or 6.3.2027 18:00` }
  },
  shown,
})

const timeColumn: Column = {
  ...{ name: 'time', title: 'Time', aliases: ['kickofftime', 'starttime', 'uhrzeit', 'anstoß'] },
  read(cell) {
    const value = timeOf(cell)
    return value ? { value } : { fault: `“${cell}” is no time of day: write it as 18:00` }
  },
}

const momentWords = (at: string, zone: string) =>
  new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: zone, weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit' },
  }).format(new Date(at))
