import { describe, expect, test } from 'vitest'
import { Picture } from '../support/picture.ts'
import { Studio, settle, shown } from '../support/studio.ts'

const delayed = (seconds: number) => {
  const studio = new Studio()
  studio.delays.set(1, seconds)
  return studio
}
const onScreen = (picture: Picture) => picture.showing().map(({ graphicId }) => graphicId)

describe('encodingDelay', () => {
  test('[live-path 22] a change appears when the delay has passed, to 50 ms', async () => {
    const studio = delayed(5)
    const { picture } = await studio.render(1)
    studio.show(1, 'a')
    studio.clock.advance(4_999)
    expect(onScreen(picture)).toEqual([])
    studio.clock.advance(50)
    expect(onScreen(picture)).toEqual(['a'])
  })

  test('[live-path 22] every change keeps its distance and order, hideAll too', async () => {
    const studio = delayed(2)
    const { socket } = await studio.render(1)
    studio.show(1, 'a')
    studio.clock.advance(300)
    studio.show(1, 'b')
    studio.clock.advance(300)
    studio.command(1, { type: 'hideAll' })
    const arrivals: [number, unknown][] = []
    const start = studio.clock.now()
    socket.onFrame = (text) => arrivals.push([studio.clock.now() - start, JSON.parse(text).payload.seq])
    studio.clock.advance(5_000)
    expect(arrivals).toEqual([
      [1_400, 1],
      [1_700, 2],
      [2_000, 3],
      [2_000, 3],
    ])
  })

  test('[live-path 22] a reload never shows early', async () => {
    const studio = delayed(10)
    const { socket, picture } = await studio.render(1)
    studio.show(1, 'a')
    studio.clock.advance(11_000)
    studio.update(1, 'a', { name: 'later' })
    studio.show(1, 'b')
    socket.end(1001, 'reload')
    const reloaded = await studio.render(1)
    expect(reloaded.picture.showing()).toEqual([{ graphicId: 'a', seq: 1 }])
    studio.clock.advance(10_000)
    expect(reloaded.picture.showing()).toEqual([
      { graphicId: 'a', seq: 2 },
      { graphicId: 'b', seq: 3 },
    ])
    expect(onScreen(picture)).toEqual(['a'])
  })

  test('[live-path 22] it survives a restart: the view is the state at the cursor, the rest follows when due', async () => {
    const studio = delayed(10)
    studio.show(1, 'a')
    studio.clock.advance(6_000)
    studio.command(1, { type: 'hide', graphicId: 'a' })
    studio.show(1, 'b')
    studio.clock.advance(5_000)
    studio.restart()
    const { picture } = await studio.render(1)
    expect(onScreen(picture)).toEqual(['a'])
    studio.clock.advance(4_999)
    expect(onScreen(picture)).toEqual(['a'])
    studio.clock.advance(1)
    expect(onScreen(picture)).toEqual(['b'])
  })

  test('[live-path 22] raising it freezes the cursor, nothing on screen goes back', async () => {
    const studio = delayed(2)
    const { picture } = await studio.render(1)
    studio.show(1, 'a')
    studio.clock.advance(1_000)
    studio.show(1, 'b')
    studio.clock.advance(1_500)
    expect(onScreen(picture)).toEqual(['a'])
    studio.setDelay(1, 10)
    studio.clock.advance(8_000)
    expect(onScreen(picture)).toEqual(['a'])
    studio.clock.advance(500)
    expect(onScreen(picture)).toEqual(['a', 'b'])
  })

  test('[live-path 22] lowering it releases in order at once', async () => {
    const studio = delayed(30)
    const { socket, picture } = await studio.render(1)
    studio.show(1, 'a')
    studio.update(1, 'a', { name: 'x' })
    studio.show(1, 'b')
    studio.setDelay(1, 0)
    expect(socket.messages().map(({ payload }) => payload.seq)).toEqual([1, 2, 3])
    studio.show(1, 'c')
    expect(onScreen(picture)).toEqual(['a', 'b', 'c'])
  })

  test('[live-path 22] a delay set while the state is being read is the one that holds', async () => {
    const studio = delayed(0)
    studio.show(1, 'a')
    const socket = await studio.connect(1)
    socket.ready()
    studio.setDelay(1, 5)
    await settle()
    studio.show(1, 'b')
    studio.clock.advance(1_000)
    expect(socket.messages().map(({ payload }) => payload.graphicId)).not.toContain('b')
    studio.clock.advance(4_100)
    expect(socket.messages().map(({ payload }) => payload.graphicId)).toEqual(['a', 'b'])
  })

  test('[live-path 22] live data is delayed with the change that announced it, over a reload too', async () => {
    const studio = delayed(5)
    const { socket, picture } = await studio.render(1)
    studio.show(1, 'a')
    studio.clock.advance(6_000)
    studio.data = 1
    studio.command(1, { type: 'refresh', revisions: { match: 2 } })
    socket.end(1001, 'reload')
    studio.clock.advance(1_000)
    const reloaded = await studio.render(1)
    expect(reloaded.picture.graphics.get('a')?.data).toEqual({ score: 0 })
    studio.clock.advance(4_000)
    expect(reloaded.picture.graphics.get('a')?.data).toEqual({ score: 1 })
    expect(picture.graphics.get('a')?.data).toEqual({ score: 0 })
  })

  test('[live-path 22] live data that was read late, but before it is due, appears with the change that announced it', async () => {
    const studio = delayed(10)
    const { picture } = await studio.render(1)
    studio.show(1, 'a')
    studio.clock.advance(11_000)
    studio.live = () => Promise.reject(new Error('down'))
    studio.data = 1
    studio.command(1, { type: 'refresh', revisions: { match: 2 } })
    await settle()
    studio.clock.advance(1_000)
    await settle()
    studio.update(1, 'a', { name: 'Bea' })
    studio.live = studio.liveNow
    studio.clock.advance(1_000)
    await settle()
    studio.clock.advance(7_990)
    expect(picture.graphics.get('a')).toMatchObject({ seq: 1, data: { score: 0 } })
    studio.clock.advance(20)
    expect(picture.graphics.get('a')).toMatchObject({ seq: 2, data: { score: 1 } })
  })

  test('[live-path 22] reading the state anew shows no newer data than the cursor allows', async () => {
    const studio = delayed(5)
    const { picture } = await studio.render(1)
    studio.show(1, 'a')
    studio.clock.advance(6_000)
    studio.data = 1
    studio.command(1, { type: 'refresh', revisions: { match: 2 } })
    studio.commitSilently(1, { type: 'show', graphic: shown('b') })
    studio.show(1, 'c')
    await settle()
    studio.clock.advance(4_900)
    expect(picture.graphics.get('a')?.data).toEqual({ score: 0 })
    studio.clock.advance(200)
    expect(picture.graphics.get('a')?.data).toEqual({ score: 1 })
    expect(onScreen(picture)).toEqual(['a', 'b', 'c'])
  })

  test('[live-path 22] a delayed channel without renderers goes when nothing waits any more', async () => {
    const studio = delayed(5)
    const { socket } = await studio.render(1)
    studio.show(1, 'a')
    socket.end(1001, 'gone')
    expect(studio.hub.count().channels).toBe(1)
    studio.clock.advance(11_000)
    expect(studio.hub.count().channels).toBe(0)
    expect(studio.clock.waiting).toBe(0)
  })

  test('[contract socket] a renderer that comes back with an older picture gets the difference to the cursor', async () => {
    const studio = delayed(5)
    studio.show(1, 'a')
    studio.show(1, 'b')
    studio.clock.advance(6_000)
    const { socket, picture } = await studio.render(1, new Picture())
    socket.end(1006, 'lost')
    studio.command(1, { type: 'hide', graphicId: 'a' })
    studio.clock.advance(3_000)
    studio.command(1, { type: 'hide', graphicId: 'b' })
    studio.clock.advance(3_000)
    await studio.render(1, picture)
    expect(onScreen(picture)).toEqual(['b'])
  })
})
