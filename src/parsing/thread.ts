import { getHeapStatistics } from 'node:v8'
import { parentPort } from 'node:worker_threads'
import { Unreadable } from './problem.ts'
import { type ParsingJob, work } from './work.ts'

/** The answer of a thread to a job. `failed` is a fault of ours, not of the sender's file. */
export type Answer = { made: unknown } | { problems: Unreadable['problems'] } | { failed: string }

/** `full`: so much is held, collected or not, that the next job might be refused for this one's memory. */
export type Message = { answer: Answer; full: boolean }

async function answer(job: ParsingJob): Promise<Answer> {
  try {
    return { made: await work(job) }
  } catch (error) {
    if (error instanceof Unreadable) return { problems: error.problems }
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

/** What nobody needs to copy: the unpacked bytes of an archive. */
function handedOver(answer: Answer): ArrayBuffer[] {
  const made = 'made' in answer ? answer.made : undefined
  const bytes = typeof made === 'object' && made !== null && 'bytes' in made ? made.bytes : undefined
  return bytes instanceof Uint8Array && bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : []
}

function isFull(): boolean {
  const { used_heap_size, heap_size_limit } = getHeapStatistics()
  return used_heap_size > heap_size_limit / 3
}

const port = parentPort
port?.on('message', async (job: ParsingJob) => {
  const message: Message = { answer: await answer(job), full: isFull() }
  port.postMessage(message, handedOver(message.answer))
})
// the clock of a job shall not run while the libraries are loaded
port?.postMessage('ready')
