import type { Effect } from '../../machines/game-plan/model.ts'
import type { Context, Errand } from '../context.ts'
import { ApiError, notOnAir } from '../errors.ts'
import { derivedId } from '../resources/derived-id.ts'
import type { DueEffect } from '../resources/game-plans/advance.ts'
import { commandGraphics } from '../resources/overlays/graphics.commands.ts'
import { databaseNow } from '../resources/overlays/recorded-commands.queries.ts'

/** `rehearsal`: the plan rehearses. Left out by the release before, which never does. */
type Asked = { overlayId: number; effect: DueEffect; rehearsal?: boolean }

/**
 * Carries out one effect of a plan on its overlay, once however often it is called; false when the overlay cannot, 'late' when its time was over
 * before it could. game-plan: Rules of behaviour 6
 */
export const effectErrand: Errand<Asked, boolean | 'late'> = {
  name: 'planEffect',
  async run(ctx, { overlayId, effect, rehearsal = false }) {
    const { play, n } = effect
    const seconds = await secondsLeft(ctx, effect)
    if (seconds === 0) return (await isShown(ctx, overlayId, n)) || 'late'
    const own = {
      ...asItself(ctx, overlayId, n),
      actor: { type: 'gamePlan', id: play.ruleId, name: play.name } as const,
    }
    try {
      await commandGraphics(own, overlayId, commandOf({ ...effect, seconds }), { ...play, rehearsal })
      return true
    } catch (error) {
      if (!isRefusal(error)) throw error
      ctx.log.warn({ overlayId, ruleId: play.ruleId, err: error }, 'the overlay cannot do what its game plan wants')
      return false
    }
  },
}

/** Whether the overlay has carried out the effect of this number. Asked of its mailbox, it is not about to either. */
export const shownErrand: Errand<{ overlayId: number; n: number }, boolean> = {
  name: 'planShown',
  run: (ctx, { overlayId, n }) => isShown(ctx, overlayId, n),
}

async function isShown(ctx: Context, overlayId: number, n: number): Promise<boolean> {
  try {
    return await ctx.actors.send(asItself(ctx, overlayId, n), 'overlay', overlayId, {
      asked: { type: 'show' },
      // a command that is not in the journal yet
      decide() {
        throw notOnAir()
      },
      reply: () => true,
      refused: notOnAir,
    })
  } catch (error) {
    if (!isRefusal(error)) throw error
    return false
  }
}

/** An effect is a command of the overlay with an identity of its own, which is carried out once. */
const asItself = (ctx: Context, overlayId: number, n: number) => ({
  ...ctx,
  commandId: derivedId(`game-plan/${overlayId}/${n}`),
  mayBeDone: true,
})

const isRefusal = (error: unknown) => error instanceof ApiError && error.status < 500

/** A show that comes later than this has less time on air. */
const LATE_MS = 1_000

/**
 * For how long a show is on air; null: it has no time of its own, 0: its time is over. One that comes late goes off when the plan says all the same, for
 * then its layer is another's. Times of a plan are those of the database, which is asked when the clock of this node says that it is late.
 */
async function secondsLeft({ db }: Context, { seconds, until = null }: DueEffect): Promise<number | null> {
  if (seconds === null || until === null || Date.now() < until - seconds * 1000 + LATE_MS) return seconds
  const left = Math.ceil((until - (await databaseNow(db.sql))) / 1000)
  return Math.min(seconds, Math.max(0, left))
}

const commandOf = ({ do: action, play, seconds }: Effect) => ({
  action,
  presetId: play.presetId,
  ...(action !== 'hide' && { variableValues: { ...play.values } }),
  ...(action === 'show' && seconds !== null && { durationSeconds: seconds }),
})
