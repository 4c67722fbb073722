import { describe, expect, test } from 'vitest'
import { Picture } from '../support/picture.ts'
import { held, Studio, settle } from '../support/studio.ts'

describe('frames', () => {
  test('[contract socket] a show becomes one LOAD_GRAPHIC with every field and an absolute url', async () => {
    const studio = new Studio()
    const { socket } = await studio.render(1)
    studio.show(1, 'a', { name: 'Ada' })
    expect(socket.messages()).toEqual([
      {
        type: 'LOAD_GRAPHIC',
        payload: {
          graphicId: 'a',
          graphicName: 'Graphic a',
          kind: 'code',
          version: 1,
          url: 'http://tally.test/bundles/a/index.html',
          presetId: 1,
          sport: 'football',
          variableValues: { name: 'Ada' },
          themeVariables: { colour: '#fff' },
          data: { score: 0 },
          seq: 1,
        },
      },
    ])
  })

  test('[contract socket] an update carries the full values and the preset, a hide takes off', async () => {
    const studio = new Studio()
    const { socket } = await studio.render(1)
    studio.show(1, 'a', { name: 'Ada', title: 'x' })
    studio.update(1, 'a', { name: 'Bea', title: 'x' })
    studio.command(1, { type: 'hide', graphicId: 'a' })
    expect(socket.messages().slice(1)).toEqual([
      {
        type: 'GRAPHIC_UPDATE',
        payload: {
          graphicId: 'a',
          onAir: true,
          sport: 'football',
          seq: 2,
          presetId: 2,
          variableValues: { name: 'Bea', title: 'x' },
        },
      },
      { type: 'GRAPHIC_UPDATE', payload: { graphicId: 'a', onAir: false, sport: 'football', seq: 3 } },
    ])
  })

  test('[live-path 17] a hideAll of five sends five frames with one seq', async () => {
    const studio = new Studio()
    const { socket, picture } = await studio.render(1)
    for (const id of ['a', 'b', 'c', 'd', 'e']) studio.show(1, id)
    studio.command(1, { type: 'hideAll' })
    const gone = socket.messages().slice(5)
    expect(gone.map(({ payload }) => [payload.onAir, payload.seq])).toEqual(Array(5).fill([false, 6]))
    expect(picture.graphics.size).toBe(0)
  })

  test('[live-path 18] one publish per change however many renderers', async () => {
    const studio = new Studio()
    const renderers = await Promise.all(Array.from({ length: 20 }, () => studio.render(1)))
    studio.show(1, 'a')
    studio.update(1, 'a', { name: 'Bea' })
    expect(studio.published).toHaveLength(2)
    for (const { picture } of renderers) expect(picture.graphics.get('a')?.variableValues).toEqual({ name: 'Bea' })
  })

  test('[live-path 18] nothing is published for an overlay that nobody renders', async () => {
    const studio = new Studio()
    const { socket } = await studio.render(1)
    studio.show(2, 'a')
    socket.end(1001, 'gone')
    studio.show(1, 'a')
    await settle()
    expect(studio.published).toEqual([])
    expect(studio.hub.count()).toEqual({ renderers: 0, pictures: 0, followers: 0, channels: 0 })
    studio.clock.advance(200)
    expect(studio.clock.waiting).toBe(0)
  })
})

