import type { z } from 'zod'
import type { GraphicChange, Unnumbered } from '../../../machines/overlay/decide.ts'
import type { Ads, OnAir, Overlay as OverlayState, Values } from '../../../machines/overlay/model.ts'
import { type MaybePromise, whenKnown } from '../../catalog/cache.ts'
import type { OverlayCard, PinnedGraphic, PresetCard } from '../../catalog/cards.ts'
import { ografShown } from '../../catalog/ograf-card.ts'
import { graphicsNamed } from '../../catalog/queries.ts'
import type { Context } from '../../context.ts'
import { invalid, notFound, notOnAir } from '../../errors.ts'
import { type Gdd, gddFault } from '../../ograf/gdd.ts'
import type { GivenValues } from '../control-variables.ts'
import { withBrands } from './ads.ts'
import { fitWarnings } from './fit.ts'
import type { BatchedCommand } from './graphics.schema.ts'
import { checkValues, exposedOnly, storedValues, withDefaults } from './values.ts'

type Command = z.output<typeof BatchedCommand>
/** A play of the game plan, the fact that it is about, and whether it is one in rehearsal. */
export type PlayOf = { id: number; factId: number | null; rehearsal: boolean }
/** One command about a graphic under way: its context, its overlay and what is on it, and the request. */
export type Asked = {
  ctx: Context
  overlay: OverlayCard
  command: Command
  play?: PlayOf | undefined
  /** The values were written beforehand by somebody who may set all of them. */
  isPrepared?: boolean
  state: OverlayState
  /** Is told of what speaks against a show that is carried out all the same. */
  warn?: ((warning: string) => void) | undefined
}

const NO_VALUES: GivenValues = {}

/** What a command about one graphic means for the actor: preset, version and values are looked up. Throws what refuses it. */
export function decideChange(asked: Asked): MaybePromise<GraphicChange> {
  const { state, command } = asked
  const { action, presetId } = command
  if (action === 'uncue') return presetId === undefined ? { type: 'uncue' } : { type: 'uncue', presetId }
  if (action === 'cue') return whenKnown(toShow(asked), ({ graphic }) => ({ type: 'cue', graphic }))
  if (action === 'show') return toShow(asked)
  if (asked.play !== undefined) return changeByPlay(asked, state, asked.play.id)
  return presetId === undefined ? changeByGraphic(asked, state) : changeByPreset(asked, state, presetId)
}

type ToShow = Extract<GraphicChange, { type: 'show' }>

const toShow = (asked: Asked): MaybePromise<ToShow> =>
  asked.command.presetId === undefined ? showByGraphic(asked) : showPreset(asked, asked.command.presetId)

const badPreset = (presetId: number, message: string) => invalid({ 'body.presetId': { message, value: presetId } })

/** A preset of the caller's organization; those of others do not exist for it. */
const ownPreset = ({ ctx }: Asked, presetId: number) =>
  whenKnown(ctx.catalog.preset(presetId), (preset) =>
    preset?.organizationId === ctx.organizationId ? preset : undefined,
  )

const showPreset = (asked: Asked, presetId: number): MaybePromise<ToShow> =>
  whenKnown(ownPreset(asked, presetId), (preset) => {
    if (!preset) throw badPreset(presetId, 'no such preset')
    if (asked.overlay.roomId === null)
      throw badPreset(presetId, 'the overlay has no control room: give it a controlRoomId')
    if (preset.roomId !== asked.overlay.roomId) throw badPreset(presetId, 'not of the control room of the overlay')
    return whenKnown(asked.ctx.catalog.active(preset.themeId), (graphics) => {
      const graphic = graphics.get(preset.graphicId)
      if (!graphic) throw badPreset(presetId, 'its graphic is not in the active theme version')
      if (!isTarget(asked.command, graphic)) throw badTarget(asked.command, 'not the graphic of the preset')
      return show(asked, preset, graphic)
    })
  })

