import type { z } from 'zod'
import type { OgrafCard, PinnedGraphic, Variable } from '../../catalog/cards.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Raw } from '../../http/route.ts'
import { worded } from '../../schema/worded.ts'
import { getRoomDetail } from '../control-rooms/queries.ts'
import { getStill } from '../control-rooms/stills.ts'
import { problemsOf } from '../game-plans/problems.queries.ts'
import { type PlayedPlan, playedPlan } from '../game-plans/queries.ts'
import { findSportData } from '../matches/sport-data.ts'
import { getOverlay } from '../overlays/queries.ts'
import { storedValues } from '../overlays/values.ts'
import { linkedOverlay } from '../ownership.ts'
import { adChoices, choicesOf } from '../previews/choices.ts'
import type { OperatorChoices, OperatorPreset, OperatorRoom, OperatorRule } from './schema.ts'

type Detail = Awaited<ReturnType<typeof getRoomDetail>>
type Preset = Detail['presets'][number]

const NO_GRAPHICS: ReadonlyMap<string, PinnedGraphic> = new Map()

/** The control room behind the page's address, with its presets that can be shown in the active version. Throws notFound. */
export async function getOperatorRoom(ctx: Context): Promise<z.output<typeof OperatorRoom>> {
  const { id, name, matchId, encodingDelay, autoMode, controlRoomId } = await getOverlay(ctx, linkedOverlay(ctx))
  const overlay = { id, name, matchId, encodingDelay, autoMode }
  const plan = await playedPlan(ctx.db.sql, id)
  if (controlRoomId === null) return { overlay, room: null, sections: [], presets: [], rules: [] }
  const detail = await getRoomDetail(ctx, controlRoomId)
  const { theme, sections, presets } = detail
  const active = theme.activeVersion === null ? NO_GRAPHICS : await ctx.catalog.active(theme.id)
  const shown = presets.map((preset) => operatorPreset(ctx, detail, preset, active.get(preset.graphicId)))
  // the first of a rule says enough: it is mended in the plan, where all of them stand
  const told = plan ? (await problemsOf(ctx, plan)).reverse() : []
  const problems = new Map(told.map(({ ruleId, message }) => [ruleId, message]))
  return {
    overlay,
    room: {
      id: detail.id,
      name: detail.name,
      defaultMode: detail.defaultMode,
      themeName: theme.name,
      themeVersion: theme.activeVersion,
    },
    sections,
    presets: shown,
    rules: (plan?.rules ?? []).map((rule) => operatorRule(rule, shown, problems.get(rule.id))),
  }
}

/** What a preset of the room would put on air in the match of the overlay, with its theme values. Throws notFound, stillMissing and unavailable. */
export async function getOperatorStill(ctx: Context, presetId: number): Promise<Raw> {
  const { matchId, controlRoomId, competitionThemeSettingId } = await getOverlay(ctx, linkedOverlay(ctx))
  if (controlRoomId === null) throw notFound()
  return getStill(ctx, { roomId: controlRoomId, presetId, matchId, profileId: competitionThemeSettingId ?? undefined })
}

/** The records of the overlay's match to choose from. Throws notFound. */
export async function getOperatorChoices(ctx: Context): Promise<z.input<typeof OperatorChoices>> {
  const overlayId = linkedOverlay(ctx)
  const { matchId } = await getOverlay(ctx, overlayId)
  const found = await findSportData(ctx.db.sql, ctx.publicUrl, matchId)
  if (!found) throw notFound()
  const profileId = (await ctx.catalog.overlay(overlayId))?.profileId ?? null
  const [brands, slots] = await Promise.all([
    ctx.catalog.brands(ctx.organizationId),
    profileId === null ? undefined : ctx.catalog.slots(profileId),
  ])
  const all = { ...choicesOf(found.data), ad: adChoices(brands, slots) }
  const choices = Object.entries(all).map(([type, list]) => [type, [...list]])
  return { choices: Object.fromEntries(choices) }
}

function operatorPreset(
  ctx: Context,
  { themeId, theme }: Detail,
  { id, name, sectionId, graphicId, graphicName, controlRoomId, variableValues, exposedVariables }: Preset,
  graphic: PinnedGraphic | undefined,
): z.output<typeof OperatorPreset> {
  const common = { id, name, sectionId, graphicId, graphicName: graphic?.graphicName ?? graphicName }
  if (!graphic)
    return { ...common, problem: missing(graphicName, theme.activeVersion), variableValues, leftOut: [], variables: [] }
  const { organizationId } = ctx
  const of = { id, organizationId, roomId: controlRoomId, themeId, sectionId, graphicId }
  const card = { ...of, values: variableValues, exposed: exposedVariables }
  const { values, leftOut } = storedValues(card, graphic)
  const exposed = exposedVariables.flatMap((variable) => graphic.variables.get(variable) ?? [])
  return {
    ...common,
    problem: null,
    variableValues: values,
    leftOut: [...leftOut],
    variables: exposed.map(shownVariable),
    ...(graphic.requirements && { requirements: [...graphic.requirements] }),
    ...(graphic.ograf && { ograf: ografOf(graphic.ograf) }),
  }
}

const operatorRule = (
  { id, name, enabled, presetId, layer, condition }: PlayedPlan['rules'][number],
  presets: readonly z.output<typeof OperatorPreset>[],
  /** What the plan itself says of it. */
  told: string | undefined,
): z.output<typeof OperatorRule> => {
  const preset = presets.find((one) => one.id === presetId)
  const ofPlan = told === undefined ? null : told.charAt(0).toUpperCase() + told.slice(1)
  const problem = preset ? (preset.problem ?? ofPlan) : 'Its preset is not in this control room'
  return { id, name, enabled, presetId, layer: layer ?? preset?.graphicId ?? '', problem, condition: condition ?? null }
}

function missing(graphicName: string, activeVersion: number | null) {
  if (graphicName === '') return 'Its graphic was deleted'
  if (activeVersion === null) return 'The theme has no active version'
  return `“${graphicName}” is not in version ${activeVersion} of the theme`
}

const ografOf = ({ stepCount, customActions }: OgrafCard) => ({
  stepCount,
  customActions: customActions.map(({ schema, ...action }) => ({ ...action, schema: schema && { ...schema } })),
})

const shownVariable = ({ name, title, type, options, defaultValue, description, gddType, schema }: Variable) => ({
  name,
  label: title ?? worded(name),
  type,
  ...(gddType !== undefined && { gddType }),
  ...(schema && { schema: { ...schema } }),
  ...(options && { options: [...options] }),
  ...(defaultValue !== undefined && { defaultValue }),
  ...(description !== undefined && { description }),
})
