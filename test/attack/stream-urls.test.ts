import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../../bench/free-port.ts'
import type { PushTarget } from '../../src/media/ports.ts'
import { openProcesses } from '../../src/media/process.ts'
import { createPulls } from '../../src/media/pull.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { quiet } from '../support/ingest.ts'
import { liveSource, noFfmpeg, speaks } from '../support/media.ts'
import { relays } from '../support/relays.ts'

const within = { timeout: 30_000, interval: 20 }
/** May be connected to. */
const OUTSIDE = '127.0.0.1'
/** Another address of this machine, which stands for our own network. */
const INSIDE = '127.0.0.2'
const permits = (address: string) => address === OUTSIDE

/** Both addresses, over TCP and UDP on one port, with how often each was reached. */
async function bothSides() {
  const port = await freePort()
  const reached = { [OUTSIDE]: 0, [INSIDE]: 0 }
  for (const host of [OUTSIDE, INSIDE] as const) {
    const server = createServer((socket) => {
      reached[host] += 1
      socket.destroy()
    })
    server.listen(port, host)
    await once(server, 'listening')
    const datagrams = createSocket('udp4', () => {
      reached[host] += 1
    })
    datagrams.bind(port, host)
    await once(datagrams, 'listening')
    onTestFinished(() => {
      server.close()
      datagrams.close()
    })
  }
  return { port, reached }
}

/** A name server that answers with the one address and with the other by turns, of a name that nobody else knows. */
function alternating() {
  const asked: string[] = []
  const resolve = async (host: string) => {
    asked.push(host)
    return [{ address: asked.length % 2 === 1 ? OUTSIDE : INSIDE }]
  }
  return { asked, resolve }
}

/** As they stand behind the scheme; the host and what follows it, in every way that a parser may take otherwise. */
const NAMED = [
  'video.example:PORT/app/key',
  'video.example:PORT/app?token=1/key',
  'video.example:PORT/app?u=http://127.0.0.2:PORT/a',
  'video.example:PORT?a/b',
  'video.example:PORT?x@127.0.0.2:PORT/a/b',
  'video.example:PORT#@127.0.0.2:PORT/a/b',
  'video.example.:PORT/app/mp4:a/b',
  'VIDEO.example:PORT/app/key%40127.0.0.2',
]
/** Each leads inside by what stands there, whoever is asked for names. */
const INWARD = [
  '127.0.0.2:PORT/app/key',
  '127.2:PORT/app/key',
  '2130706434:PORT/app/key',
  '0x7f.0.0.2:PORT/app/key',
  '%31%32%37.0.0.2:PORT/app/key',
  '[::ffff:127.0.0.2]:PORT/app/key',
  '[::ffff:7f00:2]:PORT/app/key',
]
/** Each leads inside or outside by who reads it. */
const WITH_USER = [
  'a@b:c@127.0.0.2:PORT/app/key',
  'video.example:PORT@127.0.0.2:PORT/app/key',
  'a@video.example:PORT@127.0.0.2:PORT/app/key',
  '127.0.0.1:PORT@127.0.0.2:PORT/app/key',
]

const srt = speaks('srt') ? (['srt'] as const) : []
const INWARDLY = 'The address is not on the public internet; OUTBOUND_PRIVATE=on allows it'