function show(asked: Asked, preset: PresetCard, graphic: PinnedGraphic): MaybePromise<ToShow> {
  if (graphic.ograf?.realTime === false)
    throw badPreset(preset.id, 'its graphic does not support real time: it is not for air')
  const merged = whenKnown(checkRenderers(asked, preset, graphic), () => mergedValues(asked, preset, graphic))
  return whenKnown(merged, ({ values, ads }) => ({
    type: 'show',
    graphic: {
      graphicId: graphic.graphicId,
      graphicName: graphic.graphicName,
      kind: graphic.kind,
      version: graphic.version,
      url: graphic.url,
      themeId: graphic.themeId,
      themeVersion: graphic.themeVersion,
      roomId: preset.roomId,
      sectionId: preset.sectionId,
      presetId: preset.id,
      values,
      ...(asked.command.durationSeconds && { durationSeconds: asked.command.durationSeconds }),
      ...(asked.play !== undefined && { play: asked.play.id }),
      ...(ads && { ads }),
      ...(graphic.ograf && { ograf: ografShown(graphic.ograf) }),
    },
  }))
}

/** Each connected renderer is held against what a graphic asks for. Throws invalid when the request says so. */
function checkRenderers(
  { ctx, overlay, command, warn }: Asked,
  { id }: PresetCard,
  graphic: PinnedGraphic,
): MaybePromise<void> {
  if (!graphic.requirements || (command.action !== 'show' && command.action !== 'cue')) return
  return whenKnown(fitWarnings(ctx, overlay.id, graphic), (warnings) => {
    if (command.require && warnings.length > 0) throw badPreset(id, warnings.join('; '))
    for (const warning of warnings) warn?.(warning)
  })
}

/** Without a preset the first one of the room that shows the graphic is meant, in the order operators see. */
function showByGraphic(asked: Asked): MaybePromise<ToShow> {
  const { ctx, overlay, command } = asked
  if (overlay.themeId === null) throw notFound()
  return whenKnown(ctx.catalog.active(overlay.themeId), (graphics) => {
    const graphic = target(command, graphics.values())
    if (!graphic) return refuseUnpinned(asked)
    const room = overlay.roomId === null ? undefined : ctx.catalog.room(overlay.roomId)
    return whenKnown(room, (known) => {
      const preset = known?.presets.find(
        ({ graphicId, sectionId }) => graphicId === graphic.graphicId && sectionId === (command.sectionId ?? sectionId),
      )
      if (!preset) throw badTarget(command, 'no preset of the control room shows it')
      return show(asked, preset, graphic)
    })
  })
}

/** Judged by the state of its show, so that a graphic on air can be hidden when its preset, room or graphic are gone. */
const changeByPreset = (asked: Asked, state: OverlayState, presetId: number) =>
  whenKnown(ownPreset(asked, presetId), (preset) => {
    const shown = preset
      ? state.graphics[preset.graphicId]
      : Object.values(state.graphics).find((graphic) => graphic.presetId === presetId)
    if (!preset && !shown) throw badPreset(presetId, 'no such preset')
    return whenKnown(shown === undefined || goesBy(asked, shown), (meant) => {
      if (!meant) throw badTarget(asked.command, 'not the graphic of the preset')
      if (shown) return change(asked, shown, () => ofItsRoom(preset, shown))
      if (asked.command.action !== 'hide') throw notOnAir(presetId)
      return { type: 'hide', graphicId: preset?.graphicId ?? '' } satisfies GraphicChange
    })
  })

function ofItsRoom(preset: PresetCard | undefined, shown: OnAir): PresetCard | undefined {
  if (preset && preset.roomId !== shown.roomId)
    throw badPreset(preset.id, 'not of the control room that the graphic was shown with')
  return preset
}

function changeByPlay(asked: Asked, state: OverlayState, play: number): MaybePromise<GraphicChange> {
  const shown = Object.values(state.graphics).find((graphic) => graphic.play === play)
  // somebody was faster
  return shown ? change(asked, shown) : { type: 'hide', graphicId: '' }
}

function changeByGraphic(asked: Asked, state: OverlayState): MaybePromise<GraphicChange> {
  const shown = target(asked.command, Object.values(state.graphics))
  return shown ? change(asked, shown) : changeRenamed(asked, state)
}

