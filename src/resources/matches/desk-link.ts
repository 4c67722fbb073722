import type { ISql, TransactionSql } from 'postgres'
import type { RecordContext } from '../../context.ts'
import { digestOf } from '../../secrets/digest.ts'
import { newToken } from '../new-token.ts'

/** Gives the desk of a match an address, or another one. show-control: Match desk */
export async function giveDesk({ db }: Pick<RecordContext, 'db'>, tx: TransactionSql, matchId: number): Promise<void> {
  const { secrets, digest } = newDesk(db, matchId)
  await tx`
    insert into match_desk (id, secrets, digest) values (${matchId}, ${secrets}, ${digest})
    on conflict (id) do update set secrets = excluded.secrets, digest = excluded.digest, opened_at = null`
}

/**
 * Gives an address to the desks of these matches that have none: the release before made them, or the key of theirs was taken out
 * of use. Whoever does it at the same time gives the same one.
 */
export async function giveMissingDesks(
  { db }: Pick<RecordContext, 'db'>,
  sql: ISql,
  matchIds: readonly number[],
): Promise<void> {
  const desks = matchIds.map((id) => newDesk(db, id))
  // those that are being deleted are let go
  await sql`
    insert into match_desk (id, secrets, digest)
    select given.* from unnest(${[...matchIds]}::int[], ${desks.map(({ secrets }) => secrets)}::text[],
      ${desks.map(({ digest }) => digest)}::text[]) as given (id, secrets, digest)
    join (select id from match where id = any(${[...matchIds]}) for key share) there using (id)
    on conflict (id) do nothing`
}

function newDesk({ secrets }: RecordContext['db'], matchId: number): { secrets: string; digest: string } {
  const desk = newToken()
  return { secrets: secrets.seal('match_desk', matchId, { desk }), digest: digestOf(desk) }
}

/** A telephone has opened the desk of a match: the first time by this address is kept. */
export async function noteOpened(sql: ISql, matchId: number): Promise<void> {
  await sql`update match_desk set opened_at = clock_timestamp() where id = ${matchId} and opened_at is null`
}

/** Tells every node, as part of the commit, that the desk of a match has another address or none. */
export async function notifyDesk(tx: TransactionSql, matchId: number): Promise<void> {
  await tx`select pg_notify('match_desk', ${JSON.stringify({ match: matchId })})`
}
