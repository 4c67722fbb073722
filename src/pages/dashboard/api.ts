import { Refusal, request } from '../ui/request.ts'
import { BASE } from './router.tsx'

type Method = Parameters<typeof request>[0]
type Options = NonNullable<Parameters<typeof request>[2]>

/** Is told of each answer: false means that the server was out of reach. */
export const reach = new EventTarget()

/** Is told `ended` when the session has, by itself or by hand in another window, and `resumed` when somebody is signed in again. */
export const sessionEnd = new EventTarget()

let ended = false

/** Somebody may be signed in again: requests are sent. Until then a view that goes on asking in the background asks nobody. */
export function resume() {
  ended = false
}

/**
 * One request as the person who is signed in; `path` is that of the API: `/v2/matches`. Throws Refusal. A write carries an
 * Idempotency-Key: `key`, or a new one.
 */
export async function api<T>(method: Method, path: string, options?: Options): Promise<T> {
  if (ended) throw new Refusal(401, 'Nobody is signed in')
  try {
    const answer = await request<T>(method, restUrl(path), options)
    reach.dispatchEvent(new Event('reached'))
    return answer
  } catch (error) {
    const status = error instanceof Refusal ? error.status : -1
    if (!options?.signal?.aborted) reach.dispatchEvent(new Event(status === 0 ? 'lost' : 'reached'))
    if (status === 401) endSession()
    throw error
  }
}

/** The server knows no session any more. */
export function endSession() {
  ended = true
  sessionEnd.dispatchEvent(new Event('ended'))
}

/** The address of an operation for links, such as those of CSV files. */
export const restUrl = (path: string): string => `${BASE}/rest${path}`

/** A refusal in words for people. */
export const wordsOf = (error: unknown): string =>
  error instanceof Refusal ? error.message : 'Something went wrong in this page. Load it again.'