/** What a command does to a graphic on air. `presetFor`: whose values an update starts from. */
function change(asked: Asked, shown: OnAir, presetFor = () => presetOf(asked, shown)): MaybePromise<GraphicChange> {
  const { action } = asked.command
  switch (action) {
    case 'hide':
      return { type: 'hide', graphicId: shown.graphicId }
    case 'step':
      return step(asked, shown)
    case 'update':
      return whenKnown(presetFor(), (preset) => update(asked, shown, preset))
    default:
      return meansNoGraphicOnAir(action)
  }
}

/** Here the compiler tells of a new command. */
function meansNoGraphicOnAir(action: 'show' | 'cue' | 'uncue'): never {
  throw new Error(`${action} is about no graphic on air`)
}

const presetOf = (asked: Asked, { presetId, roomId }: OnAir): MaybePromise<PresetCard | undefined> =>
  whenKnown(ownPreset(asked, presetId), (preset) => (preset?.roomId === roomId ? preset : undefined))

function step({ command }: Asked, { graphicId, presetId, ograf }: OnAir): GraphicChange {
  if (!ograf) throw noneOfOgraf(command, presetId)
  const { goto, delta = 1 } = command
  return goto === undefined ? { type: 'step', graphicId, delta } : { type: 'step', graphicId, goto }
}

const noneOfOgraf = (command: Command, presetId: number) =>
  command.presetId === undefined
    ? badTarget(command, 'no OGraf graphic: it has neither steps nor actions')
    : badPreset(presetId, 'its graphic is no OGraf graphic: it has neither steps nor actions')

/** What a custom action of an OGraf graphic on air means. Throws what refuses it. */
export const decideCustom = (
  asked: Asked,
  { customActionId: id = '', payload }: { customActionId?: string | undefined; payload?: unknown },
): MaybePromise<Unnumbered> =>
  whenKnown(decideChange({ ...asked, command: { ...asked.command, action: 'step' } }), (found) => {
    const shown = 'graphicId' in found ? asked.state.graphics[found.graphicId] : undefined
    if (!shown) throw notOnAir(asked.command.presetId)
    return whenKnown(asked.ctx.catalog.pinned(shown.themeId, shown.themeVersion), (graphics) => {
      const action = graphics.get(shown.graphicId)?.ograf?.customActions.find((one) => one.id === id)
      if (!action) throw invalid({ 'body.customActionId': { message: 'the graphic has no such action', value: id } })
      const { schema } = action
      const wrong = payload === undefined && schema === null ? undefined : gddFault(schema ?? NO_SCHEMA, payload)
      if (wrong !== undefined) throw invalid({ 'body.payload': { message: wrong } })
      const customAction = payload === undefined ? { id } : { id, payload }
      return { type: 'custom', graphicId: shown.graphicId, customAction } satisfies Unnumbered
    })
  })

/** An action without a schema takes anything that is not too large. */
const NO_SCHEMA: Gdd = {}

/** No graphic on air was shown by that name: one may have got it since, or it is off air. */
async function changeRenamed(asked: Asked, state: OverlayState): Promise<GraphicChange> {
  const renamed = (await existing(asked)).find((graphicId) => graphicId in state.graphics)
  const shown = renamed === undefined ? undefined : state.graphics[renamed]
  if (shown) return change(asked, shown)
  if (asked.command.action === 'hide') return { type: 'hide', graphicId: '' }
  throw notOnAir()
}

/** Whether a graphic on air is the one that is named: as it was when it was shown, or as it is called now. */
const goesBy = (asked: Asked, shown: OnAir): MaybePromise<boolean> =>
  isTarget(asked.command, shown) || named(asked).then((ids) => ids.includes(shown.graphicId))

/** The values of the preset plus the given ones; when the preset is gone, those on air take their place. */
function update(asked: Asked, shown: OnAir, preset: PresetCard | undefined): MaybePromise<GraphicChange> {
  return whenKnown(asked.ctx.catalog.pinned(shown.themeId, shown.themeVersion), (graphics) => {
    const graphic = graphics.get(shown.graphicId) ?? asShown(shown)
    const gone = { ...shown, id: shown.presetId, organizationId: asked.ctx.organizationId, exposed: [] }
    const base = preset ?? gone
    return whenKnown(mergedValues(asked, base, graphic, shown), ({ values, ads }) => ({
      type: 'update',
      graphicId: shown.graphicId,
      presetId: base.id,
      sectionId: base.sectionId,
      values,
      ...((asked.command.durationSeconds === null || isTakenOver(asked, shown)) && { stays: true as const }),
      ...(ads && { ads }),
    }))
  })
}

