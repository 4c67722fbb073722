import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { expect, onTestFinished, vi } from 'vitest'

const found = spawnSync('ffmpeg', ['-hide_banner', '-protocols'], { encoding: 'utf8' })

/** Why tests with real media cannot run here; undefined when they can. */
export const noFfmpeg = found.status === 0 ? undefined : 'ffmpeg is not installed'

/** Whether this ffmpeg speaks a protocol. */
export const speaks = (protocol: string) => new RegExp(`^\\s+${protocol}$`, 'm').test(found.stdout ?? '')

/** An ffmpeg that ends with the test at the latest. `error()` is what it wrote on stderr. */
export function ffmpeg(args: readonly string[]): ChildProcess & { error(): string } {
  const child = spawn('ffmpeg', ['-hide_banner', '-nostdin', '-loglevel', 'error', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  child.stderr.on('data', (chunk: Buffer) => {
    text += chunk
  })
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return Object.assign(child, { error: () => text })
}

/** Arguments of a test picture with a tone, as fast as it plays. */
export const testPicture = ({ size = '320x180', rate = 25, kb = 400 } = {}) => [
  ...[
    '-re',
    '-f',
    'lavfi',
    '-i',
    `testsrc2=size=${size}:rate=${rate}`,
    '-re',
    '-f',
    'lavfi',
    '-i',
    'sine=frequency=440',
  ],
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p', '-g', '12'],
  ...['-b:v', `${kb}k`, '-minrate', `${kb}k`, '-maxrate', `${kb}k`, '-bufsize', `${kb}k`, '-nal-hrd', 'cbr'],
  ...['-c:a', 'aac', '-b:a', '64k', '-ar', '44100'],
]

/** Arguments of a picture of one colour without a sound, as fast as it plays. */
export const plainPicture = (colour: string, size = '640x360') => [
  ...['-re', '-f', 'lavfi', '-i', `color=${colour}:size=${size}:rate=25`],
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p', '-g', '12'],
]

export type LiveSource = {
  /** ffmpeg reads the picture there, any number at a time. */
  readonly url: string
  /** Nothing comes any more, though the connections stay, until `false`. */
  gap(on: boolean): void
  /** Another picture from now on, as from a sender that changed its settings. */
  change(picture: readonly string[]): void
}

const FLV_HEADER_BYTES = 13
const [SOUND, PICTURE, DESCRIPTION] = [8, 9, 18]

type FlvTag = { type: number; at: number; bytes: Buffer }

/** The whole tags of FLV behind its header, and what is left behind them. */
function flvTags(flv: Buffer): { tags: FlvTag[]; rest: Buffer } {
  const tags: FlvTag[] = []
  let offset = 0
  while (offset + 11 <= flv.length) {
    const end = offset + 11 + flv.readUIntBE(offset + 1, 3) + 4
    if (end > flv.length) break
    tags.push({ type: flv[offset] ?? 0, at: flv.readUIntBE(offset + 4, 3), bytes: flv.subarray(offset, end) })
    offset = end
  }
  return { tags, rest: flv.subarray(offset) }
}

/** What every reader needs first, whenever it comes: the description and how picture and sound are coded. */
const opens = ({ type, bytes }: FlvTag) => type === DESCRIPTION || bytes[12] === 0

/** A picture with sound that plays as long as the test. */
export async function liveSource(kb = 400, picture = testPicture({ kb })): Promise<LiveSource> {
  let opening: Buffer[] = []
  const readers = new Set<Socket>()
  const port = await tcpServer((socket) => {
    for (const bytes of opening) socket.write(bytes)
    readers.add(socket)
    socket.on('close', () => readers.delete(socket))
  })
  const since = performance.now()
  let silent = false
  const play = (args: readonly string[]) => {
    // never as 4e-7, which ffmpeg does not read
    const offset = ((performance.now() - since) / 1000).toFixed(6)
    const child = ffmpeg([...args, '-output_ts_offset', offset, '-f', 'flv', '-flush_packets', '1', 'pipe:1'])
    const opened: Buffer[] = []
    opening = opened
    let pending: Buffer = Buffer.alloc(0)
    child.stdout?.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk])
      if (opened.length === 0) {
        opened.push(pending.subarray(0, FLV_HEADER_BYTES))
        pending = pending.subarray(FLV_HEADER_BYTES)
      }
      const { tags, rest } = flvTags(pending)
      pending = rest
      for (const tag of tags) {
        if (opens(tag)) opened.push(tag.bytes)
        if (!silent) for (const reader of readers) reader.write(tag.bytes)
      }
    })
    return child
  }
  let child = play(picture)
  // header, description, picture and, where the header says so, sound
  await vi.waitFor(() => expect(opening, child.error()).toHaveLength(opening[0]?.[4] === 1 ? 3 : 4), {
    timeout: 30_000,
  })
  return {
    url: `tcp://127.0.0.1:${port}`,
    gap(on) {
      silent = on
    },
    change(next) {
      child.kill('SIGKILL')
      child = play(next)
    },
  }
}

/** Plays for half a minute to whoever reads, each from the beginning; to the first one its sound begins a second late. */
export async function lateSound(): Promise<string> {
  const picture = testPicture().filter((argument) => argument !== '-re')
  const { stdout } = spawnSync('ffmpeg', ['-v', 'error', ...picture, '-t', '30', '-f', 'flv', 'pipe:1'], {
    maxBuffer: 50_000_000,
  })
  const { tags } = flvTags(stdout.subarray(FLV_HEADER_BYTES))
  let readers = 0
  const port = await tcpServer((socket) => {
    const late = readers++ === 0
    const header = Buffer.from(stdout.subarray(0, FLV_HEADER_BYTES))
    // the first reader is not told of a sound
    if (late) header[4] = 1
    socket.write(header)
    const left = tags.filter(({ type, at }) => !late || type === PICTURE || (type === SOUND && at > 1_000))
    const since = Date.now()
    const timer = setInterval(() => {
      while (left[0] && left[0].at <= Date.now() - since) socket.write(left.shift()?.bytes ?? '')
    }, 10)
    socket.on('close', () => clearInterval(timer))
  })
  return `tcp://127.0.0.1:${port}`
}

/** A TCP server that does with each connection what it is told; `port` is where. Closed when the test finishes. */
export async function tcpServer(connected: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    connected(socket)
  })
  const port = await listen(server)
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return port
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/**
 * Resolves when somebody listens on a port of 127.0.0.1, without connecting: some far ends take one connection only. Who
 * has it already no longer listens.
 */
export async function listening(port: number): Promise<void> {
  const linux = process.platform === 'linux'
  const [program, options] = linux ? (['ss', ['-tanH']] as const) : (['netstat', ['-an', '-p', 'tcp']] as const)
  await vi.waitFor(
    () => {
      const lines = spawnSync(program, options, { encoding: 'utf8' }).stdout.split('\n')
      const sockets = lines.map((line) => line.trim().split(/\s+/))
      const states = sockets
        .filter(([, , , local]) => local?.endsWith(linux ? `:${port}` : `.${port}`))
        .map((fields) => fields[linux ? 0 : 5] ?? '')
      expect(states.filter((state) => state === 'LISTEN' || state.startsWith('ESTAB'))).not.toEqual([])
    },
    { timeout: 30_000, interval: 50 },
  )
}
