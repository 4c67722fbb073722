import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../bench/clock.ts'
import { postmasterPid } from '../../bench/server.ts'
import { fill, mayMount, removeDisk, smallDisk } from './disk.ts'
import { full } from './full.ts'
import { Load } from './load.ts'
import { type Rig, startRig } from './rig.ts'

// left out rather than skipped: a machine that requires everything counts a skipped test as a failure
const testInFull = (title: string, run: () => Promise<void>, timeoutMs: number) => {
  if (full) test(title, run, timeoutMs)
}

async function rigUnderLoad(): Promise<{ rig: Rig; load: Load }> {
  const rig = await startRig(10)
  const load = new Load(rig, { rate: 100 })
  onTestFinished(async () => {
    await load.stop()
    await rig.close()
  })
  return { rig, load }
}

const backends = (rig: Rig) =>
  rig.withSql(async (sql) => {
    const rows = await sql<{ pid: number }[]>`
      select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`
    return rows.map(({ pid }) => pid)
  })

const signal = (pids: readonly number[], name: 'SIGSTOP' | 'SIGCONT') => {
  for (const pid of pids)
    try {
      process.kill(pid, name)
    } catch {
      // a backend may have ended by itself
    }
}

/** While the fault lasts nothing is acknowledged without a row, nobody waits, and afterwards all is well within a second. */
async function survives(rig: Rig, load: Load, fault: { begin(): Promise<void>; lastMs: number; end(): Promise<void> }) {
  const { pid } = rig.server
  await rig.acknowledged(load, 50)
  rig.healthyBefore(load, 0)
  await fault.begin()
  const from = load.attempts.length
  const begunAt = performance.now()
  await until('a command to answer 503', 30_000, 10, () =>
    load.attempts.slice(from).some(({ status }) => status === 503),
  )
  const readAt = performance.now()
  const status = await rig.get('/rest/v2/overlays')
  expect([200, 503]).toContain(status)
  expect(performance.now() - readAt, 'ms until a read answered').toBeLessThan(3_000)
  await delay(Math.max(0, fault.lastMs - (performance.now() - begunAt)))
  await fault.end()
  const endedAt = performance.now()
  await rig.acknowledged(load, 1)
  const backAfter = performance.now() - endedAt
  await rig.acknowledged(load, 50)
  await load.stop()
  expect(Math.max(...load.attempts.map(({ tookMs }) => tookMs)), 'ms until the slowest answer').toBeLessThan(3_000)
  expect(rig.server.running() && rig.server.pid === pid).toBe(true)
  expect(await rig.get('/readyz')).toBe(200)
  await rig.renderersConverge()
  await rig.nothingWasLost(load)
  return backAfter
}

test('P8: backends that are frozen answer 503 within 2 s, acknowledge nothing without a row, and recover', async () => {
  const { rig, load } = await rigUnderLoad()
  let frozen: number[] = []
  onTestFinished(() => signal(frozen, 'SIGCONT'))
  await survives(rig, load, {
    begin: async () => {
      frozen = await backends(rig)
      signal(frozen, 'SIGSTOP')
    },
    lastMs: 3_000,
    end: async () => signal(frozen, 'SIGCONT'),
  })
})

