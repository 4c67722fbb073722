import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import { type NewMatch, newMatch } from '../../../machines/match.ts'
import type { MatchSettings } from '../../../machines/match-model.ts'
import { recordOf } from '../../../machines/match-record.ts'
import { newActor } from '../../actors/effects.ts'
import type { Context, ReadContext, RecordContext } from '../../context.ts'
import { invalid, notFound } from '../../errors.ts'
import { getCompetition } from '../competitions/queries.ts'
import { forgetOverlay, hideEverything, removeOverlay } from '../overlays/removal.ts'
import { ownRecords } from '../ownership.ts'
import { askMatch } from './ask-match.ts'
import { competitorsAfter, ownCompetitors, sidesAsked, teamsIn } from './competitors.ts'
import { getMatch, getMatchRow, type MatchRow, matchOf, teamsOf, v1Of } from './queries.ts'
import type { MatchV1, MatchV2 } from './schema.ts'
import type { MatchCreation, MatchUpdate } from './write.schema.ts'

type V2 = z.output<typeof MatchV2>

/** Creates a match between teams of its competition, or between players. The sport is the competition's. */
export const createMatch = (ctx: RecordContext, asked: MatchCreation): Promise<V2> =>
  create(ctx, asked, async (match) => match)

function create<T>(
  ctx: RecordContext,
  asked: MatchCreation,
  shape: (match: V2, tx: TransactionSql) => Promise<T>,
): Promise<T> {
  return ctx.db.write(ctx, { ref: 'match/new', type: 'create', asked }, async (tx) => {
    const { sport } = await getCompetition(ctx, asked.competitionId, tx)
    await ownNamed(ctx, tx, asked)
    const sides = sidesAsked(asked) ?? []
    await ownCompetitors(ctx, tx, sides)
    const competitors = competitorsAfter([], asked, sides, await teamsIn(tx, asked.competitionId, sides))
    checkOfficials(asked)
    const settings = { ...DEFAULTS, ...settingsOf(asked), date: moment(asked.date) }
    const made = { sport, config: configOf(asked), settings, competitors, at: new Date().toISOString() }
    const id = await insertMatch(ctx, tx, asked.competitionId, made)
    return {
      ref: `match/${id}`,
      seq: 0,
      result: await shape(await getMatch(ctx, id, tx), tx),
      events: [{ type: 'match.created', matchId: id, competitionId: asked.competitionId, match: made }],
    }
  })
}

/** As `createMatch`, in the shape of v1. */
export const createMatchV1 = (ctx: RecordContext, asked: MatchCreation): Promise<z.output<typeof MatchV1>> =>
  create(ctx, asked, async (match, tx) => v1Of(match, await teamsOf(ctx, [match], tx)))

const DEFAULTS: Omit<MatchSettings, 'date'> = {
  name: null,
  competitorsType: 'teams',
  timezone: 'UTC',
  venueId: null,
  round: null,
  officials: [],
  pregameAutomationTime: null,
  postgameAutomationTime: null,
}

/** The row, its competitors and the actor that everything after this goes through. */
async function insertMatch(ctx: RecordContext, tx: TransactionSql, competitionId: number, made: NewMatch) {
  const match = newMatch(made)
  const { officials, config, play, ...record } = recordOf(match)
  const [row] = await tx<{ id: number }[]>`
    insert into match (organization_id, competition_id, sport, name, competitors_type, starts_at, timezone, venue_id,
      round, officials, config, pregame_automation_minutes, postgame_automation_minutes, state, play, created_at,
      updated_at)
    values (${ctx.organizationId}, ${competitionId}, ${made.sport}, ${record.name}, ${record.competitorsType},
      ${record.date}, ${record.timezone}, ${record.venueId}, ${record.round}, ${tx.json(officials)},
      ${tx.json(plain(config))}, ${record.pregameAutomationTime}, ${record.postgameAutomationTime}, ${record.state},
      ${tx.json(plain(play))}, ${made.at}, ${made.at})
    returning id`
  if (!row) throw new Error('an insert returned no row')
  for (const { position, entityType, teamId, playerId, isHome } of record.competitors)
    await tx`insert into match_competitor (match_id, position, entity_type, team_id, player_id, is_home)
      values (${row.id}, ${position}, ${entityType}, ${teamId}, ${playerId}, ${isHome})`
  const actor = newActor('match', match)
  await tx`insert into actor (ref, organization_id, machine_version, snapshot)
    values (${`match/${row.id}`}, ${ctx.organizationId}, ${actor.machineVersion}, ${actor.snapshot}::text::json)`
  return row.id
}

// the driver's JSON type knows neither undefined members, which JSON leaves out, nor read-only ones
const plain = (value: object) => value as Parameters<TransactionSql['json']>[0]

/** Changes a match, all or nothing. Answers as `getMatchV2`. */
export async function updateMatchV2(ctx: Context, matchId: number, asked: MatchUpdate) {
  return update(ctx, matchId, asked, async () => (match) => match)
}

/** As `updateMatchV2`, in the shape of v1. */
export async function updateMatchV1(
  ctx: Context,
  matchId: number,
  asked: MatchUpdate,
): Promise<z.output<typeof MatchV1>> {
  return update(ctx, matchId, asked, async (sides) => {
    const teams = await teamsOf(ctx, [sides])
    return (match) => v1Of(match, teams)
  })
}

