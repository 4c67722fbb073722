import { describe, expect, test } from 'vitest'
import { follow, keyPath, last, payloads, told } from '../../support/follow.ts'
import { Studio, settle } from '../../support/studio.ts'

describe('followers', () => {
  test.each(['/monitor/{token}/socket', '/control/{token}/socket', keyPath])(
    '[issue 6.2] %s tells the whole state at once',
    async (path) => {
      const studio = new Studio()
      studio.show(1, 'a', { name: 'Ada' })
      const since = new Date(studio.clock.wall()).toISOString()
      studio.clock.advance(5_000)
      const socket = await follow(studio, path)
      expect(told(socket).map(({ type }) => type)).toEqual(['SNAPSHOT', 'UNDO'])
      expect(last(socket, 'SNAPSHOT')).toEqual({
        cursor: expect.any(String),
        serverTime: new Date(studio.clock.wall()).toISOString(),
        overlay: {
          id: 1,
          name: 'Overlay 1',
          matchId: 1,
          controlRoomId: 1,
          encodingDelay: 0,
          autoMode: true,
          adType: null,
        },
        seq: 1,
        onAir: [
          {
            graphicId: 'a',
            graphicName: 'Graphic a',
            presetId: 1,
            sectionId: 's',
            variableValues: { name: 'Ada' },
            seq: 1,
            since,
            until: null,
            painted: { renderers: 0, of: 0, outOfView: 0, at: null },
          },
        ],
        preview: [],
        scheduled: [],
        rehearsal: false,
        rundown: { cuedId: null, takenId: null },
        renderers: [],
        match: null,
      })
    },
  )

  test('[issue 6.2] each command is told once, with who asked for it, as whole graphics', async () => {
    const studio = new Studio()
    const socket = await follow(studio)
    studio.show(1, 'a', { name: 'Ada' })
    const since = new Date(studio.clock.wall()).toISOString()
    studio.clock.advance(1_000)
    studio.principal = { type: 'person', name: 'anna.berg@example.com' }
    studio.update(1, 'a', { name: 'Grace' })
    studio.principal = { type: 'link' }
    studio.command(1, { type: 'hideAll' })
    expect(payloads(socket, 'CHANGE')).toMatchObject([
      { seq: 1, action: 'show', by: { type: 'key', name: 'desk' }, shown: [{ seq: 1, since }], hidden: [] },
      {
        seq: 2,
        action: 'update',
        by: { type: 'person', name: 'anna.berg' },
        shown: [{ seq: 2, since, presetId: 2, variableValues: { name: 'Grace' } }],
      },
      {
        seq: 3,
        action: 'hideAll',
        by: { type: 'link', name: null },
        shown: [],
        hidden: [{ graphicId: 'a', graphicName: 'Graphic a', presetId: 2, sectionId: 's' }],
      },
    ])
  })

  test('[issue 6.2] one text serves all followers, and nobody is told of another overlay', async () => {
    const studio = new Studio()
    const sockets = [
      await follow(studio),
      await follow(studio, keyPath),
      await follow(studio, '/control/{token}/socket'),
    ]
    const before = studio.published.length
    studio.show(1, 'a')
    studio.show(2, 'b')
    expect(studio.published.length - before).toBe(1)
    for (const socket of sockets)
      expect(payloads(socket, 'CHANGE').map(({ shown }) => shown[0]?.graphicId)).toEqual(['a'])
  })

  test('[issue 6.2] nobody follows: a commit is looked at by nobody', async () => {
    const studio = new Studio()
    await studio.render(1)
    studio.show(1, 'a')
    expect(studio.published.map(({ topic }) => topic)).toEqual(['overlay/1'])
  })

  test('[issue 6.1] a show is told at once, and again when renderers painted it; new data does not undo that', async () => {
    const studio = new Studio()
    const socket = await follow(studio, '/control/{token}/socket')
    const { socket: renderer } = await studio.render(1)
    await studio.render(1)
    studio.clock.advance(200)
    studio.show(1, 'a')
    expect(last(socket, 'CHANGE').shown[0]?.painted).toEqual({ renderers: 0, of: 2, outOfView: 0, at: null })
    studio.clock.advance(30)
    renderer.painted('a', 1)
    const at = new Date(studio.clock.wall()).toISOString()
    expect(last(socket, 'PAINTED')).toEqual({
      graphics: [{ graphicId: 'a', seq: 1, painted: { renderers: 1, of: 2, outOfView: 0, at } }],
    })
    studio.command(1, { type: 'refresh', revisions: { 'match/1': 2 } })
    expect(last(socket, 'CHANGE')).toMatchObject({ action: 'refresh', seq: 2, shown: [], hidden: [] })
    renderer.painted('a', 2)
    studio.clock.advance(300)
    expect(payloads(socket, 'PAINTED')).toHaveLength(1)
    const later = await follow(studio)
    expect(last(later, 'SNAPSHOT').onAir).toMatchObject([{ painted: { renderers: 1, of: 2 } }])
  })

  test('[live-path 13] what values name is told soon after the command, which waits for no name, and again when it is called otherwise', async () => {
    const studio = new Studio()
    let called: string | undefined = 'Ingrid Berg'
    let asked = 0
    studio.names = ({ values }) => {
      asked++
      return values.player === 38 && called !== undefined ? { player: called } : {}
    }
    const socket = await follow(studio)
    studio.show(1, 'a', { player: 38, title: 'Captain' })
    expect(asked).toBe(0)
    expect(last(socket, 'CHANGE').shown[0]).not.toHaveProperty('names')
    const names = async () => {
      studio.clock.advance(100)
      await settle()
      return payloads(socket, 'NAMES').map(({ graphics }) => graphics)
    }
    expect(await names()).toEqual([[{ graphicId: 'a', seq: 1, names: { player: 'Ingrid Berg' } }]])
    expect(last(await follow(studio), 'SNAPSHOT').onAir).toMatchObject([{ names: { player: 'Ingrid Berg' } }])
    called = 'Ingrid Dahl'
    expect(await names()).toHaveLength(1)
    studio.hub.followings.recordChanged('player/38', 1)
    expect((await names()).at(-1)).toEqual([{ graphicId: 'a', seq: 1, names: { player: 'Ingrid Dahl' } }])
    called = undefined
    studio.hub.followings.recordChanged('match/1')
    expect((await names()).at(-1)).toEqual([{ graphicId: 'a', seq: 1, names: {} }])
    expect(last(await follow(studio), 'SNAPSHOT').onAir[0]).not.toHaveProperty('names')
    studio.update(1, 'a', { player: 39 })
    expect(await names()).toHaveLength(3)
  })

  test('[issue 6.1] paint reports of many renderers are told at most ten times a second', async () => {
    const studio = new Studio()
    const socket = await follow(studio)
    const renderers = []
    for (let i = 0; i < 20; i++) renderers.push(await studio.render(1))
    studio.clock.advance(200)
    studio.show(1, 'a')
    for (const { socket: renderer } of renderers) renderer.painted('a', 1)
    studio.clock.advance(200)
    const reports = payloads(socket, 'PAINTED')
    expect(reports.length).toBeLessThanOrEqual(3)
    expect(reports.at(-1)?.graphics[0]?.painted).toMatchObject({ renderers: 20, of: 20 })
  })

  test('[issue 6.3] renderers are listed with engine, state, last paint and latency', async () => {
    const studio = new Studio()
    const socket = await follow(studio)
    studio.userAgent =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/127.0.6533.120 Safari/537.36 OBS/31.0.2'
    const renderer = await studio.connect(1, 'renderer=main')
    studio.clock.advance(1_100)
    expect(last(socket, 'RENDERERS').renderers).toMatchObject([
      {
        name: 'main',
        engine: 'OBS 31.0, Chromium 127',
        state: 'waiting',
        lastPaintAt: null,
        lastSeq: null,
        latency: null,
      },
    ])
    renderer.ready()
    studio.show(1, 'a')
    studio.clock.advance(2_000)
    expect(last(socket, 'RENDERERS').renderers).toMatchObject([{ state: 'behind' }])
    renderer.painted('a', 1)
    const lastPaintAt = new Date(studio.clock.wall()).toISOString()
    for (const ms of [10, 20, 40]) {
      const seq = studio.update(1, 'a', { ms }) ?? 0
      studio.clock.advance(ms)
      renderer.painted('a', seq)
    }
    studio.clock.advance(1_100)
    const [found] = last(socket, 'RENDERERS').renderers
    expect(found).toMatchObject({ state: 'current', lastSeq: 4, latency: { p50: 20, p99: 2000, count: 4 } })
    expect(Date.parse(found?.lastPaintAt ?? '')).toBe(Date.parse(lastPaintAt) + 70)
    renderer.end(1001, 'gone')
    studio.clock.advance(1_100)
    expect(last(socket, 'RENDERERS').renderers).toEqual([])
  })

  test('[issue 6.3] an output for a few graphics only is not waited for with the others', async () => {
    const studio = new Studio()
    const { socket: bug } = await studio.render(1, undefined, 'renderer=bug&layers=Graphic%20A,b')
    const { socket: all } = await studio.render(1, undefined, 'renderer=all')
    const socket = await follow(studio)
    for (const graphicId of ['a', 'b', 'c']) studio.show(1, graphicId)
    expect(payloads(socket, 'CHANGE').map(({ shown }) => shown[0]?.painted.of)).toEqual([2, 2, 1])
    for (const [seq, graphicId] of ['a', 'b', 'c'].entries()) {
      all.painted(graphicId, seq + 1)
      if (graphicId !== 'c') bug.painted(graphicId, seq + 1)
    }
    studio.clock.advance(4_000)
    expect(last(socket, 'RENDERERS').renderers.map(({ name, state }) => [name, state])).toEqual([
      ['bug', 'current'],
      ['all', 'current'],
    ])
    const { onAir } = last(await follow(studio), 'SNAPSHOT')
    expect(onAir.map(({ painted }) => [painted.renderers, painted.of])).toEqual([
      [2, 2],
      [2, 2],
      [1, 1],
    ])
  })

  test('[live-path 22] what is told is committed, and renderers of a delayed view are not behind it', async () => {
    const studio = new Studio()
    studio.delays.set(1, 30)
    const { socket: renderer } = await studio.render(1)
    const socket = await follow(studio)
    studio.show(1, 'a')
    studio.clock.advance(10_000)
    expect(last(socket, 'CHANGE')).toMatchObject({ seq: 1, shown: [{ graphicId: 'a' }] })
    expect(last(socket, 'SNAPSHOT').renderers).toMatchObject([{ state: 'current' }])
    expect(payloads(socket, 'RENDERERS')).toEqual([])
    studio.clock.advance(20_010)
    renderer.painted('a', 1)
    studio.clock.advance(1_100)
    expect(last(socket, 'RENDERERS').renderers).toMatchObject([{ latency: { p50: 10, count: 1 } }])
    studio.setDelay(1, 3)
    expect(last(socket, 'OVERLAY').overlay.encodingDelay).toBe(3)
  })

  test('[issue 6.2] after two seconds of silence there is a pulse, so that silence means a dead connection', async () => {
    const studio = new Studio()
    const socket = await follow(studio)
    studio.clock.advance(10_000)
    const pulses = payloads(socket, 'PULSE')
    expect(pulses.length).toBeGreaterThanOrEqual(4)
    expect(pulses.at(-1)?.cursor).toBe(last(socket, 'SNAPSHOT').cursor)
  })

  test('[cluster freeze] a node without leases says nothing to those who follow either', async () => {
    const studio = new Studio()
    const socket = await follow(studio)
    await studio.render(1)
    studio.isLive = false
    const told = socket.frames.length
    studio.clock.advance(20_000)
    expect(socket.frames).toHaveLength(told)
    studio.isLive = true
    studio.clock.advance(2_500)
    expect(payloads(socket, 'PULSE').length + payloads(socket, 'RENDERERS').length).toBeGreaterThan(0)
  })

  test('[issue 6.2] changes of the match, of the room and of settings are told', async () => {
    const studio = new Studio()
    const socket = await follow(studio)
    studio.match = {
      id: 1,
      name: 'A v B',
      sport: 'football',
      state: 'live',
      period: null,
      clock: null,
      competitors: [{ name: 'A', shortName: 'A', isHome: true, score: 1, color: null }],
    }
    studio.hub.followings.recordChanged('match/2')
    studio.hub.followings.recordChanged('team/5', 2)
    studio.hub.followings.recordChanged('venue/5', 1)
    await settle()
    expect(payloads(socket, 'MATCH')).toEqual([])
    studio.hub.followings.recordChanged('match/1')
    await settle()
    expect(last(socket, 'MATCH').match).toEqual(studio.match)
    studio.match = { ...studio.match, name: 'A v C' }
    studio.hub.followings.recordChanged('team/5', 1)
    await settle()
    expect(payloads(socket, 'MATCH')).toHaveLength(2)
    // a node that was lost told nobody of what its overlay's renderers are told now; else it was told just before
    const reads = () => studio.matchReads
    const before = reads()
    studio.hub.followings.announced('match/1')
    await settle()
    expect(reads()).toBe(before)
    studio.clock.advance(1_500)
    studio.hub.followings.announced('match/2')
    studio.hub.followings.announced('match/1')
    await settle()
    expect(reads()).toBe(before + 1)
    expect(studio.hub.followings.refs()).toEqual(['game-plan/1', 'match/1'])
    // other nodes may have changed it unheard: told again only when they have
    studio.hub.followings.missed()
    await settle()
    expect(payloads(socket, 'MATCH')).toHaveLength(2)
    studio.match = { ...studio.match, name: 'A v D' }
    studio.hub.followings.missed()
    await settle()
    expect(last(socket, 'MATCH').match).toEqual(studio.match)
    studio.hub.followings.roomChanged({ room: 2 })
    studio.hub.followings.roomChanged({ theme: 2 })
    studio.clock.advance(200)
    expect(payloads(socket, 'ROOM')).toEqual([])
    for (let i = 0; i < 20; i++) studio.hub.followings.roomChanged({ room: 1 })
    studio.hub.followings.roomChanged({ theme: 1 })
    studio.clock.advance(200)
    expect(payloads(socket, 'ROOM')).toEqual([{ controlRoomId: 1 }])
  })
})

