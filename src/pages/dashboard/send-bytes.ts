import { Refusal } from '../ui/refusal.ts'

/** The address of an upload and the headers that it wants, as the API told them. */
export type Address = { url: string; headers: Record<string, string> }

const ATTEMPTS = 4
const PAUSE_MS = 500
/** Answers of a server that has no time, or of a balancer before one that is away. */
const LATER = new Set([429, 502, 503, 504])

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Sends the bytes of an upload, again where the server has no time or cannot be reached. Bytes that are there already (409) arrived
 * when an answer was lost. Throws Refusal with `refused` when they are not taken.
 */
export async function sendBytes({ url, headers }: Address, bytes: Uint8Array<ArrayBuffer>, refused: string) {
  // by whatever name this page was opened
  const { pathname, search } = new URL(url)
  let status = 0
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    if (attempt > 1) await pause(PAUSE_MS * attempt)
    const sent = await fetch(pathname + search, { method: 'PUT', headers, body: bytes }).catch(() => undefined)
    if (sent?.ok || sent?.status === 409) return
    status = sent?.status ?? 0
    if (sent && !LATER.has(status)) break
  }
  throw new Refusal(status, status === 0 ? 'The server cannot be reached' : refused)
}
