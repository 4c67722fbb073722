import type { HttpResponse } from 'uWebSockets.js'
import type { Logger } from 'pino'

/** Nobody reads for longer than this, however steadily. */
const LONGEST_MS = 15 * 60_000
/**
 * Written at a time. When a client has read, the kernel has room for so much and not always for a part; uWS keeps the
 * rest and only tries it again with the next part, so that larger ones would pile up.
 */
const SLICE_BYTES = 16_384

export type Parts = {
  first: string | Buffer
  rest: AsyncIterable<string | Buffer>
  log: Logger
  /** Called once, when all was sent or the connection was ended; `res` may not be touched from then on. */
  ended(): void
  /** A client that takes nothing for so long is cut off: parts read for it are held in memory. */
  stalledMs: number
}

/**
 * Sends a body part by part: the next one is asked for when the client has taken the last. Call it inside a cork, after the headers.
 * A failure, or a client that takes nothing, ends the connection without the end of the body. `abort` when the client is gone.
 */
export function sendParts(res: HttpResponse, { first, rest, log, ended, stalledMs }: Parts) {
  const parts = rest[Symbol.asyncIterator]()
  let over = false
  let writable: (() => void) | undefined
  let stalled: NodeJS.Timeout | undefined
  const leave = () => {
    over = true
    clearTimeout(stalled)
    clearTimeout(longest)
    writable?.()
    // the connection that the parts hold is given back, after a read that is under way
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
  const sliceTaken = (slice: Buffer): Promise<void> | undefined => {
    let isTaken = true
    res.cork(() => {
      isTaken = res.write(slice)
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
  // an empty one writes nothing: it would be the last
  const taken = async (part: string | Buffer) => {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part
    for (let at = 0; at < bytes.length && !over; at += SLICE_BYTES)
      await sliceTaken(bytes.subarray(at, at + SLICE_BYTES))
  }
  const run = async () => {
    await taken(first)
    while (!over) {
      const { done, value } = await parts.next()
      if (over) return
      if (done) {
        leave()
        // told to close, it would print a header here, behind the body
        res.cork(() => res.end())
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
