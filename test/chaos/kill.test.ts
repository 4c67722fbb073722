import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { until } from '../../bench/clock.ts'
import { cardZip } from '../support/ograf.ts'
import { fewAtATime } from './few-at-a-time.ts'
import { full } from './full.ts'
import { Load } from './load.ts'
import { type Rig, startRig } from './rig.ts'

const kills = full ? 20 : 1
const times = kills === 1 ? 'once' : `${kills} times`
const minutes = 60_000 * (full ? 10 : 5)

// one for all: each test begins with a server that serves, and what it leaves in the journal is judged again by the next
let rig: Rig

beforeAll(async () => {
  rig = await startRig(20)
})
afterAll(() => rig.close())

function putUnderLoad(): Load {
  const load = new Load(rig, { rate: 200 })
  onTestFinished(() => load.stop())
  return load
}

test(
  `P1 P5: kill -9 of the server under load, ${times}, loses no acknowledged command and renderers converge`,
  async () => {
    const load = putUnderLoad()
    for (let kill = 0; kill < kills; kill++) {
      const from = load.attempts.length
      await rig.acknowledged(load, 100 + Math.floor(Math.random() * 60))
      rig.healthyBefore(load, from)
      await rig.server.kill()
      await rig.restart()
    }
    await rig.acknowledged(load, 100)
    await load.stop()
    await rig.renderersConverge()
    await rig.nothingWasLost(load)
  },
  minutes,
)

test(
  `P1 P8: kill -9 of PostgreSQL under load, ${times}, loses no acknowledged command and the server lives on`,
  async () => {
    const load = putUnderLoad()
    for (let kill = 0; kill < kills; kill++) {
      const from = load.attempts.length
      await rig.acknowledged(load, 100 + Math.floor(Math.random() * 60))
      rig.healthyBefore(load, from)
      const before = load.attempts.length
      rig.killPostmaster()
      await until('a command to fail', 30_000, 5, () =>
        load.attempts.slice(before).some(({ status }) => status !== 200),
      )
      await rig.acknowledged(load, 20)
    }
    await load.stop()
    expect(rig.server.running()).toBe(true)
    await rig.renderersConverge()
    await rig.nothingWasLost(load)
    const slowest = Math.max(...load.attempts.map(({ tookMs }) => tookMs))
    expect(slowest, 'ms until the slowest answer').toBeLessThan(3_000)
  },
  minutes,
)

test('show-control: timed graphics go off air within 1 s of their time over kill -9, at once those whose time came meanwhile', async () => {
  const [soon, later] = rig.overlays
  const { presetId } = rig.trigger(0)
  const show = (overlayId = 0, durationSeconds = 0) =>
    rig.command(overlayId, { action: 'show', presetId, durationSeconds })
  const [from] = await rig.withSql((sql) => sql<{ at: Date }[]>`select clock_timestamp() as at`)
  const shown = await Promise.all([show(soon?.id, 1), show(later?.id, 6)])
  expect(shown.map(({ status }) => status)).toEqual([200, 200])
  await rig.server.kill()
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  await rig.restart()
  const backAt = Date.now()
  const rows = () =>
    rig.withSql(
      (sql) => sql<{ ref: string; action: string; at: Date }[]>`
        select ref, command->>'type' as action, at from journal
        where ref in ${sql([`overlay/${soon?.id}`, `overlay/${later?.id}`])} and at > ${from?.at ?? null}
          and coalesce(events->0->>'presetId', events->0->'graphic'->>'presetId') = ${String(presetId)}`,
    )
  const outs = async () => (await rows()).filter(({ action }) => action === 'autoHide')
  await until('both to be off air', 60_000, 100, async () => (await outs()).length === 2)
  const found = await rows()
  const outOf = (id: number | undefined) =>
    found.find(({ ref, action }) => ref === `overlay/${id}` && action === 'autoHide')
  const showOf = (id: number | undefined) =>
    found.find(({ ref, action }) => ref === `overlay/${id}` && action === 'show')
  const dueAt = (id: number | undefined, seconds: number) => Number(showOf(id)?.at) + seconds * 1_000
  for (const [overlay, seconds] of [
    [soon, 1],
    [later, 6],
  ] as const) {
    const outAt = Number(outOf(overlay?.id)?.at)
    expect(outAt).toBeGreaterThanOrEqual(dueAt(overlay?.id, seconds))
    // a server that took longer to come back than the graphic had left takes it off at once
    expect(outAt - Math.max(backAt, dueAt(overlay?.id, seconds)), 'ms late').toBeLessThan(1_000)
  }
  await rig.renderersConverge()
})