/** Reads what the answer shows beside the match, once it is known who competes. */
type Shape<T> = (sides: Pick<V2, 'homeTeamId' | 'awayTeamId'>) => Promise<(match: V2) => T>

async function update<T>(ctx: Context, matchId: number, asked: MatchUpdate, shape: Shape<T>): Promise<T> {
  const { sql } = ctx.db
  const row = await getMatchRow(ctx, matchId)
  await ownNamed(ctx, sql, asked)
  const sides = sidesAsked(asked)
  if (sides) await ownCompetitors(ctx, sql, sides)
  if (asked.competitionId !== undefined && asked.competitionId !== row.competitionId) {
    await ownRecords(ctx, sql, 'competition', [asked.competitionId])
    throw invalid({ 'body.competitionId': { message: 'a match stays in its competition', value: asked.competitionId } })
  }
  checkOfficials(asked)
  const known = await teamsIn(sql, row.competitionId, sides ?? [])
  const venueName = await venueNameOf(ctx, asked.venueId, row)
  const at = new Date().toISOString()
  let shown: (match: V2) => T
  return askMatch(ctx, matchId, {
    asked: { type: 'update', ...asked },
    async decide(match) {
      const competitors = sides && competitorsAfter(match.competitors, asked, sides, known)
      shown = await shape(matchOf({ ...row, ...recordOf({ ...match, competitors: competitors ?? match.competitors }) }))
      const settings = settingsOf(asked)
      return {
        type: 'update',
        at,
        ...(Object.keys(settings).length > 0 && { settings }),
        ...(asked.config && { config: configOf(asked) }),
        ...(competitors && { competitors }),
        ...(asked.state !== undefined && { state: asked.state }),
        ...(asked.score !== undefined && { score: asked.score }),
      }
    },
    // a side that was named alone is refused by its own name
    pathOf: (path) => (path === 'competitors' && sides?.[0] && !asked.competitors ? sides[0].path.slice(5) : path),
    reply: (match) => shown(matchOf({ ...row, ...recordOf(match), venueName, updatedAt: at })),
  })
}

async function venueNameOf(ctx: ReadContext, venueId: number | null | undefined, row: MatchRow) {
  if (venueId === undefined) return row.venueName
  const [venue] = await ctx.db.sql<{ name: string }[]>`select name from venue where id = ${venueId}`
  return venue?.name ?? null
}

type Named = Pick<MatchUpdate, 'venueId' | 'officials'>

/** Venue and officials must be there (404) and the caller's own (403). */
async function ownNamed(ctx: ReadContext, sql: Parameters<typeof ownRecords>[1], { venueId, officials }: Named) {
  if (typeof venueId === 'number') await ownRecords(ctx, sql, 'venue', [venueId])
  const ids = officials?.map(({ id }) => id) ?? []
  await ownRecords(ctx, sql, 'official', ids)
}

function checkOfficials({ officials = [] }: Named) {
  const ids = officials.map(({ id }) => id)
  const repeated = ids.findIndex((id, index) => ids.indexOf(id) < index)
  if (repeated >= 0)
    throw invalid({ [`body.officials[${repeated}].id`]: { message: 'named twice', value: ids[repeated] } })
}

const moment = (date: string) => new Date(date).toISOString()

/** What a request sets; what it leaves out is absent. */
function settingsOf(asked: MatchUpdate): Partial<MatchSettings> {
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

const configOf = ({ config = {} }: Pick<MatchUpdate, 'config'>) => defined(config)

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }

function defined<T extends object>(value: T): Defined<T> {
  // entries of T without those that are undefined
  return Object.fromEntries(Object.entries(value).filter(([, given]) => given !== undefined)) as Defined<T>
}

/** Removes a match with all that is only of it: facts, line-ups, streams, and its overlays as their own deletion does. */
export async function deleteMatch(ctx: Context, matchId: number): Promise<undefined> {
  await getMatchRow(ctx, matchId)
  const { sql } = ctx.db
  const overlays = await sql<{ id: number }[]>`select id from overlay where match_id = ${matchId} order by id`
  for (const { id } of overlays) await hideEverything(ctx, id, 'match deleted')
  const ref = `match/${matchId}` as const
  const removed = await ctx.db.write(ctx, { ref: `match-record/${matchId}`, type: 'delete' }, async (tx) => {
    // the actor's row first: it waits for a commit under way and fences every later one
    await tx`delete from actor where ref = ${ref}`
    await tx`delete from timer where ref = ${ref}`
    // also overlays that were made meanwhile
    const ids = await tx<{ id: number }[]>`select id from overlay where match_id = ${matchId} order by id for update`
    for (const { id } of ids) await removeOverlay(tx, id)
    const gone = await tx`delete from match where id = ${matchId} returning id`
    if (gone.length === 0) throw notFound()
    return { result: ids, events: [{ type: 'match.deleted', matchId }] }
  })
  for (const { id } of removed) forgetOverlay(ctx, id)
  ctx.actors.forget(ref)
  return undefined
}
