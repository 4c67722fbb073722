/** One bad field of a request: its fault, and the value that was sent when it helps. */
export type FieldError = { message: string; value?: unknown }
/** Bad fields keyed by path: `body.name`, `query.limit`, `path.teamId`, `body.files[3].size`. */
export type FieldErrors = Record<string, FieldError>

/** Any error that the API answers. `body` is exactly what goes on the wire. spec: Errors */
export class ApiError extends Error {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  /** The function in this file that made it; a route lists these in `throws`. */
  readonly kind: string

  constructor(
    kind: string,
    status: number,
    body: { message: string } & Record<string, unknown>,
    headers: Record<string, string> = {},
  ) {
    super(body.message)
    this.kind = kind
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** No answer names more bad fields, or repeats more of a text, however large the body was. */
export const MAX_DETAILS = 1_000
const MAX_VALUE_CHARACTERS = 200

const inShort = (field: FieldError): FieldError =>
  typeof field.value === 'string' ? { ...field, value: field.value.slice(0, MAX_VALUE_CHARACTERS) } : field

/** 400: a bad value in path, query or body; `details` names every one of them, up to `MAX_DETAILS`. */
export const invalid = (details: FieldErrors, message = 'Validation Failed') => {
  const fields = Object.entries(details).slice(0, MAX_DETAILS)
  return new ApiError('invalid', 400, {
    message,
    details: Object.fromEntries(fields.map(([path, field]) => [path, inShort(field)])),
  })
}
/** 400: the body is not JSON, or too deep. */
export const malformedBody = (message = 'Malformed JSON body') => new ApiError('invalid', 400, { message, details: {} })
/** 400: `update` of a graphic that is not on air. spec: States and transitions */
export const notOnAir = (presetId?: number) =>
  new ApiError('notOnAir', 400, {
    message: 'The graphic is not on air',
    details:
      presetId === undefined ? {} : { 'body.presetId': { message: 'its graphic is not on air', value: presetId } },
  })
/** 400: `take` of what is not on preview. show-control: Commands */
export const notCued = (presetId?: number) =>
  new ApiError('notCued', 400, {
    message: presetId === undefined ? 'Nothing is on preview' : 'The preset is not on preview',
    details: presetId === undefined ? {} : { 'body.presetId': { message: 'not on preview', value: presetId } },
  })
/** 401: key missing, unknown, badly sent, or two different ones. spec: Authentication 3 */
export const unauthenticated = (message = 'API key missing or unknown') =>
  new ApiError('unauthenticated', 401, { message, code: 'UNAUTHENTICATED' })
/** 401: spec: Authentication 8 */
export const keyExpired = () =>
  new ApiError('unauthenticated', 401, { message: 'API key expired', code: 'API_KEY_EXPIRED' })
/** 403: spec: Authentication 7 */
export const insufficientScope = (scope: string) =>
  new ApiError('forbidden', 403, { message: `Missing scope: ${scope}`, code: 'INSUFFICIENT_SCOPE' })
/** 403: a resource of another organization. spec: Authentication 11 */
export const forbidden = () =>
  new ApiError('forbidden', 403, { message: 'The resource belongs to another organization', code: 'FORBIDDEN' })
/** 403: the page of another origin asked with the cookies of the person who looks at it. */
export const notOurPage = () =>
  new ApiError('forbidden', 403, { message: 'Only pages of this server may ask for this', code: 'FORBIDDEN' })
/** 403: admins have no say about owners. */
export const ownersOnly = () =>
  new ApiError('forbidden', 403, { message: 'Only an owner may do this to an owner', code: 'FORBIDDEN' })
/** 403: nodes are of the operator of the service, and no organization of several is that. */
export const operatorOnly = () =>
  new ApiError('forbidden', 403, {
    message:
      'Several organizations share these nodes: only `admin nodes drain` and `admin nodes undrain` on a machine do this',
    code: 'FORBIDDEN',
  })
/** 404 */
export const notFound = (message = 'Not Found') => new ApiError('notFound', 404, { message })
/** 405: a known path, another method. */
export const methodNotAllowed = (allow: string) =>
  new ApiError('methodNotAllowed', 405, { message: 'Method Not Allowed' }, { Allow: allow })
/** 409: the same Idempotency-Key with another body or on another operation. */
export const idempotencyConflict = () =>
  new ApiError('idempotencyConflict', 409, { message: 'Idempotency-Key was used with another request' })
/** 409: one e-mail address is one person. */
export const emailTaken = (email: string) =>
  new ApiError('emailTaken', 409, { message: `There is a user with the e-mail address ${email} already` })
/** 409: the last owner must stay, to let others in. */
export const lastOwner = () => new ApiError('lastOwner', 409, { message: 'The last owner of an organization stays' })
/** 409: spec: Optimistic concurrency */
export const targetChanged = () =>
  new ApiError('targetChanged', 409, {
    message: 'Changed since it was read: read it again and resend',
    code: 'TARGET_CHANGED',
  })
/** 409: what would miss it is named, as words for people. game-plan: Brands and sponsor slots */
export const inUse = (what: string, uses: readonly string[]) =>
  new ApiError('inUse', 409, { message: `${what} is in use: ${uses.join(', ')}`, code: 'IN_USE', uses })
/** 409: game-plan: the overlay plays no plan that could be told something. */
export const notAutomatic = () =>
  new ApiError('notAutomatic', 409, {
    message: 'The overlay plays no game plan: autoMode is off, or the plan is empty',
    code: 'NOT_AUTOMATIC',
  })
/** 409: the last command that changed what is on air is too long ago, was undone, or others came after it. show-control: Commands */
export const nothingToUndo = () =>
  new ApiError('nothingToUndo', 409, {
    message: 'There is nothing to undo: the last command was more than 30 s ago, or its graphics have changed since',
    code: 'NOTHING_TO_UNDO',
  })
/** 409: more instances would be loaded on one overlay than it keeps. integrations: OGraf Server API */
export const tooManyInstances = (most: number) =>
  new ApiError('tooManyInstances', 409, { message: `${most} graphics are loaded already: clear some of them` })
/** 550: a method of an OGraf graphic threw, was rejected, or answered that it failed. integrations: OGraf Server API */
export const graphicThrew = (message: string) => new ApiError('graphicThrew', 550, { message })
/** 409: a rehearsal begins with nothing on air. show-control: Commands */
export const onAirNow = () =>
  new ApiError('onAirNow', 409, {
    message: 'Graphics are on air: take them off, and then rehearse',
    code: 'ON_AIR',
  })
/** 409: the rundown is not where the caller has seen it. show-control: Commands */
export const rundownMoved = (position: { cuedId: string | null; takenId: string | null }) =>
  new ApiError('rundownMoved', 409, {
    message: 'Somebody else moved the rundown meanwhile',
    code: 'RUNDOWN_MOVED',
    position,
  })
/** 409: nothing is left in that direction that could be cued. show-control: Commands */
export const rundownAtEnd = (direction: 'next' | 'previous', skipped: number) =>
  new ApiError('rundownAtEnd', 409, {
    message: `The rundown has no ${direction === 'next' ? 'next' : 'previous'} item${skipped === 0 ? '' : ' that can be shown'}`,
    code: 'RUNDOWN_AT_END',
  })
/** 404: there is no picture of this preset; `reason` is for people. show-control: Pictures */
export const stillMissing = (reason: string) => new ApiError('stillMissing', 404, { message: reason, code: 'NO_STILL' })
/** 409: spec: Graphic versions and lock. `holder` is null when the lock expired between check and answer. */
export const locked = (holder: { userName: string } | null) =>
  new ApiError('locked', 409, { message: 'The graphic is open in another editor', code: 'LOCKED', holder })
/** 400: spec: Endpoints 20, 21 */
export const codeGraphicInvalid = (rules: string[]) =>
  new ApiError('codeGraphicInvalid', 400, {
    message: 'The code graphic is invalid',
    code: 'CODE_GRAPHIC_INVALID',
    details: rules,
  })
/** 400: an archive of OGraf graphics of which nothing is imported, in the shape of the answer. integrations: OGraf import */
export const ografInvalid = (errors: readonly { file: string; path: string; message: string }[]) =>
  new ApiError('ografInvalid', 400, {
    message: 'Nothing is imported: the archive has faults',
    graphics: [],
    errors: errors.slice(0, MAX_DETAILS),
  })
/** 409: the one file of an upload was received, or is just being received. */
export const uploadReceived = () =>
  new ApiError('uploadReceived', 409, { message: 'The upload has received its bytes, or is receiving them' })
/** 410: the time in which an upload takes its bytes is over. */
export const uploadExpired = () => new ApiError('uploadExpired', 410, { message: 'The upload has expired' })
type MotionCode = 'INVALID_REQUEST' | 'NOT_FOUND' | 'SOURCE_IMPORTS_UNAVAILABLE'
const motion = (code: MotionCode, message: string, details: readonly { field: string; reason: string }[] = []) => ({
  message,
  code,
  ...(details.length > 0 && { details }),
})
/** 409: an import, or the graphic that it is for, is not in the state for it. */
export const importConflict = (message: string) => new ApiError('importConflict', 409, { message })
/** 410: the candidate or source was there, and is kept no longer. */
export const sourceGone = (message = 'The file has expired: upload it again') =>
  new ApiError('sourceGone', 410, { message })
/** 503: no more files are taken in now. spec: Errors, motion graphics */
export const importsUnavailable = () =>
  new ApiError(
    'importsUnavailable',
    503,
    motion('SOURCE_IMPORTS_UNAVAILABLE', 'Too many files wait to be imported, try again'),
    { 'Retry-After': '30' },
  )
/** The same refusal in the words of list, uploads and file metadata of motion graphics. spec: Errors, motion graphics */
export function inMotionFamily(error: ApiError): ApiError {
  const { kind, status, body, headers } = error
  if (kind === 'notFound') return new ApiError(kind, status, motion('NOT_FOUND', error.message), headers)
  if (kind !== 'invalid') return error
  const details = Object.entries(body.details as FieldErrors).map(([field, { message }]) => ({
    field,
    reason: message,
  }))
  return new ApiError(kind, status, motion('INVALID_REQUEST', error.message, details), headers)
}
/** 413 */
export const bodyTooLarge = (maxBytes: number) =>
  new ApiError('bodyTooLarge', 413, { message: `The body is larger than ${maxBytes} bytes` })
/** 429 */
export const tooManyRequests = (headers: Record<string, string>, message = 'The API key has made too many requests') =>
  new ApiError('tooManyRequests', 429, { message }, headers)
/** 500: says nothing about the inside. */
export const unexpected = () => new ApiError('unexpected', 500, { message: 'Unexpected error' })
/** 503: this machine lacks a program or right that the operation needs; `reason` names it, for people. */
export const mediaMissing = (reason: string) => new ApiError('mediaMissing', 503, { message: reason })
/** 503: the database is out of reach, the actor is quarantined, or the node is draining. */
export const unavailable = (retryAfterSeconds = 1) => new ApiError(...unavailableFor(retryAfterSeconds))
const unavailableFor = (seconds: number) =>
  ['unavailable', 503, { message: 'Temporarily unavailable, try again' }, { 'Retry-After': String(seconds) }] as const
/**
 * 503 where nobody takes it up: the actor belongs to another node, which is asked instead. `mayBeDone`: the command was on its way to
 * the database when this node lost the actor, so that the owner of now looks into the journal first.
 */
export class NotMine extends ApiError {
  readonly ref: string
  readonly mayBeDone: boolean

  constructor(ref: string, mayBeDone = false) {
    const { stackTraceLimit } = Error
    // the router takes it up, and to write down where it came from costs more than all else about it
    Error.stackTraceLimit = 0
    super(...unavailableFor(1))
    Error.stackTraceLimit = stackTraceLimit
    this.ref = ref
    this.mayBeDone = mayBeDone
  }
}
/** 426: a WebSocket in a version that nobody speaks any more. RFC 6455 4.4 */
export const upgradeRequired = (version: string) =>
  new ApiError(
    'upgradeRequired',
    426,
    { message: `Upgrade Required: WebSocket version ${version}` },
    { Upgrade: 'websocket', 'Sec-WebSocket-Version': version },
  )
