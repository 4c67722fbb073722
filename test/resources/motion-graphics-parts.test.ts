import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { type Animator, type Graphic, newAnimator, refused } from './motion-graphics-support.ts'

let server: TestApp
let ann: Animator
let graphic: Graphic

beforeAll(async () => {
  server = await startApp()
  ann = await newAnimator(server)
  graphic = await ann.made('Parts')
})
afterAll(() => server.close())

const write = (method: string, below: string, body: object = {}) =>
  ann.call(method, ann.pathOf(graphic.graphicId, below), body)

const bad = (...fields: string[]) => refused(400, ...fields)

describe('control variables', () => {
  it('[op.25] one is added, its default keeps its type, and it is answered with the whole state machine', async () => {
    const before = await ann.read(graphic.graphicId)
    const variable = {
      name: 'goals',
      type: 'number',
      defaultValue: 0,
      description: 'How many',
      exitMode: 'deferred',
    }
    const { status, body } = await write('POST', '/control-variables', variable)
    expect(status).toBe(201)
    expect(Object.keys(body).sort()).toEqual(['entityId', 'stateMachine', 'updatedAt'])
    expect(body).toMatchObject({
      entityId: 'goals',
      stateMachine: { version: 1, controlVariables: [{ id: 'goals', ...variable }] },
    })
    const after = await ann.read(graphic.graphicId)
    expect(after.updatedAt).toBe(body.updatedAt)
    expect(after.updatedAt > before.updatedAt).toBe(true)
    expect(after.stateMachine).toEqual(body.stateMachine)
    for (const [name, type, defaultValue] of [
      ['flag', 'boolean', false],
      ['title', 'string', ''],
      ['nothing', 'player', null],
    ] as const) {
      const { stateMachine } = await ann.change('POST', graphic.graphicId, '/control-variables', {
        name,
        type,
        defaultValue,
      })
      expect(stateMachine.controlVariables.at(-1)).toEqual({ id: name, name, type, defaultValue })
    }
  })

  it('[op.25] of every type of the specification', async () => {
    const { graphicId } = await ann.create('Every type')
    const types = 'string number boolean team player match fact teamStat set round court stat period'.split(' ')
    for (const type of types)
      expect((await ann.call('POST', ann.pathOf(graphicId, '/control-variables'), { name: type, type })).status).toBe(
        201,
      )
    const options = ['home', 'away']
    await ann.change('POST', graphicId, '/control-variables', {
      name: 'enum',
      type: 'enum',
      options,
      defaultValue: 'home',
    })
    expect((await ann.read(graphicId)).stateMachine.controlVariables).toHaveLength(14)
  })

  it('[op.25] a name that is there or reserved, an unknown type, options and defaults that do not fit are refused', async () => {
    await write('POST', '/control-variables', { name: 'taken', type: 'string' })
    for (const [body, field] of [
      [{ name: 'taken', type: 'string' }, 'body.name'],
      [{ name: '', type: 'string' }, 'body.name'],
      [{ type: 'string' }, 'body.name'],
      [{ name: 'x', type: 'colour' }, 'body.type'],
      [{ name: 'constructor', type: 'string' }, 'body.name'],
      [{ name: 'x', type: 'enum' }, 'body.options'],
      [{ name: 'x', type: 'enum', options: ['a', 'a'] }, 'body.options'],
      [{ name: 'x', type: 'enum', options: ['a'], defaultValue: 'b' }, 'body.defaultValue'],
      [{ name: 'x', type: 'number', defaultValue: '1' }, 'body.defaultValue'],
      [{ name: 'x', type: 'string', exitMode: 'later' }, 'body.exitMode'],
    ] as const)
      expect([body, await write('POST', '/control-variables', body)]).toMatchObject([body, bad(field)])
  })

  it('[issue 4] one is changed and taken out', async () => {
    await write('POST', '/control-variables', { name: 'side', type: 'string' })
    const changed = await write('PATCH', '/control-variables/side', {
      type: 'enum',
      options: ['a', 'b'],
      defaultValue: 'b',
    })
    expect(changed).toMatchObject({ status: 200, body: { entityId: 'side' } })
    const of = async () =>
      (await ann.read(graphic.graphicId)).stateMachine.controlVariables.find(({ id }) => id === 'side')
    expect(await of()).toEqual({ id: 'side', name: 'side', type: 'enum', options: ['a', 'b'], defaultValue: 'b' })
    expect(await write('PATCH', '/control-variables/side', { options: ['a'] })).toMatchObject(bad('body.defaultValue'))
    expect((await write('PATCH', '/control-variables/side', { defaultValue: null })).status).toBe(200)
    expect(await of()).toMatchObject({ defaultValue: null })
    expect((await write('DELETE', '/control-variables/side')).status).toBe(204)
    expect(await of()).toBeUndefined()
    expect(await write('DELETE', '/control-variables/side')).toMatchObject(refused(404))
  })
})

