import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import type { Entry, Ref } from '../actors/journal.ts'
import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'
import { advanceErrand } from '../resources/game-plans/advance.ts'
import { livesWithoutPlans } from '../resources/game-plans/clear.ts'
import { effectErrand, shownErrand } from './effects.ts'

export type PlannerParts = {
  sql: Sql
  /** The context of a command that no client asked for. */
  systemContext(organizationId: number, name: string): Context
  log: Pick<Logger, 'debug' | 'warn'>
  /** How far apart looks are at what came from other nodes. */
  settleEveryMs?: number
}

/**
 * Up to where an overlay has done what its plan wanted, and what of it the plan is still to be told: plays with brands that were shown,
 * plays that could not be, and the numbers of shows that were left out because their play was over.
 */
type Carried = { done: number; shown: number[]; refused: number[]; leftOut: number[] }

type Automatic = { id: number; organizationId: number }

export type Planner = ReturnType<typeof createPlanner>

/**
 * Has game plans look after each commit that concerns them. Of one overlay one look runs at a time; commits that come meanwhile make one
 * more. Calls resolve when the overlay has carried out the effects of its plan.
 */
export function createPlanner({ sql, systemContext, log, settleEveryMs = SETTLE_EVERY_MS }: PlannerParts) {
  type Playing = { again: boolean; done: Promise<void> }
  const playing = new Map<number, Playing>()
  const carried = new Map<number, Carried>()

  const look = async ({ id, organizationId }: Automatic) => {
    const ctx = systemContext(organizationId, 'game plan')
    const mine = carried.get(id) ?? { done: 0, shown: [], refused: [], leftOut: [] }
    carried.set(id, mine)
    let unknown: unknown
    do {
      const { done, shown, refused, leftOut } = mine
      const asked = { overlayId: id, done, shown, refused, leftOut }
      const { effects, rehearsal = false } = await ctx.atOwner(`game-plan/${id}`, advanceErrand, asked)
      mine.shown = []
      mine.refused = []
      mine.leftOut = []
      for (const effect of effects) {
        const { n, do: action, play, unsure } = effect
        if (n <= mine.done) continue
        const isOver = effect.leftOut !== undefined
        let outcome: boolean | 'late'
        try {
          outcome = isOver
            ? (await ctx.atOwner(`overlay/${id}`, shownErrand, { overlayId: id, n })) || 'late'
            : await ctx.atOwner(`overlay/${id}`, effectErrand, { overlayId: id, effect, rehearsal })
        } catch (error) {
          if (!isOver) throw error
          // what is to come on air does not wait for the log; nor for a node of the release before, which cannot answer
          unknown = error
          continue
        }
        if (outcome === 'late') mine.leftOut.push(n)
        else if (action === 'show' && !outcome) mine.refused.push(play.id)
        else if (unsure) mine.shown.push(play.id)
        mine.done = n
      }
    } while (mine.shown.length + mine.refused.length + mine.leftOut.length > 0)
    // to be asked again
    if (unknown) throw unknown
  }

  const play = (overlay: Automatic): Promise<void> => {
    const under = playing.get(overlay.id)
    if (under) {
      under.again = true
      return under.done
    }
    const state: Playing = { again: false, done: Promise.resolve() }
    playing.set(overlay.id, state)
    state.done = (async () => {
      try {
        do {
          state.again = false
          await look(overlay)
        } while (state.again)
      } catch (error) {
        // deleted since; or nobody plays it until another node has it, which looks then
        if (!(error instanceof ApiError && error.status === 404) && !livesWithoutPlans(error)) throw error
      } finally {
        playing.delete(overlay.id)
      }
    })()
    return state.done
  }

  /** The first few get a head start: of fifty at once the first would come on air with the last. */
  const playAll = async (found: PromiseLike<readonly Automatic[]>) => {
    const overlays = await found
    const ahead = overlays.slice(0, AHEAD).map(play)
    const rest = overlays.slice(AHEAD)
    if (rest.length === 0) return void (await Promise.all(ahead))
    const late = pause(HEAD_START_MS, undefined, { ref: false })
    await Promise.race([...ahead, late]).catch(() => {})
    await Promise.all([...ahead, ...rest.map(play)])
  }
  const automatic = (which: ReturnType<Sql>) => sql<Automatic[]>`
    select o.id, o.organization_id as "organizationId" from overlay o
    where ${which} and (exists (select from actor where ref = 'game-plan/' || o.id) or (o.auto_mode and exists (
      select from game_plan g where g.theme_profile_id = o.theme_profile_id and g.rules::text <> '[]')))`

  const settleAll = async (came: (overlayId: number) => boolean) => {
    const waiting = (await automatic(sql`true`)).filter(({ id }) => came(id))
    const next = async (): Promise<void> => {
      for (let overlay = waiting.shift(); overlay; overlay = waiting.shift())
        await play(overlay).catch((error: unknown) =>
          log.warn({ overlayId: overlay?.id, err: error }, 'a game plan could not look after a start'),
        )
    }
    await Promise.all(Array.from({ length: AHEAD }, next))
  }
  const settling = gathered(settleAll, settleEveryMs)
  const overlay = (id: number) => playAll(automatic(sql`o.id = ${id}`))
  const soon = (run: Promise<void>) => {
    // the reaction that came with the commit tries again
    run.catch((error: unknown) => log.debug({ err: error }, 'a game plan could not look at once'))
  }

  return {
    /** Looks after an announced change of a match, a plan, rules or settings of overlays. Throws when the change must be announced again. */
    async react(ref: string): Promise<void> {
      const [kind, text] = ref.split('/')
      const id = Number(text)
      if (kind === 'match') await playAll(automatic(sql`o.match_id = ${id}`))
      else if (kind === 'plan-rules') await playAll(automatic(sql`o.theme_profile_id = ${id}`))
      else if (kind === 'game-plan' || kind === 'overlay-settings') await overlay(id)
    },
    /** A match or a plan was committed by this node. Nobody waits for the look. */
    committed(ref: Ref, { command }: Pick<Entry, 'command'>): void {
      const [kind, id] = ref.split('/')
      if (kind === 'match') soon(playAll(automatic(sql`o.match_id = ${Number(id)}`)))
      // a look that committed something carries it out itself
      else if (kind === 'game-plan' && command !== LOOK) soon(overlay(Number(id)))
    },
    /**
     * A command of an automatic overlay was committed by this node. One that is not told of here is seen by the next look, which comes before
     * anything fires.
     */
    commanded(overlayId: number, { principal, command }: Pick<Entry, 'principal' | 'command'>): void {
      if (principal.type !== 'gamePlan' && !command.startsWith(REFRESH)) soon(overlay(overlayId))
    },
    /**
     * After a start, and for overlays that came here from another node: what was told while nobody looked. A few at a time: commands of people
     * do not wait behind all the plans of a node that was lost. Of a node that joins, overlays come in many small parts: the first part is looked
     * at when it comes, the others together, a second later.
     */
    settle: settling,
  }
}

const AHEAD = 4
const HEAD_START_MS = 50
const SETTLE_EVERY_MS = 1_000

/** One run at a time, the first at once; what comes within so many ms of its begin is run together afterwards. */
function gathered(run: (came: (id: number) => boolean) => Promise<void>, everyMs: number) {
  let parts: ((id: number) => boolean)[] = []
  let begunAt = Number.NEGATIVE_INFINITY
  let last: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  const begin = async () => {
    await last.catch(() => {})
    const waitMs = begunAt + everyMs - performance.now()
    if (waitMs > 0) await pause(waitMs, undefined, { ref: false })
    const mine = parts
    parts = []
    next = undefined
    begunAt = performance.now()
    last = run((id) => mine.some((came) => came(id)))
    await last
  }
  return (came: (id: number) => boolean): Promise<void> => {
    parts.push(came)
    next ??= begin()
    return next
  }
}

const LOOK = JSON.stringify({ type: 'advance' })
const REFRESH = '{"type":"refresh"'
