import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { ReadContext } from '../../context.ts'
import type { SportKey } from '../../schema/sport.ts'
import { exactly } from '../target.ts'
import { getProfile, type ProfilePath } from '../themes/profiles.queries.ts'
import type { GamePlan, GamePlanRule } from './schema.ts'

export type PlayedPlan = { profileId: number; themeId: number; sport: SportKey; rules: GamePlanRule[] }

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

/** The plan of an overlay's profile, with its rules in order; undefined: the overlay has no profile, or that has no plan. */
export async function playedPlan(sql: ISql, overlayId: number): Promise<PlayedPlan | undefined> {
  const [plan] = await sql<PlayedPlan[]>`
    select p.id as "profileId", p.theme_id as "themeId", c.sport, g.rules
    from overlay o
    join theme_profile p on p.id = o.theme_profile_id
    join competition c on c.id = p.competition_id
    join game_plan g on g.theme_profile_id = p.id
    where o.id = ${overlayId}`
  return plan
}
