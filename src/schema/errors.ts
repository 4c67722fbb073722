import { z } from 'zod'
import { RundownPosition } from './rundown-position.ts'

const message = z.string()

/** spec: Errors */
export const ValidationError = z
  .strictObject({ message, details: z.record(z.string(), z.unknown()) })
  .meta({ id: 'ValidationError' })
/** spec: Errors */
export const AuthenticationError = z
  .strictObject({ message, code: z.enum(['UNAUTHENTICATED', 'API_KEY_EXPIRED']) })
  .meta({ id: 'AuthenticationError' })
/** spec: Errors */
export const AuthorizationError = z
  .strictObject({ message, code: z.enum(['INSUFFICIENT_SCOPE', 'FORBIDDEN']) })
  .meta({ id: 'AuthorizationError' })
/** 404, 405, 413, 429, 500, 503 and the conflicts without a code. spec: Errors */
export const PlainError = z.strictObject({ message }).meta({ id: 'PlainError' })
/** spec: Errors */
export const CodeGraphicInvalidError = z
  .strictObject({ message, code: z.literal('CODE_GRAPHIC_INVALID'), details: z.array(z.string()) })
  .meta({ id: 'CodeGraphicInvalidError' })
/** integrations: OGraf import */
export const OgrafInvalidError = z
  .strictObject({
    message,
    graphics: z.array(z.never()).length(0),
    errors: z.array(z.object({ file: z.string(), path: z.string(), message: z.string() })),
  })
  .meta({ id: 'OgrafInvalidError' })
/** spec: Errors */
export const TargetChangedError = z
  .strictObject({ message, code: z.literal('TARGET_CHANGED') })
  .meta({ id: 'TargetChangedError' })
/** game-plan: Brands and sponsor slots */
export const InUseError = z
  .strictObject({
    message,
    code: z.literal('IN_USE'),
    uses: z.array(z.string()).meta({ description: 'What would miss it, as words for people' }),
  })
  .meta({ id: 'InUseError' })
/** A preset without a picture; the message says why. show-control: Pictures */
export const NoStillError = z.strictObject({ message, code: z.literal('NO_STILL') }).meta({ id: 'NoStillError' })
export const OnAirError = z.strictObject({ message, code: z.literal('ON_AIR') }).meta({ id: 'OnAirError' })

export const NothingToUndoError = z
  .strictObject({ message, code: z.literal('NOTHING_TO_UNDO') })
  .meta({ id: 'NothingToUndoError' })

export const RundownMovedError = z
  .strictObject({ message, code: z.literal('RUNDOWN_MOVED'), position: RundownPosition })
  .meta({ id: 'RundownMovedError' })

export const RundownAtEndError = z
  .strictObject({ message, code: z.literal('RUNDOWN_AT_END') })
  .meta({ id: 'RundownAtEndError' })

export const NotAutomaticError = z
  .strictObject({ message, code: z.literal('NOT_AUTOMATIC') })
  .meta({ id: 'NotAutomaticError' })
/** spec: Errors */
export const LockedError = z
  .strictObject({
    message,
    code: z.literal('LOCKED'),
    holder: z.strictObject({ userName: z.string() }).nullable(),
  })
  .meta({ id: 'LockedError' })
/** spec: Errors, motion graphics */
export const MotionError = z
  .strictObject({
    message,
    code: z.enum(['INVALID_REQUEST', 'NOT_FOUND', 'SOURCE_IMPORTS_UNAVAILABLE']),
    details: z
      .array(
        z.strictObject({ field: z.string().meta({ description: 'Path of the failing value' }), reason: z.string() }),
      )
      .optional(),
  })
  .meta({ id: 'MotionError' })

/** Any error of the OGraf Server API; members of ours stand beside. RFC 7807 */
export const ProblemDetails = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    instance: z.string().meta({ description: 'The path that was asked' }),
    code: z.string().optional(),
    details: z.record(z.string(), z.unknown()).optional().meta({ description: 'Of a bad request: each bad field' }),
  })
  .meta({ id: 'ProblemDetails' })