test('show-control: scheduled shows come within 500 ms of their time over kill -9, at once those whose time came meanwhile', async () => {
  const [soon, later] = rig.overlays
  const { presetId } = rig.trigger(0)
  for (const overlay of [soon, later]) await rig.command(overlay?.id ?? 0, { action: 'hideAll', scheduled: true })
  const times = [Date.now() + 1_500, Date.now() + 8_000]
  const schedule = (overlayId = 0, at = 0) =>
    rig.command(overlayId, { action: 'show', presetId, at: new Date(at).toISOString() })
  const planned = await Promise.all([schedule(soon?.id, times[0]), schedule(later?.id, times[1])])
  expect(planned.map(({ status }) => status)).toEqual([200, 200])
  await rig.server.kill()
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  await rig.restart()
  const backAt = Date.now()
  const fired = () =>
    rig.withSql(
      (sql) => sql<{ ref: string; at: Date }[]>`
        select ref, at from journal
        where ref in ${sql([`overlay/${soon?.id}`, `overlay/${later?.id}`])} and command ->> 'scheduled' is not null
          and command ->> 'type' = 'show'`,
    )
  await until('both to be on air', 20_000, 100, async () => (await fired()).length === 2)
  const at = new Map((await fired()).map((row) => [row.ref, Number(row.at)]))
  expect((at.get(`overlay/${soon?.id}`) ?? 0) - backAt, 'ms after the server was back').toBeLessThan(1_000)
  const lateMs = (at.get(`overlay/${later?.id}`) ?? 0) - Math.max(times[1] ?? 0, backAt)
  expect(lateMs).toBeGreaterThanOrEqual(-1)
  expect(lateMs).toBeLessThan(500)
  await rig.renderersConverge()
})

test('[issue 19.6] a rundown is where it was acknowledged to be over kill -9, and goes on from there', async () => {
  const id = rig.overlays[1]?.id ?? 0
  const path = `/v2/overlays/${id}/rundown`
  type Position = { position: { cuedId: string | null; takenId: string | null } }
  const items = Array.from({ length: 200 }, (_, number) => ({
    id: String(number),
    presetId: rig.trigger(number).presetId,
  }))
  expect((await rig.rest('PUT', path, { items })).status).toBe(200)
  let acknowledged = -1
  const press = async () => {
    const { status, json } = await rig.rest<Position>('POST', `${path}/next`, {})
    if (status === 200) acknowledged = Number(json?.position.cuedId)
    return status
  }
  const pressing = (async () => {
    while ((await press().catch(() => 0)) === 200);
  })()
  await until('some presses to be acknowledged', 30_000, 5, () => acknowledged >= 10)
  await rig.server.kill()
  await pressing
  await rig.restart()
  const { json } = await rig.rest<Position>('GET', path)
  const cued = Number(json?.position.cuedId)
  // the one that was not answered may have been done
  expect([acknowledged, acknowledged + 1]).toContain(cued)
  expect(Number(json?.position.takenId)).toBe(cued - 1)
  expect(await press()).toBe(200)
  expect(acknowledged).toBe(cued + 1)
  await rig.renderersConverge()
})

test('show-control: a rehearsal is one after kill -9, with what it shows; screens see nothing of it, and its end clears it', async () => {
  const { id = 0 } = rig.overlays[2] ?? {}
  const [{ presetId }, other] = [rig.trigger(0), rig.trigger(1)]
  const path = `/v2/overlays/${id}`
  type Read = {
    rehearsal: boolean
    manualGraphicState: Record<string, { variableValues: object }>
    previewState: object
    scheduled: object[]
  }
  const read = async () => (await rig.rest<Read>('GET', path)).json
  const rehearse = (rehearsal: boolean) => rig.rest<Read>('PATCH', path, { rehearsal })
  const command = async (body: object) => expect((await rig.command(id, body)).status).toBe(200)
  await command({ action: 'hideAll', scheduled: true })
  await until('the screen to be empty', 30_000, 20, () => rig.screens[2]?.shown.size === 0)
  expect((await rehearse(true)).status).toBe(200)
  await command({ action: 'show', presetId, ...rig.values(presetId, 6_000_000) })
  await command({ action: 'cue', presetId: other.presetId })
  await command({ action: 'show', presetId: other.presetId, at: new Date(Date.now() + 3_600_000).toISOString() })
  const before = await read()
  expect(before).toMatchObject({ rehearsal: true, scheduled: [{}] })
  await rig.server.kill()
  await rig.restart()
  expect(await read()).toEqual(before)
  // as in rehearsal before, so after it: an update knows what is there
  await command({ action: 'update', presetId, ...rig.values(presetId, 6_000_001) })
  await rig.renderersConverge()
  expect(rig.screens[2]?.shown.size).toBe(0)
  const ended = (await rehearse(false)).json
  expect(ended).toMatchObject({ rehearsal: false, manualGraphicState: {}, previewState: {}, scheduled: [] })
  await rig.renderersConverge()
  await command({ action: 'show', presetId, ...rig.values(presetId, 6_000_002) })
  await until('what is shown after it to be on screen', 30_000, 20, () => rig.screens[2]?.shown.size === 1)
})

