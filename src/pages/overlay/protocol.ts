export type Size = { width: number; height: number }

/** The message that a graphic's iframe gets; unknown members are passed on untouched. */
export type LoadGraphic = {
  graphicId: string
  graphicName: string
  kind: 'code' | 'rive' | 'ograf'
  url: string
  seq: number
  sport: string
  [member: string]: unknown
}

export type GraphicUpdate = {
  graphicId: string
  onAir: boolean
  seq: number
  sport: string
  [member: string]: unknown
}

export type ServerFrame =
  | { type: 'HELLO'; payload: Size }
  | { type: 'LOAD_GRAPHIC'; payload: LoadGraphic }
  | { type: 'GRAPHIC_UPDATE'; payload: GraphicUpdate }
  | { type: 'PREPARE_GRAPHIC'; payload: LoadGraphic }

export type Showing = { graphicId: string; seq: number }

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const membersOf = (value: unknown) => (isRecord(value) ? value : {})

/**
 * A message with the values in force: those that were set over the defaults of the graphic. `data` is the newest that the
 * graphic was given. One without values stays as it is.
 */
export const inForce = <Message extends LoadGraphic | GraphicUpdate>(message: Message, data: unknown): Message =>
  message.variableValues === undefined
    ? message
    : { ...message, variableValues: { ...membersOf(membersOf(data).defaults), ...membersOf(message.variableValues) } }

/** Reads a frame of the server; undefined for anything else, which a page on program ignores. */
export function readServerFrame(text: unknown): ServerFrame | undefined {
  if (typeof text !== 'string') return undefined
  try {
    const frame: unknown = JSON.parse(text)
    if (!isRecord(frame) || !isRecord(frame.payload)) return undefined
    const { type, payload } = frame
    if (type === 'HELLO') return isSize(payload) ? { type, payload } : undefined
    if (type === 'LOAD_GRAPHIC' || type === 'PREPARE_GRAPHIC') return isLoad(payload) ? { type, payload } : undefined
    if (type === 'GRAPHIC_UPDATE') return isUpdate(payload) ? { type, payload } : undefined
  } catch {
    return undefined
  }
  return undefined
}

const isSize = (payload: Record<string, unknown>): payload is Record<string, unknown> & Size =>
  Number(payload.width) > 0 && Number(payload.height) > 0

const isLoad = (payload: Record<string, unknown>): payload is LoadGraphic =>
  typeof payload.graphicId === 'string' && typeof payload.url === 'string' && typeof payload.seq === 'number'

const isUpdate = (payload: Record<string, unknown>): payload is GraphicUpdate =>
  typeof payload.graphicId === 'string' && typeof payload.onAir === 'boolean' && typeof payload.seq === 'number'

/** The `READY` that a graphic posts: the handshake has no seq, a paint has one. */
export function readGraphicReady(message: unknown): { seq?: number; paints: boolean } | undefined {
  if (!isRecord(message) || message.type !== 'READY') return undefined
  const payload = isRecord(message.payload) ? message.payload : {}
  return Number.isInteger(payload.seq)
    ? { seq: Number(payload.seq), paints: true }
    : { paints: payload.reportsPaint === true }
}

/** The `PLAYED` that the page of an OGraf graphic posts: it has played to its end by itself. Answers as of which seq. */
export function readGraphicPlayed(message: unknown): number | undefined {
  if (!isRecord(message) || message.type !== 'PLAYED') return undefined
  const seq = isRecord(message.payload) ? message.payload.seq : undefined
  return Number.isInteger(seq) ? Number(seq) : undefined
}

/** How a call ended. */
export type Answer = { call: string; statusCode?: number; statusMessage?: string; currentStep?: number; error?: string }

/** The `ANSWER` that the page of an OGraf graphic posts: how what a frame asked of the graphic has ended. */
export function readGraphicAnswer(message: unknown): Answer | undefined {
  if (!isRecord(message) || message.type !== 'ANSWER' || !isRecord(message.payload)) return undefined
  const { call, statusCode, statusMessage, currentStep, error } = message.payload
  if (typeof call !== 'string' || call === '' || call.length > 100) return undefined
  return {
    call,
    ...(typeof statusCode === 'number' && Number.isFinite(statusCode) && { statusCode }),
    ...(typeof statusMessage === 'string' && { statusMessage: inOneLine(statusMessage) }),
    ...(Number.isSafeInteger(currentStep) && Number(currentStep) >= 0 && { currentStep: Number(currentStep) }),
    ...(typeof error === 'string' && { error: inOneLine(error) }),
  }
}

/** Without characters that the server refuses, and no longer than it takes. */
const inOneLine = (text: string) =>
  Array.from(text.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim())
    .slice(0, LONGEST_ERROR)
    .join('')

const LONGEST_ERROR = 200

type Payload = { readonly [member: string]: unknown }

/** The call whose end the server waits for, if it does. `isPlay`: it says to which step, or by how many. */
export function callOf({ call }: Payload): { id: string; isPlay: boolean } | undefined {
  const { id, delta, goto } = membersOf(call)
  return typeof id === 'string' ? { id, isPlay: delta !== undefined || goto !== undefined } : undefined
}

/**
 * What the server is told of how a call ended. One of the release before closes the socket at an answer with a step; its calls have neither
 * `delta` nor `goto`.
 */
export const toldOf = ({ currentStep, ...answer }: Answer, isPlay: boolean): Answer => ({
  ...answer,
  ...(isPlay && currentStep !== undefined && { currentStep }),
})

/** Whether nobody wants to see the way there. */
export const isAtOnce = ({ call, skipAnimation }: Payload): boolean =>
  skipAnimation === true || membersOf(call).skipAnimation === true

/** The `ERROR` that a graphic may post, for `?debug`. */
export function readGraphicError(message: unknown): string | undefined {
  if (!isRecord(message) || message.type !== 'ERROR') return undefined
  const said = isRecord(message.payload) ? message.payload.message : undefined
  return typeof said === 'string' ? said.slice(0, LONGEST_ERROR) : 'unknown'
}

/** The answer of a graphic's page, before the graphic hears of it: the question it got to, 0 when it starts, -1 when it is left. */
export function readGraphicPulse(message: unknown): number | undefined {
  if (!isRecord(message) || message.type !== 'PULSE') return undefined
  const id = isRecord(message.payload) ? message.payload.id : undefined
  return typeof id === 'number' ? id : undefined
}
