import { Refusal, request } from '../ui/request.ts'
import { BASE } from './router.tsx'

type Method = Parameters<typeof request>[0]
type Options = NonNullable<Parameters<typeof request>[2]>

/** Is told of each answer: false means that the server was out of reach. */
export const reach = new EventTarget()

/** Is told when the session has ended: by itself, or by hand in another window. */
export const sessionEnd = new EventTarget()

/**
 * One request as the person who is signed in; `path` is that of the API: `/v2/matches`. Throws Refusal. A write carries an
 * Idempotency-Key: `key`, or a new one.
 */
export async function api<T>(method: Method, path: string, options?: Options): Promise<T> {
  try {
    const answer = await request<T>(method, restUrl(path), options)
    reach.dispatchEvent(new Event('reached'))
    return answer
  } catch (error) {
    const status = error instanceof Refusal ? error.status : -1
    if (!options?.signal?.aborted) reach.dispatchEvent(new Event(status === 0 ? 'lost' : 'reached'))
    if (status === 401) sessionEnd.dispatchEvent(new Event('ended'))
    throw error
  }
}

/** The address of an operation for links, such as those of CSV files. */
export const restUrl = (path: string): string => `${BASE}/rest${path}`

/** What was refused, in words for people. */
export const wordsOf = (error: unknown): string =>
  error instanceof Refusal ? error.message : 'Something went wrong in this page. Load it again.'
