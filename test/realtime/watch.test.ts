import { describe, expect, test } from 'vitest'
import { Studio, settle } from '../support/studio.ts'

const watch = async (studio: Studio, page: 'monitor' | 'control' = 'monitor') => {
  const token = page === 'monitor' ? 'monitoring-1' : 'control-1'
  const socket = await studio.upgrade(`/${page}/{token}/socket`, { token })
  if (!socket) throw new Error('the upgrade was refused')
  await settle()
  const last = () => JSON.parse(socket.frames.at(-1) ?? 'null').payload
  return { socket, last }
}

describe('watching pages', () => {
  test.each(['monitor', 'control'] as const)(
    '[contract socket] the %s token opens a socket that tells the state at once',
    async (page) => {
      const studio = new Studio()
      studio.show(1, 'a', { name: 'Ada' })
      const shownAt = new Date(studio.clock.wall()).toISOString()
      studio.clock.advance(5_000)
      const { socket, last } = await watch(studio, page)
      expect(JSON.parse(socket.frames[0] ?? '').type).toBe('STATE')
      expect(last()).toEqual({
        overlay: { id: 1, name: 'Overlay 1', encodingDelay: 0 },
        seq: 1,
        onAir: [
          {
            graphicId: 'a',
            graphicName: 'Graphic a',
            presetId: 1,
            variableValues: { name: 'Ada' },
            sectionId: 's',
            since: shownAt,
          },
        ],
        renderers: [],
      })
    },
  )

  test('[contract socket] the overlay key opens neither page, and their tokens do not open the overlay', async () => {
    const studio = new Studio()
    expect(await studio.upgrade('/monitor/{token}/socket', { token: 'key-1' })).toBeUndefined()
    expect(await studio.upgrade('/monitor/{token}/socket', { token: 'control-1' })).toBeUndefined()
    expect(await studio.upgrade('/control/{token}/socket', { token: 'monitoring-1' })).toBeUndefined()
    expect(await studio.upgrade('/overlay/{key}/socket', { key: 'control-1' })).toBeUndefined()
  })

  test('[contract socket] the state follows each change, at most 20 times a second, and ends at the newest', async () => {
    const studio = new Studio()
    const { socket, last } = await watch(studio)
    const before = socket.frames.length
    for (let i = 0; i < 100; i++) {
      studio.show(1, 'a')
      studio.clock.advance(10)
    }
    studio.clock.advance(50)
    expect(socket.frames.length - before).toBeLessThanOrEqual(22)
    expect(socket.frames.length - before).toBeGreaterThan(10)
    expect(last().seq).toBe(100)
  })

  test('[live-path 22] it shows the committed state, not the delayed view', async () => {
    const studio = new Studio()
    studio.delays.set(1, 30)
    const { last } = await watch(studio)
    studio.show(1, 'a')
    studio.clock.advance(100)
    expect(last()).toMatchObject({ seq: 1, overlay: { encodingDelay: 30 } })
    expect(last().onAir).toHaveLength(1)
    studio.setDelay(1, 3)
    studio.clock.advance(100)
    expect(last().overlay.encodingDelay).toBe(3)
  })

  test('[live-path 21] renderers are listed with their last paint, refreshed at most once a second', async () => {
    const studio = new Studio()
    const { socket, last } = await watch(studio)
    const renderer = await studio.render(1, undefined, 'renderer=main')
    studio.clock.advance(1_100)
    expect(last().renderers).toMatchObject([{ name: 'main', lastPaintAt: null, lastSeq: null }])
    studio.show(1, 'a')
    renderer.socket.painted('a', 1)
    const paintedAt = new Date(studio.clock.wall()).toISOString()
    studio.clock.advance(1_100)
    expect(last().renderers).toMatchObject([{ name: 'main', lastPaintAt: paintedAt, lastSeq: 1 }])
    const before = socket.frames.length
    studio.clock.advance(60_000)
    expect(socket.frames.length).toBe(before)
    renderer.socket.end(1001, 'gone')
    studio.clock.advance(1_100)
    expect(last().renderers).toEqual([])
  })

  test('[contract socket] it only listens: anything it says closes with 1008', async () => {
    const studio = new Studio()
    const { socket } = await watch(studio)
    socket.says({ type: 'READY', payload: { showing: [] } })
    expect(socket.closedWith?.code).toBe(1008)
    expect(studio.hub.count()).toEqual({ renderers: 0, watchers: 0, channels: 0 })
  })

  test('[live-path 18] a watching page that cannot keep up is closed with 1013', async () => {
    const studio = new Studio()
    const { socket } = await watch(studio)
    socket.buffered = 300_000
    studio.clock.advance(100)
    expect(socket.closedWith?.code).toBe(1013)
  })

  test('[contract socket] renderers and watching pages are counted apart', async () => {
    const studio = new Studio()
    await watch(studio)
    await studio.render(1)
    await studio.render(1)
    await studio.render(2)
    expect(studio.hub.renderers(1)).toBe(2)
    expect(studio.hub.renderers(3)).toBe(0)
    expect(studio.hub.count()).toEqual({ renderers: 3, watchers: 1, channels: 2 })
  })
})