describe('READY', () => {
  test('[live-path 16] a renderer that shows nothing gets everything on air', async () => {
    const studio = new Studio()
    studio.show(1, 'a')
    studio.show(1, 'b')
    const { socket } = await studio.render(1)
    expect(socket.messages().map(({ type, payload }) => [type, payload.graphicId, payload.seq])).toEqual([
      ['LOAD_GRAPHIC', 'a', 1],
      ['LOAD_GRAPHIC', 'b', 2],
    ])
  })

  test('[live-path 16] loads come in the order of the shows, whatever was shown first or updated since', async () => {
    const studio = new Studio()
    studio.show(1, 'a')
    studio.show(1, 'b')
    studio.show(1, 'c')
    studio.show(1, 'a')
    studio.update(1, 'b', { name: 'new' })
    const { socket } = await studio.render(1)
    expect(socket.messages().map(({ payload }) => [payload.graphicId, payload.seq])).toEqual([
      ['b', 5],
      ['c', 3],
      ['a', 4],
    ])
  })

  test('[live-path 16] the difference: load, update with all sets, nothing, gone', async () => {
    const studio = new Studio()
    studio.show(1, 'right')
    studio.show(1, 'behind')
    studio.show(1, 'older')
    studio.show(1, 'unknown')
    studio.update(1, 'behind', { name: 'new' })
    studio.show(1, 'older')
    const socket = await studio.connect(1)
    socket.ready([
      { graphicId: 'right', seq: 1 },
      { graphicId: 'behind', seq: 2 },
      { graphicId: 'older', seq: 3 },
      { graphicId: 'gone', seq: 1 },
    ])
    await settle()
    const frames = new Map(socket.messages().map((frame) => [frame.payload.graphicId, frame]))
    expect([...frames.keys()].sort()).toEqual(['behind', 'gone', 'older', 'unknown'])
    expect(frames.get('behind')).toEqual({
      type: 'GRAPHIC_UPDATE',
      payload: {
        graphicId: 'behind',
        onAir: true,
        sport: 'football',
        seq: 5,
        presetId: 2,
        variableValues: { name: 'new' },
        themeVariables: { colour: '#fff' },
        data: { score: 0 },
      },
    })
    expect(frames.get('older')?.type).toBe('LOAD_GRAPHIC')
    expect(frames.get('unknown')?.type).toBe('LOAD_GRAPHIC')
    expect(frames.get('gone')?.payload).toEqual({ graphicId: 'gone', onAir: false, sport: 'football', seq: 6 })
  })

  test('[live-path 16] a seq that the graphic never had loads it anew', async () => {
    const studio = new Studio()
    studio.show(1, 'a')
    const socket = await studio.connect(1)
    socket.ready([{ graphicId: 'a', seq: 99 }])
    await settle()
    expect(socket.messages()[0]?.type).toBe('LOAD_GRAPHIC')
  })

  test('[live-path 16] commits that come while the state is being read are neither lost nor doubled', async () => {
    const studio = new Studio()
    studio.show(1, 'a')
    const read = held()
    studio.beforeRead = () => read.promise
    const { socket, picture } = await studio.render(1)
    studio.show(1, 'b')
    const late = studio.commitSilently(1, { type: 'hide', graphicId: 'a' })
    read.release()
    await settle()
    if (late) studio.publish(1, late)
    studio.show(1, 'c')
    await settle()
    expect([...picture.graphics.keys()]).toEqual(['b', 'c'])
    expect(socket.messages().map(({ payload }) => payload.graphicId)).toEqual(['b', 'c'])
  })

  test('[live-path 8] a commit that was never published is repaired by reading the state anew', async () => {
    const studio = new Studio()
    const { picture } = await studio.render(1)
    studio.show(1, 'a')
    studio.commitSilently(1, { type: 'hide', graphicId: 'a' })
    studio.show(1, 'b')
    await settle()
    expect(picture.showing()).toEqual([{ graphicId: 'b', seq: 3 }])
  })

  test('[live-path 18] a frame that cannot be made neither stops the publisher nor stays missing', async () => {
    const studio = new Studio()
    const { picture } = await studio.render(1)
    studio.show(1, 'a')
    const fails = () => {
      throw new Error('bad record')
    }
    studio.live = () => ({ ...studio.liveNow(), selected: fails })
    studio.command(1, { type: 'hide', graphicId: 'a' })
    expect(() => studio.show(1, 'b')).not.toThrow()
    // nor can it be made when the state is read anew for the first time
    await settle()
    studio.live = studio.liveNow
    studio.clock.advance(500)
    await settle()
    expect(picture.showing()).toEqual([{ graphicId: 'b', seq: 3 }])
  })

  test('[live-path 18] a frame that cannot be made keeps nobody waiting who does not need it', async () => {
    const studio = new Studio()
    const { picture } = await studio.render(1)
    studio.show(1, 'a')
    studio.restart()
    const read = held()
    studio.beforeRead = () => read.promise
    const fails = ({ graphicId }: { graphicId: string }) => {
      if (graphicId === 'a') throw new Error('bad record')
      return undefined
    }
    studio.live = () => ({ ...studio.liveNow(), selected: fails })
    const empty = await studio.connect(1)
    empty.ready()
    await studio.render(1, picture)
    read.release()
    await settle()
    expect(empty.closedWith?.code).toBe(1011)
    studio.show(1, 'b')
    expect(picture.showing()).toEqual([
      { graphicId: 'a', seq: 1 },
      { graphicId: 'b', seq: 2 },
    ])
  })

  test('[contract REST] while the database is away a renderer waits for its picture and then gets it', async () => {
    const studio = new Studio()
    studio.show(1, 'a')
    studio.beforeRead = () => Promise.reject(new Error('down'))
    const { socket, picture } = await studio.render(1)
    studio.clock.advance(3_000)
    expect(socket.closedWith).toBeUndefined()
    studio.beforeRead = async () => {}
    studio.clock.advance(600)
    await settle()
    expect([...picture.graphics.keys()]).toEqual(['a'])
  })
})

