import { ApiError, NotMine } from '../errors.ts'
import { LinkRefused } from './links/errors.ts'

const NAME = 'api'

type Told = Pick<ApiError, 'kind' | 'status' | 'body' | 'headers'> & { notMine?: { ref: string; mayBeDone: boolean } }

/** An error of the API as a link carries it; any other error stays as it is, and is told as unexpected. */
export function toldOverLink(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error
  const { kind, status, body, headers } = error
  const told: Told = { kind, status, body, headers }
  if (error instanceof NotMine) told.notMine = { ref: error.ref, mayBeDone: error.mayBeDone }
  return new LinkRefused(NAME, error.message, told)
}

/** The error of the API that another node told; any other error stays as it is. */
export function heardOverLink(error: unknown): unknown {
  if (!(error instanceof LinkRefused) || error.name !== NAME) return error
  // the other node runs this code, or that of a neighbouring version
  const { kind, status, body, headers, notMine } = error.data as Told
  if (notMine) return new NotMine(notMine.ref, notMine.mayBeDone)
  return new ApiError(kind, status, { ...body, message: error.message }, { ...headers })
}