test('show-control: over an outage of PostgreSQL what came due happens at once when it is back, or is dropped as missed, and what comes later is on time', async () => {
  const rig = await startRig(4)
  onTestFinished(() => rig.close())
  // more than 30 s late is too late for a scheduled command, and never for an automatic out
  const outMs = full ? 34_000 : 3_000
  const { presetId } = rig.trigger(0)
  const [due = 0, timed = 0, later = 0, spare = 0] = rig.overlays.map(({ id }) => id)
  const send = async (overlayId: number, body: object) => {
    const answer = await rig.command(overlayId, body)
    expect(answer.status, answer.body).toBe(200)
  }
  for (const id of [due, timed, later]) await send(id, { action: 'hideAll', scheduled: true })
  const begunAt = Date.now()
  const inMs = (ms: number) => new Date(begunAt + ms).toISOString()
  const laterAt = begunAt + outMs + 8_000
  await send(due, { action: 'show', presetId, at: inMs(2_000) })
  await send(later, { action: 'show', presetId, at: new Date(laterAt).toISOString() })
  await send(timed, { action: 'show', presetId, durationSeconds: 2 })
  const control = join(rig.dataDir, 'postgres/global/pg_control')
  rig.killPostmaster()
  renameSync(control, `${control}.away`)
  await delay(outMs)
  renameSync(`${control}.away`, control)
  await until('a command to be taken again', 30_000, 10, async () => {
    return (await rig.command(spare, { action: 'hideAll' })).status === 200
  })
  const backAt = Date.now()
  const rows = () =>
    rig.withSql(
      (sql) => sql<{ id: number; action: string; at: Date; reason: string | null }[]>`
          select split_part(ref, '/', 2)::int as id, command ->> 'type' as action, at, command ->> 'reason' as reason
          from journal where ref like 'overlay/%' and at > ${new Date(begunAt)}
            and (command ->> 'scheduled' is not null and command ->> 'type' in ('show', 'missed')
              or command ->> 'type' = 'autoHide') order by id`,
    )
  await until('all to be over', 30_000, 50, async () => (await rows()).length >= 3)
  expect((await rows()).map(({ id, action, reason }) => [id, action, reason])).toEqual([
    [due, full ? 'missed' : 'show', full ? expect.stringContaining('late') : null],
    [timed, 'autoHide', null],
    [later, 'show', null],
  ])
  const [first, out, last] = (await rows()).map(({ at }) => at.getTime())
  for (const at of [first, out]) expect((at ?? 0) - backAt, 'ms after it was back').toBeLessThan(1_000)
  expect((last ?? 0) - Math.max(laterAt, backAt)).toBeGreaterThanOrEqual(-1)
  expect((last ?? 0) - Math.max(laterAt, backAt), 'ms late').toBeLessThan(500)
  await rig.renderersConverge()
}, 120_000)

testInFull(
  'P8: PostgreSQL down for 10 s answers 503, and the first command succeeds soon after it is up',
  async () => {
    const { rig, load } = await rigUnderLoad()
    const control = join(rig.dataDir, 'postgres/global/pg_control')
    const backAfter = await survives(rig, load, {
      begin: async () => {
        rig.killPostmaster()
        renameSync(control, `${control}.away`)
      },
      lastMs: 10_000,
      end: async () => renameSync(`${control}.away`, control),
    })
    expect(backAfter, 'ms until the first success').toBeLessThan(3_000)
  },
  90_000,
)

testInFull(
  'P8: a fast restart of PostgreSQL loses nothing and the server goes on',
  async () => {
    const { rig, load } = await rigUnderLoad()
    await rig.acknowledged(load, 50)
    rig.healthyBefore(load, 0)
    for (let restart = 0; restart < 5; restart++) {
      process.kill(postmasterPid(rig.dataDir), 'SIGINT')
      await until('a command to fail', 5_000, 2, () => load.attempts.at(-1)?.status !== 200)
      await rig.acknowledged(load, 50)
    }
    await load.stop()
    expect(rig.server.running()).toBe(true)
    await rig.renderersConverge()
    await rig.nothingWasLost(load)
  },
  90_000,
)

if (full && mayMount())
  testInFull(
    'P8: a full disk acknowledges nothing without a row, and the server works again once there is room',
    async () => {
      const disk = smallDisk()
      mkdirSync(join(disk, 'rig'))
      const rig = await startRig(10, join(disk, 'rig/data'))
      const load = new Load(rig, { rate: 100 })
      onTestFinished(async () => {
        await load.stop()
        await rig.close()
        removeDisk(disk)
      })
      await rig.acknowledged(load, 50)
      rig.healthyBefore(load, 0)
      const filler = join(disk, 'filler')
      fill(filler)
      const failing = () => load.attempts.slice(-10).every(({ status }) => status !== 200)
      // the ballast and the room in segments that exist already carry it on for a while
      await until('commands to fail', 40_000, 50, () => {
        fill(filler)
        return failing()
      })
      await delay(3_000)
      rmSync(filler)
      await rig.acknowledged(load, 50, 30_000)
      await load.stop()
      expect(rig.server.running()).toBe(true)
      await rig.renderersConverge()
      await rig.nothingWasLost(load)
    },
    120_000,
  )
