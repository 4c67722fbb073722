import type { z } from 'zod'
import type { Call } from '../../../machines/overlay/events.ts'
import { decideInstance, type InstanceCommand, instanceBy, type Listed } from '../../../machines/overlay/instances.ts'
import { NO_PRESET, type Overlay as OverlayState, staged, type Values } from '../../../machines/overlay/model.ts'
import { whenKnown } from '../../catalog/cache.ts'
import type { OverlayCard, PinnedGraphic } from '../../catalog/cards.ts'
import { ografShown } from '../../catalog/ograf-card.ts'
import type { Context } from '../../context.ts'
import { ApiError, graphicThrew, invalid, notFound, tooManyInstances, unexpected } from '../../errors.ts'
import { gddFault } from '../../ograf/gdd.ts'
import type { GivenValues } from '../control-variables.ts'
import { fitWarnings } from '../overlays/fit.ts'
import { checkValues, withDefaults } from '../overlays/values.ts'
import { checkTarget, isPicture, namedInstances, noGraphic, RENDERER_ACTIONS, rendererOf, stepOf } from './queries.ts'
import {
  type Cleared,
  type Clearing,
  type Done,
  type InvokedAction,
  type Load,
  type Loaded,
  PICTURE,
  type PlayAction,
  type Played,
  type RendererAction,
  type RendererActionResult,
  type StopAction,
  type UpdateAction,
} from './schema.ts'

/** A controller that loads and never clears must not make the state of an overlay grow without end. */
const MOST_INSTANCES = 100

const OK = 200

/** The answer is due within three seconds, and a request within two: what takes longer is committed all the same. */
const ANSWERS_WITHIN_MS = 1_000

type Target = { rendererId: string }

/** The call that renderers answer. `where`: of a play. */
const callOf = (
  ctx: Pick<Context, 'commandId'>,
  params: { skipAnimation?: boolean | undefined } = {},
  where: Where = {},
): Call => ({
  id: ctx.commandId,
  ...(params.skipAnimation && { skipAnimation: true as const }),
  ...where,
})

type Where = { goto?: number; delta?: number }

/**
 * Loads a graphic of the active version of the overlay's theme: an instance, which is played, stopped and at last cleared by its id. Warns of renderers
 * that it is not for. Throws notFound, invalid for bad values, and tooManyInstances.
 */
export async function loadGraphic(
  ctx: Context,
  { rendererId }: Target,
  { renderTarget, graphicId, params = {} }: z.output<typeof Load>,
): Promise<z.output<typeof Loaded>> {
  const overlay = await rendererOf(ctx, rendererId)
  checkTarget(renderTarget)
  const graphic = await ownGraphic(ctx, overlay, graphicId)
  if (graphic.ograf?.realTime === false)
    throw invalid({
      'body.graphicId': { message: 'it does not support real time: it is not for air', value: graphicId },
    })
  const given = (params.data ?? {}) as GivenValues
  await checkData(ctx, overlay, graphic, given)
  const values = withDefaults({ ...defaultsOf(graphic), ...given }, graphic) as Values
  const place = await placeOf(ctx, overlay, graphic.graphicId)
  const { graphicName, kind, version, url, themeId, themeVersion, ograf } = graphic
  const id = ctx.commandId
  const warnings = await fitWarnings(ctx, overlay.id, graphic)
  const shown = {
    ...{ graphicId: graphic.graphicId, graphicName, kind, version, url, themeId, themeVersion, ...place, values },
    ...(ograf && { ograf: ografShown(ograf) }),
  }
  return command(ctx, overlay, {
    asked: { type: 'load', graphicId, data: given },
    decide: (state) => {
      if (Object.keys(state.instances ?? {}).length >= MOST_INSTANCES) throw tooManyInstances(MOST_INSTANCES)
      return { act: 'load', id, graphic: shown, call: callOf(ctx) }
    },
    reply: () => ({
      graphicInstanceId: id,
      statusCode: OK,
      // what controllers show to people; the graphic's own words take its place
      ...(warnings.length > 0 && { statusMessage: warnings.join('; '), v_warnings: [...warnings] }),
    }),
  })
}

