import type { Readable, Writable } from 'node:stream'

export type DevtoolsEvent = { method: string; params: Record<string, unknown>; sessionId?: string }
type Answer = { id: number; result?: Record<string, unknown>; error?: { message: string } }

/** The browser has ended, for the reason in the message. */
export class BrowserEnded extends Error {}

export interface Devtools {
  /** Rejects when the browser refuses, does not answer in time, or ends: BrowserEnded. */
  send(
    method: string,
    params?: Record<string, unknown>,
    sessionId?: string,
    withinMs?: number,
  ): Promise<Record<string, unknown>>
  /** The browser is gone: nothing is answered any more. */
  close(reason: string): void
}

const ANSWERED_WITHIN_MS = 10_000
const END = '\0'

/** Talks to a browser over the two pipes of `--remote-debugging-pipe`: no port that others on this machine could use. */
export function connectDevtools(to: Writable, from: Readable, listener: (event: DevtoolsEvent) => void): Devtools {
  const waiting = new Map<
    number,
    { resolve: (result: Record<string, unknown>) => void; reject: (error: Error) => void }
  >()
  let lastId = 0
  let closed: string | undefined

  readMessages(from, (text) => {
    const message = asMessage(text)
    if ('method' in message) return listener(message)
    const waiter = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.error) waiter?.reject(new Error(message.error.message))
    else waiter?.resolve(message.result ?? {})
  })

  return {
    send: (method, params = {}, sessionId, withinMs = ANSWERED_WITHIN_MS) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new BrowserEnded(closed))
        const id = ++lastId
        const late = setTimeout(() => {
          waiting.delete(id)
          reject(new Error(`The browser does not answer ${method}`))
        }, withinMs)
        waiting.set(id, {
          resolve(result) {
            clearTimeout(late)
            resolve(result)
          },
          reject(error) {
            clearTimeout(late)
            reject(error)
          },
        })
        to.write(`${JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) })}${END}`)
      }),
    close(reason) {
      closed = reason
      for (const { reject } of waiting.values()) reject(new BrowserEnded(reason))
      waiting.clear()
    },
  }
}

function readMessages(from: Readable, take: (text: string) => void): void {
  let parts: Buffer[] = []
  from.on('data', (chunk: Buffer) => {
    let start = 0
    for (let end = chunk.indexOf(END); end >= 0; end = chunk.indexOf(END, start)) {
      parts.push(chunk.subarray(start, end))
      take(Buffer.concat(parts).toString())
      parts = []
      start = end + 1
    }
    if (start < chunk.length) parts.push(chunk.subarray(start))
  })
}

/** The protocol of the browser that we start ourselves; fields are checked where they are used. */
const asMessage = (text: string) => JSON.parse(text) as DevtoolsEvent | Answer
