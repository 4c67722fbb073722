import type { z } from 'zod'
import type { Context } from '../context.ts'
import type { ApiError } from '../errors.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** One operation of the API: the router runs it, OpenAPI prints it and the tests walk it. */
export type Route = {
  readonly method: Method
  /** Below `{base_url}`, `{name}` for parameters: `/v2/overlays/{overlayId}`. */
  readonly path: string
  readonly summary: string
  /** Success status: 200 unless said. 204 has no body. */
  readonly status?: 200 | 201 | 204
  /** The operation may answer with the result of an earlier request, as a `Repeated` with status 200. */
  readonly repeats?: boolean
  /** Sends `X-Service-Beta` and marks the operation. spec: Versioning 4 */
  readonly beta?: boolean
  /** Any one of these scopes opens it; left out, the rule of spec: Authentication 5. */
  readonly scopes?: readonly string[]
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  readonly response?: z.ZodType
  /** Content types beside JSON that the body may have: each makes the value for `body` of the bytes. May throw invalid. */
  readonly consumes?: Readonly<Record<string, (bytes: Buffer) => unknown>>
  /** Content types beside JSON that `handle` may answer with a `Raw`. */
  readonly produces?: readonly string[]
  /** The `Raw` that it answers has an `ETag`: whoever has the bytes already is answered 304. */
  readonly tagged?: boolean
  /** Error functions it may throw beyond the common set (invalid, unauthenticated, forbidden, notFound, tooManyRequests, unexpected, unavailable). */
  readonly throws?: readonly ((...args: never[]) => ApiError)[]
  /** The family of its bodies for common errors: of motion graphics only list, uploads and file metadata have one. */
  readonly family?: 'motion'
  /** The rate limiter asks this after the body was read; 0 costs nothing. Default 1, charged before the body. */
  readonly cost?: (body: unknown) => number
  /** The rate limit's bucket, `default` unless said; operations that must not starve behind polling have their own. */
  readonly bucket?: 'graphics'
  /**
   * All that it does is one command to an actor, and all that it answers is the state of that. The commit looks its Idempotency-Key
   * up, nothing is read before; what is refused or changes nothing is looked up after. The kept answer is not sealed.
   */
  readonly live?: boolean
  /** The operation reads so much that it may take a minute. Its handler must see soon whether the database answers at all. */
  readonly unhurried?: boolean
  /** Larger bodies answer 413; the server's limit unless said. */
  readonly maxBodyBytes?: number
  /** `accept` is the request's Accept header, for routes with `produces`. */
  readonly handle: (ctx: Context, input: { params: never; query: never; body: never }, accept: string) => unknown
}

/** An answer that is not the JSON of `response`; one in parts is sent as it is made, and cut off when that fails. */
export class Raw {
  readonly contentType: string
  readonly body: string | Buffer | AsyncIterable<string>
  readonly headers: Readonly<Record<string, string>>

  constructor(
    contentType: string,
    body: string | Buffer | AsyncIterable<string>,
    headers: Record<string, string> = {},
  ) {
    this.contentType = contentType
    this.body = body
    this.headers = headers
  }
}

/** The result of an earlier request: nothing was made now, so 200 instead of the status of the route. */
export class Repeated<T> {
  readonly result: T

  constructor(result: T) {
    this.result = result
  }
}

type Output<T> = T extends z.ZodType ? z.output<T> : undefined

/** Types `handle` from the schemas; a list of these records is a resource's routes. */
export function route<
  Params extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  Response extends z.ZodType | undefined = undefined,
>(
  record: Omit<Route, 'params' | 'query' | 'body' | 'response' | 'handle'> & {
    params?: Params
    query?: Query
    body?: Body
    response?: Response
    handle: (
      ctx: Context,
      input: { params: Output<Params>; query: Output<Query>; body: Output<Body> },
      accept: string,
    ) => Promise<ResultOf<Response>> | ResultOf<Response>
  },
): Route {
  // the record is checked above; the list of routes cannot carry four type parameters
  return record as unknown as Route
}

type ResultOf<Response> = Response extends z.ZodType
  ? z.input<Response> | Repeated<z.input<Response>> | Raw
  : undefined | Raw
