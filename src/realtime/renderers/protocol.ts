import { z } from 'zod'
import { SetValue } from '../../schema/set-value.ts'

const seq = z.int().min(0)
// control characters and lone surrogates are refused: it goes into the database and into frames
const graphicId = z.string().regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u)
const told = z.string().regex(/^[^\p{Cc}\p{Cs}]{1,300}$/u)
const values = z.record(z.string(), SetValue)

/** A graphic that a renderer has on screen, as of a seq. */
export const Showing = z.strictObject({ graphicId, seq })
export type Showing = z.infer<typeof Showing>

/** Server, at once on open. contract: The overlay page and its socket */
export const Hello = z.strictObject({
  type: z.literal('HELLO'),
  payload: z.strictObject({ width: z.number(), height: z.number() }),
})

/** Renderer: the graphics that it has on screen, after HELLO; or, after it painted, one graphic as of a seq. */
export const Ready = z.strictObject({
  type: z.literal('READY'),
  payload: z.union([z.strictObject({ showing: z.array(Showing).max(500) }), Showing]),
})
export type Ready = z.infer<typeof Ready>

/** Why a graphic is not on screen, or not as it should be, as the renderer has it. */
export const Problem = z.strictObject({ graphicId, graphicName: told, message: told })
export type Problem = z.infer<typeof Problem>

/** Renderer that opened its socket with `?problems=1`: all problems that it has now, in place of those it told before. */
export const Problems = z.strictObject({
  type: z.literal('PROBLEMS'),
  payload: z.strictObject({
    problems: z.array(Problem).max(20),
    outOfView: z
      .boolean()
      .optional()
      .meta({ description: 'Its program does not show it now: nothing is painted until it does' }),
  }),
})
export type ToldProblems = z.infer<typeof Problems>['payload']

/** Renderer: an OGraf graphic that plays out by itself has done so, as of the seq that it was shown with. */
export const Played = z.strictObject({ type: z.literal('PLAYED'), payload: Showing })

const answerText = z.string().regex(/^[^\p{Cc}\p{Cs}]{0,300}$/u)

/**
 * Renderer that opened its socket with `?answers=1`: how the call of a frame ended in an OGraf graphic. `error`: its method threw, was rejected, or
 * answered a status of 400 and above. `currentStep`: as a `playAction` has said it.
 */
export const Answered = z.strictObject({
  type: z.literal('ANSWER'),
  payload: z.strictObject({
    call: z.string().min(1).max(100),
    statusCode: z.number().optional(),
    statusMessage: answerText.optional(),
    currentStep: z.int().min(0).optional(),
    error: answerText.optional(),
  }),
})
export type Answered = z.infer<typeof Answered>['payload']

/** A call that goes out to the renderers of an overlay, and the graphic that it asks. */
export type Asked = { overlayId: number; id: string; graphicId: string; graphicName: string }

const instance = z.string().optional().meta({ description: 'Of the OGraf Server API: which of its instances this is' })

const Call = z.strictObject({
  id: z.string(),
  skipAnimation: z.literal(true).optional(),
  delta: z.int().optional(),
  goto: z.int().optional(),
})
const call = Call.optional().meta({
  description:
    'Beta. Somebody waits for how this ends: `ANSWER` has the same `id` as its `call`. With `delta` or `goto` it is a play, and the graphic is asked so',
})

const skipAnimation = z
  .literal(true)
  .optional()
  .meta({ description: 'Beta. The command asked for its last picture at once: the graphic is told `settled`' })

const together = z
  .int()
  .min(2)
  .optional()
  .meta({ description: 'So many frames with this `seq` are one command: a renderer shows them in the same picture' })

const step = z
  .int()
  .min(0)
  .optional()
  .meta({ description: 'Where an OGraf graphic stands, from 0; left out of others' })

export const CustomAction = z
  .strictObject({ id: z.string(), payload: z.unknown().optional() })
  .meta({ id: 'CustomAction' })

/** Server: a graphic to put on screen. `seq` is that of its latest load or update. */
export const LoadGraphic = z.strictObject({
  type: z.literal('LOAD_GRAPHIC'),
  payload: z.strictObject({
    graphicId,
    graphicName: z.string(),
    kind: z.enum(['code', 'rive', 'ograf']),
    version: z.int(),
    url: z.url(),
    presetId: z.int(),
    sport: z.string(),
    variableValues: values,
    step,
    themeVariables: z.record(z.string(), z.unknown()),
    data: z.unknown(),
    seq,
    instance,
    call,
    skipAnimation,
    together,
  }),
})

/** Server: new values or data of a graphic on screen; `onAir: false` takes it off. */
export const GraphicUpdate = z.strictObject({
  type: z.literal('GRAPHIC_UPDATE'),
  payload: z.strictObject({
    graphicId,
    onAir: z.boolean(),
    sport: z.string(),
    seq,
    variableValues: values.optional(),
    presetId: z.int().optional(),
    step,
    customAction: CustomAction.optional().meta({ description: 'What the graphic does once, now' }),
    themeVariables: z.record(z.string(), z.unknown()).optional(),
    data: z.unknown().optional(),
    call,
    skipAnimation,
    together,
  }),
})
export type GraphicUpdate = z.infer<typeof GraphicUpdate>

/** Server: an OGraf graphic to load out of sight, so that it plays at once; or new values or an action of one that is. */
export const PrepareGraphic = z.strictObject({
  type: z.literal('PREPARE_GRAPHIC'),
  payload: z.strictObject({
    graphicId,
    graphicName: z.string(),
    kind: z.literal('ograf'),
    version: z.int(),
    url: z.url(),
    variableValues: values,
    instance: z.string(),
    seq,
    sport: z.string(),
    call: Call,
    customAction: CustomAction.optional(),
  }),
})

export const ServerFrame = z.discriminatedUnion('type', [Hello, LoadGraphic, GraphicUpdate, PrepareGraphic])
export type ServerFrame = z.infer<typeof ServerFrame>

/** The one HELLO there is. */
export const helloText = JSON.stringify({ type: 'HELLO', payload: { width: 1920, height: 1080 } })

export type ClientFrame =
  | { showing: readonly Showing[] }
  | ToldProblems
  | { played: Showing }
  | { answered: Answered }
  | Showing

const RendererFrame = z.discriminatedUnion('type', [Ready, Problems, Played, Answered])

// a paint report as JSON.stringify writes it: thousands of these come in a second
const paintReport = /^\{"type":"READY","payload":\{"graphicId":"([\w.:-]{1,200})","seq":(\d{1,15})\}\}$/

/** The frame of a renderer, or undefined when the text is not a message of this protocol. Safe for any text and any depth. */
export function parseClientFrame(text: string): ClientFrame | undefined {
  const report = paintReport.exec(text)
  if (report?.[1] !== undefined) return { graphicId: report[1], seq: Number(report[2]) }
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return undefined
  }
  // the schema looks at most four levels deep, so depth costs nothing
  const frame = RendererFrame.safeParse(json)
  if (!frame.success) return undefined
  if (frame.data.type === 'ANSWER') return { answered: frame.data.payload }
  return frame.data.type === 'PLAYED' ? { played: frame.data.payload } : frame.data.payload
}
