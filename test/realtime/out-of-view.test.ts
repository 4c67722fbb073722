import { describe, expect, test } from 'vitest'
import { follow, last, payloads } from '../support/follow.ts'
import { Studio } from '../support/studio.ts'

const seen = (socket: Parameters<typeof last>[0]) =>
  last(socket, 'RENDERERS').renderers.map(({ outOfView, state }) => ({ outOfView, state }))

/** A follower, and a renderer that may say whether its program shows it. */
async function staged() {
  const studio = new Studio()
  const follower = await follow(studio)
  const { socket: renderer } = await studio.render(1, undefined, 'problems=1')
  return { studio, follower, renderer }
}

describe('a source that its program does not show', () => {
  test('followers are told of it, and when it is shown again', async () => {
    const { studio, follower, renderer } = await staged()
    studio.clock.advance(1_100)
    expect(seen(follower)).toEqual([{ outOfView: false, state: 'current' }])
    renderer.outOfView()
    studio.show(1, 'a')
    studio.clock.advance(2_000)
    expect(seen(follower)).toEqual([{ outOfView: true, state: 'behind' }])
    expect(last(await follow(studio), 'SNAPSHOT').renderers).toMatchObject([{ outOfView: true }])
    renderer.problems()
    renderer.painted('a', 1)
    studio.clock.advance(1_100)
    expect(seen(follower)).toEqual([{ outOfView: false, state: 'current' }])
  })

  test('a graphic says how many of those that lack it are out of view, at once with its change and when that changes', async () => {
    const { studio, follower, renderer } = await staged()
    const { socket: other } = await studio.render(1, undefined, 'problems=1')
    other.outOfView()
    studio.show(1, 'a')
    expect(last(follower, 'CHANGE').shown).toMatchObject([{ painted: { renderers: 0, of: 2, outOfView: 1 } }])
    renderer.painted('a', 1)
    studio.clock.advance(200)
    const painted = () => last(follower, 'PAINTED').graphics.map((graphic) => graphic.painted)
    expect(painted()).toMatchObject([{ renderers: 1, of: 2, outOfView: 1 }])
    // has it on screen, for whoever looks
    renderer.outOfView()
    other.outOfView(false)
    studio.clock.advance(200)
    expect(painted()).toMatchObject([{ renderers: 1, of: 2, outOfView: 0 }])
    expect(last(await follow(studio), 'SNAPSHOT').onAir).toMatchObject([{ painted: { of: 2, outOfView: 0 } }])
  })

  test('how long it was out of view is no time that a paint takes', async () => {
    const { studio, follower, renderer } = await staged()
    renderer.outOfView()
    studio.show(1, 'a')
    studio.clock.advance(60_000)
    // it paints before it says that it is in view
    renderer.painted('a', 1)
    renderer.outOfView(false)
    studio.show(1, 'b')
    studio.clock.advance(20)
    renderer.painted('b', 2)
    renderer.painted('a', 1)
    studio.clock.advance(1_100)
    expect(studio.latencies).toEqual([20])
    expect(last(follower, 'RENDERERS').renderers).toMatchObject([{ latency: { count: 1, p99: 20 } }])
    // the as-run log has them all
    expect(studio.paints.map(({ graphicId }) => graphicId)).toEqual(['a', 'b', 'a'])
  })

  test('what went out before it came into view is not counted either, and it begins in view', async () => {
    const { studio, renderer } = await staged()
    studio.show(1, 'a')
    studio.clock.advance(10)
    renderer.painted('a', 1)
    renderer.outOfView()
    studio.show(1, 'b')
    studio.clock.advance(5_000)
    renderer.outOfView(false)
    studio.clock.advance(15)
    renderer.painted('b', 2)
    expect(studio.latencies).toEqual([10])
  })

  test('when it left and came is noted for the proof of play, the picture inside a page of ours for nobody', async () => {
    const { studio, renderer } = await staged()
    const from = studio.clock.wall()
    renderer.outOfView()
    studio.clock.advance(5_000)
    renderer.outOfView()
    renderer.outOfView(false)
    const name = expect.any(String)
    const views = [
      { name, inView: false, at: from },
      { name, inView: true, at: from + 5_000 },
    ]
    expect(studio.views).toEqual(views)
    const picture = await studio.upgrade('/monitor/{token}/picture/socket', { token: 'monitoring-1' }, 'problems=1')
    picture?.ready()
    picture?.outOfView()
    expect([picture?.closedWith, studio.views]).toEqual([undefined, views])
  })

  test('said again it is told once; said otherwise than as a boolean it closes with 1008', async () => {
    const { studio, follower, renderer } = await staged()
    renderer.outOfView()
    studio.clock.advance(1_100)
    const count = payloads(follower, 'RENDERERS').length
    renderer.outOfView()
    studio.clock.advance(5_000)
    expect(payloads(follower, 'RENDERERS')).toHaveLength(count)
    renderer.says({ type: 'PROBLEMS', payload: { problems: [], outOfView: 'yes' } })
    expect(renderer.closedWith?.code).toBe(1008)
  })
})
