import { parentPort } from 'node:worker_threads'
import { Unreadable } from './problem.ts'
import { type Job, work } from './work.ts'

/** What a thread answers to a job. `failed` is a fault of ours, not of what was sent. */
export type Answer = { made: unknown } | { problems: Unreadable['problems'] } | { failed: string }

async function answer(job: Job): Promise<Answer> {
  try {
    return { made: await work(job) }
  } catch (error) {
    if (error instanceof Unreadable) return { problems: error.problems }
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

const port = parentPort
port?.on('message', async (job: Job) => port.postMessage(await answer(job)))
// the clock of a job shall not run while the libraries are loaded
port?.postMessage('ready')
