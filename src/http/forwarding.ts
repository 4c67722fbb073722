import { bodyTooLarge } from '../errors.ts'
import type { JournalPrincipal, Principal } from '../principal.ts'
import { type Forwarded, type HttpReply, type HttpRequest, wholeBody } from './message.ts'

/** What a node is told beside the body, and what it answers. Plain JSON. */
export type Carried = { readonly head: unknown; readonly body: Buffer }

/** Headers that operations look at. Who asks is told by the principal: no key and no cookie leaves the node. */
const HEADERS = ['accept', 'content-type', 'host', 'idempotency-key', 'if-none-match', 'user-agent', 'x-request-id']

type RequestHead = Pick<HttpRequest, 'method' | 'path' | 'query' | 'remoteAddress'> & {
  headers: Readonly<Record<string, string>>
  requestId: string
  commandId: string
  mayBeDone: boolean
  principal: { organizationId: number; actor: JournalPrincipal; chargedTo: string; scopes: readonly string[] }
}

/** A request as another node is told it. cluster 3 */
export function requestToForward(
  request: HttpRequest,
  body: Buffer,
  { principal, commandId, mayBeDone, requestId }: Forwarded & { requestId: string },
): Carried {
  const { method, path, query, remoteAddress } = request
  const headers: Record<string, string> = {}
  for (const name of HEADERS) if (request.has(name)) headers[name] = request.header(name)
  const { organizationId, actor, chargedTo, scopes } = principal
  const head: RequestHead = {
    ...{ method, path, query, remoteAddress, headers, requestId, commandId, mayBeDone },
    principal: { organizationId, actor, chargedTo, scopes: [...scopes] },
  }
  return { head, body }
}

/** The request that another node has let in. */
export function forwardedRequest({ head, body }: Carried): HttpRequest {
  // the other node runs this code, or that of a neighbouring version
  const { principal, headers, requestId, commandId, mayBeDone, ...rest } = head as RequestHead
  const sent = (name: string) => (name === 'x-request-id' ? requestId : headers[name])
  const within = (maxBytes: number) => {
    if (body.length > maxBytes) throw bodyTooLarge(maxBytes)
    return body
  }
  const letIn: Principal = { ...principal, scopes: new Set(principal.scopes) }
  return {
    ...rest,
    header: (name) => sent(name) ?? '',
    has: (name) => sent(name) !== undefined,
    forwarded: { principal: letIn, commandId, mayBeDone },
    body: async (maxBytes) => within(maxBytes),
    async *chunks(maxBytes) {
      yield within(maxBytes)
    },
  }
}

type ReplyHead = { status: number; headers: Readonly<Record<string, string>> }

/** An answer on its way to the node that sent the request here. */
export const replyToForward = async (reply: HttpReply): Promise<Carried> => ({
  head: { status: reply.status, headers: reply.headers } satisfies ReplyHead,
  body: await wholeBody(reply),
})

/** The answer of the node that the request was sent to. */
export function forwardedReply({ head, body }: Carried): HttpReply {
  const { status, headers } = head as ReplyHead
  return { status, headers, body }
}
