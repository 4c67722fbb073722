import type { Processes } from '../process.ts'
import type { Matrix } from './planes.ts'

/** The video that comes in, as far as the encoder must know it before it starts. */
export type Source = {
  video: {
    width: number
    height: number
    /** The matrix that the video names; undefined when it names none. */
    matrix: Matrix | undefined
  } | null
  audio: boolean
}

/** How much is read to find the tracks. Without a sound that takes all of it. */
export const ANALYSIS = ['-analyzeduration', '1000000', '-probesize', '5000000'] as const
/** A source that says nothing for so long is gone; a sender that lost its connection may come back in this time. */
export const READ_WITHIN = ['-rw_timeout', '35000000'] as const

const VIDEO = /: Video: .*?[ ,](\d{2,5})x(\d{2,5})\b/
const PIXELS = /\byuvj?4\d\dp\w*\(([^)]*)\)/
const MATRICES: Readonly<Record<string, Matrix>> = { bt709: 'bt709', smpte170m: 'bt601', bt470bg: 'bt601' }

/** Reads the lines in which ffmpeg describes an input. */
export function describe(lines: readonly string[]): Source {
  const streams = lines.filter((line) => /^\s*Stream #0:/.test(line))
  const line = streams.find((text) => VIDEO.test(text))
  const [, width, height] = VIDEO.exec(line ?? '') ?? []
  const tags = PIXELS.exec(line ?? '')?.[1]?.split(/[,/ ]+/) ?? []
  const matrix = tags.flatMap((tag) => MATRICES[tag] ?? [])[0]
  return {
    video: width && height ? { width: Number(width), height: Number(height), matrix } : null,
    audio: streams.some((text) => text.includes(': Audio: ')),
  }
}

/** Finds out the tracks that come in. Throws one line for people when nothing can be read. */
export async function readSource(processes: Processes, ffmpeg: string, streamId: number, url: string): Promise<Source> {
  const lines: string[] = []
  const reading = processes.start({
    kind: 'probe',
    of: streamId,
    command: ffmpeg,
    args: [
      ...['-hide_banner', '-nostdin', '-nostats', '-loglevel', 'info', ...READ_WITHIN, ...ANALYSIS, '-i', url],
      ...['-map', '0', '-c', 'copy', '-t', '0', '-f', 'null', '-'],
    ],
    stdio: ['ignore', 'ignore', 'pipe'],
    onLine: (line) => void lines.push(line),
  })
  const { error, code } = await reading.ended
  const source = describe(lines)
  if (source.video) return source
  throw new Error(code === 0 ? 'The input has no video' : `The input cannot be read: ${error}`)
}
