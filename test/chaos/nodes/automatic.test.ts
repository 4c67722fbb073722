import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { until } from '../../../bench/clock.ts'
import type { Server } from '../../../bench/server.ts'
import type { Demo } from '../../../src/demo/seed.ts'
import { seeded } from '../../support/random.ts'
import { redisIsInstalled } from '../../support/redis.ts'
import { asked } from '../automatic.ts'
import { full } from '../full.ts'
import { balancerIsInstalled } from './balancer.ts'
import { NodesRig } from './rig.ts'

const SEED = 18
const KILLS = full ? 12 : 2
/** A kill comes up to so long after the answer to a fact: before its show, between that and its out, while the out is due. */
const LATEST_KILL_MS = 1_500
/** Longer than a node is taken over for: a show whose time is over by then is left out. src/game-plan/DECISIONS.md */
const ON_AIR_S = 7
/** cluster: What is promised. */
const TAKEOVER_MS = 4_000
const OUT_WITHIN_MS = 1_000

type Row = { action: string; about: string; at: Date }

describe.runIf(redisIsInstalled && balancerIsInstalled)('an automatic overlay of several nodes', () => {
  test(`[issue 18] each fact is shown once and goes off in time when an owner is killed right after it was acknowledged; seed ${SEED}`, {
    timeout: full ? 600_000 : 150_000,
  }, async () => {
    const rig = await NodesRig.start([0, 0, 0], produce)
    const { apiKey, matchId, overlayId, teamId } = rig.production
    const random = seeded(SEED)
    const call = (method: string, path: string, body?: object) => asked(rig.balancer, apiKey, method, path, body)
    // the planner, the plan and what is on air each have an owner
    const refs = [`match/${matchId}`, `game-plan/${overlayId}`, `overlay/${overlayId}`] as const
    const rows = () =>
      rig.sql<Row[]>`
          select command ->> 'type' as action, at,
            coalesce(events -> 0 -> 'graphic' -> 'values' ->> 'title', '') as about
          from journal where ref = ${refs[2]} and command ->> 'type' in ('show', 'autoHide') order by seq`
    const told: { factId: string; killedAt: number }[] = []
    const outs = async () => (await rows()).filter(({ action }) => action === 'autoHide').length

    for (let kill = 0; kill < KILLS; kill++) {
      const victim = await rig.ownerOf(full ? random.pick(refs) : refs[kill === 0 ? 2 : 1])
      const delayMs = random.below(LATEST_KILL_MS)
      const fact = { type: 'goal', teamId, clientFactId: `goal-${kill}` }
      const { id } = await call('POST', `/v2/matches/${matchId}/facts`, fact)
      await pause(delayMs)
      await victim.kill()
      told.push({ factId: String(id), killedAt: Date.now() })
      await until(`the graphic of fact ${kill} to be off air`, 30_000, 50, async () => (await outs()) > kill)
      // one that is left alone has nobody who takes over
      if (rig.nodes.filter(({ runs }) => runs).length > 1 || kill + 1 === KILLS) continue
      await Promise.all(rig.nodes.filter(({ runs }) => !runs).map((node) => node.start()))
      await rig.shared()
    }

    const log = await rows()
    // show and out, fact by fact, and nothing else
    expect(log.map(({ action, about }) => [action, about])).toEqual(
      told.flatMap(({ factId }) => [
        ['show', factId],
        ['autoHide', ''],
      ]),
    )
    for (const [index, { factId, killedAt }] of told.entries()) {
      const [shown, out] = log.slice(2 * index).map(({ at }) => at.getTime())
      const dueAt = (shown ?? 0) + ON_AIR_S * 1_000
      expect(out, `out of fact ${factId}`).toBeGreaterThanOrEqual(dueAt)
      // one whose time comes while its owner is taken over for goes off as soon as that is done
      const latest = Math.max(dueAt, killedAt + TAKEOVER_MS) + OUT_WITHIN_MS
      expect((out ?? 0) - latest, `ms too late of fact ${factId}`).toBeLessThan(0)
    }
    const { recent } = (await call('GET', `/v2/overlays/${overlayId}/game-plan`)) as {
      recent: { outcome: string; factId: number | null }[]
    }
    const fired = recent.filter(({ outcome }) => outcome === 'fired').map(({ factId }) => String(factId))
    expect(fired.reverse()).toEqual(told.map(({ factId }) => factId))
  })
})

/** The demo's overlay, automatic, with one rule: each goal is shown, and its title says which. */
async function produce(server: Server) {
  const demo = (await server.admin('demo', '--name', 'Automatic')) as Demo
  const { apiKey, matchId, competitionId, themeProfileId, overlay } = demo
  const call = (method: string, path: string, body?: object) => asked(server.url, apiKey, method, path, body)
  const rule = {
    ...{ name: 'Goal', trigger: { type: 'fact', factTypes: ['goal'] }, end: { afterSeconds: ON_AIR_S } },
    presetId: demo.presets.find(({ name }) => name === 'Head coach')?.id,
    variableValues: { title: { expression: 'string(fact.id)' } },
  }
  await call('PUT', `/v2/competitions/${competitionId}/theme-profiles/${themeProfileId}/game-plan`, { rules: [rule] })
  await call('PATCH', `/v2/overlays/${overlay.id}`, { autoMode: true })
  await call('POST', `/v2/matches/${matchId}/facts`, { type: 'matchStart' })
  return { apiKey, overlays: [overlay], triggers: [], matchId, overlayId: overlay.id, teamId: demo.teamIds[0] }
}
