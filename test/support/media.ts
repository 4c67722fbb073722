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
}

/** A picture with sound that plays as long as the test. */
export async function liveSource(kb = 400, picture = testPicture({ kb })): Promise<LiveSource> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  const port = await listen(server)
  const child = ffmpeg([...picture, '-f', 'mpegts', '-flush_packets', '1', 'pipe:1'])
  let silent = false
  child.stdout?.on('data', (chunk: Buffer) => {
    if (!silent) for (const socket of sockets) socket.write(chunk)
  })
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return {
    url: `tcp://127.0.0.1:${port}`,
    gap(on) {
      silent = on
    },
  }
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

/** Resolves when somebody listens on a port of 127.0.0.1, without connecting: some far ends take one connection only. */
export async function listening(port: number): Promise<void> {
  const [command, pattern] =
    process.platform === 'linux' ? (['ss -tlnH', `:${port} `] as const) : (['netstat -an -p tcp', `.${port} `] as const)
  await vi.waitFor(
    () => {
      const [program = '', ...args] = command.split(' ')
      const lines = spawnSync(program, args, { encoding: 'utf8' }).stdout.split('\n')
      expect(lines.some((line) => line.includes('LISTEN') && line.includes(pattern))).toBe(true)
    },
    { timeout: 10_000, interval: 50 },
  )
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}
