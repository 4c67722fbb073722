import { newKey } from './new-key.ts'
import { Refusal } from './refusal.ts'

export { newKey } from './new-key.ts'
export { Refusal } from './refusal.ts'

const PATIENCE_MS = 10_000

type Sent = {
  body?: unknown
  /** A zip as the whole body. */
  zip?: Uint8Array<ArrayBuffer>
  key?: string | null
  signal?: AbortSignal
  patienceMs?: number
}

/**
 * Sends one request and reads its JSON. A write carries an Idempotency-Key, so that a caller that sends it again, with the same
 * `key`, has it done once; `null` for one that comes to the same when it is done twice. Throws Refusal; status 0 is a server
 * out of reach.
 */
export async function request<T>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  { body, zip, key = newKey(), signal, patienceMs = PATIENCE_MS }: Sent = {},
): Promise<T> {
  const abort = new AbortController()
  const stop = () => abort.abort()
  const timer = window.setTimeout(stop, patienceMs)
  signal?.addEventListener('abort', stop)
  const write = method !== 'GET'
  let response: Response
  let text: string
  try {
    response = await fetch(url, {
      method,
      cache: 'no-store',
      // the header that no form and no other origin can send
      headers: {
        'X-Requested-With': 'tally',
        ...(write && { 'Content-Type': zip ? 'application/zip' : 'application/json' }),
        ...(write && key !== null && { 'Idempotency-Key': key }),
      },
      signal: abort.signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(zip && { body: zip }),
    })
    text = await response.text()
  } catch {
    throw new Refusal(0, 'The server cannot be reached')
  } finally {
    window.clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
  if (response.ok) return (text === '' ? undefined : JSON.parse(text)) as T
  throw refusalOf(response.status, text)
}

function refusalOf(status: number, text: string): Refusal {
  try {
    const { message, details, errors, uses } = JSON.parse(text)
    return new Refusal(
      status,
      String(message),
      Array.isArray(errors) ? byPlace(errors) : Array.isArray(details) ? rules(details) : details,
      uses,
    )
  } catch {
    return new Refusal(status, `The server answered ${status}`)
  }
}

/** The rules that files break, each a sentence: `CODE_GRAPHIC_INVALID`. Those of motion graphics are told by their message. */
const rules = (details: readonly unknown[]) =>
  Object.fromEntries(details.flatMap((rule) => (typeof rule === 'string' ? [[rule, { message: rule }]] : [])))

/** The faults of an archive by the file and the place in it. */
const byPlace = (errors: readonly { file: string; path: string; message: string }[]) =>
  Object.fromEntries(errors.map(({ file, path, message }) => [`${file} ${path}`.trim(), { message }]))
