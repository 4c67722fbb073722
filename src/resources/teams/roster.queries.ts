import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { ReadContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Paging } from '../../schema/paging.ts'
import { ownRecords } from '../ownership.ts'
import { page } from '../page.ts'
import type { RosterPlayer } from './roster.schema.ts'

type Shape = z.output<typeof RosterPlayer>

const columns = (sql: ISql) => sql`
  p.id, p.first_name as "firstName", p.last_name as "lastName", e.gfx_first_name as "gfxFirstName",
    e.gfx_last_name as "gfxLastName", e.position, e.position_type as "positionType", e.number, e.starter, e.bench,
    e.captain, coalesce(e.photo_url, p.photo_url) as "photoUrl"`

const entries = (sql: ISql) => sql`
  from roster_entry e join player p on p.id = e.player_id join team t on t.id = e.team_id`

/** The players of a team by id. Throws notFound, or forbidden when the team is another organization's. */
export async function listRoster(ctx: ReadContext, teamId: number, paging: Paging) {
  const { sql } = ctx.db
  await ownRecords(ctx, sql, 'team', [teamId])
  const { rows, total } = await page<Shape>(sql, {
    select: columns(sql),
    from: sql`${entries(sql)} where e.team_id = ${teamId}`,
    source: 'p',
    ...paging,
  })
  return { players: rows, total, returned: rows.length }
}

/**
 * Throws notFound also when the team or the player is another organization's. A command gives its transaction.
 * spec: Teams 5
 */
export async function getRosterPlayer(
  ctx: ReadContext,
  teamId: number,
  playerId: number,
  sql: ISql = ctx.db.sql,
): Promise<Shape> {
  const [row] = await sql<Shape[]>`select ${columns(sql)} ${entries(sql)}
    where e.team_id = ${teamId} and e.player_id = ${playerId} and t.organization_id = ${ctx.organizationId}`
  if (!row) throw notFound()
  return row
}

/** Those of these players who are on the roster of a team. */
export const rosterPlayers = (sql: ISql, teamId: number, playerIds: readonly number[]) =>
  sql<
    Shape[]
  >`select ${columns(sql)} ${entries(sql)} where e.team_id = ${teamId} and e.player_id = any(${[...playerIds]})`