/** The graphic of the overlay's theme that has this id of OGraf, unless it was deleted. Throws notFound. */
async function ownGraphic(ctx: Context, { themeId }: OverlayCard, ografId: string): Promise<PinnedGraphic> {
  const graphics = themeId === null ? [] : [...(await ctx.catalog.active(themeId)).values()]
  const graphic = graphics.find(({ ograf }) => ograf?.id === ografId)
  if (!graphic)
    throw notFound(`The theme of the overlay has no graphic ${JSON.stringify(ografId)} in its active version`)
  const [known] = await ctx.db.sql`select 1 from graphic where id = ${graphic.graphicId} and deleted_at is null`
  if (!known) throw noGraphic(ografId)
  return graphic
}

const defaultsOf = ({ variables }: PinnedGraphic): GivenValues =>
  Object.fromEntries(
    [...variables.values()].flatMap(({ name, defaultValue }) =>
      defaultValue === undefined ? [] : [[name, defaultValue]],
    ),
  )

/** Throws invalid, with the places where this API has values. */
async function checkData(ctx: Context, overlay: OverlayCard, graphic: PinnedGraphic, given: GivenValues) {
  try {
    await checkValues(ctx.catalog, overlay, graphic, given)
  } catch (error) {
    if (!(error instanceof ApiError) || error.kind !== 'invalid') throw error
    const details = Object.entries(error.body.details as Record<string, { message: string }>)
    throw invalid(
      Object.fromEntries(details.map(([path, one]) => [path.replace('body.variableValues', 'body.params.data'), one])),
    )
  }
}

/** The first preset of the control room that shows it, whose lamp then says so; without one it has none. */
async function placeOf({ catalog }: Context, { roomId }: OverlayCard, graphicId: string) {
  const room = roomId === null ? undefined : await catalog.room(roomId)
  const preset = room?.presets.find((one) => one.graphicId === graphicId)
  return preset
    ? { roomId: preset.roomId, sectionId: preset.sectionId, presetId: preset.id }
    : { roomId: roomId ?? 0, sectionId: '', presetId: NO_PRESET }
}

/** New values over those that it has. Throws notFound and invalid. */
export async function updateInstance(
  ctx: Context,
  { rendererId }: Target,
  { renderTarget, graphicInstanceId: id, params }: z.output<typeof UpdateAction>,
): Promise<z.output<typeof Done>> {
  const overlay = await rendererOf(ctx, rendererId)
  checkTarget(renderTarget)
  const given = (params.data ?? {}) as GivenValues
  return command(ctx, overlay, {
    asked: { type: 'update', graphicInstanceId: id, data: given },
    decide: (state) => {
      const { graphic } = known(state, id)
      return whenKnown(pinnedOf(ctx, graphic), (pinned) =>
        checkData(ctx, overlay, pinned, given).then((): InstanceCommand => {
          const values = withDefaults({ ...graphic.values, ...given }, pinned) as Values
          return { act: 'update', id, values, call: callOf(ctx, params) }
        }),
      )
    },
    reply: () => ({ graphicInstanceId: id, statusCode: OK }),
  })
}

/** On air, or to another step; beyond the last one off air. Throws notFound. */
export async function playInstance(
  ctx: Context,
  { rendererId }: Target,
  { renderTarget, graphicInstanceId: id, params = {} }: z.output<typeof PlayAction>,
): Promise<z.output<typeof Played>> {
  const overlay = await rendererOf(ctx, rendererId)
  checkTarget(renderTarget)
  const { goto, delta = 1 } = params
  // where both are said, the one of them counts. OGraf 1.0: playAction
  const where: Where = goto === undefined ? { delta } : { goto }
  let isOpen = false
  return command(ctx, overlay, {
    asked: { type: 'play', graphicInstanceId: id, ...params },
    decide: (state) => {
      known(state, id)
      return { act: 'play', id, ...where, call: callOf(ctx, params, where) }
    },
    reply: (state) => {
      const onAir = instanceBy(state, id)?.onAir
      isOpen = onAir?.ograf?.stepCount === -1
      return { graphicInstanceId: id, statusCode: OK, ...stepOf(onAir) }
    },
    // only the graphic itself knows how many steps it has, and at which it is
    heard: (result, { statusCode, currentStep }) => {
      if (!isOpen || statusCode === undefined) return result
      const { currentStep: step = 0, ...rest } = result
      if (currentStep !== undefined) return { ...rest, currentStep }
      return step > 0 ? rest : result
    },
  })
}

