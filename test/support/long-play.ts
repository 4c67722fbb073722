import type { Sql } from 'postgres'
import { decideMatch, foldMatch } from '../../machines/match.ts'
import type { FactAsked, Match } from '../../machines/match-model.ts'

const TYPES = ['corner', 'foul', 'shot', 'goal']

/** Has so many facts of a football match played straight into its row, nine seconds apart and over two halves. */
export async function createLongPlay(sql: Sql, matchId: number, count: number): Promise<void> {
  const ref = `match/${matchId}`
  const [row] = await sql<{ snapshot: { context: Match } }[]>`select snapshot from actor where ref = ${ref}`
  if (!row) throw new Error(`no match ${matchId}`)
  const { context } = row.snapshot
  const kickOff = Date.parse(context.settings.date)
  const teams = context.competitors.map(({ teamId }) => teamId)
  const half = Math.floor(count / 2)
  const match = Array.from({ length: count }, (_, index): FactAsked => {
    const timestamp = new Date(kickOff + index * 9_000).toISOString()
    const driving = { 0: 'matchStart', [half]: 'periodEnd', [half + 1]: 'periodStart', [count - 1]: 'matchEnd' }[index]
    if (driving) return { type: driving, timestamp }
    return { type: TYPES[index % 37 === 0 ? 3 : index % 3] ?? 'foul', timestamp, teamId: teams[index % 2] ?? null }
  }).reduce((state, fact, index) => {
    const command = { type: 'record', id: index + 1, fact, seq: 1, at: fact.timestamp ?? '' } as const
    const events = decideMatch(state, command)
    if (events.length === 0) throw new Error(`${fact.type} at ${fact.timestamp} cannot be`)
    return events.reduce(foldMatch, state)
  }, context)
  await sql`update actor set snapshot = ${JSON.stringify({ ...row.snapshot, value: match.play.state, context: match })}::text::json
    where ref = ${ref}`
}
