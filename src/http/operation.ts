import { type ChangeEntry, deprecatedOn } from '../changelog.ts'
import { type ApiError, inMotionFamily, unexpected } from '../errors.ts'
import { warnings } from './headers.ts'
import type { StoredAnswer } from './idempotency.ts'
import { paramNames } from './matcher.ts'
import { Repeated, type Route } from './route.ts'
import { scopesOf } from './scope.ts'
import { inputReader } from './validate.ts'

/** Kinds of errors that any route may answer: those of Route.throws, and those of the router itself. */
const COMMON = new Set([
  'invalid',
  'unauthenticated',
  'forbidden',
  'notFound',
  'tooManyRequests',
  'unexpected',
  'unavailable',
  'methodNotAllowed',
  'bodyTooLarge',
  'idempotencyConflict',
])

type OperationOptions = {
  publicUrl(): string
  maxBodyBytes: number
  changes: readonly ChangeEntry[]
  /** Where the operation is reached, and the headers that its answers carry beside its own. */
  prefix: string
  common: Readonly<Record<string, string>>
}

/** `POST /v1/teams` */
export const operationName = ({ method, path }: Pick<Route, 'method' | 'path'>) => `${method.toUpperCase()} ${path}`

/** A route made ready to run: everything that does not depend on the request is worked out once. */
export function compile(route: Route, { publicUrl, maxBodyBytes, changes, prefix, common }: OperationOptions) {
  const name = operationName(route)
  const status = route.status ?? 200
  let headers: Readonly<Record<string, string>> | undefined
  const declared = new Set([...COMMON, ...(route.throws ?? []).map(({ name }) => name)])
  return {
    route,
    name,
    /** `/rest/v1/teams` */
    pattern: `${prefix}${route.path}`,
    status,
    bucket: route.bucket ?? 'default',
    scopes: scopesOf(route),
    /** On every answer; asked late, because the port may be known only once the server listens. */
    headers: () => {
      headers ??= { ...common, ...warnings(route.beta, deprecatedOn(changes, name), publicUrl()) }
      return headers
    },
    maxBodyBytes: route.maxBodyBytes ?? maxBodyBytes,
    readInput: inputReader(route, paramNames(route.path)),
    declares: (error: ApiError) => declared.has(error.kind),
    /** A refusal in the words of the operation's family. */
    word: (error: ApiError) => (route.family === 'motion' ? inMotionFamily(error) : error),
    /** The bytes of a result; the only place where a result becomes text. */
    encode: (result: unknown): StoredAnswer => {
      if (status === 204) return { status, body: '' }
      if (result === undefined) throw unexpected()
      if (result instanceof Repeated) return { status: 200, body: JSON.stringify(result.result) }
      return { status, body: JSON.stringify(result) }
    },
  }
}

export type Operation = ReturnType<typeof compile>
