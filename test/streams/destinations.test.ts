import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../bench/free-port.ts'
import { farEnd, type LiveServer, liveServer, sender, sendOnce } from '../support/live.ts'
import { noFfmpeg } from '../support/media.ts'

let server: LiveServer

describe.skipIf(noFfmpeg)('a stream with real media', () => {
  beforeAll(async () => {
    server = await liveServer()
  })
  afterAll(() => server?.app.close())

  test('[issue 5.3] a sender with a wrong key is refused', async () => {
    const { input } = await server.newStream()
    const refused = sendOnce(`${input.rtmpUrl}/not-the-key`)
    const [code] = await once(refused, 'exit')
    expect(code).not.toBe(0)
    await expect.poll(metrics).toMatch(/^tally_input_refusals_total [1-9]/m)
  })

  test('[issue 5.4] two destinations: one dies and comes back, one is stopped, and neither touches the other', async () => {
    const { input, pushUrl, stream } = await server.newStream()
    const [firstPort, secondPort] = [await freePort(), await freePort()]
    let first = await farEnd(firstPort)
    const second = await farEnd(secondPort)
    const firstId = await stream.addDestination('First', { type: 'rtmp', url: first.url })
    const secondId = await stream.addDestination('Second', { type: 'rtmp', url: second.url })
    sender(pushUrl)

    await stream.tell('start')
    await stream.becomes('live')
    expect(await stream.report(firstId)).toMatchObject({ status: 'connecting', publishing: false, bitrateKb: null })
    const live = await stream.tell('go-live')
    expect(live).toMatchObject({ matchId: server.matchId, destinations: [{ publishing: true }, { publishing: true }] })
    await stream.destinationBecomes(firstId, { status: 'connected' })
    await stream.destinationBecomes(secondId, { status: 'connected' })
    await expect.poll(async () => (await stream.report(firstId)).bitrateKb).toSatisfy(isAsSent)
    await expect.poll(() => server.app.app.media.input(Number(input.id)).bitrateKb).toSatisfy(isAsSent)

    const connectedAt = async () =>
      (await server.app.app.systemContext(server.organization.id, 'test').actors.read('destination', secondId))?.context
        .connectedAt
    const since = await connectedAt()
    const diedAt = Date.now()
    await first.die()
    const { nextRetryDate } = await stream.destinationBecomes(firstId, { status: 'retrying', bitrateKb: null })
    expect(Date.parse(nextRetryDate ?? '')).toBeGreaterThan(diedAt)
    first = await farEnd(firstPort)
    await stream.destinationBecomes(firstId, { status: 'connected', nextRetryDate: null })
    expect(await connectedAt()).toBe(since)

    const stopped = await stream.tell('destinations/stop', { destinationIds: [secondId] })
    expect(stopped.destinations).toContainEqual({
      id: secondId,
      status: 'connecting',
      bitrateKb: null,
      nextRetryDate: null,
      activeClients: null,
      publishing: false,
    })
    await expect.poll(relayCount).toBe(1)
    expect(await stream.report(firstId)).toMatchObject({ status: 'connected', publishing: true })

    await expect.poll(metrics).toContain('tally_media_actors{kind="destination",state="connected"} 1')
    // a connection is measured for a moment before its rate is told
    await expect
      .poll(metrics)
      .toMatch(new RegExp(`^tally_destination_bitrate_kb\\{destination="${firstId}"\\} \\d+$`, 'm'))
    await expect.poll(metrics).toMatch(/^tally_media_rss_bytes\{kind="relay"\} \d{7,}$/m)
    expect(await metrics()).toMatch(/^tally_destination_failures_total [1-9]/m)

    await stream.tell('stop')
    await stream.becomes('idle')
    expect(await relayCount()).toBe(0)
  })

  test('[issue 5.4] a gap of the input is no fault of the destination, whose connection outlives it', async () => {
    const { pushUrl, stream } = await server.newStream()
    const far = await farEnd(await freePort())
    const id = await stream.addDestination('Far', { type: 'rtmp', url: far.url })
    const before = sender(pushUrl)
    await stream.tell('start')
    await stream.becomes('live')
    await stream.tell('go-live', { destinationIds: [id] })
    await stream.destinationBecomes(id, { status: 'connected' })
    const started = await relaysStarted()

    before.kill()
    await stream.destinationBecomes(id, { status: 'connecting', nextRetryDate: null, publishing: true })
    sender(pushUrl)
    await stream.destinationBecomes(id, { status: 'connected' })
    expect(await relaysStarted()).toBe(started)
    expect((await server.call('GET', `/v1/streams/destinations/${id}`)).body.lastError).toBeNull()
    await stream.tell('stop')
    await stream.becomes('idle')
  })

  // a sender that was held up sends more for a moment
  const isAsSent = (kb: number | null) => kb !== null && kb > 300 && kb < 1_500
  const metrics = async () => (await fetch(`${server.app.origin}/metrics`)).text()
  const relayCount = async () => {
    const { processes } = await server.app.app.media.figures()
    return processes.find(({ kind }) => kind === 'relay')?.running ?? 0
  }
  const relaysStarted = async () => (await server.app.app.media.figures()).counts.get('relay')?.started
})