describe('slow renderers', () => {
  // two loads fill a line
  const half = 'x'.repeat(33_000)

  test('[live-path 18] a READY is answered as the line takes it: what is off first, then what is on as it is by then', async () => {
    const studio = new Studio()
    studio.padding = half
    for (const id of ['a', 'b', 'c', 'd']) studio.show(1, id)
    const { socket, picture } = await studio.render(1, undefined, '', true)
    expect([...picture.graphics.keys()]).toEqual(['a', 'b'])
    studio.clock.advance(300)
    studio.update(1, 'a', { name: 'old' })
    studio.update(1, 'a', { name: 'new' })
    studio.update(1, 'd', { name: 'new' })
    studio.command(1, { type: 'hide', graphicId: 'b' })
    expect(socket.messages()).toHaveLength(2)
    const sent: unknown[] = []
    for (let turn = 0; turn < 3; turn++) {
      socket.buffered = 0
      studio.clock.advance(100)
      sent.push(socket.messages().map(({ type, payload }) => [type, payload.graphicId, payload.seq]))
    }
    expect(sent.at(-1)).toEqual([
      ['LOAD_GRAPHIC', 'a', 1],
      ['LOAD_GRAPHIC', 'b', 2],
      ['GRAPHIC_UPDATE', 'b', 8],
      ['LOAD_GRAPHIC', 'c', 3],
      ['LOAD_GRAPHIC', 'd', 7],
      ['GRAPHIC_UPDATE', 'a', 6],
    ])
    expect(picture.graphics.get('a')).toMatchObject({ seq: 6, variableValues: { name: 'new' } })
    // from now on it hears what all hear, when they hear it
    studio.command(1, { type: 'hideAll' })
    expect(picture.graphics.size).toBe(0)
    expect(socket.closedWith).toBeUndefined()
  })

  test('[live-path 18] a line that takes nothing of its answer for 15 s is closed with 1013, one that takes little is not', async () => {
    const studio = new Studio()
    studio.padding = half
    for (const id of ['a', 'b', 'c']) studio.show(1, id)
    const { socket } = await studio.render(1, undefined, '', true)
    const steady = await studio.render(1, undefined, '', true)
    for (let second = 0; second < 16; second++) {
      expect(socket.closedWith).toBeUndefined()
      steady.socket.buffered -= 1_000
      studio.clock.advance(1_000)
    }
    expect(socket.closedWith?.code).toBe(1013)
    expect(steady.socket.closedWith).toBeUndefined()
  })

  test('[live-path 14] live data that comes after its seq reaches a renderer that was sent the graphic without it', async () => {
    const studio = new Studio()
    studio.padding = half
    studio.show(1, 'a')
    studio.show(1, 'b')
    studio.show(1, 'c')
    const { socket, picture } = await studio.render(1, undefined, '', true)
    const answer = held()
    studio.live = async () => {
      await answer.promise
      return studio.liveNow()
    }
    studio.data = 9
    studio.command(1, { type: 'refresh', revisions: { match: 2 } })
    studio.clock.advance(1_100)
    const goOn = async () => {
      socket.buffered = 0
      studio.clock.advance(100)
      await settle()
    }
    await goOn()
    expect(picture.graphics.get('a')).toMatchObject({ seq: 4, data: { score: 0 } })
    answer.release()
    await settle()
    for (let turn = 0; turn < 5; turn++) await goOn()
    for (const id of ['a', 'b', 'c']) expect(picture.graphics.get(id)).toMatchObject({ seq: 4, data: { score: 9 } })
  })

  test('[live-path 18] a frame of a long answer that cannot be made ends that socket and no other', async () => {
    const studio = new Studio()
    studio.padding = half
    for (const id of ['a', 'b', 'c']) studio.show(1, id)
    const fails = ({ graphicId }: { graphicId: string }) => {
      if (graphicId === 'c') throw new Error('bad record')
      return undefined
    }
    studio.live = () => ({ ...studio.liveNow(), selected: fails })
    const bad = await studio.render(1, undefined, '', true)
    const other = await studio.render(2)
    bad.socket.buffered = 0
    studio.clock.advance(100)
    expect(bad.socket.closedWith?.code).toBe(1011)
    studio.show(2, 'z')
    studio.clock.advance(100)
    expect(other.picture.graphics.size).toBe(1)
  })

  test('[live-path 18] over 256 KiB buffered closes with 1013 at the next sweep, and others go on', async () => {
    const studio = new Studio()
    const slow = await studio.render(1)
    const fast = await studio.render(1)
    slow.socket.buffered = 256 * 1024 + 1
    studio.show(1, 'a')
    studio.clock.advance(100)
    expect(slow.socket.closedWith?.code).toBe(1013)
    studio.update(1, 'a', { name: 'x' })
    expect(fast.picture.graphics.get('a')?.seq).toBe(2)
  })

  test('[live-path 18] a socket that was behind is looked at again without another push', async () => {
    const studio = new Studio()
    const { socket } = await studio.render(1)
    socket.buffered = 1000
    studio.show(1, 'a')
    studio.clock.advance(200)
    expect(socket.closedWith).toBeUndefined()
    socket.buffered = 300_000
    studio.clock.advance(100)
    expect(socket.closedWith?.code).toBe(1013)
  })

  test('[contract socket] it catches up by reconnecting with what it has', async () => {
    const studio = new Studio()
    studio.show(1, 'a')
    const { socket, picture } = await studio.render(1)
    socket.end(1006, 'lost')
    studio.command(1, { type: 'hide', graphicId: 'a' })
    studio.show(1, 'b')
    await studio.render(1, picture)
    expect(picture.showing()).toEqual([{ graphicId: 'b', seq: 3 }])
  })

  test('[live-path 19] a round of the sweep that fails is not the last one', async () => {
    const studio = new Studio()
    const { socket } = await studio.render(1)
    const beating = await studio.connect(1, 'heartbeat=2')
    socket.bufferedBytes = () => {
      throw new Error('a socket that nobody expected')
    }
    studio.show(1, 'a')
    expect(() => studio.clock.advance(100)).toThrow('nobody expected')
    socket.bufferedBytes = () => 0
    studio.clock.advance(3_000)
    expect(beating.frames.length).toBeGreaterThan(1)
  })
})

