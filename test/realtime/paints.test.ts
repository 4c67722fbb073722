import { describe, expect, test } from 'vitest'
import { Studio, settle } from '../support/studio.ts'

const seqs = (studio: Studio) => studio.paints.map(({ graphicId, seq }) => [graphicId, seq])

describe('paint reports', () => {
  test('[live-path 21] a report is stored with the renderer, at the time of receipt, and measured from the commit', async () => {
    const studio = new Studio()
    const { socket } = await studio.render(1, undefined, 'renderer=OBS+main')
    studio.show(1, 'a')
    studio.clock.advance(16)
    socket.painted('a', 1)
    expect(studio.paints).toEqual([
      { overlayId: 1, graphicId: 'a', seq: 1, renderer: 'OBS main', at: studio.clock.wall() },
    ])
    expect(studio.latencies).toEqual([16])
  })

  test('[live-path 22] with a delay the latency counts from the release', async () => {
    const studio = new Studio()
    studio.delays.set(1, 5)
    const { socket } = await studio.render(1)
    studio.show(1, 'a')
    studio.clock.advance(5_020)
    socket.painted('a', 1)
    expect(studio.latencies).toEqual([20])
  })

  test('[live-path 21] without a name each connection is one', async () => {
    const studio = new Studio()
    const one = await studio.render(1)
    const two = await studio.render(1)
    studio.show(1, 'a')
    one.socket.painted('a', 1)
    two.socket.painted('a', 1)
    const names = studio.paints.map(({ renderer }) => renderer)
    expect(new Set(names).size).toBe(2)
    expect(names.every((name) => name.length > 8)).toBe(true)
  })

  test('[live-path 21] a name is cleaned and cut', async () => {
    const studio = new Studio()
    const { socket } = await studio.render(
      1,
      undefined,
      `renderer=${encodeURIComponent(`<b>"x"\u0000${'y'.repeat(100)}`)}`,
    )
    studio.show(1, 'a')
    socket.painted('a', 1)
    expect(studio.paints[0]?.renderer).toBe(`bx${'y'.repeat(62)}`)
  })

  test('[contract socket] at most ten a second per renderer count at once; of the rest the newest seq per graphic counts', async () => {
    const studio = new Studio()
    const { socket } = await studio.render(1)
    for (let i = 0; i < 40; i++) studio.show(1, i % 2 === 0 ? 'a' : 'b')
    for (let seq = 1; seq <= 40; seq++) socket.painted(seq % 2 === 1 ? 'a' : 'b', seq)
    expect(studio.paints).toHaveLength(10)
    const receivedAt = studio.clock.wall()
    studio.clock.advance(1_200)
    expect(seqs(studio).slice(10)).toEqual([
      ['a', 39],
      ['b', 40],
    ])
    expect(studio.paints[11]?.at).toBe(receivedAt)
    studio.clock.advance(5_000)
    expect(studio.paints).toHaveLength(12)
  })

  test('[contract socket] the limit is per renderer', async () => {
    const studio = new Studio()
    const renderers = await Promise.all(Array.from({ length: 5 }, () => studio.render(1)))
    studio.show(1, 'a')
    for (const { socket } of renderers) for (let i = 0; i < 10; i++) socket.painted('a', 1)
    expect(studio.paints).toHaveLength(50)
  })

  test('[contract socket] a report of what was never sent is left out of the log and harmless', async () => {
    const studio = new Studio()
    const { socket } = await studio.render(1)
    studio.show(1, 'a')
    socket.painted('a', 2)
    socket.painted('nobody', 1)
    expect(studio.paints).toEqual([])
    expect(socket.closedWith).toBeUndefined()
  })

  test('[contract socket] the report of a graphic that is gone counts, also when READY brought the news', async () => {
    const studio = new Studio()
    const { socket } = await studio.render(1)
    studio.show(1, 'a')
    studio.command(1, { type: 'hide', graphicId: 'a' })
    socket.painted('a', 2)
    studio.restart()
    const back = await studio.connect(1)
    back.ready([{ graphicId: 'a', seq: 1 }])
    await settle()
    back.painted('a', 2)
    expect(seqs(studio)).toEqual([
      ['a', 2],
      ['a', 2],
    ])
  })
})
