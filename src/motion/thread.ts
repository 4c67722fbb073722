import { parentPort, workerData } from 'node:worker_threads'
import { type MotionFile, UnusableMotionFile } from './motion-file.ts'
import { readMotionFile } from './read.ts'
import { ranOutOfMemory } from './runtime.ts'

/** The answer of a thread about its one file. */
export type Answer = { file: MotionFile } | { reason: string }

const { bytes, memoryMb }: { bytes: Uint8Array; memoryMb: number } = workerData

async function answer(): Promise<Answer> {
  try {
    return { file: await readMotionFile(bytes, memoryMb) }
  } catch (error) {
    if (error instanceof UnusableMotionFile) return { reason: error.reason }
    if (ranOutOfMemory()) return { reason: 'takes too much memory to read' }
    // the runtime throws when the file makes it fail, in words of its own
    return { reason: 'the runtime cannot read it' }
  }
}

parentPort?.postMessage(await answer())
