import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { invalid } from '../../errors.ts'
import type { SportKey } from '../../schema/sport.ts'
import { asRead, checkTarget, thisWrite } from '../target.ts'
import { lockProfile } from '../themes/profile-target.ts'
import type { ProfilePath } from '../themes/profiles.queries.ts'
import { adsOf, wrongRules } from './problems.queries.ts'
import { getGamePlan } from './queries.ts'
import type { GamePlan, GamePlanReplacement } from './schema.ts'

/** Replaces the whole plan of a profile, or nothing: `invalid` names every bad field. Throws targetChanged. game-plan: Game plan */
export function replaceGamePlan(
  ctx: RecordContext,
  path: ProfilePath,
  { rules, ifUnchangedSince }: z.output<typeof GamePlanReplacement>,
): Promise<z.output<typeof GamePlan>> {
  const { profileId } = path
  const command = {
    ref: `theme-profile/${profileId}`,
    type: 'replaceGamePlan',
    asked: { rules: rules.length, ifUnchangedSince },
  }
  const replaced = ctx.db.write(ctx, command, async (tx) => {
    const { themeId } = await lockProfile(ctx, tx, path)
    await tx`
      insert into game_plan (theme_profile_id, rules, updated_at)
      select id, '[]', created_at from theme_profile where id = ${profileId} on conflict do nothing`
    const [stored] = await tx<{ unchanged: boolean; sport: SportKey }[]>`
      select ${asRead(tx, ifUnchangedSince)} as unchanged,
        (select sport from competition where id = ${path.competitionId}) as sport
      from game_plan where theme_profile_id = ${profileId} for update`
    const { sport } = checkTarget(stored)
    const details = await wrongRules(tx, { themeId, sport, ...(await adsOf(ctx, tx, profileId)) }, rules)
    if (Object.keys(details).length > 0) throw invalid(details)
    const kept = rules.map((rule) => ({ ...rule, id: rule.id ?? randomUUID() }))
    await tx`
      update game_plan set rules = ${JSON.stringify(kept)}::text::json, updated_at = ${thisWrite(tx)}
      where theme_profile_id = ${profileId}`
    await tx`select pg_notify('catalog', ${JSON.stringify({ plan: profileId })})`
    return {
      result: await getGamePlan(ctx, path, tx),
      events: [{ type: 'gamePlan.replaced', themeProfileId: profileId, ruleIds: kept.map(({ id }) => id) }],
      outbox: [{ kind: 'reaction', payload: { event: 'gamePlan.replaced', ref: `plan-rules/${profileId}` } }],
    }
  })
  return replaced.finally(() => ctx.catalog.forget({ plan: profileId }))
}