describe('user expressions', () => {
  it('[op.26] one is added after the others, which it may read', async () => {
    const first = await write('POST', '/user-expressions', { name: 'one', expression: '1', description: 'First' })
    expect(first).toMatchObject({
      status: 201,
      body: {
        entityId: 'one',
        stateMachine: { userExpressions: [{ id: 'one', name: 'one', expression: '1', description: 'First' }] },
      },
    })
    expect((await write('POST', '/user-expressions', { name: 'two', expression: 'expressions.one + 1' })).status).toBe(
      201,
    )
  })

  it('[op.26] a broken one, one that reads what is not there, and a name that is there are refused', async () => {
    for (const [body, field] of [
      [{ name: 'one', expression: '1' }, 'body.name'],
      [{ name: 'bad', expression: '1 +' }, 'body.expression'],
      [{ name: 'bad', expression: 'expressions.nobody' }, 'body.expression'],
      [{ name: 'bad', expression: 'a'.repeat(10_001) }, 'body.expression'],
      [{ name: 'bad' }, 'body.expression'],
    ] as const)
      expect([field, await write('POST', '/user-expressions', body)]).toMatchObject([field, bad(field)])
  })

  it('[op.27] only what is named changes', async () => {
    const changed = await write('PATCH', '/user-expressions/one', { expression: '3' })
    expect(changed).toMatchObject({ status: 200, body: { entityId: 'one' } })
    const described = await write('PATCH', '/user-expressions/one', { description: 'Third' })
    expect(described.body.stateMachine).toMatchObject({
      userExpressions: [{ id: 'one', expression: '3', description: 'Third' }, { id: 'two' }],
    })
    expect(await write('PATCH', '/user-expressions/one', { expression: 'expressions.two' })).toMatchObject(
      bad('body.expression'),
    )
    expect(await write('PATCH', '/user-expressions/nobody', {})).toMatchObject(refused(404))
  })

  it('[issue 4] one that another reads stays; without one that a binding reads the binding is unresolved', async () => {
    expect(await write('DELETE', '/user-expressions/one')).toMatchObject(bad('path.id'))
    await write('PATCH', '/data-bindings/headline', { expression: 'string(expressions.two)' })
    expect((await write('POST', '/evaluate', {})).body.unresolved).toBe(0)
    expect((await write('DELETE', '/user-expressions/two')).status).toBe(204)
    expect((await write('POST', '/evaluate', {})).body).toMatchObject({ rows: [{ ok: false }, {}, {}], unresolved: 1 })
    await write('PATCH', '/data-bindings/headline', { expression: '' })
    expect((await write('DELETE', '/user-expressions/one')).status).toBe(204)
    expect((await ann.read(graphic.graphicId)).stateMachine.userExpressions).toEqual([])
  })
})

