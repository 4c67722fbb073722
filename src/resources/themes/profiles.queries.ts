import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { ReadContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { ownRecords } from '../ownership.ts'
import { exactly } from '../target.ts'
import type { ThemeProfile } from './profiles.schema.ts'

type Shape = z.output<typeof ThemeProfile>
/** A profile and its competition, as an address names them. */
export type ProfilePath = { competitionId: number; profileId: number }

/** The active profiles of a competition with themes of the organization, more closely those that `which` names. */
const profiles = (ctx: ReadContext, sql: ISql, competitionId: number, which = sql``) => sql<Required<Shape>[]>`
  select p.id, p.competition_id as "competitionId", p.theme_id as "themeId", p.name,
    p.default_control_room_id as "defaultControlRoomId", p.is_default as "isDefault",
    (select coalesce(json_agg(json_build_object('variableId', v.variable_id, 'value', v.value) order by v.variable_id), '[]')
      from theme_variable_value v where v.theme_profile_id = p.id) as "themeVariableValues",
    ${exactly(sql, 'p.updated_at')} as "updatedAt"
  from theme_profile p
  join theme t on t.id = p.theme_id and t.organization_id = ${ctx.organizationId}
  where p.competition_id = ${competitionId} and p.archived_at is null ${which}
  order by p.id`

/** Active profiles with themes of the organization. Missing competition 404, foreign 403. spec: Competitions 10 */
export async function listProfiles(ctx: ReadContext, competitionId: number): Promise<Shape[]> {
  const { sql } = ctx.db
  await ownRecords(ctx, sql, 'competition', [competitionId])
  return [...(await profiles(ctx, sql, competitionId))]
}

/** Throws notFound, also for an archived one and that of another competition. A command gives its transaction. */
export async function getProfile(
  ctx: ReadContext,
  { competitionId, profileId }: ProfilePath,
  sql: ISql = ctx.db.sql,
): Promise<Shape> {
  await ownRecords(ctx, sql, 'competition', [competitionId])
  const [profile] = await profiles(ctx, sql, competitionId, sql`and p.id = ${profileId}`)
  if (!profile) throw notFound()
  return profile
}
