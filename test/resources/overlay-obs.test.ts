import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type ObsDouble, obsDouble } from '../support/obs.ts'
import { type Production, produce, startProduction } from './support.ts'

let production: Production
beforeAll(async () => {
  production = await startProduction('empty', undefined, { OUTBOUND_PRIVATE: 'on' })
})
afterAll(() => production?.close())

type Refresh = { state: string; sources: number | null; error: string | null; at: string } | null

/** An organization of its own on the server: its overlay is told to nobody else's OBS. */
async function show() {
  const own = await produce(production.server)
  const path = `/v2/overlays/${own.overlay.id}`
  const read = async () =>
    (await own.call('GET', path)).body as {
      obsUrl: string | null
      obsPasswordSet: boolean
      obsRefresh: Refresh
      updatedAt: string
    }
  return {
    ...own,
    path,
    read,
    set: (body: object) => own.call('PATCH', path, body),
    publish: () => own.call('POST', `/v2/themes/${own.themeId}/versions`, { activate: true }),
    came: (state: string) =>
      vi.waitFor(async () => {
        const { obsRefresh } = await read()
        expect(obsRefresh?.state).toBe(state)
        return obsRefresh
      }, 15_000),
  }
}
type Show = Awaited<ReturnType<typeof show>>

async function withObs(of: Show, options: Parameters<typeof obsDouble>[0] = {}): Promise<ObsDouble> {
  const url = `http://studio.example/overlay/${of.overlay.key}?renderer=obs`
  const inputs = [
    { inputName: 'Graphics', inputKind: 'browser_source', inputSettings: { url } },
    { inputName: 'Chat', inputKind: 'browser_source', inputSettings: { url: 'https://chat.example/' } },
  ]
  const double = await obsDouble({ inputs, ...options })
  onTestFinished(double.close)
  return double
}

