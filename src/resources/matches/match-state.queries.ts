import type { ISql } from 'postgres'
import type { Match } from '../../../machines/match-model.ts'
import { decodeSnapshot } from '../../actors/rows.ts'

/**
 * The committed state of a match with its facts in match order, for graphics; `revision` rises with each commit.
 * Undefined when there is no such match.
 */
export async function findMatchState(
  sql: ISql,
  matchId: number,
): Promise<{ match: Match; revision: number } | undefined> {
  const [row] = await sql<{ version: number; snapshot: unknown; revision: number }[]>`
    select machine_version as version, snapshot, seq as revision from actor where ref = ${`match/${matchId}`}`
  if (!row) return undefined
  const { context }: { context: Match } = decodeSnapshot('match', row.version, row.snapshot)
  return { match: context, revision: row.revision }
}
