import type { TransactionSql } from 'postgres'
import type { Feed } from '../resources/providers/feed.schema.ts'
import type { Counts } from './counts.ts'
import { type Copy, type Local, localId } from './local.ts'

type Entry = { teamId: number; playerId: number; number: string; position: string | null; positionType: string | null }

/**
 * Makes the rosters that the feed holds true: replaces number and positions, leaves graphics names, defaults and captain. A player
 * that the provider does not list any more leaves the roster; one that was put on it or taken off it by hand stays so. spec: Teams 5
 */
export async function reconcileRosters(
  tx: TransactionSql,
  { organizationId, provider }: Copy,
  { teams, before }: { teams: Feed['teams']; before: Feed['teams'] },
  local: Local,
): Promise<{ counts: Counts; teamIds: number[] }> {
  const told = teams.filter(({ roster }) => roster !== undefined)
  const wanted = told.flatMap(({ id, roster = [] }) =>
    roster.map(
      (entry): Entry => ({
        teamId: localId(local.team, id),
        playerId: localId(local.player, entry.playerId),
        number: entry.number ?? '',
        position: entry.position ?? null,
        positionType: entry.positionType ?? null,
      }),
    ),
  )
  const stored = await tx<Entry[]>`
    select r.team_id as "teamId", r.player_id as "playerId", r.number, r.position, r.position_type as "positionType"
    from roster_entry r join player p on p.id = r.player_id
    where r.team_id = any(${told.map(({ id }) => localId(local.team, id))})
      and p.organization_id = ${organizationId} and p.provider_name = ${provider}`
  const there = new Map(stored.map((entry) => [keyOf(entry), entry]))
  const listed = new Set(wanted.map(keyOf))
  const listedBefore = new Set(
    before.flatMap(({ id, roster = [] }) =>
      roster.map(({ playerId }) => `${local.team.get(id)} ${local.player.get(playerId)}`),
    ),
  )
  const missing = wanted.filter((entry) => !there.has(keyOf(entry)))
  const added = missing.filter((entry) => !listedBefore.has(keyOf(entry)))
  const changed = wanted.filter((entry) => {
    const found = there.get(keyOf(entry))
    return found !== undefined && !same(found, entry)
  })
  const gone = stored.filter((entry) => !listed.has(keyOf(entry)) && listedBefore.has(keyOf(entry)))

  if (added.length > 0)
    await tx`
      insert into roster_entry (team_id, player_id, number, position, position_type)
      select * from ${given(tx, added)}`
  if (changed.length > 0)
    await tx`
      update roster_entry r set number = g.number, position = g.position, position_type = g.position_type
      from ${given(tx, changed)} where r.team_id = g.team_id and r.player_id = g.player_id`
  if (gone.length > 0)
    await tx`
      delete from roster_entry r using ${given(tx, gone)}
      where r.team_id = g.team_id and r.player_id = g.player_id`
  return {
    counts: {
      created: added.length,
      updated: changed.length + gone.length,
      unchanged: wanted.length - missing.length - changed.length,
      skipped: missing.length - added.length,
    },
    teamIds: [...new Set([...added, ...changed, ...gone].map(({ teamId }) => teamId))],
  }
}

const keyOf = ({ teamId, playerId }: Entry) => `${teamId} ${playerId}`

const same = (a: Entry, b: Entry) =>
  a.number === b.number && a.position === b.position && a.positionType === b.positionType

const given = (tx: TransactionSql, entries: readonly Entry[]) => tx`
  unnest(${entries.map(({ teamId }) => teamId)}::int[], ${entries.map(({ playerId }) => playerId)}::int[],
    ${entries.map(({ number }) => number)}::text[], ${entries.map(({ position }) => position)}::text[],
    ${entries.map(({ positionType }) => positionType)}::text[])
  as g(team_id, player_id, number, position, position_type)`
