import { describe, expect, test } from 'vitest'
import { parseClientFrame } from '../../../src/realtime/renderers/protocol.ts'
import { Studio, settle } from '../../support/studio.ts'

describe('one renderer socket', () => {
  test('[contract socket] HELLO comes at once on open and is exactly {width, height}', async () => {
    const studio = new Studio()
    const socket = await studio.connect(1)
    expect(socket.frames).toEqual(['{"type":"HELLO","payload":{"width":1920,"height":1080}}'])
  })

  test('[contract socket] an unknown key is refused before the upgrade', async () => {
    const studio = new Studio()
    expect(await studio.upgrade('/overlay/{key}/socket', { key: 'nobody' })).toBeUndefined()
  })

  test('[live-path 16] no READY in 10 s closes with 1008, a READY in time does not', async () => {
    const studio = new Studio()
    const silent = await studio.connect(1)
    const polite = await studio.connect(1)
    studio.clock.advance(9_900)
    polite.ready()
    await settle()
    expect(silent.closedWith).toBeUndefined()
    studio.clock.advance(300)
    expect(silent.closedWith?.code).toBe(1008)
    studio.clock.advance(60_000)
    expect(polite.closedWith).toBeUndefined()
  })

  test('[live-path 16] a paint report before READY closes with 1008', async () => {
    const studio = new Studio()
    const socket = await studio.connect(1)
    socket.painted('a', 1)
    expect(socket.closedWith?.code).toBe(1008)
  })

  test('[live-path 16] nothing is pushed before READY', async () => {
    const studio = new Studio()
    const socket = await studio.connect(1)
    await settle()
    studio.show(1, 'a')
    await settle()
    expect(socket.messages()).toEqual([])
  })

  test.each([
    ['not JSON', 'nonsense'],
    ['an empty text', ''],
    ['another type', { type: 'HELLO', payload: { width: 1, height: 1 } }],
    [
      'a message of the server',
      { type: 'GRAPHIC_UPDATE', payload: { graphicId: 'a', onAir: false, sport: 'x', seq: 1 } },
    ],
    ['an extra field', { type: 'READY', payload: { showing: [] }, id: 1 }],
    ['an extra field in the payload', { type: 'READY', payload: { showing: [], graphicId: 'a', seq: 1 } }],
    ['no payload', { type: 'READY' }],
    ['a negative seq', { type: 'READY', payload: { graphicId: 'a', seq: -1 } }],
    ['a fractional seq', { type: 'READY', payload: { graphicId: 'a', seq: 1.5 } }],
    ['a seq beyond integers', '{"type":"READY","payload":{"graphicId":"a","seq":1e400}}'],
    ['a seq of text', { type: 'READY', payload: { graphicId: 'a', seq: '1' } }],
    ['a graphic id with NUL', { type: 'READY', payload: { graphicId: 'a\u0000', seq: 1 } }],
    ['a graphic id with half a surrogate pair', { type: 'READY', payload: { graphicId: '\ud800', seq: 1 } }],
    ['an empty graphic id', { type: 'READY', payload: { graphicId: '', seq: 1 } }],
    ['depth', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
    ['depth in the right place', `{"type":"READY","payload":{"showing":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`],
    ['an array', []],
    ['null', 'null'],
  ])('[contract socket] %s closes with 1008', async (_what, message) => {
    const studio = new Studio()
    const socket = await studio.connect(1)
    socket.ready()
    await settle()
    socket.says(message)
    expect(socket.closedWith?.code).toBe(1008)
  })

  test('[live-path 16] READY carries at most 500 entries', async () => {
    const studio = new Studio()
    const entries = Array.from({ length: 501 }, (_, index) => ({ graphicId: `g${index}`, seq: 1 }))
    const atLimit = await studio.connect(1)
    atLimit.ready(entries.slice(1))
    const over = await studio.connect(1)
    over.ready(entries)
    await settle()
    expect(atLimit.closedWith).toBeUndefined()
    expect(over.closedWith?.code).toBe(1008)
  })

  test('[contract socket] a paint report is understood however it is written', () => {
    expect(parseClientFrame('{"type":"READY","payload":{"graphicId":"a-1","seq":7}}')).toEqual({
      graphicId: 'a-1',
      seq: 7,
    })
    expect(parseClientFrame(' {"payload": {"seq": 7, "graphicId": "a ü"}, "type": "READY"}')).toEqual({
      graphicId: 'a ü',
      seq: 7,
    })
  })

  test('[contract socket] READY may come again: the difference is answered again', async () => {
    const studio = new Studio()
    studio.show(1, 'a')
    const { socket } = await studio.render(1)
    socket.ready([])
    expect(socket.messages().map(({ type }) => type)).toEqual(['LOAD_GRAPHIC', 'LOAD_GRAPHIC'])
    socket.ready([{ graphicId: 'a', seq: 1 }])
    expect(socket.messages()).toHaveLength(2)
  })

  test('[contract socket] READY again more than ten times a second closes with 1008', async () => {
    const studio = new Studio()
    const { socket } = await studio.render(1)
    for (let i = 0; i < 10; i++) socket.ready()
    expect(socket.closedWith).toBeUndefined()
    socket.ready()
    expect(socket.closedWith?.code).toBe(1008)
  })

  test('[contract commands] a closing server closes sockets with 1012, those that still come too', async () => {
    const studio = new Studio()
    const { socket } = await studio.render(1)
    const late = await studio.upgrade('/monitor/{token}/socket', { token: 'monitoring-1' })
    studio.hub.close()
    expect(socket.closedWith?.code).toBe(1012)
    expect(late?.closedWith?.code).toBe(1012)
    expect((await studio.connect(1)).closedWith?.code).toBe(1012)
    expect(studio.clock.waiting).toBe(0)
  })
})

describe('heartbeat', () => {
  const hellos = (frames: string[]) => frames.filter((text) => text.includes('HELLO')).length

  test('[live-path 19] without the parameter HELLO comes once', async () => {
    const studio = new Studio()
    const { socket } = await studio.render(1)
    studio.clock.advance(120_000)
    expect(hellos(socket.frames)).toBe(1)
  })

  test('[live-path 19] HELLO is repeated after that much silence and wants no READY', async () => {
    const studio = new Studio()
    const { socket } = await studio.render(1, undefined, 'heartbeat=2')
    studio.clock.advance(1_900)
    expect(hellos(socket.frames)).toBe(1)
    studio.clock.advance(300)
    expect(hellos(socket.frames)).toBe(2)
    studio.clock.advance(20_000)
    expect(hellos(socket.frames)).toBeGreaterThanOrEqual(11)
    expect(socket.closedWith).toBeUndefined()
  })

  test('[cluster freeze] a node without leases says nothing, so that pages look for another one; with them it goes on', async () => {
    const studio = new Studio()
    const { socket } = await studio.render(1, undefined, 'heartbeat=2')
    studio.isLive = false
    studio.clock.advance(20_000)
    expect(hellos(socket.frames)).toBe(1)
    expect(socket.closedWith).toBeUndefined()
    studio.isLive = true
    studio.clock.advance(2_500)
    expect(hellos(socket.frames)).toBeGreaterThan(1)
  })

  test('HELLO is said behind the answer to READY where that was asked for', async () => {
    const studio = new Studio()
    studio.show(1, 'a')
    const socket = await studio.connect(1, 'caughtUp=1')
    socket.ready()
    await settle()
    expect(socket.frames.map((text) => JSON.parse(text).type)).toEqual(['HELLO', 'LOAD_GRAPHIC', 'HELLO'])
    studio.show(1, 'b')
    await settle()
    expect(hellos(socket.frames)).toBe(2)
    socket.ready()
    expect(hellos(socket.frames)).toBe(3)
  })

  test('while the answer to READY cannot be made, heartbeats do not look like its end', async () => {
    const studio = new Studio()
    let read = () => {}
    studio.beforeRead = () =>
      new Promise((resolve) => {
        read = resolve
      })
    studio.show(1, 'a')
    const socket = await studio.connect(1, 'caughtUp=1&heartbeat=2')
    socket.ready()
    studio.clock.advance(4_500)
    const types = () => socket.frames.map((text) => JSON.parse(text).type)
    expect(types()).toEqual(['HELLO', 'PULSE', 'PULSE'])
    read()
    await settle()
    expect(types().slice(3)).toEqual(['LOAD_GRAPHIC', 'HELLO'])
    studio.clock.advance(2_500)
    expect(types().at(-1)).toBe('HELLO')
  })

  test('[live-path 19] any frame to the renderer breaks the silence', async () => {
    const studio = new Studio()
    const { socket } = await studio.render(1, undefined, 'heartbeat=2')
    for (let i = 0; i < 10; i++) {
      studio.clock.advance(1_500)
      studio.show(1, 'a')
      await settle()
    }
    expect(hellos(socket.frames)).toBe(1)
  })

  test('[live-path 19] behind what a slow line still carries HELLO would tell nothing', async () => {
    const studio = new Studio()
    const { socket } = await studio.render(1, undefined, 'heartbeat=2')
    socket.buffered = 1_000
    studio.clock.advance(6_000)
    expect(hellos(socket.frames)).toBe(1)
    socket.buffered = 0
    studio.clock.advance(2_200)
    expect(hellos(socket.frames)).toBe(2)
  })

  test.each(['0', '61', '2.5', '-1', 'two', ''])(
    '[live-path 19] heartbeat=%s is ignored, the picture comes',
    async (value) => {
      const studio = new Studio()
      studio.show(1, 'a')
      const { socket, picture } = await studio.render(1, undefined, `heartbeat=${value}`)
      studio.clock.advance(90_000)
      expect(hellos(socket.frames)).toBe(1)
      expect([...picture.graphics.keys()]).toEqual(['a'])
    },
  )
})