test(
  'P4: idempotency keys of acknowledged commands replay the same answer after kill -9, and of unanswered ones run once',
  async () => {
    const commands = Array.from({ length: 200 }, (_, number) => {
      const overlayId = rig.overlays[number % rig.overlays.length]?.id ?? 0
      const { presetId } = rig.trigger(number)
      const body = { action: 'show', presetId, ...rig.values(presetId, 5_000_000 + number) }
      return { overlayId, body, key: `once-${number}`, first: { status: 0, body: '' } }
    })
    const send = (command: (typeof commands)[number]) =>
      rig.command(command.overlayId, command.body, { 'Idempotency-Key': command.key })
    const sent = fewAtATime(commands, 20, async (command) => {
      command.first = await send(command)
    })
    await sent.half
    await rig.server.kill()
    await sent.all
    await rig.restart()
    const acknowledged = commands.filter(({ first }) => first.status === 200)
    expect(acknowledged.length).toBeGreaterThan(100)
    expect(acknowledged.length).toBeLessThan(commands.length)
    for (const command of commands) {
      const second = await send(command)
      expect(second.status).toBe(200)
      if (command.first.status === 200) expect(second.body).toBe(command.first.body)
    }
    const ran = await rig.withSql(
      (sql) => sql<{ values: string; times: number }[]>`
      select command ->> 'variableValues' as values, count(*)::int as times from journal
      where ref like 'overlay/%' and command ->> 'variableValues' ~ '5000[01][0-9]{2}' group by 1`,
    )
    expect(ran.length).toBe(commands.length)
    expect(ran.filter(({ times }) => times !== 1)).toEqual([])
  },
  minutes,
)

test('[issue 20.1] an OGraf graphic stands at its step after kill -9, for those who were there and those who come', async () => {
  const ask = async <T>(...[method, path, body]: Parameters<Rig['rest']>): Promise<T> => {
    const { json, text } = await rig.rest<T>(method, path, body)
    if (!json) throw new Error(text)
    return json
  }
  const [overlay] = rig.overlays
  const overlayId = overlay?.id ?? 0
  const { controlRoomId } = await ask<{ controlRoomId: number }>('GET', `/v2/overlays/${overlayId}`)
  const room = await ask<{ theme: { id: number }; sections: { id: string }[] }>(
    'GET',
    `/v2/control-rooms/${controlRoomId}`,
  )
  const at = `/v2/themes/${room.theme.id}`
  const zip = cardZip({ id: 'stands', name: 'Stands', stepCount: 4 })
  const sha256 = createHash('sha256').update(zip).digest('hex')
  type Opened = { uploadId: number; url: string; headers: Record<string, string> }
  const { uploadId, url, headers } = await ask<Opened>('POST', `${at}/ograf/uploads`, { size: zip.length, sha256 })
  await fetch(url, { method: 'PUT', headers, body: zip })
  const imported = await ask<{ graphics: { graphicId: string }[] }>('POST', `${at}/ograf/imports`, { uploadId })
  const graphicId = imported.graphics[0]?.graphicId ?? ''
  await ask('POST', `${at}/ograf-graphics/${graphicId}/publish`, {})
  await ask('POST', `${at}/versions`, { activate: true })
  const preset = { sectionId: room.sections[0]?.id, graphicId, name: 'Stands' }
  const { id: presetId } = await ask<{ id: number }>('POST', `/v2/control-rooms/${controlRoomId}/presets`, preset)
  expect((await rig.command(overlayId, { action: 'show', presetId })).status).toBe(200)
  const steps = [1, 2, 3].map((goto) => rig.command(overlayId, { action: 'step', presetId, goto }))
  expect((await Promise.all(steps)).map(({ status }) => status)).toEqual([200, 200, 200])
  await rig.command(overlayId, { action: 'step', presetId, goto: 2 })
  const target = `/../ograf/v1/renderers/${overlayId}/target`
  const { graphicInstanceId } = await ask<{ graphicInstanceId: string }>('POST', `${target}/graphicInstance/load`, {
    renderTarget: {},
    graphicId: 'stands',
  })
  const play = { renderTarget: {}, graphicInstanceId, params: { goto: 1 } }
  const instances = async () =>
    (await ask<{ graphicInstances: object[] }>('GET', `${target}?renderTarget=%7B%7D`)).graphicInstances
  await rig.server.kill()
  await rig.restart()
  expect(await instances()).toMatchObject([
    { graphicInstanceId, status: 'loaded' },
    { status: 'playing', currentStep: 2 },
  ])
  const { manualGraphicState } = await ask<{ manualGraphicState: Record<string, { step?: number }> }>(
    'GET',
    `/v2/overlays/${overlayId}`,
  )
  expect(manualGraphicState.Stands?.step).toBe(2)
  expect((await rig.command(overlayId, { action: 'step', presetId })).status).toBe(200)
  await rig.renderersConverge()
  expect((await rig.command(overlayId, { action: 'step', presetId })).status).toBe(200)
  expect(
    (await ask<{ manualGraphicState: object }>('GET', `/v2/overlays/${overlayId}`)).manualGraphicState,
  ).not.toHaveProperty('Stands')
  expect(await ask('POST', `${target}/graphicInstance/playAction`, play)).toMatchObject({ currentStep: 1 })
  await rig.server.kill()
  await rig.restart()
  expect(await instances()).toMatchObject([{ graphicInstanceId, status: 'playing', currentStep: 1 }])
  await rig.renderersConverge()
  await ask('PUT', `${target}/graphicInstance/clear`, { filters: [] })
  expect(await instances()).toEqual([])
})