describe.skipIf(noFfmpeg || process.platform !== 'linux')('[issue 15.7] what a stream URL leads to', () => {
  test('pushed to is what was checked, and nothing else', async () => {
    const [{ port, reached }, source] = [await bothSides(), await liveSource()]
    const push = async (protocol: PushTarget['protocol'], shape: string) => {
      const { asked, resolve } = alternating()
      const { start, processes } = await relays({ permits, resolve })
      const url = `${protocol}://${shape.replaceAll('PORT', `${port}`)}`
      const first = start(source.url, { protocol, url, latencyMs: 200 })
      await vi.waitFor(() => expect(first.types()).toEqual(['failed']), within)
      if (!NAMED.includes(shape)) return expect(processes.counts().size, url).toBe(0)
      expect(asked).toEqual([expect.stringMatching(/^video\.example$/)])
      const second = start(source.url, { protocol, url, latencyMs: 200 })
      await vi.waitFor(() => expect(second.events[0]).toMatchObject({ error: INWARDLY }), within)
    }
    for (const shape of [...INWARD, ...WITH_USER])
      await Promise.all((['rtmp', 'rtmps', ...srt] as const).map((protocol) => push(protocol, shape)))
    expect(reached).toEqual({ [OUTSIDE]: 0, [INSIDE]: 0 })
    // nobody but our own name server knows the name: who asked another one would reach nobody
    await Promise.all(NAMED.flatMap((shape) => [push('rtmp', shape), push('rtmps', shape)]))
    expect(reached).toEqual({ [OUTSIDE]: 2 * NAMED.length, [INSIDE]: 0 })
    await Promise.all(srt.map((protocol) => push(protocol, NAMED[0] ?? '')))
    expect(reached[INSIDE]).toBe(0)
  })

  test('is nothing where one with a user was saved before they were refused', async () => {
    const { port, reached } = await bothSides()
    const { start, processes } = await relays()
    for (const protocol of ['rtmp', 'rtmps', ...srt] as const) {
      const url = `${protocol}://me:hunter2@${OUTSIDE}:${port}/app/key`
      const { events } = start('tcp://nowhere', { protocol, url, latencyMs: 200 })
      await vi.waitFor(() => expect(events).toMatchObject([{ error: expect.stringContaining('holds an @') }]), within)
      expect(JSON.stringify(events)).not.toContain('hunter2')
    }
    expect(processes.counts().size).toBe(0)
    expect(reached).toEqual({ [OUTSIDE]: 0, [INSIDE]: 0 })
  })

  test('pulled from is what was checked, and nothing else', async () => {
    const { port, reached } = await bothSides()
    const processes = await openProcesses(temporaryDirectory(), quiet)
    onTestFinished(() => processes.close())
    const protocols = new Set(['srt', 'rtmp', 'http', 'https'])
    const ffmpeg = { path: 'ffmpeg', version: 'of this machine' }
    const capabilities = {
      ffmpeg,
      protocols,
      encoders: new Set<string>(),
      filters: new Set<string>(),
      browser: null,
      sandbox: 'there' as const,
    }
    const publishUrl = `rtmp://127.0.0.1:${await freePort()}/nowhere`
    /** Tries so often. */
    const pull = async (scheme: string, shape: string, tries: number) => {
      const errors: string[] = []
      const parts = { processes, capabilities, permits, resolve: alternating().resolve, random: () => 0 }
      const sourceUrl = `${scheme}://${shape.replaceAll('PORT', `${port}`)}`
      const spec = { inputId: 1, sourceUrl, latencyMs: 200, publishUrl }
      const pulled = createPulls(parts)(spec, ({ error }) => errors.push(error))
      await vi.waitFor(() => expect(errors.length, sourceUrl).toBeGreaterThanOrEqual(tries), within)
      await pulled.stop()
    }
    const inward = [...INWARD, ...WITH_USER]
    await Promise.all(
      inward.flatMap((shape) => ['rtmp', 'rtmps', 'http', 'https', ...srt].map((scheme) => pull(scheme, shape, 1))),
    )
    expect(processes.counts().size).toBe(0)
    expect(reached).toEqual({ [OUTSIDE]: 0, [INSIDE]: 0 })
    await Promise.all(NAMED.flatMap((shape) => [pull('rtmp', shape, 2), pull('rtmps', shape, 2)]))
    expect(reached).toEqual({ [OUTSIDE]: 2 * NAMED.length, [INSIDE]: 0 })
    await Promise.all(['http', 'https', ...srt].map((scheme) => pull(scheme, NAMED[0] ?? '', 2)))
    expect(reached[INSIDE]).toBe(0)
  })
})
