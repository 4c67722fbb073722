import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../bench/free-port.ts'
import type { PushTarget } from '../../src/media/ports.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { embeddedEngine } from '../support/ingest.ts'
import { ffmpeg, lateSound, liveSource, noFfmpeg, speaks, testPicture } from '../support/media.ts'
import { relays } from '../support/relays.ts'

const within = { timeout: 30_000, interval: 20 }
const KEY = 'the-right-key-of-this-test'

/** An RTMP server with one stream key. */
async function keyedServer() {
  const { engine } = await embeddedEngine()
  const input = { inputId: 1, streamKey: KEY, latencyMs: 200 }
  await engine.allow(input)
  const { rtmpUrl } = engine.address(input)
  const target = (key: string): PushTarget => ({ protocol: 'rtmp', url: `${rtmpUrl}/${key}`, latencyMs: 200 })
  /** Resolves when more than so many bytes have come. */
  const received = (bytes: number) =>
    vi.waitFor(
      async () => expect((await engine.stats(engine.inputPath(input.inputId)))?.bytesIn).toBeGreaterThan(bytes),
      within,
    )
  return { engine, port: Number(new URL(rtmpUrl).port), target, received }
}

describe.skipIf(noFfmpeg)('far ends of destinations', () => {
  test('[issue 5.4] a wrong key is never connected, though the server first says that it publishes', async () => {
    const [source, server, { start }] = [await liveSource(), await keyedServer(), await relays()]
    const wrong = start(source.url, server.target('a-wrong-key'))
    const right = start(source.url, server.target(KEY))
    await vi.waitFor(() => expect([wrong.types(), right.types()]).toEqual([['failed'], ['connected']]), within)
    expect(JSON.stringify(wrong.events)).not.toContain('a-wrong-key')
    await server.received(10_000)
  })

  test('[issue 5.4] an input gap fails nobody, and each is connected anew after it', async () => {
    const [source, server, { start }] = [await liveSource(), await keyedServer(), await relays()]
    const { relay, types } = start(source.url, server.target(KEY))
    await vi.waitFor(() => expect(types()).toEqual(['connected']), within)
    source.gap(true)
    relay.pauseWatch(true)
    await vi.waitFor(() => expect(relay.measured().bitrateKb).toBeNull(), within)
    expect(types()).toEqual(['connected'])
    source.gap(false)
    relay.pauseWatch(false)
    await vi.waitFor(() => expect(types()).toEqual(['connected', 'connected']), within)
  })

  test('[issue 5.4] an input that stays silent without notice fails them', async () => {
    const [source, server, { start }] = [
      await liveSource(),
      await keyedServer(),
      await relays({ limits: { stallMs: 2_000 } }),
    ]
    const { types } = start(source.url, server.target(KEY))
    await vi.waitFor(() => expect(types()).toEqual(['connected']), within)
    source.gap(true)
    await vi.waitFor(() => expect(types()).toEqual(['connected', 'failed']), within)
  })

  test('[issue 5.4] sound that comes long after the picture is sent too', async () => {
    const [source, server, { start, processes }] = [await lateSound(), await keyedServer(), await relays()]
    const { events, types } = start(source, server.target(KEY))
    await vi.waitFor(() => expect(processes.counts().get('relay')).toEqual({ started: 2, failed: 0 }), within)
    const since = Date.now()
    await vi.waitFor(() => expect(events.at(-1)?.at).toBeGreaterThan(since), within)
    expect(new Set(types())).toEqual(new Set(['connected']))
    const url = server.engine.readUrl(server.engine.inputPath(1))
    const seen = ffmpeg(['-i', url, '-t', '1', '-map', '0:v', '-map', '0:a', '-c', 'copy', '-f', 'null', '-'])
    expect([await once(seen, 'exit'), seen.error()]).toEqual([[0, null], ''])
  })

  test.skipIf(!speaks('rtmps'))('[issue 5.4] RTMPS is connected', async () => {
    const [source, server, { start }] = [await liveSource(), await keyedServer(), await relays()]
    const folder = temporaryDirectory()
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', '2']
    expect(spawnSync('openssl', [...made, '-keyout', key, '-out', cert]).status).toBe(0)
    const tls = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) => {
      const behind = connect(server.port, '127.0.0.1')
      socket.on('error', () => behind.destroy()).pipe(behind)
      behind.on('error', () => socket.destroy()).pipe(socket)
    })
    const port = await freePort()
    await new Promise<void>((resolve) => tls.listen(port, '127.0.0.1', resolve))
    onTestFinished(() => void tls.close())
    const url = `rtmps://127.0.0.1:${port}/live/${KEY}`
    const { types } = start(source.url, { protocol: 'rtmps', url, latencyMs: 200 })
    await vi.waitFor(() => expect(types()).toEqual(['connected']), within)
    await server.received(10_000)
  })

  test('[issue 5.4] a private address is not connected to unless the administrator allows it', async () => {
    const [source, server] = [await liveSource(), await keyedServer()]
    const { start, processes } = await relays({ permits: (address) => address !== '127.0.0.1' })
    const { events } = start(source.url, server.target(KEY))
    await vi.waitFor(() => expect(events).toHaveLength(1), within)
    expect(events[0]).toMatchObject({ type: 'failed', error: expect.stringContaining('OUTBOUND_PRIVATE') })
    expect(processes.counts().size).toBe(0)
  })
})

