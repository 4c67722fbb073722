import type { TransactionSql } from 'postgres'
import type { RecordContext } from '../../context.ts'
import { digestOf } from '../../secrets/digest.ts'
import { newToken } from '../new-token.ts'

/** Gives the desk of a match an address, or another one. show-control: Match desk */
export async function giveDesk({ db }: Pick<RecordContext, 'db'>, tx: TransactionSql, matchId: number): Promise<void> {
  const desk = newToken()
  await tx`
    insert into match_desk (id, secrets, digest)
    values (${matchId}, ${db.secrets.seal('match_desk', matchId, { desk })}, ${digestOf(desk)})
    on conflict (id) do update set secrets = excluded.secrets, digest = excluded.digest`
}

/** Tells every node, as part of the commit, that the desk of a match has another address or none. */
export async function notifyDesk(tx: TransactionSql, matchId: number): Promise<void> {
  await tx`select pg_notify('match_desk', ${JSON.stringify({ match: matchId })})`
}
