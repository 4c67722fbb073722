import { describe, expect, test, vi } from 'vitest'
import { freePort } from '../../bench/free-port.ts'
import type { PushTarget } from '../../src/media/ports.ts'
import { ffmpeg, listening, liveSource, noFfmpeg, tcpServer } from '../support/media.ts'
import { relays } from '../support/relays.ts'

const within = { timeout: 30_000, interval: 20 }

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
    // a source that was held up sends more for a moment
    const isAsSent = ({ bitrateKb }: { bitrateKb: number | null }) =>
      bitrateKb !== null && bitrateKb > 300 && bitrateKb < 700
    await vi.waitFor(() => expect(relay.measured()).toSatisfy(isAsSent), within)
    await vi.waitFor(() => expect(relay.measured().history.some(({ bitrateKb }) => bitrateKb > 200)).toBe(true), within)
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
    // without a look at the connection it would be its silence, after five seconds
    expect((first.events[1]?.at ?? 0) - since).toBeLessThan(4_500)
    await vi.waitFor(() => expect(second.relay.measured().bitrateKb).toBeGreaterThan(300), within)
    expect(second.types()).toEqual(['connected'])
  })

  test('[issue 5.4] fails when the far end takes no more', async () => {
    // where the kernel tells, a look at the socket does, long before the buffers in between are full and nothing grows
    const limits = process.platform === 'linux' ? { stallMs: 600_000 } : {}
    const [source, far, { start }] = [await liveSource(3_000), await farEnd(), await relays({ limits })]
    const { types, events } = start(source.url, far.target)
    await vi.waitFor(() => expect(types()).toEqual(['connected']), within)
    far.process.kill('SIGSTOP')
    await vi.waitFor(() => expect(types()).toEqual(['connected', 'failed']), { timeout: 80_000, interval: 20 })
    expect(events[1]).toMatchObject({ error: 'The destination takes no more video' })
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
