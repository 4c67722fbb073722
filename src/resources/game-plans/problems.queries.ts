import type { ISql } from 'postgres'
import type { z } from 'zod'
import { factTypesOf, STRUCTURAL } from '../../../machines/sports.ts'
import type { ReadContext } from '../../context.ts'
import { type FieldErrors, notFound } from '../../errors.ts'
import { BrokenExpression, compile, compileRule } from '../../expressions/compile.ts'
import type { SportKey } from '../../schema/sport.ts'
import { findManifest, type Manifest } from '../control-rooms/manifest.queries.ts'
import { wrongValue } from '../control-variables.ts'
import { getProfile, type ProfilePath } from '../themes/profiles.queries.ts'
import { getGamePlan, type PlayedPlan } from './queries.ts'
import type { GamePlanProblems, RuleAsked } from './schema.ts'

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
      const problem = brokenSource(rule.condition, rule.trigger)
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
        const problem = brokenSource(value.expression, rule.trigger)
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

type Problem = z.output<typeof GamePlanProblems>['problems'][number]

/**
 * What of the plan of an overlay cannot run any more: presets that were deleted, graphics that the active theme version has not, values
 * and brands that are gone. Only the rules concerned are suppressed.
 */
export async function problemsOf(
  ctx: ReadContext,
  { profileId, themeId, sport, rules }: PlayedPlan,
): Promise<Problem[]> {
  if (rules.length === 0) return []
  const ads = await adsOf(ctx, ctx.db.sql, profileId)
  const details = await wrongRules(ctx.db.sql, { themeId, sport, ...ads }, rules)
  return Object.entries(details).flatMap(([path, { message }]) => {
    const [, index = '', field = ''] = /^body\.rules\[(\d+)\]\.(.+)$/.exec(path) ?? []
    const rule = rules[Number(index)]
    return rule ? [{ ruleId: rule.id, name: rule.name, enabled: rule.enabled, field, message }] : []
  })
}

/** What of the stored plan of a profile cannot run any more. Throws as `getProfile`. */
export async function gamePlanProblems(
  ctx: ReadContext,
  path: ProfilePath,
): Promise<z.output<typeof GamePlanProblems>> {
  const { profileId } = path
  const { themeId } = await getProfile(ctx, path)
  const { rules } = await getGamePlan(ctx, path)
  const [competition] = await ctx.db.sql<{ sport: SportKey }[]>`
    select sport from competition where id = ${path.competitionId}`
  if (!competition) throw notFound()
  const problems = await problemsOf(ctx, { profileId, themeId, sport: competition.sport, rules })
  return { competitionThemeSettingId: profileId, problems }
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
function brokenSource(source: string, trigger: RuleAsked['trigger']): string | undefined {
  try {
    const { uses, names, brokenPatterns } = compileRule(source)
    if (uses.size > 0) return 'a rule reads no other expressions'
    if (trigger.type !== 'fact' && names.has('fact') && !isWithoutFact(source))
      return `reads fact, which only a rule with a trigger of facts has, not one of ${trigger.type}`
    return brokenPatterns[0]
  } catch (error) {
    if (error instanceof BrokenExpression) return error.message
    throw error
  }
}

/** A loop may call its own item `fact`. */
function isWithoutFact(source: string): boolean {
  try {
    compile(source)
    return true
  } catch (error) {
    if (error instanceof BrokenExpression) return false
    throw error
  }
}
