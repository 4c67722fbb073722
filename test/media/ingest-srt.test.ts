import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { embeddedEngine, within } from '../support/ingest.ts'
import { ffmpeg, noFfmpeg, speaks, testPicture } from '../support/media.ts'

const input = { inputId: 5, streamKey: 'key-of-five', latencyMs: 200 }

const send = (url: string) => ffmpeg([...testPicture(), '-f', 'mpegts', url])
const exitOf = async (child: ReturnType<typeof ffmpeg>) => (child.exitCode ?? (await once(child, 'exit'))[0]) as number
const ended = async (child: ReturnType<typeof ffmpeg>) => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

async function receiving() {
  const ingest = await embeddedEngine()
  await ingest.engine.allow(input)
  const url = ingest.engine.address(input).srtUrl
  const sender = send(url)
  const up = await ingest.event('up')
  return { ...ingest, url, sender, up }
}

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ family }) => family === 'IPv6'),
)
const noSrt = noFfmpeg || !speaks('srt')

describe.skipIf(noSrt)('SRT ingest', () => {
  test('[issue 5.3] a wrong stream id is refused, and no process is started for it', async () => {
    const { engine, processes, event, types } = await embeddedEngine()
    await engine.allow(input)
    const { srtUrl } = engine.address(input)
    for (const url of [
      srtUrl.replace('key-of-five', 'key-of-nobody'),
      srtUrl.replace('publish:5', 'publish:6'),
      srtUrl.replace(/streamid=.*/, 'streamid=input-5'),
      srtUrl.replace('publish:5:', 'read:'),
      srtUrl.replace(/\?.*/, ''),
    ])
      expect(await exitOf(send(url))).toBe(1)
    expect(await event('refused')).toMatchObject({ protocol: 'srt', ip: '127.0.0.1', keyStart: 'key-' })
    await event('refused', 4)
    expect(types()).not.toContain('up')
    expect(await processes.usage()).toHaveLength(1)
  })

  test('[issue 5.3] the stream id lets a sender in by the one public port; goodbye takes it down', async () => {
    const { engine, sender, up, event, types } = await receiving()
    expect(up).toMatchObject({ path: 'input-5', inputId: 5, protocol: 'srt', ip: '127.0.0.1' })
    const reader = ffmpeg(['-i', engine.readUrl('input-5'), '-t', '0.5', '-f', 'null', '-'])
    expect(await exitOf(reader)).toBe(0)
    sender.kill('SIGTERM')
    await event('down')
    expect(types()).toEqual(['up', 'down'])
  })

  test('[issue 5.1] a sender that vanishes leaves a gap, and may call again', async () => {
    const { url, sender, up, event } = await receiving()
    sender.kill('SIGKILL')
    expect(await event('gap')).toMatchObject({ inputId: 5, session: up.session })
    send(url)
    expect((await event('up', 1)).session).not.toBe(up.session)
  })

  test('two inputs share the port, and one key has one sender', async () => {
    const { engine, url, event, types } = await receiving()
    const other = { inputId: 6, streamKey: 'key-of-six', latencyMs: 200 }
    await engine.allow(other)
    send(engine.address(other).srtUrl)
    expect(await event('up', 1)).toMatchObject({ inputId: 6 })
    expect(await exitOf(send(url))).toBe(1)
    expect(await event('refused')).toMatchObject({ reason: 'Somebody else is sending with this stream id.' })
    expect(types()).toEqual(['up', 'up', 'refused'])
  })

  test('[issue 5.3] a rotated key drops the session of the old one', async () => {
    const { engine, url, sender, event } = await receiving()
    await engine.allow({ ...input, streamKey: 'another-key' })
    await event('down')
    await ended(sender)
    expect(await exitOf(send(url))).toBe(1)
    send(engine.address({ ...input, streamKey: 'another-key' }).srtUrl)
    expect(await event('up', 1)).toMatchObject({ inputId: 5 })
  })

  test('[issue 5.4] readers with a token are served and counted; without one, or when it is taken away, they are not', async () => {
    const { engine, sender, event } = await receiving()
    const token = 'token-of-a-reader'
    const read = (url: string) => ffmpeg(['-i', url, '-c', 'copy', '-f', 'null', '-'])
    expect(await exitOf(read(engine.readerUrl(token)))).toBe(1)
    await engine.serve({ token, readUrl: engine.readUrl('input-5'), latencyMs: 200 })
    const [first, second] = [read(engine.readerUrl(token)), read(engine.readerUrl(token))]
    await vi.waitFor(() => expect(engine.readers(token)).toBe(2), within)
    first.kill('SIGTERM')
    await vi.waitFor(() => expect(engine.readers(token)).toBe(1), within)
    await engine.unserve(token)
    await ended(second)
    expect(engine.readers(token)).toBe(0)
    expect(await exitOf(read(engine.readerUrl(token)))).toBe(1)
    await engine.serve({ token, readUrl: engine.readUrl('input-5'), latencyMs: 200 })
    sender.kill('SIGTERM')
    await event('down')
    expect(await exitOf(read(engine.readerUrl(token)))).toBe(1)
  })

  test('another implementation of the protocol gets through too', async (context) => {
    const { engine } = await receiving()
    const token = 'token-of-a-reader'
    await engine.serve({ token, readUrl: engine.readUrl('input-5'), latencyMs: 200 })
    const reader = spawn('srt-live-transmit', ['-q', engine.readerUrl(token), 'file://con'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const absent = await new Promise<boolean>((resolve) => {
      reader.once('spawn', () => resolve(false))
      reader.once('error', () => resolve(true))
    })
    if (absent) return context.skip('srt-live-transmit is not installed')
    onTestFinished(() => void reader.kill('SIGKILL'))
    let bytes = 0
    reader.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    await vi.waitFor(() => expect(bytes).toBeGreaterThan(50_000), within)
  })

  test.skipIf(!hasIpv6)('[issue 5.3] IPv6 callers are let in where the server listens on it', async () => {
    const { engine, event } = await embeddedEngine({ bind: '::' })
    await engine.allow(input)
    const { srtUrl } = engine.address(input)
    expect(await exitOf(send(srtUrl.replace('127.0.0.1', '[::1]').replace('key-of', 'no-key-of')))).toBe(1)
    expect(await event('refused')).toMatchObject({ ip: '::1' })
    expect(await exitOf(send(srtUrl.replace('key-of', 'no-key-of')))).toBe(1)
    expect(await event('refused', 1)).toMatchObject({ ip: '127.0.0.1' })
    send(srtUrl.replace('127.0.0.1', '[::1]'))
    expect(await event('up')).toMatchObject({ ip: '::1', protocol: 'srt' })
  })

  test('a usual port that is taken gives way to a free one; one that was asked for does not', async () => {
    const [usual, other] = [await embeddedEngine({ srtPort: undefined }), await embeddedEngine({ srtPort: undefined })]
    const portOf = ({ engine }: typeof usual) => Number(/:(\d+)\?/.exec(engine.address(input).srtUrl)?.[1])
    expect(portOf(usual)).not.toBe(portOf(other))
    await other.engine.allow(input)
    send(other.engine.address(input).srtUrl)
    await other.event('up')
    await expect(embeddedEngine({ srtPort: portOf(other) })).rejects.toThrow(/^RTMP_PORT, SRT_PORT: .*EADDRINUSE/)
  })

  test('what is no SRT is not answered, and disturbs nobody', async () => {
    const { engine, url, types } = await receiving()
    const port = Number(new URL(url.replace('srt:', 'http:')).port)
    const socket = createSocket('udp4')
    const answers: Buffer[] = []
    socket.on('message', (answer) => answers.push(answer))
    onTestFinished(() => void socket.close())
    const induction = handshake(1)
    for (const packet of [
      Buffer.alloc(0),
      Buffer.alloc(3, 0x80),
      Buffer.alloc(1400, 0xff),
      induction.subarray(0, 60),
      handshake(-1),
    ])
      await new Promise((resolve) => socket.send(packet, port, '127.0.0.1', resolve))
    await new Promise((resolve) => socket.send(induction, port, '127.0.0.1', resolve))
    await vi.waitFor(() => expect(answers).not.toHaveLength(0), within)
    // only the greeting is answered, with no more than it brought
    expect(answers.map(({ length }) => length)).toEqual([64])
    const before = (await engine.stats('input-5'))?.bytesIn ?? 0
    await vi.waitFor(async () => expect((await engine.stats('input-5'))?.bytesIn).toBeGreaterThan(before), within)
    expect(types()).toEqual(['up'])
  })
})

describe('SRT without an ffmpeg that speaks it', () => {
  test('[issue 5.3] inputs have no SRT address, and RTMP is there all the same', async () => {
    const capabilities = {
      ffmpeg: null,
      protocols: new Set<string>(),
      encoders: new Set<string>(),
      filters: new Set<string>(),
      browser: null,
      sandbox: 'there' as const,
    }
    const { engine } = await embeddedEngine({ capabilities })
    expect(engine.address(input)).toMatchObject({ srtUrl: '', rtmpUrl: expect.stringMatching(/^rtmp:/) })
    expect(engine.readerUrl('token')).toBe('')
  })
})

/** The first packet of a caller (1), or a later one with a cookie that nobody gave it (-1). */
function handshake(type: number): Buffer {
  const packet = Buffer.alloc(64)
  packet.writeUInt16BE(0x8000, 0)
  packet.writeUInt32BE(type === 1 ? 4 : 5, 16)
  packet.writeInt32BE(type, 36)
  packet.writeUInt32BE(77, 40)
  packet.writeUInt32BE(type === 1 ? 0 : 12345, 44)
  return packet
}
