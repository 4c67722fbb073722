import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import { getCompetition } from '../competitions/queries.ts'
import { ownRecords } from '../ownership.ts'
import { getMatch } from './queries.ts'
import type { MatchCreation, MatchV2 } from './schema.ts'

type Creation = z.output<typeof MatchCreation>
type Competitor = { entityType: 'team' | 'player'; entityId: number; isHome: boolean }

/** Creates a match between teams of its competition, or between players. The sport is the competition's. */
export function createMatch(ctx: RecordContext, asked: Creation): Promise<z.output<typeof MatchV2>> {
  return ctx.db.write(ctx, { ref: 'match/new', type: 'create', asked }, async (tx) => {
    const { sport } = await getCompetition(ctx, asked.competitionId, tx)
    if (typeof asked.venueId === 'number') await ownRecords(ctx, tx, 'venue', [asked.venueId])
    const officials = asked.officials ?? []
    await ownRecords(
      ctx,
      tx,
      'official',
      officials.map(({ id }) => id),
    )
    const competitors = await checkedCompetitors(ctx, tx, asked)
    checkOfficials(officials)
    const [row] = await tx<{ id: number }[]>`
      insert into match (organization_id, competition_id, sport, name, competitors_type, starts_at, timezone, venue_id,
        round, officials, config, pregame_automation_minutes, postgame_automation_minutes)
      values (${ctx.organizationId}, ${asked.competitionId}, ${sport}, ${asked.name ?? null},
        ${asked.competitorsType ?? 'teams'}, ${asked.date}, ${asked.timezone ?? 'UTC'}, ${asked.venueId ?? null},
        ${asked.round ?? null}, ${tx.json(officials)}, ${tx.json(given(asked.config ?? {}))}, ${asked.pregameAutomationTime ?? null},
        ${asked.postgameAutomationTime ?? null})
      returning id`
    if (!row) throw new Error('an insert returned no row')
    for (const [position, { entityType, entityId, isHome }] of competitors.entries())
      await tx`insert into match_competitor (match_id, position, entity_type, team_id, player_id, is_home)
        values (${row.id}, ${position}, ${entityType}, ${entityType === 'team' ? entityId : null},
          ${entityType === 'player' ? entityId : null}, ${isHome})`
    return {
      ref: `match/${row.id}`,
      result: await getMatch(ctx, row.id, tx),
      events: [{ type: 'match.created', matchId: row.id, competitionId: asked.competitionId }],
    }
  })
}

// the driver's JSON type knows no undefined members, which JSON leaves out anyway
const given = (config: object) => config as Parameters<TransactionSql['json']>[0]

async function checkedCompetitors(ctx: RecordContext, tx: TransactionSql, asked: Creation): Promise<Competitor[]> {
  const sides = asked.competitors
    ? asked.competitors.map((one, index) => ({
        path: `body.competitors[${index}].entityId`,
        ...one,
        isHome: one.isHome ?? index === 0,
      }))
    : [
        { path: 'body.homeTeamId', entityType: 'team' as const, entityId: asked.homeTeamId ?? 0, isHome: true },
        { path: 'body.awayTeamId', entityType: 'team' as const, entityId: asked.awayTeamId ?? 0, isHome: false },
      ]
  const of = (type: Competitor['entityType']) =>
    sides.filter(({ entityType }) => entityType === type).map(({ entityId }) => entityId)
  await ownRecords(ctx, tx, 'team', of('team'))
  await ownRecords(ctx, tx, 'player', of('player'))
  const assigned = await tx<{ id: number }[]>`
    select team_id as id from competition_team where competition_id = ${asked.competitionId} and team_id = any(${of('team')})`
  const inCompetition = new Set(assigned.map(({ id }) => id))
  const details: FieldErrors = {}
  for (const [index, { path, entityType, entityId }] of sides.entries()) {
    if (sides.findIndex((other) => other.entityType === entityType && other.entityId === entityId) < index)
      details[path] = { message: 'competes against itself', value: entityId }
    else if (entityType === 'team' && !inCompetition.has(entityId))
      details[path] = { message: 'not a team of the competition', value: entityId }
  }
  if (Object.keys(details).length > 0) throw invalid(details)
  return sides
}

function checkOfficials(officials: readonly { id: number; role: string }[]) {
  const ids = officials.map(({ id }) => id)
  const repeated = ids.findIndex((id, index) => ids.indexOf(id) < index)
  if (repeated >= 0)
    throw invalid({ [`body.officials[${repeated}].id`]: { message: 'named twice', value: ids[repeated] } })
}