/** Off air; it stays loaded. Throws notFound. */
export async function stopInstance(
  ctx: Context,
  { rendererId }: Target,
  { renderTarget, graphicInstanceId: id, params = {} }: z.output<typeof StopAction>,
): Promise<z.output<typeof Done>> {
  const overlay = await rendererOf(ctx, rendererId)
  checkTarget(renderTarget)
  return command(ctx, overlay, {
    asked: { type: 'stop', graphicInstanceId: id, ...params },
    decide: (state) => {
      known(state, id)
      return { act: 'stop', id, call: callOf(ctx, params) }
    },
    reply: () => ({ graphicInstanceId: id, statusCode: OK }),
  })
}

/** Throws notFound, also for an action that the graphic does not have, and invalid for a payload that its schema refuses. */
export async function invokeAction(
  ctx: Context,
  { rendererId, customActionId }: Target & { customActionId: string },
  { renderTarget, graphicInstanceId: id, params = {} }: z.output<typeof InvokedAction>,
): Promise<z.output<typeof Done>> {
  const overlay = await rendererOf(ctx, rendererId)
  checkTarget(renderTarget)
  const { payload } = params
  const customAction = payload === undefined ? { id: customActionId } : { id: customActionId, payload }
  return command(ctx, overlay, {
    asked: { type: 'custom', graphicInstanceId: id, customActionId, ...params },
    decide: (state) =>
      whenKnown(pinnedOf(ctx, known(state, id).graphic), ({ ograf }): InstanceCommand => {
        const action = ograf?.customActions.find((one) => one.id === customActionId)
        if (!action) throw notFound(`The graphic has no action ${JSON.stringify(customActionId)}`)
        const isNone = payload === undefined || (action.schema === null && payload === null)
        const wrong = isNone && action.schema === null ? undefined : gddFault(action.schema ?? {}, payload)
        if (wrong !== undefined) throw invalid({ 'body.params.payload': { message: wrong } })
        return { act: 'custom', id, customAction, call: callOf(ctx, params) }
      }),
    reply: () => ({ graphicInstanceId: id, statusCode: OK }),
  })
}

/** Takes instances off air and forgets them: those that a filter matches in all its members; without filters all. Throws notFound. */
export async function clearInstances(
  ctx: Context,
  { rendererId }: Target,
  { filters }: z.output<typeof Clearing>,
): Promise<z.output<typeof Cleared>> {
  const overlay = await rendererOf(ctx, rendererId)
  let cleared: string[] = []
  return command(ctx, overlay, {
    asked: { type: 'clear', filters },
    decide: async (state) => {
      const all = await namedInstances(ctx, state)
      const isMeant = ({ id, ografId }: (typeof all)[number]) =>
        filters.length === 0 ||
        filters.some(
          ({ renderTarget, graphicId = ografId, graphicInstanceId = id }) =>
            (renderTarget === undefined || isPicture(renderTarget)) &&
            graphicId === ografId &&
            graphicInstanceId === id,
        )
      cleared = all.filter(isMeant).map(({ id }) => id)
      return { act: 'clear', ids: cleared }
    },
    reply: () => ({
      graphicInstances: cleared.map((graphicInstanceId) => ({ renderTarget: { ...PICTURE }, graphicInstanceId })),
    }),
  })
}

