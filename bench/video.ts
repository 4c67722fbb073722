import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { until } from './clock.ts'
import { freePort } from './server.ts'

const ffmpeg = ['ffmpeg', '-hide_banner', '-nostdin', '-loglevel', 'error'] as const

/** Why nothing can be streamed here; undefined when it can. */
export const noVideo = (): string | undefined =>
  spawnSync('ffmpeg', ['-version']).status === 0 ? undefined : 'ffmpeg is not installed'

/** A child that ends with the bench, however that ends. */
function running(args: readonly string[]) {
  const [command, ...before] = ffmpeg
  const child: ChildProcess = spawn(command, [...before, ...args], { stdio: 'ignore' })
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
  const [command, ...before] = ffmpeg
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=25', '-f', 'lavfi', '-i', 'sine=frequency=440']
  const rate = ['-b:v', `${kb}k`, '-minrate', `${kb}k`, '-maxrate', `${kb}k`, '-bufsize', `${kb}k`, '-nal-hrd', 'cbr']
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '25', ...rate]
  const made = spawnSync(command, [...before, ...source, '-t', '10', ...video, '-c:a', 'aac', '-y', file])
  if (made.status !== 0) throw new Error(`no video could be made: ${made.stderr}`)
  return file
}

/** Sends a video over and over in its own time. */
export const send = (file: string, url: string): Running =>
  running(['-re', '-stream_loop', '-1', '-i', file, '-c', 'copy', '-f', 'flv', url])

/** An RTMP server that takes one sender. */
export async function farEnd() {
  const port = await freePort()
  const url = `rtmp://127.0.0.1:${port}/live/far`
  const child = running(['-listen', '1', '-i', url, '-c', 'copy', '-f', 'null', '-'])
  await until('a far end', 5_000, 10, () => isListening(port))
  return { ...child, url }
}

// connecting would take the one place that it has
const isListening = (port: number) => spawnSync('ss', ['-tlnH'], { encoding: 'utf8' }).stdout.includes(`:${port} `)
