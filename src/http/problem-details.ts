import { STATUS_CODES } from 'node:http'
import type { ApiError, FieldErrors } from '../errors.ts'

export const PROBLEM_TYPE = 'application/problem+json'

/** Of statuses that HTTP has no words for. */
const OWN_TITLES: Readonly<Record<number, string>> = { 550: 'Error of the graphic' }

/** An error as problem details: what ours says beyond them stays beside. `path`: of the request. RFC 7807 */
export function problemOf({ status, body }: ApiError, path: string) {
  const { message, ...more } = body
  const fields = Object.entries((more.details ?? {}) as FieldErrors).map(
    ([field, { message }]) => `${field}: ${message}`,
  )
  return {
    type: 'about:blank',
    title: STATUS_CODES[status] ?? OWN_TITLES[status] ?? 'Error',
    status,
    detail: fields.length > 0 ? `${message}: ${fields.slice(0, 10).join('; ')}` : String(message),
    instance: path,
    ...more,
  }
}
