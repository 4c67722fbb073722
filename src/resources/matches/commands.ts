import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import { type NewMatch, newMatch, UNSAID } from '../../../machines/match.ts'
import { recordOf } from '../../../machines/match-record.ts'
import { judgeConfig } from '../../../machines/sports.ts'
import { newActor } from '../../actors/rows.ts'
import type { Context, RecordContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Provider } from '../../schema/provider.ts'
import { serviceMoment } from '../../waiting/service-time.ts'
import { getCompetition } from '../competitions/queries.ts'
import { writeEach } from '../each.ts'
import { forgetOverlay, hideEverything, removeOverlay } from '../overlays/removal.ts'
import { refuseWhileRunning, removeStreams } from '../streams/removal.ts'
import { impossible } from './ask-match.ts'
import { competitorsAfter, ownCompetitors, sidesAsked, teamsIn } from './competitors.ts'
import { deskLinks } from './desk-link.queries.ts'
import { giveDesk, notifyDesk } from './desk-link.ts'
import { getMatch, getMatchRow, teamsOf, v1Of } from './queries.ts'
import type { MatchV1, MatchV2 } from './schema.ts'
import { checkOfficials, configOf, moment, ownNamed, settingsOf } from './settings.ts'
import type { MatchBatch, MatchCreation } from './write.schema.ts'

type V2 = z.output<typeof MatchV2>

/** Fields of a match that only a sync sets: no request can. */
type Supplied = { dataProvider?: Provider }

/** Creates a match between teams of its competition, or between players. The sport is the competition's. */
export const createMatch = (ctx: RecordContext, asked: MatchCreation & Supplied): Promise<V2> =>
  create(ctx, asked, async (match) => match)

function create<T extends object>(
  ctx: RecordContext,
  asked: MatchCreation & Supplied,
  shape: (match: V2, tx: TransactionSql) => Promise<T>,
): Promise<T> {
  // whoever makes a match may write to it
  const writer = { ...ctx, scopes: new Set(['matches:write']) }
  return ctx.db.write(ctx, { ref: 'match/new', type: 'create', asked }, async (tx) => {
    const { sport } = await getCompetition(ctx, asked.competitionId, tx)
    await ownNamed(ctx, tx, asked)
    const sides = sidesAsked(asked) ?? []
    await ownCompetitors(ctx, tx, sides)
    const competitors = competitorsAfter([], asked, sides, await teamsIn(tx, asked.competitionId, sides))
    checkOfficials(asked)
    const refusal = judgeConfig(sport, configOf(asked))
    if (refusal) throw impossible(refusal)
    const place = await timezoneOf(tx, asked.venueId)
    const settings = { ...UNSAID, ...place, ...settingsOf(asked), date: moment(asked.date) }
    const made = { sport, config: configOf(asked), settings, competitors, at: serviceMoment() }
    const id = await insertMatch(ctx, tx, asked, made)
    return {
      ref: `match/${id}`,
      seq: 0,
      result: { ...(await shape(await getMatch(ctx, id, tx), tx)), ...(await deskLinks(writer, [id], tx))(id) },
      events: [{ type: 'match.created', matchId: id, competitionId: asked.competitionId, match: made }],
    }
  })
}

/** As `createMatch`, in the shape of v1. */
export const createMatchV1 = (ctx: RecordContext, asked: MatchCreation): Promise<z.output<typeof MatchV1>> =>
  create(ctx, asked, async (match, tx) => v1Of(match, await teamsOf(ctx, [match], tx)))

/** Creates matches, all of them or none. Throws as `writeEach`. */
export const createMatches = async (ctx: RecordContext, { matches }: z.output<typeof MatchBatch>) => ({
  matches: await writeEach(ctx, { member: 'matches', items: matches }, createMatch),
})

/** A kick-off is told in the time of its ground, where nobody says another. */
async function timezoneOf(tx: TransactionSql, venueId: number | null | undefined) {
  if (typeof venueId !== 'number') return {}
  const [venue] = await tx<{ timezone: string | null }[]>`select timezone from venue where id = ${venueId}`
  return venue?.timezone ? { timezone: venue.timezone } : {}
}

type Belonging = Supplied & Pick<MatchCreation, 'competitionId'>