test('[issue 6.2] a follower whose API key is deleted while it is let in is closed at once', async () => {
  const studio = new Studio()
  studio.keysHold = false
  const socket = await follow(studio, keyPath)
  expect(socket.closedWith).toEqual({ code: 1008, reason: 'the API key opens this no more' })
})

describe('who may follow', () => {
  test('[issue 6] no token opens what it is not for', async () => {
    const studio = new Studio()
    expect(await studio.upgrade('/monitor/{token}/socket', { token: 'key-1' })).toBeUndefined()
    expect(await studio.upgrade('/monitor/{token}/socket', { token: 'control-1' })).toBeUndefined()
    expect(await studio.upgrade('/control/{token}/socket', { token: 'monitoring-1' })).toBeUndefined()
    expect(await studio.upgrade('/control/{token}/picture/socket', { token: 'key-1' })).toBeUndefined()
    expect(await studio.upgrade('/overlay/{key}/socket', { key: 'control-1' })).toBeUndefined()
  })

  test('[issue 6.2] whoever says anything is closed with 1008, whoever cannot keep up with 1013', async () => {
    const studio = new Studio()
    const talker = await follow(studio)
    talker.says({ type: 'READY', payload: { showing: [] } })
    expect(talker.closedWith?.code).toBe(1008)
    const slow = await follow(studio)
    slow.buffered = 300_000
    studio.clock.advance(100)
    expect(slow.closedWith?.code).toBe(1013)
    expect(studio.hub.count()).toEqual({ renderers: 0, pictures: 0, followers: 0, channels: 0 })
  })

  test('[issue 6] a rotated token closes what it opened, and nothing else', async () => {
    const studio = new Studio()
    const monitor = await follow(studio)
    const control = await follow(studio, '/control/{token}/socket')
    const picture = await studio.upgrade('/control/{token}/picture/socket', { token: 'control-1' })
    const { socket: renderer } = await studio.render(1)
    studio.tokens.set(1, { ...studio.cardOf(1).tokens, control: 'new' })
    studio.hub.changed(studio.cardOf(1))
    for (const socket of [control, picture])
      expect(socket?.closedWith).toEqual({ code: 1008, reason: 'this address was replaced' })
    expect([monitor.closedWith, renderer.closedWith]).toEqual([undefined, undefined])
    studio.tokens.set(1, { ...studio.cardOf(1).tokens, key: 'new' })
    studio.hub.changed(studio.cardOf(1))
    expect(renderer.closedWith?.code).toBe(1008)
    // found before the token was replaced, opened after it
    const late = await follow(studio, '/control/{token}/socket')
    expect(late.closedWith?.code).toBe(1008)
    const lateRenderer = await studio.connect(1)
    expect(lateRenderer.closedWith?.code).toBe(1008)
    expect(studio.noted.size).toBe(0)
  })

  test('[issue 6.2] a follower whose API key is deleted is closed at once, one whose key expired within seconds', async () => {
    const studio = new Studio()
    const byKey = await follow(studio, keyPath)
    const byToken = await follow(studio)
    studio.keysHold = false
    studio.hub.followings.keysChanged()
    await settle()
    expect(byKey.closedWith?.code).toBe(1008)
    const second = await follow(studio, keyPath)
    studio.clock.advance(2_100)
    await settle()
    expect(second.closedWith?.code).toBe(1008)
    expect(byToken.closedWith).toBeUndefined()
  })

  test('[issue 6.3] the picture inside a page is sent what renderers are sent, and is none', async () => {
    const studio = new Studio()
    const follower = await follow(studio, '/control/{token}/socket')
    const picture = await studio.upgrade('/control/{token}/picture/socket', { token: 'control-1' })
    picture?.ready()
    studio.show(1, 'a')
    expect(picture?.messages().map(({ type }) => type)).toEqual(['LOAD_GRAPHIC'])
    picture?.painted('a', 1)
    studio.clock.advance(1_100)
    expect([studio.paints, studio.latencies]).toEqual([[], []])
    expect(studio.hub.renderers(1)).toBe(0)
    expect(payloads(follower, 'RENDERERS')).toEqual([])
    expect(studio.hub.count()).toEqual({ renderers: 0, pictures: 1, followers: 1, channels: 1 })
    picture?.end(1001, '')
    expect(studio.hub.count()).toEqual({ renderers: 0, pictures: 0, followers: 1, channels: 1 })
  })
})