describe('[issue 20.8] the OBS of an overlay', () => {
  it('refreshes its browser sources when another theme version is active', async () => {
    const own = await show()
    const obs = await withObs(own, { password: 'from OBS' })
    expect((await own.set({ obsUrl: obs.url, obsPassword: 'from OBS' })).status).toBe(200)
    expect((await own.publish()).status).toBe(200)
    expect(await own.came('refreshed')).toMatchObject({ sources: 1, error: null })
    expect(obs.refreshed()).toEqual(['Graphics'])
    // one that is published and not active changes no picture
    expect((await own.call('POST', `/v2/themes/${own.themeId}/versions`, {})).status).toBe(200)
    expect((await own.call('POST', `/v2/themes/${own.themeId}/versions/1/activate`, {})).status).toBe(200)
    await vi.waitFor(() => expect(obs.refreshed()).toHaveLength(2))
    expect((await own.call('PATCH', `/v2/themes/${own.themeId}`, { activeVersion: 2 })).status).toBe(200)
    await vi.waitFor(() => expect(obs.refreshed()).toHaveLength(3))
  })

  it('waits while a graphic is on air, unless it is asked for by hand', async () => {
    const own = await show()
    const obs = await withObs(own)
    await own.set({ obsUrl: obs.url })
    await own.fire('show', 'Head coach')
    await own.publish()
    await own.publish()
    await own.came('waiting')
    expect(obs.connections()).toBe(0)
    const { sql } = production.server.database
    const none = () =>
      vi.waitFor(async () =>
        expect(await sql`select from outbox where payload ->> 'name' = 'obs-refresh'`).toHaveLength(0),
      )
    await own.fire('hide', 'Head coach')
    await own.came('refreshed')
    await none()
    // the two publications were one refresh
    expect(obs.refreshed()).toEqual(['Graphics'])
    await own.fire('show', 'Head coach')
    await own.publish()
    await own.came('waiting')
    expect((await own.call('POST', `${own.path}/obs/refresh`)).status).toBe(200)
    await own.came('refreshed')
    await none()
    expect(obs.refreshed()).toHaveLength(2)
  }, 30_000)

  it('is told when it refuses the password, and the publication is answered all the same', async () => {
    const own = await show()
    const obs = await withObs(own, { password: 'right' })
    await own.set({ obsUrl: obs.url, obsPassword: 'wrong' })
    expect((await own.publish()).status).toBe(200)
    expect(await own.came('failed')).toMatchObject({ sources: null, error: 'OBS refused the password' })
    // put right, it is done
    await own.set({ obsPassword: 'right' })
    await own.call('POST', `${own.path}/obs/refresh`)
    await own.came('refreshed')
  })

  it('is looked for again when it is away, and holds up no other', async () => {
    const [away, silent, other] = [await show(), await show(), await show()]
    const gone = await withObs(away)
    await gone.close()
    const mute = await withObs(silent, { silent: true })
    const obs = await withObs(other)
    await away.set({ obsUrl: gone.url })
    await silent.set({ obsUrl: mute.url })
    await other.set({ obsUrl: obs.url })
    const begun = performance.now()
    for (const one of [silent, away, other]) expect((await one.publish()).status).toBe(200)
    await other.came('refreshed')
    // it waited for none of the visits that take 5 s
    expect(performance.now() - begun).toBeLessThan(5_000)
    expect((await away.came('failed'))?.error).toMatch(/^Cannot reach 127\.0\.0\.1:\d+: ECONNREFUSED$/)
    const url = `http://studio.example/overlay/${away.overlay.key}`
    const back = await obsDouble(
      { inputs: [{ inputName: 'Graphics', inputKind: 'browser_source', inputSettings: { url } }] },
      Number(new URL(gone.url).port),
    )
    onTestFinished(back.close)
    await away.came('refreshed')
    expect((await silent.came('failed'))?.error).toBe('OBS did not answer within 5 s')
  })

  it('never tells its password, also not to the journal, and forgets it for another address', async () => {
    const own = await show()
    const answer = await own.set({ obsUrl: 'ws://192.168.1.20:4455', obsPassword: 'S3cret of OBS' })
    expect(answer.body).toMatchObject({ obsUrl: 'ws://192.168.1.20:4455', obsPasswordSet: true, obsRefresh: null })
    const { sql } = production.server.database
    const rows =
      await sql`select to_jsonb(j)::text as text from journal j where ref = ${`overlay-settings/${own.overlay.id}`}
      union all select to_jsonb(o)::text from overlay o`
    const everything = JSON.stringify([
      answer.body,
      await own.read(),
      (await own.call('GET', '/v2/overlays')).body,
      rows,
    ])
    expect(everything).not.toContain('S3cret of OBS')
    // another page's secret leaves it as it is
    await own.call('POST', `${own.path}/links/rotate`, { links: ['monitoring', 'control'] })
    expect(await own.read()).toMatchObject({ obsPasswordSet: true })
    await own.set({ obsUrl: 'ws://192.168.1.20:4455' })
    expect(await own.read()).toMatchObject({ obsPasswordSet: true })
    await own.set({ obsUrl: 'ws://192.168.1.21:4455' })
    expect(await own.read()).toMatchObject({ obsUrl: 'ws://192.168.1.21:4455', obsPasswordSet: false })
    await own.set({ obsPassword: 'again' })
    await own.set({ obsUrl: null })
    expect(await own.read()).toMatchObject({ obsUrl: null, obsPasswordSet: false, obsRefresh: null })
  })

  it('is set with the creation of an overlay, too', async () => {
    const own = await show()
    const body = { name: 'Second output', matchId: own.matchId, obsUrl: 'ws://obs-pc:4455', obsPassword: 'x' }
    const { id } = (await own.call('POST', '/v1/overlays', body)).body
    expect((await own.call('GET', `/v2/overlays/${id}`)).body).toMatchObject({
      obsUrl: 'ws://obs-pc:4455',
      obsPasswordSet: true,
    })
  })

  describe('with what is no address or password', () => {
    let own: Awaited<ReturnType<typeof show>>
    beforeAll(async () => {
      own = await show()
    })

    it.each([
      [{ obsUrl: 'http://192.168.1.20' }, 'body.obsUrl'],
      [{ obsUrl: 'ws://user:secret@192.168.1.20' }, 'body.obsUrl'],
      [{ obsUrl: 'ws:///x' }, 'body.obsUrl'],
      [{ obsUrl: '192.168.1.20:4455' }, 'body.obsUrl'],
      [{ obsUrl: 7 }, 'body.obsUrl'],
      [{ obsPassword: '' }, 'body.obsPassword'],
      [{ obsPassword: 'without an address' }, 'body.obsPassword'],
    ])('%j is refused, and nothing is changed', async (body, field) => {
      const before = await own.read()
      const answer = await own.set(body)
      expect([answer.status, Object.keys(answer.body.details as object)]).toEqual([400, [field]])
      expect(await own.read()).toEqual(before)
    })
  })

  it('is not refreshed where none is set', async () => {
    const own = await show()
    const answer = await own.call('POST', `${own.path}/obs/refresh`)
    expect([answer.status, answer.body.details]).toMatchObject([400, { 'path.overlayId': {} }])
  })

  it('is told on the monitoring page, without where it is', async () => {
    const own = await show()
    const url = `${own.overlay.monitoringUrl}/rest/obs`
    const told = async () => (await fetch(url)).json()
    expect(await told()).toEqual({ configured: false, refresh: null })
    const gone = await withObs(own)
    await gone.close()
    await own.set({ obsUrl: gone.url })
    await own.call('POST', `${own.path}/obs/refresh`)
    await own.came('failed')
    expect(await told()).toMatchObject({ configured: true, refresh: { error: 'Cannot reach OBS: ECONNREFUSED' } })
  })
})

it('[issue 20.8] this machine is no OBS unless OUTBOUND_PRIVATE says so; one of the local network is', async () => {
  const strict = await startProduction()
  onTestFinished(() => strict.close())
  const set = (obsUrl: string) => strict.call('PATCH', `/v2/overlays/${strict.overlay.id}`, { obsUrl })
  for (const url of ['ws://127.0.0.1:4455', 'ws://localhost:4455', 'ws://169.254.169.254'])
    expect((await set(url)).body.details).toEqual({
      'body.obsUrl': {
        message: expect.stringMatching(
          /is not an address of a local network or the public internet; OUTBOUND_PRIVATE=on allows it$/,
        ),
      },
    })
  expect((await set('ws://192.168.1.20:4455')).status).toBe(200)
})
