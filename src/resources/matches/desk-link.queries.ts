import type { ISql, Sql } from 'postgres'
import type { Context } from '../../context.ts'
import { digestOf } from '../../secrets/digest.ts'

/**
 * The addresses of the desks of these matches, for callers that may write to them: `deskUrl` of a match. Others are told nothing.
 * show-control: Match desk
 */
export async function deskUrls(
  { db, publicUrl, scopes }: Pick<Context, 'db' | 'publicUrl' | 'scopes'>,
  matchIds: readonly number[],
  sql: ISql = db.sql,
): Promise<(matchId: number) => { deskUrl?: string | null }> {
  if (!scopes.has('matches:write')) return () => ({})
  const rows = await sql<{ id: number; secrets: string }[]>`
    select id, secrets from match_desk where id = any(${[...matchIds]})`
  const urls = new Map(
    rows.map(({ id, secrets }) => [id, `${publicUrl}/desk/${db.secrets.open('match_desk', id, secrets).desk}`]),
  )
  return (matchId) => ({ deskUrl: urls.get(matchId) ?? null })
}

export type FoundDesk = { matchId: number; organizationId: number; sport: string }

const TOKEN = /^[\w-]{1,200}$/

/** The match whose desk has this token; undefined when none has, or the match was deleted. */
export async function findDesk(sql: Sql, token: string): Promise<FoundDesk | undefined> {
  if (!TOKEN.test(token)) return undefined
  const [found] = await sql<FoundDesk[]>`
    select m.id as "matchId", m.organization_id as "organizationId", m.sport
    from match_desk d join match m using (id) where d.digest = ${digestOf(token)}`
  return found
}
