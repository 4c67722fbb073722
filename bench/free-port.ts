import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below those that a system gives away by itself: one of them could be somebody's before whoever asked for it has begun to listen.
 * Above 10080, the last port that `fetch` and browsers refuse to ask.
 */
const FIRST = 10_081
const COUNT = 21_900

/** Each process begins elsewhere. */
let next = (process.pid * 344) % COUNT

/** A port of 127.0.0.1 that nobody listens on, and that nobody else is given for a long while. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < COUNT; tries++) {
    const port = FIRST + next
    next = (next + 1) % COUNT
    if (await isFree(port)) return port
  }
  throw new Error('no free port')
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const listening = once(server, 'listening')
  server.listen(port, '127.0.0.1')
  try {
    await listening
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
