import { Worker } from 'node:worker_threads'
import { type MotionFile, UnusableMotionFile } from './motion-file.ts'
import type { Answer } from './thread.ts'

export type InspectionLimits = { maxBytes: number; memoryMb: number; withinMs: number }

/** A designed graphic with its fonts and pictures has some megabytes; drawn, a few tens. */
export const INSPECTION_LIMITS: InspectionLimits = { maxBytes: 32 * 1024 * 1024, memoryMb: 256, withinMs: 10_000 }

// a test runs the sources, but a thread needs the built file
const MODULE = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/src/motion/thread.js' : './thread.js',
  import.meta.url,
)

/**
 * Reads the parts of a motion file with the runtime that will draw it, in a thread of its own, which ends with it: these bytes
 * are unchecked. Throws UnusableMotionFile with the reason, also when it takes too long or too much memory.
 */
export async function inspectRiv(bytes: Uint8Array, limits: Partial<InspectionLimits> = {}): Promise<MotionFile> {
  const { maxBytes, memoryMb, withinMs } = { ...INSPECTION_LIMITS, ...limits }
  if (bytes.length > maxBytes) throw new UnusableMotionFile(`larger than ${maxBytes} bytes`)
  const worker = new Worker(MODULE, {
    workerData: { bytes, memoryMb },
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    // the thread tells the runtime's message about a file that it cannot read
    stdout: true,
    stderr: true,
  })
  let timer: NodeJS.Timeout | undefined
  try {
    const answer = await new Promise<Answer>((resolve, reject) => {
      timer = setTimeout(() => reject(new UnusableMotionFile(`takes more than ${withinMs / 1000} s to read`)), withinMs)
      worker.once('message', resolve)
      worker.once('error', (error) => reject(asRefusal(error)))
      worker.once('exit', () => reject(new UnusableMotionFile('the runtime gives up on it')))
    })
    if ('file' in answer) return answer.file
    throw new UnusableMotionFile(answer.reason)
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}

function asRefusal(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? new UnusableMotionFile('takes too much memory to read') : error
}
