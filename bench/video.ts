import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { until } from './clock.ts'
import { freePort } from './free-port.ts'

const quiet = ['-hide_banner', '-nostdin', '-loglevel', 'error']

/** Why nothing can be streamed here; undefined when it can. */
export const noVideo = (): string | undefined =>
  spawnSync('ffmpeg', ['-version']).status === 0 ? undefined : 'ffmpeg is not installed'

/** A child that ends with the bench, however that ends. */
function running(command: string, args: readonly string[]) {
  const child: ChildProcess = spawn(command, args, { stdio: 'ignore' })
  const leave = () => void child.kill('SIGKILL')
  process.once('exit', leave)
  child.once('exit', () => process.off('exit', leave))
  return {
    /** Ends as when its machine loses power. */
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

export type Running = ReturnType<typeof running>

/** Ten seconds of 720p25 with sound, encoded once so that sending costs next to nothing. */
export function recordVideo(folder: string, kb: number): string {
  const file = join(folder, 'video.mp4')
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=25', '-f', 'lavfi', '-i', 'sine=frequency=440']
  const rate = ['-b:v', `${kb}k`, '-minrate', `${kb}k`, '-maxrate', `${kb}k`, '-bufsize', `${kb}k`, '-nal-hrd', 'cbr']
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '25', ...rate]
  const made = spawnSync('ffmpeg', [...quiet, ...source, '-t', '10', ...video, '-c:a', 'aac', '-y', file])
  if (made.status !== 0) throw new Error(`no video could be made: ${made.stderr}`)
  return file
}

/** Sends a video over and over in its own time. */
export const send = (file: string, url: string): Running =>
  running('ffmpeg', [...quiet, '-re', '-stream_loop', '-1', '-i', file, '-c', 'copy', '-f', 'flv', url])

/** An RTMP server of its own process. ffmpeg's never leaves chunks of 128 bytes, and their cost would be the sender's. */
export async function farEnd() {
  const port = await freePort()
  const child = running(process.execPath, [fileURLToPath(new URL('./rtmp-server.js', import.meta.url)), String(port)])
  await until('a far end', 5_000, 10, () => isListening(port))
  return { ...child, url: `rtmp://127.0.0.1:${port}/live/far` }
}

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
