import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Production, startProduction } from './support.ts'

let production: Production
beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.close())

const path = () => `/v2/overlays/${production.overlay.id}`
const send = (body: object) => production.call('POST', `${path()}/graphics/commands`, body)
const id = (name: string) => production.preset(name).id
const command = (action: string, name: string, more: object = {}) => send({ action, presetId: id(name), ...more })
const stateOf = async () => (await production.call('GET', path())).body.manualGraphicState as Record<string, object>
const onAir = async () => Object.keys(await stateOf()).sort()
const undo = () => send({ action: 'undo' })
const ref = () => `overlay/${production.overlay.id}`
/** As if everything had happened so long ago. */
const later = async (seconds: number) => {
  const { sql } = production.server.database
  await sql`update journal set at = at - make_interval(secs => ${seconds}) where ref = ${ref()}`
}
const refused = async () => {
  const before = await stateOf()
  const answer = await undo()
  expect([answer.status, answer.body]).toEqual([
    409,
    { message: expect.stringContaining('nothing to undo'), code: 'NOTHING_TO_UNDO' },
  ])
  expect(await stateOf()).toEqual(before)
}

beforeEach(async () => {
  await send({ action: 'hideAll', scheduled: true })
  await later(60)
})

describe('[show-control: Commands] undo', () => {
  test('hideAll is undone: everything is there again as it was, and a second undo is 409', async () => {
    await command('show', 'Score bug')
    await command('show', 'Head coach', { variableValues: { title: 'Manager' } })
    await command('update', 'Head coach', { variableValues: { title: 'Coach' } })
    const before = await stateOf()
    await send({ action: 'hideAll' })
    const undone = await undo()
    expect([undone.status, undone.body.manualGraphicState]).toEqual([200, before])
    await refused()
    const log = (await production.call('GET', `${path()}/as-run?order=desc&limit=2&action=undo`)).body
    expect(log).toMatchObject({ total: 2, asRun: [{ action: 'undo', asked: { type: 'undo' } }, {}] })
  })

  test('[show-control: Pictures] with the seq of a command it undoes no other', async () => {
    await command('show', 'Score bug')
    const told = (await production.call('GET', `${path()}/as-run?order=desc&limit=1`)).body.asRun as { seq: number }[]
    const seq = told[0]?.seq ?? 0
    await command('show', 'Match partner')
    expect((await send({ action: 'undo', seq })).body).toMatchObject({ code: 'NOTHING_TO_UNDO' })
    expect((await send({ action: 'undo', seq: seq + 1 })).status).toBe(200)
    expect(await onAir()).toEqual(['Score bug'])
    expect((await send({ action: 'hideAll', seq })).body.details).toHaveProperty('body.seq')
  })

  test('a show goes off again, an update changes back, and what it replaced comes back', async () => {
    await command('show', 'Head coach', { variableValues: { title: 'One' } })
    expect(await onAir()).toEqual(['Lower third'])
    await undo()
    expect(await onAir()).toEqual([])
    await command('show', 'Head coach', { variableValues: { title: 'One' } })
    const one = await stateOf()
    await command('update', 'Head coach', { variableValues: { title: 'Two' } })
    await undo()
    expect(await stateOf()).toEqual(one)
    await command('show', 'Commentator')
    await undo()
    expect(await stateOf()).toEqual(one)
  })

  test('a take and a batch are undone as the one that they are; preview stays', async () => {
    await command('cue', 'Head coach')
    await command('cue', 'Home line-up')
    await send({ action: 'take' })
    await command('cue', 'Commentator')
    const undone = await undo()
    expect(undone.body).toMatchObject({ manualGraphicState: {}, previewState: { 'Lower third': {} } })
    await command('show', 'Score bug')
    const commands = [
      { action: 'hide', presetId: id('Score bug') },
      { action: 'show', presetId: id('Home line-up') },
    ]
    await send({ action: 'batch', commands })
    await undo()
    expect(await onAir()).toEqual(['Score bug'])
  })

  test('what others changed since is not undone; what they changed elsewhere does not matter', async () => {
    await command('show', 'Score bug')
    await command('show', 'Head coach')
    await command('update', 'Score bug')
    // the last command is that update
    await undo()
    expect(await onAir()).toEqual(['Lower third', 'Score bug'])
    await refused()
    await command('hide', 'Head coach')
    await undo()
    expect(await onAir()).toEqual(['Lower third', 'Score bug'])
  })

  test('live data are no command, and touch nothing', async () => {
    await command('show', 'Score bug')
    await command('hide', 'Score bug')
    await command('show', 'Score bug')
    const before = await stateOf()
    const facts = `/v2/matches/${production.matchId}/facts`
    expect((await production.call('POST', facts, { type: 'matchStart' })).status).toBe(201)
    const { sql } = production.server.database
    const refreshes = () =>
      sql`select from journal where ref = ${ref()} and command->>'type' = 'refresh' and at > clock_timestamp() - interval '20 s'`
    await expect.poll(async () => (await refreshes()).length, { timeout: 5_000 }).toBeGreaterThan(0)
    await send({ action: 'hideAll' })
    await undo()
    expect(await stateOf()).toEqual(before)
  })

  test('after 30 s there is nothing to undo', async () => {
    await command('show', 'Score bug')
    await later(29)
    expect((await undo()).status).toBe(200)
    await command('show', 'Score bug')
    await later(31)
    await refused()
  })

  test('nothing ever happened', async () => {
    await refused()
  })

  test('a timed graphic comes back for what is left of its time, and not when that is over', async () => {
    await command('show', 'Head coach', { durationSeconds: 20 })
    await later(12)
    await send({ action: 'hideAll' })
    await undo()
    const { sql } = production.server.database
    const timer = () => sql<{ seconds: number }[]>`
      select extract(epoch from due_at - clock_timestamp())::float8 as seconds from timer where ref = ${ref()}`
    const [left] = await timer()
    expect(left?.seconds).toBeGreaterThan(6)
    expect(left?.seconds).toBeLessThanOrEqual(8)
    await command('update', 'Head coach', { durationSeconds: null })
    expect(await timer()).toEqual([])
    await undo()
    expect((await timer())[0]?.seconds).toBeLessThanOrEqual(8)
    await send({ action: 'hideAll' })
    await later(9)
    await refused()
  })

  test('what went off by itself is nobody’s command: the one before it is undone, unless it touched the same', async () => {
    await command('show', 'Score bug')
    await command('show', 'Head coach', { durationSeconds: 1 })
    await expect.poll(onAir, { timeout: 10_000 }).toEqual(['Score bug'])
    await refused()
    await command('show', 'Head coach', { durationSeconds: 1 })
    await command('hide', 'Score bug')
    await expect.poll(onAir, { timeout: 10_000 }).toEqual([])
    await undo()
    expect(await onAir()).toEqual(['Score bug'])
  })

  test('a show that is still on its way is what an undo behind it takes back', async () => {
    await command('show', 'Score bug')
    const [, undone] = await Promise.all([command('show', 'Head coach'), undo()])
    expect(Object.keys(undone.body.manualGraphicState as object)).toEqual(['Score bug'])
  })
})
