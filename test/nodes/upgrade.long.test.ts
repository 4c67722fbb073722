import { expect, onTestFinished, test, vi } from 'vitest'
import { until } from '../../bench/clock.ts'
import { produceOverlays, rest } from '../../bench/production.ts'
import { balancerIsInstalled } from '../chaos/nodes/balancer.ts'
import { check } from '../chaos/nodes/checker.ts'
import { Operators } from '../chaos/nodes/operators.ts'
import { NodesRig, type RigNode } from '../chaos/nodes/rig.ts'
import { Watcher } from '../chaos/nodes/watcher.ts'
import { faultsOf, nothingAdded } from '../support/migration-rule.ts'
import { follow } from '../support/page.ts'
import { redisIsInstalled } from '../support/redis.ts'
import { nextVersion, release, unpackRelease } from '../support/release.ts'

const OVERLAYS = 12
const NEXT = '9999_next.sql'
/** Some of what the next version may bring. */
const ADDED = `
  create table next_note (overlay_id integer primary key references overlay (id) on delete cascade, note text not null);
  alter table overlay add column next_note text, add column next_count integer not null default 0;
  alter table journal add column next_note text;
  update overlay set next_note = name;
  create index on overlay (next_note);
  create function next_noted() returns trigger language plpgsql as $$ begin new.next_note = new.name; return new; end $$;
  create trigger next_noted before insert on overlay for each row execute function next_noted();
`

test('what the next version brings here is what a migration may bring', () => {
  expect(faultsOf(ADDED, release.version, nothingAdded())).toEqual([])
})

test.runIf(redisIsInstalled && balancerIsInstalled)(
  '[cluster 9] nodes of the last release are replaced one by one, and put back, while everything goes on',
  async () => {
    const last = unpackRelease()
    const next = nextVersion(NEXT, ADDED)
    const rig = await NodesRig.start([0, 0], (server) => produceOverlays(server, OVERLAYS), { build: last })
    const [one, two] = rig.nodes as [RigNode, RigNode]
    const { overlays, apiKey } = rig.production
    const watchers = overlays.flatMap((overlay) =>
      rig.nodes.map(({ url }) => new Watcher(overlay, url, rig.production.triggers)),
    )
    onTestFinished(() => {
      for (const watcher of watchers) watcher.close()
    })
    await until('every renderer', 30_000, 20, () => watchers.every(({ renderer }) => renderer.connected))
    const operators = new Operators(rig, { pauseMs: 1_000 })
    onTestFinished(() => operators.stop())
    const rows = await rig.sql<{ id: string; themeId: number }[]>`select id, theme_id as "themeId" from graphic`
    const graphics = rows.map(({ id, themeId }) => `/v2/themes/${themeId}/code-graphics/${id}`)
    const from = performance.now()
    /** What each node runs, and which asked which. */
    const runs = new Map(rig.nodes.map((node) => [node, 'last']))
    const forwarded = new Set<string>()
    const stops: [from: number, to: number][] = []

    const replace = async (node: RigNode, build: string) => {
      const since = performance.now()
      await node.stop()
      if (runs.get(node) === 'last') stops.push([since, performance.now()])
      expect(node.server?.ended(), 'how a node ends that is told to').toBe(0)
      await node.start(build)
      runs.set(node, build === last ? 'last' : 'next')
      await rig.shared()
      await talk()
    }
    /** Each node has the other one do what that owns, and tells its own renderers and followers of it. */
    const talk = async () => {
      const owned = await rig.owned()
      for (const node of rig.nodes) {
        for (const other of rig.nodes.filter((one) => one !== node)) {
          const theirs = owned.get(other) ?? []
          await operators.probe([node.url], theirs, 10_000)
          if (theirs.length > 0) forwarded.add(`${runs.get(node)} to ${runs.get(other)}`)
        }
        for (const graphic of graphics) await held(node, graphic, 'PUT')
      }
      await expired()
      for (const node of rig.nodes) for (const graphic of graphics) await held(node, graphic, 'DELETE')
      await Promise.all(rig.nodes.map(({ url }) => seenBy(url)))
      const newest = await rig.sql<{ ref: string; seq: number }[]>`
        select ref, max(seq)::int as seq from journal where ref like 'overlay/%' and command ->> 'action' = 'show' group by ref`
      const seqOf = new Map(newest.map(({ ref, seq }) => [ref, seq]))
      await until('all renderers to show it', 10_000, 20, () =>
        watchers.every(({ overlayId, seq }) => seq >= (seqOf.get(`overlay/${overlayId}`) ?? 0)),
      )
    }
    /** An errand for the owner of the lock. */
    const held = async (node: RigNode, graphic: string, method: string) => {
      const { status, text } = await rest(node.url, apiKey, method, `${graphic}/lock`)
      expect([200, 204], text).toContain(status)
    }
    /** The timers of the locks come, wherever they are owned. */
    const expired = async () => {
      await rig.sql`update timer set due_at = clock_timestamp() where ref like 'graphic-lock/%'`
      await until('every lock to expire', 10_000, 50, async () => {
        const [row] = await rig.sql`select from actor where ref like 'graphic-lock/%' and snapshot ->> 'value' = 'held'`
        return row === undefined
      })
    }
    const seenBy = async (url: string) => {
      const page = await follow(url, overlays[0]?.id ?? 0, apiKey)
      await vi.waitFor(() => expect(page.renderers()).toHaveLength(rig.nodes.length))
      page.socket.terminate()
    }
    const known = async () =>
      (await rig.sql<{ knows: string }[]>`select knows from node order by knows`).map((row) => row.knows)

    await talk()
    expect(await known()).toEqual([release.knows, release.knows])
    await replace(two, next)
    expect(await known()).toEqual([release.knows, NEXT])
    await replace(one, next)
    expect(await known()).toEqual([NEXT, NEXT])
    // something is wrong with it: back
    await replace(two, last)
    expect(await known()).toEqual([release.knows, NEXT])

    // a node of the last release ends the connections that a balancer keeps to it, at times with a command on its way
    const whileStopping = (at: number) => stops.some(([since, to]) => at >= since && at <= to)
    const failed = (await operators.since(from)).filter(
      ({ status, isBad, startedAt }) =>
        status !== 200 && !(isBad && status === 400) && !(status === 0 && whileStopping(startedAt)),
    )
    expect(failed, 'commands that failed').toEqual([])
    expect([...forwarded].sort()).toEqual(['last to last', 'last to next', 'next to last', 'next to next'])
    await operators.stop()
    await check(rig, operators.attempts, { watchers, followers: [] })
    // what comes again and again is a job, and always there
    const left = () => rig.sql`select kind, payload from outbox where kind <> 'job'`
    await until('every reaction to be done', 10_000, 50, async () => (await left()).length === 0)
    for (const node of rig.nodes)
      expect(node.server?.warnings().filter((line) => !line.startsWith('{"level":40'))).toEqual([])
  },
)
