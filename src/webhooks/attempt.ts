import { createHmac } from 'node:crypto'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { codeOf, type Guarded, isRedirect, OutboundError } from '../store/outbound.ts'
import type { Endpoint } from './registry.ts'

/** integrations: an endpoint answers within 15 s. */
const ANSWER_WITHIN_MS = 15_000
/** Of an answer only the status counts; the rest is read so far, for the connection to be used again. */
const READ_BYTES = 16_384
const READ_WITHIN_MS = 1_000
const IDLE_MS = 30_000
const LONGEST_RETRY_AFTER_MS = 86_400_000
/** Endpoints that are remembered; above that those without a connection are forgotten. */
const KEPT_TARGETS = 1_000

/** How an attempt went. `at`: ms since 1970. */
export type Attempt = {
  at: number
  /** Null: there was no answer. */
  status: number | null
  ms: number
  /** For people; null: it was taken. */
  error: string | null
  /** What the endpoint asks to wait, in ms; 0 when it does not. */
  retryAfterMs: number
}

export type Message = { eventId: string; body: string }

/** The header that proves who sent it: a signature by each key in force. Standard Webhooks 1.0 */
export function signatures(keys: Endpoint['keys'], { eventId, body }: Message, timestamp: number, now: number): string {
  const signed = `${eventId}.${timestamp}.${body}`
  return keys
    .filter(({ until }) => until > now)
    .map(({ secret }) => Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
    .join(' ')
}

/** Sends events to endpoints, over connections that are kept a moment for the next one. */
export function createSender({ lookup, checked }: Guarded, withinMs = ANSWER_WITHIN_MS) {
  // each keeps only connections to addresses that were checked for its own name
  const targets = new Map<number, Target>()

  /** Throws OutboundError. */
  const targetOf = ({ id, url: text }: Endpoint): Target => {
    const known = targets.get(id)
    if (known?.text === text) return known
    const url = checked(text)
    known?.agent.destroy()
    if (targets.size >= KEPT_TARGETS) forgetIdle()
    const options = { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: 2 }
    const isSecure = url.protocol === 'https:'
    const agent = isSecure ? new HttpsAgent(options) : new HttpAgent(options)
    const { protocol, hostname, port, pathname, search } = url
    const target: Target = {
      ...{ text, url, agent, request: isSecure ? httpsRequest : httpRequest },
      // read out of the address once: each attempt would do it again
      asked: {
        ...{ protocol, method: 'POST', path: pathname + search, agent, lookup, maxHeaderSize: 16_384 },
        hostname: hostname.replace(/^\[|\]$/g, ''),
        ...(port !== '' && { port }),
      },
    }
    targets.set(id, target)
    return target
  }

  const forgetIdle = () => {
    for (const [id, { agent }] of targets)
      if (Object.keys(agent.sockets).length + Object.keys(agent.freeSockets).length === 0) targets.delete(id)
  }

  const post = (
    { keys }: Endpoint,
    { url, asked, request: ask }: Target,
    message: Message,
    at: number,
    ending: Ending,
  ) =>
    new Promise<{ answer: IncomingMessage } | { error: unknown; reused: boolean }>((resolve) => {
      const timestamp = Math.floor(at / 1000)
      const headers = [
        ...['host', url.host, 'user-agent', 'Tally-Webhooks', 'content-type', 'application/json'],
        ...['content-length', String(Buffer.byteLength(message.body)), 'webhook-id', message.eventId],
        ...['webhook-timestamp', String(timestamp), 'webhook-signature', signatures(keys, message, timestamp, at)],
      ]
      const request = ask({ ...asked, headers })
      ending.of(() => request.destroy(new Error('ended')))
      request.on('response', (answer) => {
        drain(answer)
        resolve({ answer })
      })
      request.on('error', (error) => resolve({ error, reused: request.reusedSocket }))
      request.end(message.body)
    })

  return {
    /** One attempt; never rejects. */
    async send(endpoint: Endpoint, message: Message): Promise<Attempt> {
      const at = Date.now()
      const begun = performance.now()
      const ended = (status: number | null, error: string | null, retryAfterMs = 0): Attempt => ({
        ...{ at, status, ms: Math.round(performance.now() - begun), error, retryAfterMs },
      })
      const ending = endingOf(withinMs)
      let url: URL | undefined
      try {
        const target = targetOf(endpoint)
        url = target.url
        let outcome = await post(endpoint, target, message, at, ending)
        // the far end closed a kept connection just then: it has seen nothing
        if ('error' in outcome && outcome.reused && codeOf(outcome.error) === 'ECONNRESET' && !ending.isLate())
          outcome = await post(endpoint, target, message, at, ending)
        if ('answer' in outcome) {
          const { statusCode = 0, headers } = outcome.answer
          return ended(statusCode, faultOf(statusCode), waitOf(headers['retry-after'], at))
        }
        if (ending.isLate()) return ended(null, `no answer within ${withinMs / 1000} s`)
        return ended(null, wordsOf(outcome.error, url))
      } catch (error) {
        return ended(null, error instanceof OutboundError ? error.message : codeOf(error))
      } finally {
        ending.close()
      }
    },
    close(): void {
      for (const { agent } of targets.values()) agent.destroy()
      targets.clear()
    },
  }
}

type Target = {
  text: string
  url: URL
  agent: HttpAgent | HttpsAgent
  request: typeof httpRequest
  asked: RequestOptions
}
type Ending = ReturnType<typeof endingOf>

/** When an attempt is given up. Hundreds begin in the same moment: signals made of signals cost as much as the rest of an attempt. */
function endingOf(withinMs: number) {
  let isLate = false
  let end = () => {}
  const late = setTimeout(() => {
    isLate = true
    end()
  }, withinMs)
  return {
    isLate: () => isLate,
    /** `run` ends the attempt from now on when its time is up. */
    of(run: () => void) {
      end = run
      if (isLate) run()
    },
    close: () => clearTimeout(late),
  }
}

/** Reads a little of a body that nobody needs, so that the connection can be used again; a long or slow one ends the connection. */
function drain(answer: IncomingMessage): void {
  answer.on('error', () => {})
  if (answer.statusCode === 204 || answer.headers['content-length'] === '0') return void answer.resume()
  let bytes = 0
  const timer = setTimeout(() => answer.destroy(), READ_WITHIN_MS)
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > READ_BYTES) answer.destroy()
  })
  answer.on('close', () => clearTimeout(timer))
}

function faultOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  return isRedirect(status) ? `answered ${status}: redirects are not followed` : `answered ${status}`
}

/** `Retry-After` as seconds or a date. */
function waitOf(header: string | undefined, now: number): number {
  if (header === undefined) return 0
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return ms > 0 ? Math.min(ms, LONGEST_RETRY_AFTER_MS) : 0
}

// messages of the system name addresses of our network, codes do not
const wordsOf = (error: unknown, url: URL) =>
  error instanceof OutboundError ? error.message : `cannot reach ${url.host}: ${codeOf(error)}`
