import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { Attempt, Message } from './attempt.ts'
import type { Endpoint } from './registry.ts'
import type { Ended, Sends, ThreadSetup } from './thread.ts'

// a test runs the sources, but a thread needs the built file
const MODULE = new URL(
  import.meta.url.endsWith('.ts') ? '../../dist/src/webhooks/thread.js' : './thread.js',
  import.meta.url,
)
/** Threads that end under the same attempt; then it is the attempt that is given up. */
const STARTS = 3

export type Sender = {
  /** One attempt; never rejects. Undefined: this node ends, and it was cut off. */
  send(endpoint: Endpoint, message: Message): Promise<Attempt | undefined>
  /** Starts the thread before there is work, so that the first event need not wait for it. */
  warm(): void
  /** Cuts off what is under way. */
  close(): Promise<void>
}

type Parts = ThreadSetup & {
  /** What the thread runs, in place of the built one. */
  module?: URL
  log: Pick<Logger, 'error'>
}

type Waiting = {
  readonly nth: number
  readonly endpoint: Endpoint
  readonly message: Message
  /** Threads that it was given to. */
  starts: number
  resolve(attempt: Attempt | undefined): void
}

/**
 * Signs and sends in a thread of its own: an event that hundreds of endpoints want takes a tenth of a second of a processor, and the loop that
 * serves everybody must not lose it.
 */
export function createThreadSender({ isPrivateAllowed, module = MODULE, log }: Parts): Sender {
  const underWay = new Map<number, Waiting>()
  let asked: Waiting[] = []
  let nextNth = 1
  let thread: Worker | undefined
  let closed = false

  const start = (): Worker => {
    const worker = new Worker(module, { workerData: { isPrivateAllowed } satisfies ThreadSetup, env: {} })
    worker.on('message', (ended: Ended) => {
      for (const [nth, attempt] of ended) settled(nth, attempt)
    })
    worker.on('error', (error) => log.error({ err: error }, 'the thread that sends webhooks failed'))
    worker.on('exit', () => {
      if (thread === worker) thread = undefined
      if (!closed) again()
    })
    // attempts keep the process while there are any, which `close` waits for
    worker.unref()
    return worker
  }

  const settled = (nth: number, attempt: Attempt | undefined) => {
    const one = underWay.get(nth)
    underWay.delete(nth)
    one?.resolve(attempt)
  }

  /** What a thread had when it ended is sent by the next: whoever took it already knows it by its id. */
  const again = () => {
    for (const one of underWay.values())
      if (one.starts < STARTS) ask(one)
      else settled(one.nth, { at: Date.now(), status: null, ms: 0, error: 'could not be sent', retryAfterMs: 0 })
  }

  const ask = (one: Waiting) => {
    if (asked.length === 0) queueMicrotask(post)
    asked.push(one)
  }

  const post = () => {
    const batch = asked
    asked = []
    if (closed || batch.length === 0) return
    thread ??= start()
    const messages = new Map<string, number>()
    const sends: Sends['sends'][number][] = []
    const bodies: Message[] = []
    for (const one of batch) {
      one.starts++
      const { eventId, body } = one.message
      let message = messages.get(eventId)
      if (message === undefined) {
        message = bodies.push({ eventId, body }) - 1
        messages.set(eventId, message)
      }
      sends.push({ nth: one.nth, endpoint: one.endpoint, message })
    }
    thread.postMessage({ messages: bodies, sends } satisfies Sends)
  }

  return {
    send: (endpoint, message) =>
      new Promise((resolve) => {
        if (closed) return resolve(undefined)
        const one: Waiting = { nth: nextNth++, endpoint, message, starts: 0, resolve }
        underWay.set(one.nth, one)
        ask(one)
      }),
    warm() {
      if (!closed) thread ??= start()
    },
    async close() {
      closed = true
      const ending = thread
      for (const nth of [...underWay.keys()]) settled(nth, undefined)
      await ending?.terminate()
    },
  }
}