describe('deletion', () => {
  test('[live-path 15] everything goes off, sockets close with 1008, and newcomers are refused', async () => {
    const studio = new Studio()
    const { socket, picture } = await studio.render(1)
    const watcher = await studio.upgrade('/control/{token}/socket', { token: 'control-1' })
    studio.show(1, 'a')
    studio.deleted.add(1)
    studio.hub.removed(1)
    expect(picture.graphics.size).toBe(0)
    expect(socket.closedWith?.code).toBe(1008)
    expect(watcher?.closedWith?.code).toBe(1008)
    await expect(studio.connect(1)).rejects.toThrow()
    expect(studio.hub.count().channels).toBe(0)
  })

  test('[live-path 15] a socket whose overlay went between upgrade and reading closes with 1008', async () => {
    const studio = new Studio()
    const read = held()
    studio.beforeRead = () => read.promise
    const socket = await studio.connect(1)
    studio.deleted.add(1)
    read.release()
    await settle()
    expect(socket.closedWith?.code).toBe(1008)
  })

  test('[live-path 15] with a delay the picture goes at once all the same', async () => {
    const studio = new Studio()
    studio.show(1, 'a')
    studio.clock.advance(60_000)
    studio.delays.set(1, 30)
    const { picture } = await studio.render(1, new Picture())
    expect(picture.graphics.size).toBe(1)
    studio.command(1, { type: 'hideAll' })
    expect(picture.graphics.size).toBe(1)
    studio.hub.removed(1)
    expect(picture.graphics.size).toBe(0)
  })
})
