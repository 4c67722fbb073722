import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { Renderer } from '../support/renderer.ts'
import { type Production, startProduction } from './support.ts'

let production: Production
beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.close())
beforeEach(() => send({ action: 'hideAll', scheduled: true }))

const path = () => `/v2/overlays/${production.overlay.id}`
const send = (body: object) => production.call('POST', `${path()}/graphics/commands`, body)
const id = (name: string) => production.preset(name).id
const command = (action: string, name: string, more: object = {}) => send({ action, presetId: id(name), ...more })
type State = Record<string, { _service_presetId: number; variableValues: object }>
type Read = { manualGraphicState: State; previewState: State; scheduled: { id: number }[] }
const read = async () => (await production.call('GET', path())).body as Read
const stateOf = ({ manualGraphicState, previewState }: Read) => [
  Object.keys(manualGraphicState).sort(),
  Object.keys(previewState).sort(),
]
type Row = {
  seq: number
  action: string
  graphicName: string | null
  presetId: number
  values: object | null
  asked: object
}
const log = async (query = '') =>
  (await production.call('GET', `${path()}/as-run?order=desc&limit=1000${query}`)).body.asRun as Row[]
const seqNow = async () => {
  const { sql } = production.server.database
  const [row] = await sql<{ seq: number }[]>`select seq from actor where ref = ${`overlay/${production.overlay.id}`}`
  return row?.seq ?? 0
}
/** Nothing happens by it. */
async function refused(body: object, status: number, details?: string[]) {
  const before = [await seqNow(), await read()]
  const answer = await send(body)
  expect([answer.status, answer.body]).toMatchObject([status, {}])
  if (details) expect(Object.keys(answer.body.details as object)).toEqual(details)
  expect([await seqNow(), await read()]).toEqual(before)
  return answer.body
}

