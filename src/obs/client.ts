import { createHash } from 'node:crypto'
import type { LookupFunction } from 'node:net'
import WebSocket from 'ws'
import { z } from 'zod'

/** Keeps connections to addresses that are allowed. Both throw or fail with an error whose message is for people. */
export type Guard = { readonly lookup: LookupFunction; checked(httpUrl: string): URL }

export type Obs = { url: string; password: string | null }

/** Why sources were not refreshed, in words for people. `again`: it may be otherwise in a moment. */
export class ObsError extends Error {
  readonly again: boolean

  constructor(message: string, again: boolean) {
    super(message)
    this.again = again
  }
}

/** A whole visit. An OBS in the same house answers in milliseconds. */
const WITHIN_MS = 5_000
const MAX_BYTES = 4_194_304
/** Of the protocol; OBS 28 and later speak it. */
const RPC_VERSION = 1

const HELLO = 0
const IDENTIFY = 1
const IDENTIFIED = 2
const REQUEST = 6
const RESPONSE = 7

const Hello = z.object({ authentication: z.object({ challenge: z.string(), salt: z.string() }).optional() })
const Response = z.object({
  requestId: z.string(),
  requestStatus: z.object({ result: z.boolean(), code: z.number(), comment: z.string().optional() }),
  responseData: z.unknown().optional(),
})
const Message = z.object({ op: z.number(), d: z.unknown() })
const InputList = z.object({ inputs: z.array(z.object({ inputName: z.string() })) })
const InputSettings = z.object({ inputSettings: z.object({ url: z.string().optional() }) })

/** Close codes of the protocol that mean something to people. */
const CLOSED: Readonly<Record<number, string>> = {
  4009: 'OBS refused the password',
  4010: 'OBS speaks another version of obs-websocket: 5 is needed, which OBS has since 28',
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64')

/** How the password is proven without being sent. obs-websocket 5: Creating an authentication string */
export const authentication = (password: string, { challenge, salt }: { challenge: string; salt: string }) =>
  sha256(sha256(password + salt) + challenge)

/**
 * Has OBS load every browser source anew, cache and all, whose URL `isOurs`; answers their names. The whole visit takes at most `withinMs`.
 * Throws ObsError.
 */
export async function refreshSources(
  { url, password }: Obs,
  isOurs: (url: string) => boolean,
  guard: Guard,
  withinMs = WITHIN_MS,
): Promise<string[]> {
  const session = open(url, password, guard, withinMs)
  try {
    await session.identified
    const { inputs } = await session.ask('GetInputList', { inputKind: 'browser_source' }, InputList)
    const names = await Promise.all(
      inputs.map(async ({ inputName }) => {
        const { inputSettings } = await session.ask('GetInputSettings', { inputName }, InputSettings)
        return inputSettings.url !== undefined && isOurs(inputSettings.url) ? [inputName] : []
      }),
    )
    const ours = names.flat()
    const press = { propertyName: 'refreshnocache' }
    await Promise.all(ours.map((inputName) => session.ask('PressInputPropertiesButton', { inputName, ...press })))
    return ours
  } finally {
    session.close()
  }
}

type Asked = { done(data: unknown): void; failed(error: ObsError): void }

/** One connection. What goes wrong with it ends every question, once. */
function open(url: string, password: string | null, guard: Guard, withinMs: number) {
  const target = new URL(url)
  try {
    guard.checked(url.replace(/^ws/i, 'http'))
  } catch (error) {
    throw new ObsError(messageOf(error), false)
  }
  const asked = new Map<string, Asked>()
  let begun = () => {}
  let failedToBegin = (_: ObsError) => {}
  const identified = new Promise<void>((resolve, reject) => {
    begun = resolve
    failedToBegin = reject
  })
  // somebody waits for it, or for an answer, or for neither any more
  identified.catch(() => {})
  let ended: ObsError | undefined
  let questions = 0
  const end = (error: ObsError) => {
    if (ended) return
    ended = error
    failedToBegin(error)
    for (const { failed } of asked.values()) failed(error)
    asked.clear()
    socket.terminate()
  }
  const socket = new WebSocket(target, 'obswebsocket.json', {
    lookup: guard.lookup,
    maxPayload: MAX_BYTES,
    perMessageDeflate: false,
    followRedirects: false,
  })
  const late = setTimeout(() => end(new ObsError(`OBS did not answer within ${withinMs / 1000} s`, true)), withinMs)
  const send = (op: number, d: object) => socket.send(JSON.stringify({ op, d }), () => {})

  const heard = ({ op, d }: z.output<typeof Message>) => {
    if (op === HELLO) {
      const { authentication: wanted } = Hello.parse(d)
      if (wanted && password === null) return end(new ObsError('OBS asks for a password, and none is set', false))
      const proof = wanted && password !== null ? { authentication: authentication(password, wanted) } : {}
      return send(IDENTIFY, { rpcVersion: RPC_VERSION, eventSubscriptions: 0, ...proof })
    }
    if (op === IDENTIFIED) return begun()
    if (op !== RESPONSE) return
    const { requestId, requestStatus, responseData } = Response.parse(d)
    const waiting = asked.get(requestId)
    asked.delete(requestId)
    if (requestStatus.result) waiting?.done(responseData)
    else waiting?.failed(new ObsError(`OBS answered: ${requestStatus.comment ?? `code ${requestStatus.code}`}`, true))
  }
  socket.on('message', (data) => {
    try {
      heard(Message.parse(JSON.parse(String(data))))
    } catch {
      end(new ObsError('What answers there is no obs-websocket', false))
    }
  })
  socket.on('unexpected-response', () => end(new ObsError('What answers there is no obs-websocket', false)))
  socket.on('error', (error) => end(faultOf(error, target)))
  socket.on('close', (code) => {
    const words = CLOSED[code]
    end(words === undefined ? new ObsError('OBS closed the connection', true) : new ObsError(words, false))
  })
  return {
    identified,
    async ask<Shape extends z.ZodType = z.ZodUnknown>(
      requestType: string,
      requestData: object,
      shape?: Shape,
    ): Promise<z.output<Shape>> {
      const data = await new Promise<unknown>((done, failed) => {
        if (ended) return failed(ended)
        const requestId = String(++questions)
        asked.set(requestId, { done, failed })
        send(REQUEST, { requestType, requestId, requestData })
      })
      const read = (shape ?? z.unknown()).safeParse(data)
      if (!read.success) throw new ObsError('What answers there is no obs-websocket', false)
      return read.data as z.output<Shape>
    },
    close() {
      clearTimeout(late)
      ended ??= new ObsError('OBS is done', false)
      socket.close()
      // one that does not close on its side is not waited for
      setTimeout(() => socket.terminate(), 1_000).unref()
    },
  }
}

/** Of an error of the system its code: the message names addresses. */
function faultOf(error: Error, { host }: URL): ObsError {
  if ('reason' in error) return new ObsError(error.message, error.reason !== 'refused')
  const code = 'code' in error ? String(error.code) : error.name
  return new ObsError(code === 'ENOTFOUND' ? `The name of ${host} is not known` : `Cannot reach ${host}: ${code}`, true)
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
