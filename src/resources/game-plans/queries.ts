import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { ReadContext } from '../../context.ts'
import { exactly } from '../target.ts'
import { getProfile, type ProfilePath } from '../themes/profiles.queries.ts'
import type { GamePlan, GamePlanRule } from './schema.ts'

export type PlayedRule = Pick<GamePlanRule, 'id' | 'name' | 'enabled' | 'presetId' | 'layer'>

type Shape = z.output<typeof GamePlan>

/** The plan of a theme profile; one without has no rules. Throws as `getProfile`. */
export async function getGamePlan(ctx: ReadContext, path: ProfilePath, sql: ISql = ctx.db.sql): Promise<Shape> {
  await getProfile(ctx, path, sql)
  const [row] = await sql<{ rules: GamePlanRule[]; updatedAt: string }[]>`
    select coalesce(g.rules, '[]'::json) as rules,
      coalesce(${exactly(sql, 'g.updated_at')}, ${exactly(sql, 'p.created_at')}) as "updatedAt"
    from theme_profile p left join game_plan g on g.theme_profile_id = p.id where p.id = ${path.profileId}`
  if (!row) throw new Error('a profile that was read is gone')
  return { competitionThemeSettingId: path.profileId, ...row }
}

/** The rules of the plan of an overlay's profile, in order. */
export async function playedRules(sql: ISql, overlayId: number): Promise<PlayedRule[]> {
  const [plan] = await sql<{ rules: PlayedRule[] }[]>`
    select g.rules from overlay o join game_plan g on g.theme_profile_id = o.theme_profile_id where o.id = ${overlayId}`
  return plan?.rules ?? []
}