describe('[show-control: Commands] cue and take', () => {
  test('a cue puts a preset on preview and changes nothing on air; take puts what is there on air, with one seq', async () => {
    await command('show', 'Score bug')
    const cued = await command('cue', 'Head coach', { variableValues: { title: 'Manager' } })
    expect(Object.keys(cued.body)).toEqual(['overlayId', 'manualGraphicState', 'previewState', 'scheduled'])
    expect(stateOf(cued.body as Read)).toEqual([['Score bug'], ['Lower third']])
    expect((cued.body as Read).previewState).toMatchObject({
      'Lower third': { _service_presetId: id('Head coach'), variableValues: { title: 'Manager' } },
    })
    await command('cue', 'Home line-up')
    expect(await read()).toMatchObject({ previewState: { 'Lower third': {}, 'Line-up card': {} }, scheduled: [] })
    const before = await seqNow()
    const taken = await send({ action: 'take' })
    expect(stateOf(taken.body as Read)).toEqual([['Line-up card', 'Lower third', 'Score bug'], []])
    expect((taken.body as Read).manualGraphicState).toMatchObject({
      'Lower third': { variableValues: { title: 'Manager' } },
    })
    expect(await seqNow()).toBe(before + 1)
    const rows = (await log()).filter(({ seq }) => seq > before - 2)
    expect(rows.map(({ action, graphicName }) => [action, graphicName])).toEqual([
      ['take', 'Line-up card'],
      ['take', 'Lower third'],
      ['cue', 'Line-up card'],
      ['cue', 'Lower third'],
    ])
  })

  test('[issue 19.1] a take of five is one commit, and five frames of one seq that each renderer shows together', async () => {
    const { origin } = production.server
    const frames: { type: string; payload: { seq: number; together?: number } }[] = []
    const url = `${origin.replace('http', 'ws')}/overlay/${production.overlay.key}/socket`
    const renderer = new Renderer({ url, onFrame: (text) => frames.push(JSON.parse(text)) })
    onTestFinished(() => renderer.close())
    await renderer.waitFor(({ connected }) => connected)
    const five = ['Score bug', 'Head coach', 'Home line-up', 'Full-time result', 'Standings']
    for (const name of five) await command('cue', name)
    const before = await seqNow()
    expect((await send({ action: 'take' })).status).toBe(200)
    await renderer.waitFor(() => renderer.shows().size === 5)
    expect(await seqNow()).toBe(before + 1)
    const loaded = frames.filter(({ type }) => type === 'LOAD_GRAPHIC').map(({ payload }) => payload)
    expect(loaded.map(({ seq, together }) => [seq, together])).toEqual(five.map(() => [before + 1, 5]))
    // and one press takes all of it back
    expect(stateOf((await send({ action: 'undo' })).body as Read)).toEqual([[], []])
    await renderer.waitFor(() => renderer.shows().size === 0)
  })

  test('cueing another preset of the same graphic replaces it; uncue takes it off, and with nothing there does nothing', async () => {
    await command('cue', 'Head coach')
    const other = await command('cue', 'Commentator')
    expect((other.body as Read).previewState['Lower third']?._service_presetId).toBe(id('Commentator'))
    expect(stateOf((await command('uncue', 'Head coach')).body as Read)).toEqual([[], ['Lower third']])
    expect(stateOf((await command('uncue', 'Commentator')).body as Read)).toEqual([[], []])
    const before = await seqNow()
    expect((await send({ action: 'uncue' })).status).toBe(200)
    expect(await seqNow()).toBe(before)
  })

  test('a take of one leaves the others; hideAll leaves preview, also while somebody is about to take', async () => {
    await command('cue', 'Head coach')
    await command('cue', 'Home line-up')
    expect(stateOf((await command('take', 'Head coach')).body as Read)).toEqual([['Lower third'], ['Line-up card']])
    expect(stateOf((await send({ action: 'hideAll' })).body as Read)).toEqual([[], ['Line-up card']])
    expect(stateOf((await send({ action: 'take' })).body as Read)).toEqual([['Line-up card'], []])
  })

  test('what cannot be shown cannot be cued, and a take of nothing is refused', async () => {
    await refused({ action: 'cue', presetId: 99_999 }, 400, ['body.presetId'])
    await refused({ action: 'cue' }, 400, ['body.graphicName'])
    await refused({ action: 'cue', presetId: id('Head coach'), variableValues: { nonsense: 1 } }, 400, [
      'body.variableValues.nonsense',
    ])
    expect(await refused({ action: 'take' }, 400)).toMatchObject({ message: 'Nothing is on preview' })
    await command('cue', 'Head coach')
    await refused({ action: 'take', presetId: id('Commentator') }, 400, ['body.presetId'])
  })

  test('of five that take the same one is taken, and the others are told that nothing is there', async () => {
    await command('cue', 'Head coach')
    const answers = await Promise.all(Array.from({ length: 5 }, () => send({ action: 'take' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400])
  })

  test('with durationSeconds what is taken goes off air by itself', async () => {
    await command('cue', 'Head coach')
    await send({ action: 'take', durationSeconds: 1 })
    expect(stateOf(await read())).toEqual([['Lower third'], []])
    await expect.poll(async () => stateOf(await read()), { timeout: 10_000 }).toEqual([[], []])
    expect((await log())[0]?.action).toBe('autoHide')
  })

  test.each([
    [{ action: 'cue', presetId: 1, durationSeconds: 3 }, 'durationSeconds'],
    [{ action: 'cue', presetId: 1, at: '2030-01-01T00:00:00Z' }, 'at'],
    [{ action: 'uncue', graphicName: 'Score bug' }, 'graphicName'],
    [{ action: 'take', variableValues: {} }, 'variableValues'],
    [{ action: 'undo', presetId: 1 }, 'presetId'],
    [{ action: 'batch' }, 'commands'],
    [{ action: 'batch', commands: [] }, 'commands'],
    [{ action: 'show', presetId: 1, commands: [{ action: 'hide', presetId: 1 }] }, 'commands'],
    [{ action: 'show', presetId: 1, scheduled: true }, 'scheduled'],
    [{ action: 'hideAll', scheduled: true, sectionId: 'x' }, 'scheduled'],
    [{ action: 'hideAll', at: '2030-01-01T00:00:00Z' }, 'at'],
  ])('%j is refused for its %s', async (body, member) => {
    await refused(body, 400, [`body.${member}`])
  })

  test('an Idempotency-Key takes once', async () => {
    await command('cue', 'Head coach')
    const url = `${path()}/graphics/commands`
    const once = () =>
      production.server.call('POST', url, {
        key: production.apiKey,
        body: { action: 'take' },
        headers: { 'Idempotency-Key': 'take-1' },
      })
    const [first, second] = [await once(), await once()]
    expect([second.status, second.body]).toEqual([200, first.body])
  })
})

describe('[show-control: Commands] batch', () => {
  test('all of it is done with one seq, and the log tells it', async () => {
    await command('show', 'Score bug')
    const before = await seqNow()
    const done = await send({
      action: 'batch',
      commands: [
        { action: 'hide', presetId: id('Score bug') },
        { action: 'show', presetId: id('Head coach') },
        { action: 'update', presetId: id('Head coach'), variableValues: { title: 'Manager' } },
        { action: 'cue', presetId: id('Home line-up') },
      ],
    })
    expect(stateOf(done.body as Read)).toEqual([['Lower third'], ['Line-up card']])
    expect((done.body as Read).manualGraphicState['Lower third']?.variableValues).toMatchObject({ title: 'Manager' })
    expect(await seqNow()).toBe(before + 1)
    const rows = (await log()).filter(({ seq }) => seq === before + 1)
    expect(rows.map(({ action, graphicName, values }) => [action, graphicName, values === null])).toEqual([
      ['batch', 'Lower third', false],
      ['batch', 'Score bug', true],
    ])
  })

  test('one wrong of twenty, and nothing is done: it is named', async () => {
    const right = { action: 'show', presetId: id('Head coach') }
    const commands = Array.from({ length: 20 }, (_, index) => (index === 13 ? { ...right, presetId: 99_999 } : right))
    await refused({ action: 'batch', commands }, 400, ['body.commands[13].presetId'])
    await refused({ action: 'batch', commands: [...commands, right] }, 400, ['body.commands'])
    const values = { ...right, variableValues: { nonsense: 1 } }
    await refused({ action: 'batch', commands: [right, values] }, 400, ['body.commands[1].variableValues.nonsense'])
    const offAir = { action: 'update', presetId: id('Score bug') }
    await refused({ action: 'batch', commands: [right, right, offAir] }, 400, ['body.commands[2].presetId'])
    const unknown = { action: 'show', graphicName: 'No such graphic' }
    await refused({ action: 'batch', commands: [right, unknown] }, 400, ['body.commands[1]'])
    const nameless = { action: 'hide' }
    await refused({ action: 'batch', commands: [right, nameless] }, 400, ['body.commands[1].graphicName'])
    for (const action of ['hideAll', 'take', 'undo', 'batch'])
      await refused({ action: 'batch', commands: [right, { action }] }, 400, ['body.commands[1].action'])
    const later = { ...right, at: '2030-01-01T00:00:00Z' }
    expect((await send({ action: 'batch', commands: [later] })).status).toBe(400)
  })
})
