import type { Take, Unnumbered } from '../../../machines/overlay/decide.ts'
import { type By, type Overlay as OverlayState, type Scheduled, staged } from '../../../machines/overlay/model.ts'
import type { OverlayCard } from '../../catalog/cards.ts'
import type { Context } from '../../context.ts'
import { ApiError, type FieldErrors, invalid, notFound } from '../../errors.ts'
import type { GivenValues } from '../control-variables.ts'
import { type Asked, decideChange } from './graphic-change.ts'
import { databaseNow } from './recorded-commands.queries.ts'
import { decideTake } from './take.ts'

const FURTHEST_MS = 24 * 60 * 60 * 1000
const MOST = 100
/** One that is later than this is not carried out any more. */
const MISSED_AFTER_MS = 30_000

type Command = {
  action: Scheduled['action']
  at: string
  presetId?: number | undefined
  graphicId?: string | undefined
  graphicName?: string | undefined
  sectionId?: string | undefined
  variableValues?: GivenValues | undefined
  durationSeconds?: number | null | undefined
}

/** A command for later, which must be possible now; only what a take will find on preview nobody knows yet. Throws what refuses it. */
export async function decideSchedule(under: Omit<Asked, 'command'>, command: Command): Promise<Unnumbered> {
  const { ctx, state } = under
  const { action, at, durationSeconds } = command
  const refused = (message: string) => invalid({ 'body.at': { message, value: at } })
  const now = await databaseNow(ctx.db.sql)
  const inMs = Date.parse(at) - now
  if (inMs <= 0) throw refused('not in the future')
  if (inMs > FURTHEST_MS) throw refused('more than 24 hours ahead')
  if (Object.keys(state.schedule ?? {}).length >= MOST) throw refused(`the overlay has ${MOST} scheduled commands`)
  const scheduled = {
    at: new Date(at).toISOString(),
    action,
    ...(await named(under, command)),
    by: ctx.actor satisfies By,
    ...(durationSeconds && { durationSeconds }),
  }
  return { type: 'schedule', scheduled, inMs }
}

/** The preset, or else the graphic, that a command is about. */
async function named(
  under: Omit<Asked, 'command'>,
  { action, at: _, ...command }: Command,
): Promise<Pick<Scheduled, 'presetId' | 'values' | 'graphicId' | 'graphicName'>> {
  if (action === 'take') return { presetId: command.presetId ?? null, values: {} }
  const change = await decideChange({ ...under, command: { ...command, action } })
  if (change.type === 'show') {
    const { presetId, graphicId, graphicName } = change.graphic
    return { presetId, values: command.variableValues ?? {}, graphicId, graphicName }
  }
  const { presetId = null, graphicId, graphicName } = command
  return {
    presetId,
    values: {},
    ...(graphicId !== undefined && { graphicId }),
    ...(graphicName !== undefined && { graphicName }),
  }
}

/** For the journal: the type is what the as-run log calls it. */
type Asking = { type: string } & Record<string, unknown>

/** A scheduled command whose time has come. `lateMs`: since when, in the time of the database. */
export type Due = { overlayId: number; id: number; lateMs: number }

/**
 * What it means now, by whoever scheduled it; one that is too late, or that is refused, is taken off the schedule and journaled with the
 * reason. `contextOf`: of a command by this principal.
 */
export async function dueCommand(
  { overlayId, id, lateMs }: Due,
  state: OverlayState,
  contextOf: (by?: By) => Context,
): Promise<{ ctx: Context; asked: Asking; command: Unnumbered }> {
  const due = state.schedule?.[id]
  const meaning = (ctx: Context, type: string, command: Unnumbered, why: object = {}) => ({
    ctx,
    asked: { ...askedOf(due), type, scheduled: id, ...why },
    command,
  })
  const drop = (outcome: 'missed' | 'refused', reason: string) =>
    meaning(contextOf(), outcome, { type: 'drop', id, outcome, reason }, { action: due?.action, reason })
  // one that was taken off meanwhile drops into nothing
  if (!due || lateMs > MISSED_AFTER_MS) return drop('missed', `${Math.round(lateMs / 1000)} s late`)
  const ctx = contextOf(due.by)
  try {
    const overlay = await ctx.catalog.overlay(overlayId)
    if (!overlay) throw notFound()
    return meaning(ctx, due.action, {
      type: 'perform',
      id,
      command: await perform({ ctx, overlay, state: staged(state) }, due),
    })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    return drop('refused', reasonOf(error))
  }
}

type Under = { ctx: Context; overlay: OverlayCard; state: OverlayState }

function perform(under: Under, { action, presetId, values, graphicId, graphicName, durationSeconds }: Scheduled) {
  const lasting = { durationSeconds }
  if (action === 'take')
    return decideTake(under, { presetId: presetId ?? undefined, ...lasting }) as Take | Promise<Take>
  const target = presetId === null ? { graphicId, graphicName } : { presetId }
  return decideChange({ ...under, command: { action, ...target, variableValues: values, ...lasting } })
}

/** As the as-run log tells it beside the time at which it is carried out. */
const askedOf = (due: Scheduled | undefined) =>
  due && {
    type: due.action,
    ...(due.presetId !== null && { presetId: due.presetId }),
    ...(due.presetId === null && due.graphicName !== undefined && { graphicName: due.graphicName }),
    ...(Object.keys(due.values).length > 0 && { variableValues: due.values }),
    ...(due.durationSeconds !== undefined && { durationSeconds: due.durationSeconds }),
    at: due.at,
  }

/** What a refusal says in the first place. */
function reasonOf({ message, body }: ApiError): string {
  const [first] = Object.values((body.details ?? {}) as FieldErrors)
  return first?.message ?? message
}
