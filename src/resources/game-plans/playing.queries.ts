import { type Game, nextTimes, seenOf } from '../../../machines/game-plan/matching.ts'
import { NO_PLAN, type Plan } from '../../../machines/game-plan/model.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { GamePlanState } from '../../schema/game-plan-state.ts'
import { ownRecords } from '../ownership.ts'
import { type Stage, stageOf } from './world.ts'

const MOST_NEXT = 20
const MOST_RECENT = 100

const iso = (ms: number) => new Date(ms).toISOString()

type Parts = Pick<Context, 'db' | 'actors'>

/** The state of an overlay's plan; `plan` where it is known already. Missing 404, foreign 403. */
export async function getGamePlanState(ctx: Context, overlayId: number, plan?: Plan): Promise<GamePlanState> {
  await ownRecords(ctx, ctx.db.sql, 'overlay', [overlayId])
  const state = await findGamePlanState(ctx, overlayId, plan)
  if (!state) throw notFound()
  return state
}

/** The same for a caller whose right was checked already; null when there is no such overlay. */
export async function findGamePlanState(parts: Parts, overlayId: number, plan?: Plan): Promise<GamePlanState | null> {
  const [stage, committed, recent] = await Promise.all([
    stageOf(parts.db.sql, overlayId),
    plan ? { context: plan } : parts.actors.read('game-plan', overlayId),
    recentOf(parts, overlayId),
  ])
  if (!stage) return null
  const { paused, layers, waiting } = committed?.context ?? NO_PLAN
  const times = [
    ...waiting.map(({ ruleId, name, dueAt }) => ({ ruleId, name, at: dueAt })),
    ...(await knownTimes(parts, stage, committed?.context ?? NO_PLAN)),
  ]
  return {
    overlayId,
    autoMode: stage.autoMode,
    paused,
    layers: Object.entries(layers).map(([layer, { heldBy, running, queue }]) => ({
      layer,
      heldBy,
      running: running && {
        ruleId: running.ruleId,
        name: running.name,
        graphicName: running.graphicName,
        since: iso(running.since),
        until: running.until === null ? null : iso(running.until),
      },
      queued: queue.map(({ ruleId, name }) => ({ ruleId, name })),
    })),
    next: times
      .sort((one, other) => one.at - other.at)
      .slice(0, MOST_NEXT)
      .map(({ ruleId, name, at }) => ({ ruleId, name, at: iso(at) })),
    recent,
  }
}

async function knownTimes({ actors }: Parts, { autoMode, rules, matchId, at }: Stage, plan: Plan) {
  if (!autoMode || rules.length === 0) return []
  const match = await actors.read('match', matchId)
  if (!match) return []
  const { facts, competitors, play, settings } = match.context
  const game: Game = { facts, competitors, play, date: settings.date }
  return nextTimes(rules, plan, { game, seen: seenOf(game, plan.match, at), at })
}

type Row = {
  event: { type: string; at: number; ruleId: string; name: string; factId: number | null; reason?: string | null }
}

async function recentOf({ db }: Parts, overlayId: number): Promise<GamePlanState['recent']> {
  const rows = await db.sql<Row[]>`
    select event from journal j cross join lateral json_array_elements(j.events) with ordinality as told (event, nth)
    where j.ref = ${`game-plan/${overlayId}`}
      and event ->> 'type' in ('rule.fired', 'rule.suppressed', 'rule.withdrawn')
    order by j.seq desc, nth desc limit ${MOST_RECENT}`
  return rows.map(({ event: { type, at, ruleId, name, factId, reason = null } }) => ({
    at: iso(at),
    ...{ ruleId, name, outcome: OUTCOMES[type] ?? 'fired', reason, factId },
  }))
}

const OUTCOMES: Readonly<Record<string, GamePlanState['recent'][number]['outcome']>> = {
  'rule.fired': 'fired',
  'rule.suppressed': 'suppressed',
  'rule.withdrawn': 'withdrawn',
}
