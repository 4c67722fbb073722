import { describe, expect, test, vi } from 'vitest'
import type { PushTarget } from '../../src/media/ports.ts'
import { ffmpeg, freePort, listening, liveSource, noFfmpeg, tcpServer } from '../support/media.ts'
import { relays } from '../support/relays.ts'

const within = { timeout: 12_000, interval: 20 }

const rtmp = (port: number): PushTarget => ({
  protocol: 'rtmp',
  url: `rtmp://127.0.0.1:${port}/live/key-of-this-test`,
  latencyMs: 200,
})

/** An RTMP server that takes one connection. */
async function farEnd() {
  const port = await freePort()
  const target = rtmp(port)
  const process = ffmpeg(['-listen', '1', '-i', target.url, '-c', 'copy', '-f', 'null', '-'])
  await listening(port)
  return { target, process }
}

describe.skipIf(noFfmpeg)('a relay to an RTMP server', () => {
  test('[issue 5.4] is connected when bytes keep growing, and measures them', async () => {
    const [source, far, { start }] = [await liveSource(), await farEnd(), await relays()]
    const { relay, types } = start(source.url, far.target)
    expect(types()).toEqual([])
    await vi.waitFor(() => expect(types()).toEqual(['connected']), within)
    await vi.waitFor(() => expect(relay.measured().bitrateKb).toBeGreaterThan(300), within)
    expect(relay.measured().bitrateKb).toBeLessThan(700)
    expect(relay.measured().history[0]?.bitrateKb).toBeGreaterThan(200)
    expect(relay.activeClients()).toBeNull()
    await relay.stop()
    expect(types()).toEqual(['connected'])
  })

  test('[issue 5.4] fails at once when the far end is killed, and another relay goes on', async () => {
    const [source, one, two, { start }] = [await liveSource(), await farEnd(), await farEnd(), await relays()]
    const [first, second] = [start(source.url, one.target), start(source.url, two.target)]
    await vi.waitFor(() => expect([first.types(), second.types()]).toEqual([['connected'], ['connected']]), within)
    const since = Date.now()
    one.process.kill('SIGKILL')
    await vi.waitFor(() => expect(first.types()).toEqual(['connected', 'failed']), within)
    expect(first.events[1]).toMatchObject({ error: 'The destination closed the connection' })
    expect((first.events[1]?.at ?? 0) - since).toBeLessThan(1_500)
    await vi.waitFor(() => expect(second.relay.measured().bitrateKb).toBeGreaterThan(300), within)
    expect(second.types()).toEqual(['connected'])
  })

  test('[issue 5.4] fails when the far end takes no more', async () => {
    const [source, far, { start }] = [await liveSource(3_000), await farEnd(), await relays()]
    const { types, events } = start(source.url, far.target)
    await vi.waitFor(() => expect(types()).toEqual(['connected']), within)
    const since = Date.now()
    far.process.kill('SIGSTOP')
    await vi.waitFor(() => expect(types()).toEqual(['connected', 'failed']), { timeout: 20_000, interval: 20 })
    expect(events[1]).toMatchObject({ error: 'The destination takes no more video' })
    // the far end's buffer, then three seconds; without a look at the socket all buffers in between, twenty seconds
    if (process.platform === 'linux') expect((events[1]?.at ?? 0) - since).toBeLessThan(13_000)
  })

  test('[issue 5.4] says that a port is closed', async () => {
    const [source, { start }] = [await liveSource(), await relays()]
    const { events } = start(source.url, rtmp(await freePort()))
    await vi.waitFor(() => expect(events).toHaveLength(1), within)
    expect(events[0]).toMatchObject({ type: 'failed', error: 'The destination refused the connection' })
  })

  test('[issue 5.4] says that a far end closes the connection at once', async () => {
    const [source, { start }] = [await liveSource(), await relays()]
    const port = await tcpServer((socket) => socket.resetAndDestroy())
    const { events } = start(source.url, rtmp(port))
    await vi.waitFor(() => expect(events).toHaveLength(1), within)
    expect(events[0]).toMatchObject({ type: 'failed', error: expect.stringContaining('check its stream key') })
  })

  test('[issue 5.4] says that a far end does not answer', async () => {
    const [source, { start }] = [await liveSource(), await relays()]
    const port = await tcpServer(() => {})
    const { events } = start(source.url, rtmp(port))
    await vi.waitFor(() => expect(events).toHaveLength(1), within)
    expect(events[0]).toMatchObject({ type: 'failed', error: 'The destination did not answer in time' })
  })
})
