import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { isKind } from '../machines/kinds.ts'
import type { ActorHost } from './actors/host.ts'
import type { Context, Errand } from './context.ts'
import { ApiError, unexpected } from './errors.ts'
import type { Planner } from './game-plan/planner.ts'
import { isKeptUp, REPAIRED, type Reaction } from './jobs.ts'
import type { StreamReactions } from './resources/streams/react.commands.ts'
import { leaveBehind } from './store/outbox.ts'
import { overlaysThatShow, type ShownOn } from './store/overlays-that-show.ts'

/** At most 20 refreshes a second per overlay. live-path 14 */
const REFRESH_GAP_MS = 50
const MAX_TRIED = 1000

type Refresh = { overlayId: number; revisions: Record<string, number> }

export const refreshErrand: Errand<Refresh, undefined> = {
  name: 'refresh',
  run: (ctx, { overlayId, revisions }) =>
    ctx.actors.send(ctx, 'overlay', overlayId, {
      asked: { type: 'refresh', revisions },
      decide: () => ({ type: 'refresh', revisions }),
      reply: () => undefined,
      refused: unexpected,
    }),
}

export type ReactionParts = {
  sql: Sql
  actors: Pick<ActorHost, 'read'>
  /** The context of a command that no client asked for; `requestId` names its cause. */
  systemContext(organizationId: number, name: string, requestId: string): Context
  /** Told before the refreshes of a change are sent, whichever process committed it. */
  announced(organizationId: number, ref: string): void
  streams: Pick<StreamReactions, 'changed' | 'matchChanged'>
  plans: Pick<Planner, 'react'>
}

/**
 * What an event means for other actors: the only such table. A stream tells its destinations, a match moves the times of its
 * streams. Live data of a record that changed is announced to each overlay
 * that shows it by a `refresh`; those that come while one waits in the mailbox are merged into it, the latest revision wins.
 * The returned function resolves when it is durable and throws when it must be tried again.
 */
export function createReactions({ sql, actors, systemContext, announced, streams, plans }: ReactionParts) {
  type Waiting = { revisions: Record<string, number>; sent: Promise<void> }
  const waiting = new Map<number, Waiting>()
  const pausing = new Map<number, Promise<unknown>>()
  /** Of each change under way, the overlays that heard of it: it is tried again as long as one of the others could not be told. */
  const tried = new Map<number, Set<number>>()

  const send = async (overlay: ShownOn, revisions: Record<string, number>, requestId: string) => {
    try {
      const ctx = systemContext(overlay.organizationId, 'live data', requestId)
      await ctx.atOwner(`overlay/${overlay.id}`, refreshErrand, { overlayId: overlay.id, revisions })
    } catch (error) {
      // deleted since it was looked up
      if (!(error instanceof ApiError && error.status === 404)) throw error
    }
  }

  const refresh = (overlay: ShownOn, source: string, revision: number, requestId: string): Promise<void> => {
    const gathering = waiting.get(overlay.id)
    if (gathering) {
      gathering.revisions[source] = Math.max(revision, gathering.revisions[source] ?? revision)
      return gathering.sent
    }
    const revisions = { [source]: revision }
    const sent = (async () => {
      await pausing.get(overlay.id)
      waiting.delete(overlay.id)
      const pauses = pause(REFRESH_GAP_MS, undefined, { ref: false }).finally(() => pausing.delete(overlay.id))
      pausing.set(overlay.id, pauses)
      await send(overlay, revisions, requestId)
    })()
    waiting.set(overlay.id, { revisions, sent })
    return sent
  }

  const toldBefore = (revision: number): Set<number> => {
    const told = tried.get(revision) ?? new Set()
    tried.set(revision, told)
    const [oldest] = tried.keys()
    if (oldest !== undefined && tried.size > MAX_TRIED) tried.delete(oldest)
    return told
  }

  const showData = async ({ ref }: Reaction, revision: number, isLast: boolean) => {
    const overlays = await overlaysThatShow(sql, ref)
    if (!overlays) return
    const organizations = new Set(overlays.map(({ organizationId }) => organizationId))
    for (const organizationId of organizations) announced(organizationId, ref)
    const told = toldBefore(revision)
    const behind: number[] = []
    const tell = async (overlay: ShownOn) => {
      try {
        await refresh(overlay, ref, revision, `outbox-${revision}`)
        told.add(overlay.id)
      } catch (error) {
        if (!isLast) throw error
        behind.push(overlay.id)
      }
    }
    await Promise.all(overlays.filter(({ id }) => !told.has(id)).map(tell))
    if (behind.length > 0) await leaveBehind(sql, behind)
    tried.delete(revision)
  }

  /** `revision` rises with a record's changes. `last`: not tried again; an overlay that cannot hear of it gets a reaction of its own. */
  return async (reaction: Reaction, revision: number, last = false): Promise<void> => {
    const [kind = '', id = ''] = reaction.ref.split('/')
    // the first read finds that the actor can be loaded again
    if (reaction.event === REPAIRED && isKind(kind)) await actors.read(kind, id)
    if (kind === 'stream') return streams.changed(Number(id))
    const isLast = last && !isKeptUp(reaction)
    await Promise.all([
      showData(reaction, revision, isLast),
      kind === 'match' && streams.matchChanged(Number(id)),
      plans.react(reaction.ref),
    ])
  }
}
