import type { z } from 'zod'
import {
  AuthenticationError,
  AuthorizationError,
  CodeGraphicInvalidError,
  InUseError,
  LockedError,
  MotionError,
  NotAutomaticError,
  NothingToUndoError,
  OnAirError,
  PlainError,
  RundownAtEndError,
  RundownMovedError,
  TargetChangedError,
  ValidationError,
} from '../schema/errors.ts'

type ErrorAnswer = { status: number; schema: z.ZodType; description: string }

/** The answer of each error function of `errors.ts`, by its name. */
export const ERROR_ANSWERS: Readonly<Record<string, ErrorAnswer>> = {
  invalid: { status: 400, schema: ValidationError, description: 'A value in path, query or body is invalid' },
  malformedBody: { status: 400, schema: ValidationError, description: 'The body is not JSON' },
  notOnAir: { status: 400, schema: ValidationError, description: 'The graphic is not on air' },
  notCued: { status: 400, schema: ValidationError, description: 'Nothing of it is on preview' },
  codeGraphicInvalid: { status: 400, schema: CodeGraphicInvalidError, description: 'The code graphic breaks a rule' },
  unauthenticated: {
    status: 401,
    schema: AuthenticationError,
    description: 'The API key is missing, unknown, badly sent or expired',
  },
  keyExpired: { status: 401, schema: AuthenticationError, description: 'The API key expired' },
  forbidden: {
    status: 403,
    schema: AuthorizationError,
    description: 'The key lacks the scope, or the resource belongs to another organization',
  },
  insufficientScope: { status: 403, schema: AuthorizationError, description: 'The key lacks the scope' },
  notOurPage: { status: 403, schema: AuthorizationError, description: 'Another page than ours asked' },
  ownersOnly: { status: 403, schema: AuthorizationError, description: 'Only owners may do this to owners' },
  operatorOnly: {
    status: 403,
    schema: AuthorizationError,
    description: 'Several organizations are served by it: only who has a shell on a machine may do this',
  },
  notFound: { status: 404, schema: PlainError, description: 'There is no such resource' },
  idempotencyConflict: {
    status: 409,
    schema: PlainError,
    description: 'The Idempotency-Key was used with another request',
  },
  emailTaken: { status: 409, schema: PlainError, description: 'The e-mail address is taken' },
  lastOwner: { status: 409, schema: PlainError, description: 'It is the last owner' },
  targetChanged: { status: 409, schema: TargetChangedError, description: 'The target changed since it was read' },
  inUse: { status: 409, schema: InUseError, description: 'Something uses it' },
  nothingToUndo: {
    status: 409,
    schema: NothingToUndoError,
    description: 'The last command is too long ago, was undone, or others came after it',
  },
  onAirNow: { status: 409, schema: OnAirError, description: 'Graphics are on air' },
  rundownMoved: {
    status: 409,
    schema: RundownMovedError,
    description: 'The rundown is not where `ifPosition` says',
  },
  rundownAtEnd: {
    status: 409,
    schema: RundownAtEndError,
    description: 'No item is left in that direction that could be cued',
  },
  notAutomatic: { status: 409, schema: NotAutomaticError, description: 'The overlay plays no game plan' },
  locked: { status: 409, schema: LockedError, description: 'The graphic is open in another editor' },
  uploadReceived: { status: 409, schema: PlainError, description: 'The upload has received its bytes already' },
  uploadExpired: { status: 410, schema: PlainError, description: 'The upload has expired' },
  invalidMotion: { status: 400, schema: MotionError, description: 'A value in path, query or body is invalid' },
  motionNotFound: {
    status: 404,
    schema: MotionError,
    description: 'There is no such theme, import, graphic, version or file',
  },
  importConflict: {
    status: 409,
    schema: PlainError,
    description: 'The import or the graphic is not in the state for it',
  },
  sourceGone: { status: 410, schema: PlainError, description: 'The candidate or source is no longer available' },
  importsUnavailable: { status: 503, schema: MotionError, description: 'No files are taken in now' },
  bodyTooLarge: { status: 413, schema: PlainError, description: 'The body is too large' },
  tooManyRequests: { status: 429, schema: PlainError, description: 'The key has made too many requests' },
  unexpected: { status: 500, schema: PlainError, description: 'Unexpected error' },
  mediaMissing: {
    status: 503,
    schema: PlainError,
    description: 'The server lacks what this needs: ffmpeg, a protocol of it, or a browser; the message says which',
  },
  unavailable: { status: 503, schema: PlainError, description: 'Temporarily unavailable' },
}