/** A change by hand ends what the game plan had in mind. game-plan: Rules of behaviour 4 */
const isTakenOver = ({ ctx }: Asked, { play }: OnAir) => play !== undefined && ctx.actor.type !== 'gamePlan'

/** A graphic whose version is gone, with its variables as far as known. */
const asShown = ({ ads = {}, ograf: _, ...shown }: OnAir): PinnedGraphic => ({
  ...shown,
  variables: new Map(
    Object.entries(shown.values).map(([name, value]) => [name, { name, type: name in ads ? 'ad' : typeof value }]),
  ),
  ads: Object.keys(ads),
})

/** The values of the preset plus the given ones, as they go on air. */
function mergedValues(
  asked: Asked,
  preset: PresetCard,
  graphic: PinnedGraphic,
  shown?: OnAir,
): MaybePromise<{ values: Values; ads?: Ads }> {
  const { ctx, overlay, command } = asked
  const given = command.variableValues ?? NO_VALUES
  const permit =
    ctx.actor.type === 'link' && !asked.isPrepared
      ? exposedOnly(preset, graphic, (shown ?? seen(asked, preset))?.values)
      : undefined
  return whenKnown(checkValues(ctx.catalog, overlay, graphic, given, permit), () => {
    const stored = storedValues(preset, graphic)
    if (stored.leftOut.length > 0)
      ctx.log.warn({ presetId: preset.id, variables: stored.leftOut }, 'stored preset values left out')
    const merged = given === NO_VALUES ? stored.values : withDefaults({ ...stored.values, ...given }, graphic)
    const { ads = NO_ADS } = graphic
    // no variable of another type takes a slot
    if (ads.length === 0) return { values: merged as Values }
    return withBrands({ ...asked, graphic, ads, shown }, merged)
  })
}

/** The preset as it is on preview, or else, for one that goes there, on air: a page sends the values that it stands with again. */
function seen({ state, command }: Asked, { id, graphicId }: PresetCard): OnAir | undefined {
  const isOf = (one: OnAir | undefined) => (one?.presetId === id ? one : undefined)
  return isOf(state.preview?.[graphicId]) ?? (command.action === 'cue' ? isOf(state.graphics[graphicId]) : undefined)
}

const NO_ADS: readonly string[] = []

type Named = { graphicId: string; graphicName: string }

const isTarget = ({ graphicId, graphicName }: Command, graphic: Named) =>
  (graphicId ?? graphic.graphicId) === graphic.graphicId && (graphicName ?? graphic.graphicName) === graphic.graphicName

const badTarget = ({ graphicId, graphicName }: Command, message: string) =>
  invalid(
    graphicName === undefined
      ? { 'body.graphicId': { message, value: graphicId } }
      : { 'body.graphicName': { message, value: graphicName } },
  )

function target<T extends Named>(command: Command, graphics: Iterable<T>): T | undefined {
  for (const graphic of graphics) if (isTarget(command, graphic)) return graphic
  return undefined
}

async function named({ ctx, overlay, command }: Asked): Promise<readonly string[]> {
  const { themeId } = overlay
  if (themeId === null) return []
  // the pages name a graphic by its id, and hide graphics that may be off air by now: no look at the database for that
  const pinned =
    command.graphicId === undefined ? undefined : (await ctx.catalog.active(themeId)).get(command.graphicId)
  return pinned && isTarget(command, pinned) ? [pinned.graphicId] : graphicsNamed(ctx.db.sql, themeId, command)
}

/** The graphics of the overlay's theme that are named, on air or not. Throws notFound when there are none. */
async function existing(asked: Asked): Promise<readonly string[]> {
  const ids = await named(asked)
  if (ids.length === 0) throw notFound()
  return ids
}

async function refuseUnpinned(asked: Asked): Promise<never> {
  await existing(asked)
  throw badTarget(asked.command, 'not in the active theme version')
}
