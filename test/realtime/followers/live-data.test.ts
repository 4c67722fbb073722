import { describe, expect, test } from 'vitest'
import { held, Studio, settle, shown } from '../../support/studio.ts'

describe('live data on its way to the screen', () => {
  test('[live-path 14] a refresh is one GRAPHIC_UPDATE per graphic on air with the sets that changed for it', async () => {
    const studio = new Studio()
    const { socket } = await studio.render(1)
    const live = { themeVariables: { colour: '#fff' }, data: { score: 1, clock: 2 } }
    studio.live = () => ({
      ...live,
      revisions: {},
      schemas: ({ graphicId }) => (graphicId === 'a' ? ['score'] : ['clock']),
    })
    studio.show(1, 'a')
    studio.show(1, 'b')
    const refresh = () => {
      const before = socket.messages().length
      studio.command(1, { type: 'refresh', revisions: { match: 2 } })
      return socket.messages().slice(before)
    }
    const update = (graphicId: string, seq: number, sets: object = {}) => ({
      type: 'GRAPHIC_UPDATE',
      payload: { graphicId, onAir: true, sport: 'football', seq, ...sets },
    })
    live.data = { score: 7, clock: 2 }
    expect(refresh()).toEqual([update('a', 3, { data: { score: 7 } }), update('b', 3)])
    live.themeVariables = { colour: '#000' }
    const themeVariables = live.themeVariables
    expect(refresh()).toEqual([update('a', 4, { themeVariables }), update('b', 4, { themeVariables })])
    live.data = { score: 7, clock: 2 }
    expect(refresh()).toEqual([update('a', 5), update('b', 5)])
  })

  test('[live-path 14] a renderer that is believed to show the right seq is told everything by the next refresh', async () => {
    const studio = new Studio()
    const { picture } = await studio.render(1)
    studio.show(1, 'a')
    // it changed and will be announced, but the new server reads it before
    studio.data = 5
    studio.restart()
    const again = await studio.render(1, picture)
    expect(again.socket.messages()).toEqual([])
    studio.command(1, { type: 'refresh', revisions: { match: 2 } })
    expect(picture.graphics.get('a')).toMatchObject({ seq: 2, data: { score: 5 } })
  })

  test('[live-path 14] data that changed while nothing was on air is read anew on the next show', async () => {
    const studio = new Studio()
    const { picture } = await studio.render(1)
    studio.show(1, 'a')
    studio.command(1, { type: 'hide', graphicId: 'a' })
    studio.data = 3
    studio.show(1, 'a')
    expect(picture.graphics.get('a')?.data).toEqual({ score: 3 })
  })

  test('[live-path 14] commands behind a refresh wait for its data and keep their order', async () => {
    const studio = new Studio()
    const { socket } = await studio.render(1)
    studio.show(1, 'a')
    const answer = held()
    studio.live = async () => {
      await answer.promise
      return studio.liveNow()
    }
    studio.data = 9
    studio.command(1, { type: 'refresh', revisions: { match: 2 } })
    studio.update(1, 'a', { name: 'Bea' })
    await settle()
    expect(socket.messages()).toHaveLength(1)
    answer.release()
    await settle()
    expect(socket.messages().map(({ payload }) => payload.seq)).toEqual([1, 2, 3])
    expect(socket.messages()[1]?.payload.data).toEqual({ score: 9 })
  })

  test('[live-path 14] live data that cannot be read holds a known picture up for at most a second, and follows later', async () => {
    const studio = new Studio()
    const { socket, picture } = await studio.render(1)
    studio.show(1, 'a')
    studio.live = () => Promise.reject(new Error('down'))
    studio.data = 5
    studio.command(1, { type: 'refresh', revisions: { match: 2 } })
    studio.update(1, 'a', { name: 'Bea' })
    for (let i = 0; i < 11; i++) {
      studio.clock.advance(100)
      await settle()
    }
    expect(picture.graphics.get('a')).toMatchObject({ variableValues: { name: 'Bea' }, data: { score: 0 } })
    studio.live = studio.liveNow
    for (let i = 0; i < 5; i++) {
      studio.clock.advance(100)
      await settle()
    }
    expect(picture.graphics.get('a')?.data).toEqual({ score: 5 })
    expect(socket.closedWith).toBeUndefined()
  })

  test('[live-path 13] records that values name ride along as data.selected; an update that names others carries the data', async () => {
    const studio = new Studio()
    const { socket } = await studio.render(1)
    studio.live = () => ({ ...studio.liveNow(), selected: ({ values }) => ({ player: values.player ?? null }) })
    studio.show(1, 'a', { player: 1 })
    studio.update(1, 'a', { player: 1, size: 2 })
    studio.update(1, 'a', { player: 2, size: 2 })
    expect(socket.messages().map(({ payload }) => payload.data)).toEqual([
      { score: 0, selected: { player: 1 } },
      undefined,
      { score: 0, selected: { player: 2 } },
    ])
  })

  test('[live-path 14] what went out before its data is brought right by the next reading, though its seq is right', async () => {
    const studio = new Studio()
    const { picture } = await studio.render(1)
    studio.show(1, 'a')
    studio.live = () => Promise.reject(new Error('down'))
    studio.data = 1
    studio.command(1, { type: 'refresh', revisions: { match: 1 } })
    studio.clock.advance(1_000)
    expect(picture.graphics.get('a')).toMatchObject({ seq: 2, data: { score: 0 } })
    studio.live = studio.liveNow
    studio.commitSilently(1, { type: 'hide', graphicId: 'b' })
    studio.commitSilently(1, { type: 'show', graphic: shown('b') })
    studio.show(1, 'c')
    await settle()
    expect(picture.graphics.get('a')).toMatchObject({ seq: 2, data: { score: 1 } })
  })

  test('[live-path 14] a reading that comes after the state was read anew does not bring its older data', async () => {
    const studio = new Studio()
    const { picture } = await studio.render(1)
    studio.show(1, 'a')
    studio.data = 1
    const older = studio.liveNow()
    let answer = () => {}
    studio.live = () =>
      new Promise((resolve) => {
        answer = () => resolve(older)
      })
    studio.command(1, { type: 'refresh', revisions: { match: 1 } })
    studio.clock.advance(1_000)
    studio.live = studio.liveNow
    studio.data = 2
    studio.commitSilently(1, { type: 'show', graphic: shown('b') })
    studio.show(1, 'c')
    await settle()
    expect(picture.graphics.get('a')?.data).toEqual({ score: 2 })
    answer()
    await settle()
    expect(picture.graphics.get('a')?.data).toEqual({ score: 2 })
  })

  test('[live-path 14] live data that cannot be read is not asked for again once the last renderer has gone', async () => {
    const studio = new Studio()
    const { socket } = await studio.render(1)
    studio.show(1, 'a')
    let asked = 0
    studio.live = () => {
      asked++
      return Promise.reject(new Error('down'))
    }
    studio.command(1, { type: 'refresh', revisions: { match: 1 } })
    await settle()
    expect(asked).toBe(1)
    socket.end(1006, 'lost')
    for (let i = 0; i < 10; i++) {
      studio.clock.advance(300)
      await settle()
    }
    expect(asked).toBe(1)
  })

  test('[live-path 14] a renderer that was away when late data went out gets it with its READY', async () => {
    const studio = new Studio()
    const { socket, picture } = await studio.render(1)
    studio.show(1, 'a')
    studio.live = () => Promise.reject(new Error('down'))
    studio.data = 1
    studio.command(1, { type: 'refresh', revisions: { match: 1 } })
    studio.clock.advance(1_000)
    socket.end(1006, 'lost')
    studio.live = studio.liveNow
    await studio.render(1, picture)
    expect(picture.graphics.get('a')).toMatchObject({ seq: 2, data: { score: 1 } })
  })
})
