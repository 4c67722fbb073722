import { createHash, timingSafeEqual } from 'node:crypto'
import { clientAddress } from '../http/client-address.ts'
import { type HttpReply, type HttpRequest, hostOf } from '../http/message.ts'

type Asking = Pick<HttpRequest, 'header' | 'has' | 'remoteAddress'>

/** Headers that a proxy adds to a request; one that adds none keeps the host name that its client asked for. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']
const LOOPBACK = /^(127\.[\d.]+|[0:]*:0*1)$/
const OWN_NAME = /^(localhost|127\.[\d.]+|\[::1\])(:\d+)?$/i

/** Whether the request was made on this machine, and for nobody else: a balancer beside us asks from here too. */
export function fromThisMachine(request: Asking): boolean {
  if (!LOOPBACK.test(clientAddress(request, 0)) || FORWARDED.some((name) => request.has(name))) return false
  return !request.has('host') || OWN_NAME.test(hostOf(request))
}

/** The answer to a client that may not read the metrics; undefined for one that may. Without a token only this machine may. */
export function metricsRefusal(token: string | undefined, request: Asking): HttpReply | undefined {
  if (token !== undefined) return refusalByToken(token, request.header('authorization'))
  return fromThisMachine(request)
    ? undefined
    : refused(403, 'Metrics are read on the machine itself, or with METRICS_TOKEN or METRICS_PORT')
}

/** The answer to a client that does not send `Authorization: Bearer` with the token. */
export function refusalByToken(token: string, authorization: string): HttpReply | undefined {
  const [, given = ''] = /^bearer +(\S+)$/i.exec(authorization) ?? []
  if (timingSafeEqual(digest(given), digest(token))) return undefined
  return refused(401, 'The token of METRICS_TOKEN is missing or wrong', { 'WWW-Authenticate': 'Bearer' })
}

const digest = (text: string) => createHash('sha256').update(text).digest()

const refused = (status: number, message: string, headers: Record<string, string> = {}): HttpReply => ({
  status,
  headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', ...headers },
  body: JSON.stringify({ message }),
})
