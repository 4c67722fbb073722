import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKey } from '../support/app.ts'
import { type Studio, startStudio } from './streams-support.ts'

let studio: Studio

beforeAll(async () => {
  studio = await startStudio()
})
afterAll(() => studio.production.close())

const of = (id: number, rest = '') => `/v1/streams/${id}${rest}`

describe('settings', () => {
  it('[issue 5.2] a stream is created idle with defaults, and read as it was created', async () => {
    const { production, post, read } = studio
    const answer = await post('/v1/streams', { matchId: production.matchId, name: 'Plain' })
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        matchId: production.matchId,
        name: 'Plain',
        state: 'idle',
        inputId: null,
        overlayId: null,
        overlayHidden: false,
        resolution: '720p',
        fps: 25,
        videoBitrateKb: 3000,
        region: 'local',
        inputVolume: 100,
        generateHighlights: false,
        startOverlayHidden: false,
        destinations: [],
        autoStream: false,
        startedAt: null,
        liveAt: null,
        lastError: null,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    ])
    expect(await read(of(Number(answer.body.id)))).toEqual(answer.body)
    expect(await studio.events(`stream-settings/${answer.body.id}`)).toEqual(['stream.created'])
  })

  it('[issue 5.2] the demo organization has a stream with its input, overlay and destinations', async () => {
    const { production, read } = studio
    expect(await read(of(production.streamSettingsId))).toMatchObject({
      matchId: production.matchId,
      inputId: production.inputId,
      overlayId: production.overlay.id,
      destinations: production.destinationIds.map((id) => ({ id, status: 'connecting', publishing: false })),
    })
  })

  it('[issue 5.2] an update keeps what it leaves out, by PATCH and by POST', async () => {
    const { production, stream, read } = studio
    const id = await stream({ fps: 50 })
    const patched = await production.call('PATCH', of(id), { resolution: '1080p', inputId: null })
    expect([patched.status, patched.body]).toMatchObject([200, { resolution: '1080p', fps: 50, inputId: null }])
    const posted = await production.call('POST', of(id), { name: 'Renamed' })
    expect(await read(of(id))).toEqual(posted.body)
    expect(posted.body).toMatchObject({ name: 'Renamed', resolution: '1080p' })
  })

  it('[issue 5.2] lists are by id, of a match, and of a state', async () => {
    const { stream, read, production } = studio
    const id = await stream()
    const all = await read(`/v1/streams?matchId=${production.matchId}`)
    expect(all.streams).toEqual(expect.arrayContaining([expect.objectContaining({ id })]))
    expect(all.total).toBe((all.streams as unknown[]).length)
    const { streams } = await read('/v1/streams?state=live&limit=1000')
    expect((streams as { state: string }[]).filter(({ state }) => state !== 'live')).toEqual([])
    expect(await read('/v1/streams?state=stopping')).toEqual({ streams: [], total: 0, returned: 0 })
    expect(await read('/v1/streams?state=error')).toEqual({ streams: [], total: 0, returned: 0 })
  })

  it('[domain 1.3] an overlay of another match is refused, and so is a foreign one', async () => {
    const { production, stranger, post, stream } = studio
    const matchId = await studio.match()
    const asked = { matchId, name: 'Other match', overlayId: production.overlay.id }
    const refused = await post('/v1/streams', asked)
    expect([refused.status, refused.body.details]).toEqual([400, { 'body.overlayId': expect.anything() }])
    const id = await stream()
    for (const body of [{ overlayId: stranger.overlay.id }, { inputId: stranger.inputId }])
      expect((await production.call('PATCH', of(id), body)).status).toBe(403)
  })

  it('[domain 1.3] what cannot change while the stream runs is refused by name, all else changes', async () => {
    const { production, stream, run, end } = studio
    const id = await stream()
    await run(id)
    const fixed = {
      inputId: null,
      overlayId: null,
      resolution: '1080p',
      fps: 60,
      videoBitrateKb: 6000,
      region: 'elsewhere',
      startOverlayHidden: true,
    }
    const refused = await production.call('PATCH', of(id), { ...fixed, name: 'Kept' })
    expect(refused.status).toBe(400)
    expect(Object.keys(refused.body.details ?? {}).sort()).toEqual(
      Object.keys(fixed)
        .map((key) => `body.${key}`)
        .sort(),
    )
    const allowed = await production.call('PATCH', of(id), { name: 'Renamed', inputVolume: 50, fps: 25 })
    expect([allowed.status, allowed.body]).toMatchObject([200, { name: 'Renamed', inputVolume: 50 }])
    const overlay = await production.call('POST', '/v1/overlays', { name: 'Another', matchId: production.matchId })
    expect((await production.call('PATCH', of(id), { overlayId: overlay.body.id })).status).toBe(200)
    await end(id)
    expect((await production.call('PATCH', of(id), fixed)).status).toBe(200)
  })

  it('[domain 1.3] the volume changes while a stream runs, unless that would interrupt what is published', async () => {
    const { production, stream, destination, run, end, post } = studio
    const [burned, passedOn] = [await stream(), await stream({ overlayId: null })]
    const change = (id: number, inputVolume: number) => production.call('PATCH', of(id), { inputVolume, name: 'Kept' })
    for (const id of [burned, passedOn]) {
      await destination(id)
      await run(id)
      expect((await change(id, 50)).status).toBe(200)
      await post(of(id, '/go-live'))
    }
    const refused = await change(burned, 60)
    expect([refused.status, Object.keys(refused.body.details ?? {})]).toEqual([400, ['body.inputVolume']])
    for (const [id, volume] of [
      [burned, 50],
      [passedOn, 60],
    ] as const)
      expect((await change(id, volume)).body).toMatchObject({ inputVolume: volume })
    for (const id of [burned, passedOn]) await end(id)
  })

  it('[issue 5.2] a stream that runs is not deleted; one that stands still goes with its destinations and actors', async () => {
    const { production, stream, destination, run, end, post } = studio
    const id = await stream()
    const destinationId = await destination(id)
    await run(id)
    expect((await post(of(id, '/go-live'))).status).toBe(200)
    const refused = await production.call('DELETE', of(id))
    expect([refused.status, refused.body.details]).toEqual([400, { 'path.streamSettingsId': expect.anything() }])
    await end(id)
    expect((await production.call('DELETE', of(id))).status).toBe(204)
    for (const path of [of(id), `/v1/streams/destinations/${destinationId}`])
      expect((await production.call('GET', path)).status).toBe(404)
    const { sql } = production.server.database
    const left = await sql`select ref from actor where ref in ${sql([`stream/${id}`, `destination/${destinationId}`])}`
    expect([...left]).toEqual([])
    expect((await studio.events(`stream-settings/${id}`)).at(-1)).toBe('stream.deleted')
  })

  it('[issue 5.2] of a deletion and a start at once one wins, and nothing is left half done', async () => {
    const { production, stream, post } = studio
    for (let round = 0; round < 12; round++) {
      const id = await stream()
      const [deleted, started] = await Promise.all([production.call('DELETE', of(id)), post(of(id, '/start'))])
      const read = await production.call('GET', of(id))
      expect(['204 404 404', '400 200 200']).toContain(`${deleted.status} ${started.status} ${read.status}`)
    }
  })

  it('[issue 5.1] after a restart of the server everything is wanted as it was', async () => {
    const { production, stream, destination, run, end, post, read } = studio
    const [id, stopped] = [await stream(), await stream()]
    const [first, second] = [await destination(id), await destination(id)]
    await run(id)
    await post(of(id, '/go-live'), { destinationIds: [second] })
    await post(of(id, '/overlay/hide'))
    const before = await Promise.all([read(of(id)), read(of(stopped)), read(of(id, '/destinations'))])
    await production.server.restart()
    expect(await Promise.all([read(of(id)), read(of(stopped)), read(of(id, '/destinations'))])).toEqual(before)
    expect(before[0]).toMatchObject({
      state: 'live',
      overlayHidden: true,
      destinations: [
        { id: first, publishing: false },
        { id: second, publishing: true },
      ],
    })
    await end(id)
  })

  it('[issue 5.2] neither the match nor the overlay of a running stream is deleted, and both are once it has stopped', async () => {
    const { production, run, end } = studio
    const matchId = await studio.match()
    const overlay = await production.call('POST', '/v1/overlays', { name: 'Doomed', matchId })
    const id = await studio.stream({ matchId, overlayId: overlay.body.id })
    await run(id)
    const refusals = [
      [`/v2/matches/${matchId}`, 'path.matchId'],
      [`/v1/overlays/${overlay.body.id}`, 'path.overlayId'],
    ] as const
    for (const [path, field] of refusals) {
      const refused = await production.call('DELETE', path)
      expect([refused.status, refused.body.details]).toEqual([400, { [field]: expect.anything() }])
    }
    await end(id)
    expect((await production.call('DELETE', refusals[1][0])).status).toBe(204)
    expect(await studio.read(of(id))).toMatchObject({ overlayId: null })
    expect((await production.call('DELETE', refusals[0][0])).status).toBe(204)
    expect((await production.call('GET', of(id))).status).toBe(404)
  })

  it('[domain 5.3] `include=s` of a match shows its streams with their state', async () => {
    const { production, read } = studio
    const id = await studio.stream()
    await studio.run(id)
    const { streams } = await read(`/v2/matches/${production.matchId}?include=s`)
    expect(streams).toEqual(expect.arrayContaining([await read(of(id))]))
    expect((await read(of(id))).state).toBe('live')
    const { key } = await newKey(production.server.database, production.organizationId, ['matches:read'])
    const narrow = await production.server.call('GET', `/v2/matches/${production.matchId}?include=s`, { key })
    expect(narrow.body.streams).toBeUndefined()
    await studio.end(id)
  })
})

