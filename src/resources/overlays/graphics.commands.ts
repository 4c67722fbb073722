import type { z } from 'zod'
import type { Unnumbered } from '../../../machines/overlay/decide.ts'
import { type Overlay as OverlayState, staged } from '../../../machines/overlay/model.ts'
import { type MaybePromise, whenKnown } from '../../catalog/cache.ts'
import type { Context } from '../../context.ts'
import { notCued, notFound, notOnAir } from '../../errors.ts'
import { clearPlan } from '../game-plans/clear.ts'
import { checkOwn } from '../ownership.ts'
import { decideBatch } from './batch.ts'
import { type Asked, decideChange, decideCustom, type PlayOf } from './graphic-change.ts'
import type {
  BatchedCommand,
  ControlGraphicAnswer,
  GraphicAction,
  GraphicsAnswer,
  GraphicsCommand,
} from './graphics.schema.ts'
import { graphicsAnswer, manualGraphicState } from './queries.ts'
import { decideSchedule } from './schedule.ts'
import { decideTake } from './take.ts'
import { decideUndo } from './undo.ts'

type Command = z.output<typeof GraphicsCommand>
type Answer = z.output<typeof GraphicsAnswer>

/** Fires a preset of the control room on an overlay. spec: Overlays 12 */
export const controlGraphic = (
  ctx: Context,
  overlayId: number,
  action: z.output<typeof GraphicAction>,
): MaybePromise<z.output<typeof ControlGraphicAnswer>> =>
  carryOut(ctx, overlayId, action, (state) => ({
    overlayId,
    manualGraphicState: manualGraphicState(staged(state).graphics),
  }))

/**
 * Carries out a command on the graphics of an overlay, or schedules it. Answers the whole state after it. `play`: of the game plan, which
 * updates and hides nothing but what that play of it has shown.
 */
export const commandGraphics = (
  ctx: Context,
  overlayId: number,
  command: Command,
  play?: PlayOf,
): MaybePromise<Answer> =>
  carryOut(ctx, overlayId, command, (state, warnings) => graphicsAnswer(overlayId, state, warnings), play)

function carryOut<A>(
  ctx: Context,
  overlayId: number,
  command: Command,
  reply: (state: OverlayState, warnings: readonly string[]) => A,
  play?: PlayOf,
): MaybePromise<A> {
  return whenKnown(ctx.catalog.overlay(overlayId), (overlay) => {
    checkOwn(ctx, overlay)
    const { action } = command
    let isEmpty = false
    let warnings: string[] = []
    const answered = ctx.actors.send(ctx, 'overlay', overlayId, {
      asked: askedOf(command),
      decide(state) {
        // of a rehearsal that is over, or of before one: it was decided for another screen
        if (play && play.rehearsal !== (state.rehearsal !== undefined)) throw notOnAir()
        const stage = staged(state)
        isEmpty = Object.keys(stage.graphics).length === 0
        // it may be decided again on another state
        warnings = []
        const meant = decide({ ctx, overlay, play, state: stage, warn: (warning) => warnings.push(warning) }, command)
        return command.skipAnimation ? whenKnown(meant, (one) => ({ ...one, skipAnimation: true as const })) : meant
      },
      reply: (state) => reply(state, warnings),
      refused: () => (action === 'take' ? notCued(command.presetId) : notOnAir(command.presetId)),
      // what it goes back to is read from the journal
      ...(action === 'undo' && { alone: true }),
    })
    if (!overlay.automatic || action !== 'hideAll' || command.sectionId !== undefined) return answered
    return answered.then(async (answer) => {
      // else the plan hears of it by what was hidden. game-plan: Rules of behaviour 4
      if (isEmpty) await clearPlan(ctx, overlayId)
      return answer
    })
  })
}

/** Takes a scheduled command off the schedule. Throws notFound when there is none of this id. */
export const removeScheduled = (ctx: Context, overlayId: number, id: number): MaybePromise<undefined> =>
  whenKnown(ctx.catalog.overlay(overlayId), (overlay) => {
    checkOwn(ctx, overlay)
    return ctx.actors.send(ctx, 'overlay', overlayId, {
      asked: { type: 'unschedule', id },
      decide: () => ({ type: 'unschedule', id }),
      reply: () => undefined,
      refused: notFound,
    })
  })

/** As the journal has it: its type is what the as-run log calls it. */
function askedOf({ action, ...rest }: Command) {
  return rest.at === undefined ? { type: action, ...rest } : { type: 'schedule', action, ...rest }
}

type Under = Pick<Asked, 'ctx' | 'overlay' | 'play' | 'state' | 'warn'>

function decide(under: Under, command: Command): MaybePromise<Unnumbered> {
  const { action, at, sectionId } = command
  switch (action) {
    case 'hideAll':
      return {
        type: 'hideAll',
        ...(sectionId !== undefined && { sectionId }),
        ...(command.scheduled && { scheduled: true as const }),
      }
    case 'batch':
      return decideBatch(under, command.commands ?? [])
    case 'undo':
      return decideUndo(under, command.seq)
    case 'custom':
      return decideCustom({ ...under, command: { ...command, action: 'step' } }, command)
    case 'take':
      return at === undefined ? decideTake(under, command) : decideSchedule(under, { ...command, action, at })
    default: {
      const one: z.output<typeof BatchedCommand> = { ...command, action }
      if (at === undefined) return decideChange({ ...under, command: one })
      if (action === 'show' || action === 'hide') return decideSchedule(under, { ...command, action, at })
      throw new Error(`${action} is never scheduled`)
    }
  }
}
