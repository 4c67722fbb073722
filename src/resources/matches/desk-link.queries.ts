import type { ISql, Sql } from 'postgres'
import type { Context } from '../../context.ts'
import { digestOf } from '../../secrets/digest.ts'
import { giveMissingDesks } from './desk-link.ts'

type Row = { id: number; secrets: string; openedAt: Date | null }
type DeskLink = { deskUrl?: string | null; deskOpenedAt?: string | null }

/**
 * The addresses of the desks of these matches, for callers that may write to them: `deskUrl` and `deskOpenedAt` of a match. Others
 * are told nothing. A desk that has no address yet is given one; a command gives its transaction, in which none is missing.
 * show-control: Match desk
 */
export async function deskLinks(
  { db, publicUrl, scopes }: Pick<Context, 'db' | 'publicUrl' | 'scopes'>,
  matchIds: readonly number[],
  tx?: ISql,
): Promise<(matchId: number) => DeskLink> {
  if (!scopes.has('matches:write')) return () => ({})
  const rows = await rowsOf(tx ?? db.sql, matchIds)
  const without = matchIds.filter((id) => !rows.some((row) => row.id === id))
  if (!tx && without.length > 0) {
    // a database that takes no writes now: the match is read all the same
    await giveMissingDesks({ db }, db.sql, without).catch(() => undefined)
    rows.push(...(await rowsOf(db.sql, without)))
  }
  const links = new Map(
    rows.map(({ id, secrets, openedAt }) => {
      const deskUrl = `${publicUrl}/desk/${db.secrets.open('match_desk', id, secrets).desk}`
      return [id, { deskUrl, deskOpenedAt: openedAt?.toISOString() ?? null }]
    }),
  )
  return (matchId) => links.get(matchId) ?? { deskUrl: null, deskOpenedAt: null }
}

const rowsOf = (sql: ISql, matchIds: readonly number[]) => sql<Row[]>`
  select id, secrets, opened_at as "openedAt" from match_desk where id = any(${[...matchIds]})`

export type FoundDesk = {
  matchId: number
  organizationId: number
  sport: string
  /** By some telephone, by this address. */
  wasOpened: boolean
}

const TOKEN = /^[\w-]{1,200}$/

/** The match whose desk has this token; undefined when none has, or the match was deleted. */
export async function findDesk(sql: Sql, token: string): Promise<FoundDesk | undefined> {
  if (!TOKEN.test(token)) return undefined
  const [found] = await sql<FoundDesk[]>`
    select m.id as "matchId", m.organization_id as "organizationId", m.sport, d.opened_at is not null as "wasOpened"
    from match_desk d join match m using (id) where d.digest = ${digestOf(token)}`
  return found
}