describe('automation', () => {
  const automate = (id: number, autoStream: boolean) => studio.post(of(id, '/automation'), { autoStream })

  it('[op.14] Auto Stream is turned on and off, again and again, and each change is told once', async () => {
    const id = await studio.stream()
    for (const autoStream of [true, true, false, false]) {
      const answer = await automate(id, autoStream)
      expect([answer.status, answer.body]).toEqual([200, { streamSettingsId: id, autoStream }])
      expect(await studio.read(of(id))).toMatchObject({ autoStream })
    }
    const told = (await studio.events(`stream-settings/${id}`)).filter((type) => type === 'stream.automationChanged')
    expect(told).toHaveLength(2)
  })

  it('[op.14] the stream is scheduled at the times of its match', async () => {
    const { production, read } = studio
    const id = await studio.stream()
    await automate(id, true)
    const { date } = await read(`/v2/matches/${production.matchId}`)
    const startAt = new Date(Date.parse(String(date)) - 15 * 60_000).toISOString()
    const monitoring = await read(of(id, '/monitoring'))
    expect(monitoring.automation).toEqual({ startAt, stopAt: expect.any(String) })
    await automate(id, false)
    expect((await read(of(id, '/monitoring'))).automation).toBeNull()
  })

  it.each([
    [
      { pregameAutomationTime: null, postgameAutomationTime: null },
      ['pregameAutomationTime', 'postgameAutomationTime'],
    ],
    [{ pregameAutomationTime: 5, postgameAutomationTime: null }, ['postgameAutomationTime']],
    [{ pregameAutomationTime: null, postgameAutomationTime: 0 }, ['pregameAutomationTime']],
  ])('[op.14] a match with %j answers 400 naming what it lacks, and nothing changes', async (times, missing) => {
    const { production } = studio
    const matchId = await studio.match()
    expect((await production.call('POST', `/v2/matches/${matchId}`, times)).status).toBe(200)
    const id = await studio.stream({ matchId, overlayId: null })
    const refused = await automate(id, true)
    expect([refused.status, Object.keys(refused.body.details ?? {})]).toEqual([
      400,
      missing.map((name) => `match.${name}`),
    ])
    expect(await studio.read(of(id))).toMatchObject({ autoStream: false })
    expect((await automate(id, false)).status).toBe(200)
  })
})
