import type { ISql, TransactionSql } from 'postgres'
import { newActor } from '../../actors/rows.ts'
import { invalid } from '../../errors.ts'

type ActorRef = `${string}/${string}`

/** The input that streams use, or the overlay that they are of. */
type Using = { inputId: number } | { overlayId: number } | { matchId: number }

const phase = (sql: ISql) => sql`a.snapshot->'context'->>'phase'`

const A_STREAM_RUNS = 'A stream is running'

/** A stream that uses this and is not stopped, if there is one. The actors of all that do commit nothing until the transaction ends. */
export async function runningWith(sql: ISql, using: Using): Promise<number | undefined> {
  const rows = await sql<{ id: number; phase: string }[]>`
    select s.id, ${phase(sql)} as phase from stream_settings s join actor a on a.ref = 'stream/' || s.id
    where ${used(sql, using)} order by s.id for share of a`
  return rows.find((row) => row.phase !== 'stopped')?.id
}

function used(sql: ISql, using: Using) {
  if ('inputId' in using) return sql`s.input_id = ${using.inputId}`
  return 'overlayId' in using ? sql`s.overlay_id = ${using.overlayId}` : sql`s.match_id = ${using.matchId}`
}

/** 400 while a stream that uses this, or is of it, is not stopped; `path` is where the request names it. */
export async function refuseWhileRunning(sql: ISql, using: Using, path: string): Promise<void> {
  const id = await runningWith(sql, using)
  if (id !== undefined) throw invalid({ [path]: { message: inUse(id) } }, A_STREAM_RUNS)
}

/** The message when a part that a running stream uses is to change. */
export const inUse = (streamId: number) => `stream ${streamId} runs with it: stop the stream first`

/**
 * Deletes streams with their destinations and the actors of both; `path` is where the request names the record that they go with.
 * Answers the actors that this process is to forget. Throws invalid when one is not stopped.
 */
export async function removeStreams(tx: TransactionSql, ids: readonly number[], path: string): Promise<ActorRef[]> {
  const refs: ActorRef[] = []
  for (const id of ids) {
    // the actor's row first: it waits for a commit under way and fences every later one, the first one of its life too
    const asleep = newActor('stream')
    await tx`
      insert into actor (ref, organization_id, machine_version, snapshot)
      select 'stream/' || id, organization_id, ${asleep.machineVersion}, ${asleep.snapshot}::text::json
      from stream_settings where id = ${id} on conflict do nothing`
    const [actor] = await tx<{ phase: string }[]>`
      delete from actor a where a.ref = ${`stream/${id}`} returning ${phase(tx)} as phase`
    if (actor && actor.phase !== 'stopped')
      throw invalid({ [path]: { message: `stream ${id} runs: stop it first` } }, A_STREAM_RUNS)
    // locked: until its record is gone, a reaction could wake a destination for the first time
    const destinations = await tx<{ id: number }[]>`
      select id from stream_destination where stream_settings_id = ${id} order by id for update`
    for (const destination of destinations) refs.push(await removeActor(tx, `destination/${destination.id}`))
    refs.push(await removeActor(tx, `stream/${id}`))
    await tx`delete from stream_settings where id = ${id}`
  }
  return refs
}

/** Deletes an actor with its timers; its journal stays. */
export async function removeActor(tx: TransactionSql, ref: ActorRef): Promise<ActorRef> {
  await tx`delete from actor where ref = ${ref}`
  await tx`delete from timer where ref = ${ref}`
  return ref
}
