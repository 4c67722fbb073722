import type { TransactionSql } from 'postgres'
import type { RecordContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { asRead, checkTarget, exactly, thisWrite } from '../target.ts'

type Locked = { themeId: number }

/**
 * Locks a room of the organization: every write of it, its sections and its presets starts here, so that they come one after
 * another. Throws notFound, also for another organization's, and targetChanged.
 */
export async function lockRoom(...asked: Parameters<typeof lockedRoom>): Promise<Locked> {
  return checkTarget(await lockedRoom(...asked))
}

/** As `lockRoom`, to be checked once the records that the write names are found in the room: 404 comes before 409. */
export async function lockedRoom(
  ctx: Pick<RecordContext, 'organizationId'>,
  tx: TransactionSql,
  roomId: number,
  ifUnchangedSince?: string,
): Promise<Locked & { unchanged: boolean }> {
  const [room] = await tx<(Locked & { unchanged: boolean })[]>`
    select theme_id as "themeId", ${asRead(tx, ifUnchangedSince)} as unchanged from control_room
    where id = ${roomId} and organization_id = ${ctx.organizationId} for update`
  if (!room) throw notFound()
  return room
}

/**
 * Notes that a room was written, with this name and mode when they are given; answers its new `updatedAt`. Once in a transaction: with a
 * second update of a row PostgreSQL also locks its theme, which a delete of the theme has locked already.
 */
export async function touchRoom(
  tx: TransactionSql,
  roomId: number,
  { name, defaultMode }: { name?: string | undefined; defaultMode?: string | undefined } = {},
): Promise<string> {
  const [room] = await tx<{ updatedAt: string }[]>`
    update control_room set updated_at = ${thisWrite(tx)}, name = coalesce(${name ?? null}, name),
      default_mode = coalesce(${defaultMode ?? null}, default_mode)
    where id = ${roomId} returning ${exactly(tx)} as "updatedAt"`
  if (!room) throw notFound()
  return room.updatedAt
}

/** Runs a write of a room or of something in it; this node and, with the commit, all others then read the room anew. */
export async function writeRoom<T>(
  ctx: RecordContext,
  roomId: number,
  { type, asked }: { type: string; asked?: unknown },
  run: (tx: TransactionSql) => Promise<{ result: T; events: readonly { type: string }[] }>,
): Promise<T> {
  const done = await ctx.db.write(ctx, { ref: `control-room/${roomId}`, type, asked }, async (tx) => {
    const written = await run(tx)
    await tx`select pg_notify('catalog', ${JSON.stringify({ room: roomId })})`
    return written
  })
  ctx.catalog.forget({ room: roomId })
  return done
}

/** A list with one of its members, or a new one, at a place; beyond the last one it is the end. */
export function placed<T>(list: readonly T[], member: T, place = list.length): T[] {
  const others = list.filter((one) => one !== member)
  return [...others.slice(0, place), member, ...others.slice(place)]
}