/** The row, its competitors and the actor that everything after this goes through. */
async function insertMatch(
  ctx: RecordContext,
  tx: TransactionSql,
  { competitionId, dataProvider }: Belonging,
  made: NewMatch,
) {
  const match = newMatch(made)
  const { officials, config, play, ...record } = recordOf(match)
  const [row] = await tx<{ id: number }[]>`
    insert into match (organization_id, competition_id, sport, name, competitors_type, starts_at, timezone, venue_id,
      round, officials, config, pregame_automation_minutes, postgame_automation_minutes, state, play, created_at,
      updated_at, provider_name, provider_id)
    values (${ctx.organizationId}, ${competitionId}, ${made.sport}, ${record.name}, ${record.competitorsType},
      ${record.date}, ${record.timezone}, ${record.venueId}, ${record.round}, ${tx.json(officials)},
      ${tx.json(plain(config))}, ${record.pregameAutomationTime}, ${record.postgameAutomationTime}, ${record.state},
      ${tx.json(plain(play))}, ${made.at}, ${made.at}, ${dataProvider?.name ?? null},
      ${dataProvider?.id ?? null})
    returning id`
  if (!row) throw new Error('an insert returned no row')
  for (const { position, entityType, teamId, playerId, isHome } of record.competitors)
    await tx`insert into match_competitor (match_id, position, entity_type, team_id, player_id, is_home)
      values (${row.id}, ${position}, ${entityType}, ${teamId}, ${playerId}, ${isHome})`
  await giveDesk(ctx, tx, row.id)
  const actor = newActor('match', match)
  await tx`insert into actor (ref, organization_id, machine_version, snapshot)
    values (${`match/${row.id}`}, ${ctx.organizationId}, ${actor.machineVersion}, ${actor.snapshot}::text::json)`
  return row.id
}

// the driver's JSON type knows neither undefined members, which JSON leaves out, nor read-only ones
const plain = (value: object) => value as Parameters<TransactionSql['json']>[0]

/** Removes a match with all that is only of it: facts, line-ups, and its streams and overlays as their own deletion does. Throws invalid while a stream runs. */
export async function deleteMatch(ctx: Context, matchId: number): Promise<undefined> {
  await getMatchRow(ctx, matchId)
  const { sql } = ctx.db
  await refuseWhileRunning(sql, { matchId }, 'path.matchId')
  const overlays = await sql<{ id: number }[]>`select id from overlay where match_id = ${matchId} order by id`
  for (const { id } of overlays) await hideEverything(ctx, id, 'match deleted')
  const ref = `match/${matchId}` as const
  const removed = await ctx.db.write(ctx, { ref: `match-record/${matchId}`, type: 'delete' }, async (tx) => {
    // the actor's row first: it waits for a commit under way and fences every later one
    await tx`delete from actor where ref = ${ref}`
    await tx`delete from timer where ref = ${ref}`
    await notifyDesk(tx, matchId)
    const streams = await tx<{ id: number }[]>`select id from stream_settings where match_id = ${matchId} order by id`
    const actors = await removeStreams(
      tx,
      streams.map(({ id }) => id),
      'path.matchId',
    )
    // also overlays that were made meanwhile
    const ids = await tx<{ id: number }[]>`select id from overlay where match_id = ${matchId} order by id for update`
    for (const { id } of ids) await removeOverlay(tx, id)
    await noteResultGone(tx, matchId)
    const gone = await tx`delete from match where id = ${matchId} returning id`
    if (gone.length === 0) throw notFound()
    return { result: { ids, actors }, events: [{ type: 'match.deleted', matchId }] }
  })
  for (const { id } of removed.ids) forgetOverlay(ctx, id)
  for (const actor of removed.actors) ctx.actors.forget(actor)
  ctx.actors.forget(ref)
  return undefined
}

/** The standings of the competition change with a match that had a result, and its row can no longer say when. */
const noteResultGone = (tx: TransactionSql, matchId: number) => tx`
  insert into competition_standings as s (competition_id) select competition_id from match
  where id = ${matchId} and result_changed_at is not null
  on conflict (competition_id) do update set updated_at = greatest(clock_timestamp(), s.updated_at + interval '1 millisecond')`
