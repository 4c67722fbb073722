import type { HttpResponse } from 'uWebSockets.js'
import type { Logger } from 'pino'

/** Nobody reads for longer than this, however steadily. */
const LONGEST_MS = 15 * 60_000

export type Parts = {
  first: string | Buffer
  rest: AsyncIterable<string | Buffer>
  /** Whether the connection takes no more requests. */
  close: boolean
  log: Logger
  /** Called once, when all was sent or the connection was ended; `res` may not be touched from then on. */
  ended(): void
  /** A client that takes nothing for so long is cut off: what is read for it is held in memory. */
  stalledMs: number
}

/**
 * Sends a body part by part: the next one is asked for when the client has taken the last. Call it inside a cork, after the headers.
 * A failure, or a client that takes nothing, ends the connection without the end of the body. `abort` when the client is gone.
 */
export function sendParts(res: HttpResponse, { first, rest, close, log, ended, stalledMs }: Parts) {
  const parts = rest[Symbol.asyncIterator]()
  let over = false
  let writable: (() => void) | undefined
  let stalled: NodeJS.Timeout | undefined
  const leave = () => {
    over = true
    clearTimeout(stalled)
    clearTimeout(longest)
    writable?.()
    // what it holds is given back; whoever waits inside of it is through with that first
    parts.return?.().catch(() => {})
  }
  const cut = () => {
    if (over) return
    leave()
    ended()
    res.close()
  }
  const longest = setTimeout(cut, LONGEST_MS).unref()
  res.onWritable(() => {
    writable?.()
    return true
  })
  const taken = (part: string | Buffer): Promise<void> | undefined => {
    if (part.length === 0) return undefined
    let isTaken = true
    // an empty one would be the last
    res.cork(() => {
      isTaken = res.write(part)
    })
    if (isTaken) return undefined
    stalled = setTimeout(cut, stalledMs).unref()
    return new Promise((resolve) => {
      writable = () => {
        clearTimeout(stalled)
        writable = undefined
        resolve()
      }
    })
  }
  const run = async () => {
    await taken(first)
    while (!over) {
      const { done, value } = await parts.next()
      if (over) return
      if (done) {
        leave()
        res.cork(() => res.end(undefined, close))
        ended()
        return
      }
      await taken(value)
    }
  }
  run().catch((error) => {
    if (!over) log.error({ err: error }, 'an answer broke off in the middle')
    cut()
  })
  return {
    abort() {
      if (!over) leave()
    },
  }
}
