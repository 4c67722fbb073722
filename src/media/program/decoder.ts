import { Worker } from 'node:worker_threads'
import type { Matrix } from './planes.ts'

export type DecoderSetup = { width: number; height: number; matrix: Matrix }
/** Bytes with a memory of their own, which is handed over with them. */
export type Owned = Uint8Array<ArrayBuffer>
/** A PNG of the page, and planes that are no longer used to write the picture to. */
export type Undecoded = { png: Owned; planes: Owned | undefined }
export type Decoded = { planes: Owned; changed: boolean } | { error: string }

// a test runs the sources, but a thread needs the built file
const MODULE = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/src/media/program/decoder-thread.js' : './decoder-thread.js',
  import.meta.url,
)

export interface Decoder {
  /** Takes the newest picture of the page; one that waits meanwhile is left out. */
  decode(png: Owned): void
  /** Gives back planes that nobody reads any more. */
  recycle(planes: Owned): void
  close(): void
}

/** Unpacks pictures in a thread of its own, so that feeding the encoder never waits for it. */
export function startDecoder(
  { width, height, matrix }: DecoderSetup,
  listener: { picture(planes: Owned): void; failed(error: string): void },
): Decoder {
  const workerData: DecoderSetup = { width, height, matrix }
  const worker = new Worker(MODULE, { workerData, env: {} })
  const free: Owned[] = []
  let waiting: Owned | undefined
  let busy = false

  const next = () => {
    if (busy || !waiting) return
    const png = waiting
    waiting = undefined
    busy = true
    const planes = free.pop()
    const message: Undecoded = { png, planes }
    worker.postMessage(message, planes ? [png.buffer, planes.buffer] : [png.buffer])
  }

  worker.on('message', (decoded: Decoded) => {
    busy = false
    if ('error' in decoded) listener.failed(decoded.error)
    else if (decoded.changed) listener.picture(decoded.planes)
    else free.push(decoded.planes)
    next()
  })
  worker.on('error', (error) => listener.failed(error.message))

  return {
    decode(png) {
      waiting = png
      next()
    },
    recycle: (planes) => void free.push(planes),
    close: () => void worker.terminate(),
  }
}