describe('what the motion file has', () => {
  it('[issue 4] a data binding gets an expression, a value, an exposure and a transform, and loses them', async () => {
    const set = await write('PATCH', '/data-bindings/headline', {
      expression: 'match.score.home > 1 ? "More" : "Less"',
      value: 'Until then',
      exposed: { name: 'Headline', required: true },
      imageTransform: { fit: 'cover', anchor: 'top', padding: { top: 1 } },
    })
    const stateMachine = {
      dataBindings: [{ id: 'headline', value: 'Until then', exposed: { name: 'Headline' } }, {}, {}],
    }
    expect(set).toMatchObject({ status: 200, body: { entityId: 'headline', stateMachine } })
    const cleared = await write('PATCH', '/data-bindings/headline', {
      expression: '',
      value: null,
      exposed: null,
      imageTransform: null,
    })
    expect(cleared.body.stateMachine).toMatchObject({ dataBindings: [{}, {}, {}] })
    const [binding] = (await ann.read(graphic.graphicId)).stateMachine.dataBindings
    expect(binding).toEqual({
      id: 'headline',
      name: 'headline',
      expression: '',
      defaultValue: 'Headline',
      viewModelProperty: { viewModelId: 'Card', viewModelName: 'Card', type: 'string', path: 'headline' },
    })
  })

  it('[spec: Motion graphics state machine] what the file does not say of a property is set as a whole, and cleared', async () => {
    const settings = { imageDimensions: { width: 160, height: 90 }, listModel: 'Row', sourceArrayPath: 'table.rows' }
    const said = { viewModelId: 'Card', viewModelName: 'Card', type: 'string', path: 'headline' }
    const property = async (viewModelProperty: object | null | undefined) => {
      const { stateMachine } = await ann.change('PATCH', graphic.graphicId, '/data-bindings/headline', {
        viewModelProperty,
      })
      return stateMachine.dataBindings[0]?.viewModelProperty
    }
    expect(await property(settings)).toEqual({ ...said, ...settings })
    expect(await property(undefined)).toEqual({ ...said, ...settings })
    const { fileUrl } = await ann.read(graphic.graphicId)
    const manifest = await (await fetch(String(fileUrl).replace('graphic.riv', 'graphic.json'))).json()
    const told = { image: { width: 160, height: 90 }, listModel: 'Row', sourceArrayPath: 'table.rows' }
    expect(manifest).toMatchObject({ bindings: [told, {}, {}] })
    expect(await property({ type: 'number', listModel: 'Other' })).toEqual({ ...said, listModel: 'Other' })
    expect(await property(null)).toEqual(said)
  })

  it('[issue 4] values that a property or an input cannot have are refused', async () => {
    for (const [below, body, field] of [
      ['/data-bindings/points', { value: 'many' }, 'body.value'],
      ['/data-bindings/side', { value: 'neither' }, 'body.value'],
      ['/data-bindings/headline', { expression: 'nonsense(' }, 'body.expression'],
      ['/data-bindings/headline', { exposed: { expression: '1 +' } }, 'body.exposed.expression'],
      ['/data-bindings/headline', { imageTransform: { fit: 'all' } }, 'body.imageTransform.fit'],
      ['/state-machine-inputs/score', { value: true }, 'body.value'],
      ['/state-machine-inputs/goal', { value: true }, 'body.value'],
      ['/state-machine-inputs/score', { expression: '(' }, 'body.expression'],
      ['/assets/12', { expression: '(' }, 'body.expression'],
    ] as const)
      expect([below, body, await write('PATCH', below, body)]).toMatchObject([below, body, bad(field)])
    for (const below of ['/data-bindings/nobody', '/state-machine-inputs/nobody', '/assets/nobody'])
      expect(await write('PATCH', below, {})).toMatchObject(refused(404))
  })

  it('[issue 4] an input gets an expression and a value, and its default again', async () => {
    const { stateMachine } = await ann.change('PATCH', graphic.graphicId, '/state-machine-inputs/score', {
      expression: 'match.score.home',
      value: 5,
    })
    const [, score] = stateMachine.stateMachineInputs
    expect(score).toEqual({
      id: 'score',
      name: 'score',
      type: 'number',
      defaultValue: 3,
      value: 5,
      expression: 'match.score.home',
    })
    const again = await ann.change('PATCH', graphic.graphicId, '/state-machine-inputs/score', { value: null })
    expect(again.stateMachine.stateMachineInputs[1]).toMatchObject({ value: 3, expression: 'match.score.home' })
  })

  it('[issue 4] the settings choose artboard and state machine; what hangs on them follows', async () => {
    const replay = await ann.change('PATCH', graphic.graphicId, '/settings', { currentStateMachine: 'Replay' })
    expect(replay).toMatchObject({
      entityId: null,
      stateMachine: { currentArtboard: 'Main', stateMachineInputs: [{ id: 'slow', type: 'boolean' }] },
    })
    const other = await ann.change('PATCH', graphic.graphicId, '/settings', {
      currentArtboard: 'Other',
      selectedSport: 'tennis',
      deferInitialShow: true,
      renderer: 'webgl2',
      x: -10,
    })
    expect(other.stateMachine).toMatchObject({
      currentArtboard: 'Other',
      currentStateMachine: 'Auto Generated State Machine',
      artboardWidth: 640,
      artboardHeight: 100,
      dataBindings: [],
      stateMachineInputs: [],
      selectedSport: 'tennis',
      deferInitialShow: true,
      renderer: 'webgl2',
      x: -10,
    })
    const { fileUrl } = await ann.read(graphic.graphicId)
    const manifest = await (await fetch(String(fileUrl).replace('graphic.riv', 'graphic.json'))).json()
    expect(manifest).toMatchObject({ artboard: 'Other', renderer: 'webgl2', x: -10, deferInitialShow: true })
    const back = await ann.change('PATCH', graphic.graphicId, '/settings', {
      currentArtboard: 'Main',
      selectedSport: null,
      renderer: null,
    })
    expect(back.stateMachine).toMatchObject({ currentStateMachine: 'Machine', artboardWidth: 1280 })
    expect(back.stateMachine).not.toHaveProperty('selectedSport')
    expect(back.stateMachine).not.toHaveProperty('renderer')
    for (const [body, field] of [
      [{ currentArtboard: 'Nowhere' }, 'body.currentArtboard'],
      [{ currentStateMachine: 'Nothing' }, 'body.currentStateMachine'],
      [{ scale: 0 }, 'body.scale'],
      [{ renderer: 'svg' }, 'body.renderer'],
    ] as const)
      expect(await write('PATCH', '/settings', body)).toMatchObject(bad(field))
  })
})

