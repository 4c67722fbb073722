import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { type Claim, type Holder, LOCK_TTL_MS } from '../../../machines/graphic-lock.ts'
import type { Context, Errand } from '../../context.ts'
import { ApiError, locked } from '../../errors.ts'
import type { JournalPrincipal } from '../../principal.ts'
import { checkGraphic, findHoldEnd } from './queries.ts'
import type { GraphicPath, HeldLock } from './schema.ts'

/** How long a write holds a graphic when its node dies in the middle of it. */
const WRITE_TTL_MS = 30_000

/**
 * Runs a write while its caller holds the graphic; a caller that holds it already may enter. Throws notFound before it holds
 * anything, and locked when another caller has it. spec: Graphic versions and lock
 */
export async function whileLocked<R>(ctx: Context, path: GraphicPath, run: () => Promise<R>): Promise<R> {
  await checkGraphic(ctx, path)
  await acquire(ctx, path.graphicId, 'write', WRITE_TTL_MS)
  try {
    return await run()
  } finally {
    await leave(ctx, path.graphicId, 'write')
  }
}

/** Holds a graphic for five minutes from now, also when the caller has it already. Throws locked and notFound. */
export async function holdGraphic(ctx: Context, path: GraphicPath): Promise<z.output<typeof HeldLock>> {
  await checkGraphic(ctx, path)
  await acquire(ctx, path.graphicId, 'edit', LOCK_TTL_MS)
  const end = await findHoldEnd(ctx, path.graphicId)
  if (!end) throw locked(null)
  return { userName: holderOf(ctx.actor).userName, expiresAt: end.toISOString() }
}

/** Ends the hold of the caller, with that of its uploads; nothing to do when nobody has the graphic. Throws locked and notFound. */
export async function releaseGraphic(ctx: Context, path: GraphicPath): Promise<undefined> {
  await checkGraphic(ctx, path)
  await release(ctx, path.graphicId, 'edit')
}

/** Holds a graphic for five minutes while files are on their way to it. To be called inside of `whileLocked`. */
export const holdForUpload = (ctx: Context, { graphicId }: GraphicPath) =>
  acquire(ctx, graphicId, 'upload', LOCK_TTL_MS)

/** Ends the hold of `holdForUpload`. */
export const endUpload = (ctx: Context, { graphicId }: GraphicPath) => leave(ctx, graphicId, 'upload')

const acquire = (ctx: Context, graphicId: string, claim: Claim, ttlMs: number) =>
  send(ctx, graphicId, { type: 'acquire', claim, ttlMs })

/** A graphic that nobody ever held, or that is deleted, has no lock to make. */
async function release(ctx: Context, graphicId: string, claim: Claim): Promise<void> {
  if (await ctx.actors.read('graphic-lock', graphicId)) await send(ctx, graphicId, { type: 'release', claim })
}

/** The write is committed: a hold that cannot be ended now ends after its time. */
async function leave(ctx: Context, graphicId: string, claim: Claim): Promise<void> {
  try {
    await release(ctx, graphicId, claim)
  } catch (error) {
    ctx.log.warn({ graphicId, claim, err: error }, 'the hold on a graphic could not be ended')
  }
}

type Command = { type: 'acquire'; claim: Claim; ttlMs: number } | { type: 'release'; claim: Claim }

const send = (ctx: Context, graphicId: string, command: Command): Promise<void> =>
  ctx.atOwner(`graphic-lock/${graphicId}`, lockErrand, { graphicId, command })

export const lockErrand: Errand<{ graphicId: string; command: Command }, void> = { name: 'lock', run: tell }

async function tell(ctx: Context, { graphicId, command }: { graphicId: string; command: Command }): Promise<void> {
  // the answer to keep under an Idempotency-Key is that of the write, and each step is a command of its own
  const { idempotency: _, ...rest } = ctx
  try {
    await ctx.actors.send({ ...rest, commandId: randomUUID() }, 'graphic-lock', graphicId, {
      asked: command,
      decide: () => ({ ...command, holder: holderOf(ctx.actor) }),
      reply: () => undefined,
      refused: () => locked(null),
    })
  } catch (error) {
    if (!(error instanceof ApiError && error.kind === 'locked')) throw error
    const holder = (await ctx.actors.read('graphic-lock', graphicId))?.context.holder
    throw locked(holder ? { userName: holder.userName } : null)
  }
}

/** Whether the caller holds a graphic. */
export function isHolder(actor: JournalPrincipal, holder: Holder): boolean {
  const { type, token } = holderOf(actor)
  return holder.type === type && holder.token === token
}

/** The holder of a graphic as others see it. spec: Code graphic (working copy) */
function holderOf(actor: JournalPrincipal): Holder {
  if (actor.type === 'key') return { userName: `API key ${actor.name}`, type: 'key', token: String(actor.id) }
  if (actor.type === 'person') return { userName: actor.name, type: 'person', token: String(actor.id) }
  if (actor.type === 'system') return { userName: actor.name, type: 'person', token: `system ${actor.name}` }
  if (actor.type === 'gamePlan') return { userName: actor.name, type: 'person', token: `plan ${actor.id}` }
  if (actor.type === 'desk') return { userName: 'Match desk', type: 'person', token: `desk ${actor.matchId}` }
  return { userName: 'Control room', type: 'person', token: `link ${actor.overlayId}` }
}
