import { randomUUID } from 'node:crypto'
import type { ActorHost } from '../actors/host.ts'
import type { Ref } from '../actors/journal.ts'
import type { Context, Errand } from '../context.ts'
import { type NotMine, unavailable } from '../errors.ts'
import { forwardedReply, forwardedRequest, replyToForward, requestToForward } from '../http/forwarding.ts'
import type { Forwarded, HttpReply, HttpRequest } from '../http/message.ts'
import type { JoinedNode } from '../nodes/joined.ts'
import type { JournalPrincipal, Principal } from '../principal.ts'
import { errands } from './errands.ts'

type ErrandHead = {
  name: string
  args: unknown
  organizationId: number
  actor: JournalPrincipal
  scopes: readonly string[]
  requestId: string
  commandId: string
  mayBeDone: boolean
}

type MakeContext = (
  organizationId: number,
  actor: JournalPrincipal,
  scopes: ReadonlySet<string>,
  requestId: string,
  forwarded: Pick<Forwarded, 'commandId' | 'mayBeDone'>,
) => Context

/** Runs an errand where its actor lives. */
export function errandAtOwner<A, R>(
  node: JoinedNode,
  ctx: Context,
  ref: Ref,
  { errand, args }: { errand: Errand<A, R>; args: A },
): Promise<R> {
  // one request may run several, and each is a command of its own
  const commandId = randomUUID()
  const { idempotency: _, ...rest } = ctx
  return node.atOwner(ref, {
    here: (mayBeDone) => errand.run({ ...rest, commandId, ...(mayBeDone && { mayBeDone }) }, args),
    async there(owner, mayBeDone, withinMs) {
      const { organizationId, actor, scopes, requestId } = ctx
      const who = { organizationId, actor, scopes: [...scopes], requestId }
      const head: ErrandHead = { name: errand.name, args, ...who, commandId, mayBeDone }
      const { head: answer } = await node.ask(owner, 'errand', head, undefined, withinMs)
      return (answer as { result: R }).result
    },
  })
}

/** Answers other nodes that send errands here. */
export function answerErrands(node: JoinedNode, makeContext: MakeContext): void {
  node.answer('errand', async (told) => {
    const { name, args, organizationId, actor, scopes, requestId, ...command } = told as ErrandHead
    const errand = errands.get(name)
    // of a newer version than this one: it can be asked again when what it is for has moved on
    if (!errand) throw unavailable()
    const ctx = makeContext(organizationId, actor, new Set(scopes), requestId, command)
    return { head: { result: await errand.run(ctx, args) } }
  })
}

/** Runs a timer of an actor where it lives. */
export const fireAtOwner = (node: JoinedNode, host: Pick<ActorHost, 'fire'>, ref: Ref, name: string): Promise<void> =>
  node.atOwner(ref, {
    here: () => host.fire(ref, name),
    async there(owner, _mayBeDone, withinMs) {
      await node.ask(owner, 'timer', { ref, name }, undefined, withinMs)
    },
  })

/** Answers other nodes whose queue gave them a timer of an actor that lives here. */
export function answerTimers(node: JoinedNode, host: Pick<ActorHost, 'fire'>): void {
  node.answer('timer', async (head) => {
    const { ref, name } = head as { ref: Ref; name: string }
    await host.fire(ref, name)
    return { head: null }
  })
}

/** Sends a request to the owner of its actor. */
export const forwardTo =
  (node: JoinedNode, here: (request: HttpRequest) => Promise<HttpReply>) =>
  (
    request: HttpRequest,
    body: Buffer,
    { principal, requestId, notMine }: { principal: Principal; requestId: string; notMine: NotMine },
  ): Promise<HttpReply> => {
    const commandId = randomUUID()
    const told = (mayBeDone: boolean) => requestToForward(request, body, { principal, requestId, commandId, mayBeDone })
    const ways = {
      // the slot came here meanwhile
      here: (mayBeDone: boolean) => here(forwardedRequest(told(mayBeDone))),
      async there(owner: { id: string; url: string }, mayBeDone: boolean, withinMs: number) {
        const { head } = told(mayBeDone)
        const reply = forwardedReply(await node.ask(owner, 'request', head, body, withinMs))
        return { ...reply, headers: { ...reply.headers, [NODE_HEADER]: owner.id } }
      },
    }
    return node.atOwner(notMine.ref, ways, notMine)
  }

/** The node that did the work. cluster, What people see */
export const NODE_HEADER = 'X-Tally-Node'

/** Answers other nodes that send requests here. */
export function answerRequests(node: JoinedNode, here: (request: HttpRequest) => Promise<HttpReply>): void {
  node.answer('request', async (head, body) => replyToForward(await here(forwardedRequest({ head, body }))))
}