describe('optimistic concurrency', () => {
  it('[P2] of 50 who write at once as they have read it one wins, and the others change nothing', async () => {
    const { graphicId, updatedAt } = await ann.made('Raced')
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        ann.call('POST', ann.pathOf(graphicId, '/control-variables'), {
          name: `by ${index}`,
          type: 'string',
          ifUnchangedSince: updatedAt,
        }),
      ),
    )
    // with every core busy some may not have had their turn in time, which changes nothing either
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.every((status) => [201, 409, 503].includes(status))).toBe(true)
    for (const { status, body } of answers) if (status === 409) expect(body.code).toBe('TARGET_CHANGED')
    const { stateMachine } = await ann.read(graphicId)
    expect(stateMachine.controlVariables).toHaveLength(1)
  })

  it('[Optimistic concurrency] every write is refused when the graphic was written since it was read', async () => {
    const { graphicId, updatedAt } = await ann.made('Stale')
    await ann.change('POST', graphicId, '/control-variables', { name: 'title', type: 'string' })
    await ann.change('POST', graphicId, '/user-expressions', { name: 'one', expression: '1' })
    const before = await ann.read(graphicId)
    const stale = { ifUnchangedSince: updatedAt }
    const query = `?ifUnchangedSince=${encodeURIComponent(updatedAt)}`
    const writes: [string, string, object?][] = [
      ['PATCH', '', { sports: ['tennis'], ...stale }],
      ['PATCH', '', { name: 'Other name', ...stale }],
      ['PATCH', '/settings', { scale: 2, ...stale }],
      ['POST', '/control-variables', { name: 'more', type: 'string', ...stale }],
      ['PATCH', '/control-variables/title', { description: 'x', ...stale }],
      ['DELETE', `/control-variables/title${query}`],
      ['POST', '/user-expressions', { name: 'more', expression: '1', ...stale }],
      ['PATCH', '/user-expressions/one', { expression: '2', ...stale }],
      ['DELETE', `/user-expressions/one${query}`],
      ['PATCH', '/data-bindings/headline', { expression: '""', ...stale }],
      ['PATCH', '/state-machine-inputs/score', { expression: '1', ...stale }],
      ['PATCH', '/assets/12', { expression: '""', ...stale }],
      ['POST', '/publish', stale],
      ['DELETE', query],
    ]
    for (const [method, below, body] of writes)
      expect([method, below, await ann.call(method, ann.pathOf(graphicId, below), body)]).toMatchObject([
        method,
        below,
        { status: 409, body: { code: 'TARGET_CHANGED' } },
      ])
    expect(await ann.read(graphicId)).toEqual(before)
    const answer = await ann.call('PATCH', ann.pathOf(graphicId, '/settings'), {
      scale: 2,
      ifUnchangedSince: before.updatedAt,
    })
    expect(answer.status).toBe(200)
  })
})