/** Throws notFound for an action that no renderer has. */
export async function invokeRendererAction(
  ctx: Context,
  { rendererId, customActionId }: Target & { customActionId: string },
  { skipAnimation }: z.output<typeof RendererAction>,
): Promise<z.output<typeof RendererActionResult>> {
  const overlay = await rendererOf(ctx, rendererId)
  const action = RENDERER_ACTIONS.find(({ id }) => id === customActionId)
  if (!action) throw notFound(`The renderer has no action ${JSON.stringify(customActionId)}`)
  return ctx.actors.send(ctx, 'overlay', overlay.id, {
    asked: { type: action.id, ...(skipAnimation && { skipAnimation }) },
    decide: () => ({ type: action.id, ...(skipAnimation && { skipAnimation: true as const }) }),
    reply: () => ({ result: null }),
    refused: unexpected,
  })
}

const known = (state: OverlayState, id: string): Listed => {
  const listed = instanceBy(state, id)
  if (!listed) throw notFound(`There is no graphic instance ${JSON.stringify(id)}`)
  return listed
}

/** Of a version that is gone what is known by what is on air. */
const pinnedOf = ({ catalog }: Context, { graphicId, themeId, themeVersion }: Listed['graphic']) =>
  whenKnown(catalog.pinned(themeId, themeVersion), (graphics) => {
    const pinned = graphics.get(graphicId)
    if (!pinned) throw notFound('The graphic is gone, with the theme that it was of')
    return pinned
  })

type Command<A> = {
  /** As the journal has it. */
  asked: { type: string } & Record<string, unknown>
  /** On what is on air, or in rehearsal would be. */
  decide(state: OverlayState): InstanceCommand | Promise<InstanceCommand>
  reply(state: OverlayState): A
  /** What the graphic itself has said about it. */
  heard?(result: A, answer: Answer): A
}

type Answer = NonNullable<Awaited<ReturnType<NonNullable<Context['calls']>['expect']>>>

/** Throws graphicThrew when a method of the graphic failed in a renderer: the command is committed all the same. */
async function command<A extends object>(
  ctx: Context,
  { id }: OverlayCard,
  { asked, decide, reply, heard = (result) => result }: Command<A>,
): Promise<A> {
  let answering: ReturnType<NonNullable<Context['calls']>['expect']> | undefined
  const expect = (state: OverlayState, meant: InstanceCommand) => {
    const graphic = asks(state, meant)
    if (graphic) answering = ctx.calls?.expect({ overlayId: id, id: ctx.commandId, ...graphic }, ANSWERS_WITHIN_MS)
    // as it is decided last it may change nothing
    else ctx.calls?.forget(ctx.commandId)
    return { type: 'instance' as const, ...meant }
  }
  const result = await ctx.actors
    .send(ctx, 'overlay', id, {
      asked,
      decide: (state) => {
        const meant = decide(staged(state))
        return meant instanceof Promise ? meant.then((one) => expect(state, one)) : expect(state, meant)
      },
      reply: (state) => reply(staged(state)),
      refused: unexpected,
    })
    .catch((error: unknown) => {
      ctx.calls?.forget(ctx.commandId)
      throw error
    })
  const answer = await answering
  if (answer?.error !== undefined) throw graphicThrew(answer.error)
  return answer ? { ...heard(result, answer), ...said(answer) } : result
}

/** The graphic that renderers are asked about. What changes nothing goes to none: a stop of what is off air, a play to where it is. */
function asks(state: OverlayState, meant: InstanceCommand) {
  // in rehearsal nothing goes to renderers
  if (meant.act === 'clear' || !meant.call || state.rehearsal !== undefined) return undefined
  if (decideInstance(staged(state), meant, Number.MAX_SAFE_INTEGER).length === 0) return undefined
  const graphic = meant.act === 'load' ? meant.graphic : instanceBy(state, meant.id)?.graphic
  return graphic && { graphicId: graphic.graphicId, graphicName: graphic.graphicName }
}

const said = ({ statusCode = OK, statusMessage }: Answer) => ({
  statusCode,
  ...(statusMessage !== undefined && { statusMessage }),
})
