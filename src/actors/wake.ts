import { setTimeout as pause } from 'node:timers/promises'
import { kinds } from '../../machines/kinds.ts'
import { type ApiError, notFound, unavailable } from '../errors.ts'
import type { Actor } from './actor.ts'
import { type Journal, type Ref, RowsLocked, type StoredActor } from './journal.ts'
import { newActor } from './rows.ts'

const AGAIN_MS = 20

export type Waking = {
  journal: Journal
  log: { warn(fields: object, text: string): void }
  loaded(ref: Ref): void
  /** The actor cannot be loaded, and why. */
  quarantine(ref: Ref, error: unknown): void
  giveUp(actor: Actor, error: ApiError): void
}

/** Takes the actor for this node and loads it, or gives it up with the error that its callers hear. Never rejects. */
export async function wake(waking: Waking, actor: Actor, organizationId: number | undefined): Promise<void> {
  const { journal, log, loaded, quarantine, giveUp } = waking
  const { ref, kind } = actor
  try {
    let stored = await claim(journal, actor)
    if (!stored && kinds[kind].createdOnFirstUse && organizationId !== undefined) {
      const { machineVersion, snapshot } = newActor(kind)
      await journal.create(ref, organizationId, machineVersion, snapshot)
      stored = await claim(journal, actor)
    }
    if (!stored) return giveUp(actor, notFound())
    try {
      actor.load(stored)
      loaded(ref)
    } catch (error) {
      quarantine(ref, error)
      giveUp(actor, unavailable())
    }
  } catch (error) {
    log.warn({ ref, err: error }, 'actor could not be claimed')
    giveUp(actor, unavailable())
  }
}

/** Tried again while somebody else has locked the row and somebody waits for the actor. */
async function claim(journal: Journal, actor: Actor): Promise<StoredActor | undefined> {
  for (;;)
    try {
      return await journal.claim(actor.ref)
    } catch (error) {
      if (!(error instanceof RowsLocked) || actor.waiting.size === 0) throw error
      await pause(AGAIN_MS)
    }
}
