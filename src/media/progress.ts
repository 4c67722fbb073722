import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** One block of `ffmpeg -progress`. */
export type Progress = {
  /** Written so far; null as long as the output is not open, and for outputs that are no single stream. */
  totalBytes: number | null
  frames: number | null
}

/** Arguments that make ffmpeg tell its progress on stdout four times a second, and nothing else there. */
export const PROGRESS_ARGS = ['-nostats', '-stats_period', '0.25', '-progress', 'pipe:1'] as const

/** Tells each complete block of `-progress pipe:1`. */
export function readProgress(stream: Readable, listener: (progress: Progress) => void): void {
  let values = new Map<string, string>()
  createInterface({ input: stream, crlfDelay: Infinity }).on('line', (line) => {
    const at = line.indexOf('=')
    if (at < 0) return
    const key = line.slice(0, at).trim()
    values.set(key, line.slice(at + 1).trim())
    if (key !== 'progress') return
    listener({ totalBytes: count(values.get('total_size')), frames: count(values.get('frame')) })
    values = new Map()
  })
}

const count = (text: string | undefined) => (text !== undefined && /^\d+$/.test(text) ? Number(text) : null)