describe.skipIf(noFfmpeg || !speaks('srt'))('destinations over SRT', () => {
  const listener = (port: number, more = '') =>
    ffmpeg(['-i', `srt://127.0.0.1:${port}?mode=listener&latency=120000${more}`, '-c', 'copy', '-f', 'null', '-'])

  test('[issue 5.4] push: encrypted, connected, measured, and failed when the far end is gone', async () => {
    const [source, { start }] = [await liveSource(), await relays()]
    const port = await freePort()
    const far = listener(port, '&passphrase=not-told-to-anyone')
    const url = `srt://127.0.0.1:${port}?streamid=publish:a&passphrase=not-told-to-anyone`
    // SRT has no way to ask whether somebody listens
    const push = () => start(source.url, { protocol: 'srt', url, latencyMs: 200 })
    const { relay, types, events } = await vi.waitFor(
      async () => {
        const started = push()
        await vi.waitFor(() => expect(started.types()).not.toEqual([]), within)
        expect(started.types()).toEqual(['connected'])
        return started
      },
      { timeout: 60_000 },
    )
    await vi.waitFor(() => expect(relay.measured().bitrateKb).toBeGreaterThan(300), within)
    // gone or standing still: over UDP it is the same silence
    far.kill('SIGSTOP')
    await vi.waitFor(() => expect(types()).toEqual(['connected', 'failed']), within)
    expect(JSON.stringify(events)).not.toContain('not-told')
  })

  test('[issue 5.4] push: a wrong passphrase is refused', async () => {
    const [source, { start }] = [await liveSource(), await relays()]
    const port = await freePort()
    listener(port, '&passphrase=not-told-to-anyone')
    const url = `srt://127.0.0.1:${port}?passphrase=some-other-words`
    const { events } = start(source.url, { protocol: 'srt', url, latencyMs: 200 })
    await vi.waitFor(() => expect(events).toHaveLength(1), within)
    expect(events[0]).toMatchObject({ error: 'The destination did not accept the SRT connection' })
  })

  test('[issue 5.4] pull: whoever has the token watches and is counted, until it is stopped', async () => {
    const { engine } = await embeddedEngine()
    const path = engine.inputPath(1)
    const sender = ffmpeg([...testPicture(), '-f', 'flv', engine.publishUrl(path)])
    await vi.waitFor(async () => expect(await engine.stats(path)).not.toBeNull(), within)
    const { start } = await relays({ engine })
    const target = { protocol: 'srt', token: 'a-token-to-read', latencyMs: 200 } as const
    const { relay, types } = start(engine.readUrl(path), target)
    await vi.waitFor(() => expect(types()).toEqual(['connected']), within)
    expect(relay.activeClients()).toBe(0)
    const watch = () => ffmpeg(['-i', engine.readerUrl(target.token), '-c', 'copy', '-f', 'null', '-'])
    const viewers = [watch(), watch()]
    await vi.waitFor(() => expect(relay.activeClients()).toBe(2), within)
    await vi.waitFor(() => expect(relay.measured().bitrateKb).toBeGreaterThan(300), within)
    viewers[0]?.kill('SIGTERM')
    await vi.waitFor(() => expect(relay.activeClients()).toBe(1), within)
    await relay.stop()
    await vi.waitFor(() => expect(viewers[1]?.exitCode).not.toBeNull(), within)
    expect(relay.activeClients()).toBe(0)
    const late = watch()
    await vi.waitFor(() => expect(late.exitCode).toBe(1), within)
    expect(sender.exitCode).toBeNull()
  })
})
