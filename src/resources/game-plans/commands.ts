import { randomUUID } from 'node:crypto'
import type { ISql } from 'postgres'
import type { z } from 'zod'
import { factTypesOf, STRUCTURAL } from '../../../machines/sports.ts'
import type { ReadContext, RecordContext } from '../../context.ts'
import { type FieldErrors, invalid, notFound } from '../../errors.ts'
import { BrokenExpression, compileRule } from '../../expressions/compile.ts'
import type { SportKey } from '../../schema/sport.ts'
import { findManifest, type Manifest } from '../control-rooms/manifest.queries.ts'
import { wrongValue } from '../control-variables.ts'
import { asRead, checkTarget, thisWrite } from '../target.ts'
import { lockProfile } from '../themes/profile-target.ts'
import { getProfile, type ProfilePath } from '../themes/profiles.queries.ts'
import { getGamePlan } from './queries.ts'
import type { GamePlan, GamePlanProblems, GamePlanReplacement, RuleAsked } from './schema.ts'

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

type Preset = { id: number; graphicId: string; inTheme: boolean; isPinned: boolean }

/** The faults of rules by their path in the body. */
export async function wrongRules(
  tx: ISql,
  { themeId, sport, slots, brands }: { themeId: number; sport: SportKey } & AdNames,
  rules: readonly RuleAsked[],
): Promise<FieldErrors> {
  const presets = await presetsOf(tx, themeId, rules)
  const manifests = await manifestsOf(tx, themeId, [...presets.values()])
  const factTypes = new Set([...Object.keys(STRUCTURAL), ...factTypesOf(sport)])
  const ids = new Set<string>()
  const details: FieldErrors = {}
  for (const [index, rule] of rules.entries()) {
    const wrong = (path: string, message: string, value: unknown) => {
      details[`body.rules[${index}].${path}`] = { message, value }
    }
    if (rule.id !== undefined && ids.has(rule.id)) wrong('id', 'named twice', rule.id)
    if (rule.id !== undefined) ids.add(rule.id)
    if (rule.trigger.type === 'fact')
      for (const [place, type] of rule.trigger.factTypes.entries())
        if (!factTypes.has(type)) wrong(`trigger.factTypes[${place}]`, `not a fact of ${sport}`, type)
    if (rule.condition !== undefined) {
      const problem = brokenSource(rule.condition)
      if (problem !== undefined) wrong('condition', problem, rule.condition)
    }
    const preset = presets.get(rule.presetId)
    if (!preset?.inTheme) {
      wrong('presetId', preset ? 'not a preset of the theme of the profile' : 'no such preset', rule.presetId)
      continue
    }
    if (!preset.isPinned) wrong('presetId', 'its graphic is not in the active theme version', rule.presetId)
    for (const [name, value] of Object.entries(rule.variableValues ?? {})) {
      const path = `variableValues.${name}`
      const variable = manifests.get(preset.graphicId)?.get(name)
      if (typeof value !== 'object' || value === null) {
        const isGone = variable?.type === 'ad' && typeof value === 'number' && !brands.has(value)
        const problem = wrongValue(variable, value) ?? (isGone ? 'no such brand' : undefined)
        if (problem !== undefined) wrong(path, problem, value)
      } else if (!variable) wrong(path, 'the graphic has no such variable', value)
      else if ('expression' in value) {
        const problem = brokenSource(value.expression)
        if (problem !== undefined) wrong(`${path}.expression`, problem, value.expression)
      } else {
        const problem =
          wrongValue(variable, value) ?? (slots.has(value.slot) ? undefined : 'the profile has no such sponsor slot')
        if (problem !== undefined) wrong(path, problem, value.slot)
      }
    }
  }
  return details
}

/**
 * What of a stored plan cannot run any more: presets that were deleted, graphics that the active theme version has not, values and brands
 * that are gone. Only the rules concerned are suppressed. Throws as `getProfile`.
 */
export async function gamePlanProblems(
  ctx: ReadContext,
  path: ProfilePath,
): Promise<z.output<typeof GamePlanProblems>> {
  const { themeId } = await getProfile(ctx, path)
  const { rules } = await getGamePlan(ctx, path)
  const [competition] = await ctx.db.sql<{ sport: SportKey }[]>`
    select sport from competition where id = ${path.competitionId}`
  if (!competition) throw notFound()
  const ads = await adsOf(ctx, ctx.db.sql, path.profileId)
  const details = await wrongRules(ctx.db.sql, { themeId, sport: competition.sport, ...ads }, rules)
  const problems = Object.entries(details).flatMap(([path, { message }]) => {
    const [, index = '', field = ''] = /^body\.rules\[(\d+)\]\.(.+)$/.exec(path) ?? []
    const rule = rules[Number(index)]
    return rule ? [{ ruleId: rule.id, name: rule.name, field, message }] : []
  })
  return { competitionThemeSettingId: path.profileId, problems }
}

/** The sponsor slots of a profile and the brands of its organization, by their ids. */
type AdNames = { slots: ReadonlySet<string>; brands: ReadonlySet<number> }

export async function adsOf(
  { organizationId }: Pick<ReadContext, 'organizationId'>,
  tx: ISql,
  profileId: number,
): Promise<AdNames> {
  const slots = await tx<{ id: string }[]>`
    select slot ->> 'id' as id from sponsor_slots s cross join json_array_elements(s.slots) slot
    where s.theme_profile_id = ${profileId}`
  const brands = await tx<{ id: number }[]>`
    select id from brand where organization_id = ${organizationId} and deleted_at is null`
  return { slots: new Set(slots.map(({ id }) => id)), brands: new Set(brands.map(({ id }) => id)) }
}

/** The presets that rules name, of this organization or not: one of another theme is none of the profile. */
async function presetsOf(tx: ISql, themeId: number, rules: readonly RuleAsked[]) {
  const ids = [...new Set(rules.map(({ presetId }) => presetId))]
  const rows = await tx<Preset[]>`
    select p.id, p.graphic_id as "graphicId", r.theme_id = ${themeId} as "inTheme",
      exists (select from theme_version_graphic v join theme t on t.id = v.theme_id and t.active_version = v.version
        where t.id = ${themeId} and v.graphic_id = p.graphic_id) as "isPinned"
    from preset p join control_room r on r.id = p.control_room_id
    where p.id = any(${ids}) and r.organization_id = (select organization_id from theme where id = ${themeId})`
  return new Map(rows.map((preset) => [preset.id, preset]))
}

async function manifestsOf(tx: ISql, themeId: number, presets: readonly Preset[]) {
  const manifests = new Map<string, Manifest>()
  for (const graphicId of new Set(presets.map((preset) => preset.graphicId))) {
    const manifest = await findManifest(tx, themeId, graphicId)
    if (manifest) manifests.set(graphicId, manifest.variables)
  }
  return manifests
}

/** Why an expression of a rule cannot be; undefined when it can. */
function brokenSource(source: string): string | undefined {
  try {
    const { uses, brokenPatterns } = compileRule(source)
    if (uses.size > 0) return 'a rule reads no other expressions'
    return brokenPatterns[0]
  } catch (error) {
    if (error instanceof BrokenExpression) return error.message
    throw error
  }
}
