import type { Feed, FeedKind } from '../resources/providers/feed.schema.ts'
import { SyncError } from './connector.ts'
import type { Local, Table } from './local.ts'

const tableOf: Readonly<Record<FeedKind, Table>> = {
  competitions: 'competition',
  venues: 'venue',
  players: 'player',
  teams: 'team',
  officials: 'official',
  matches: 'match',
}

/**
 * Checks the feed beyond single records: every id once, and every reference to a record of this feed or of an earlier one.
 * Throws SyncError naming each by its path; then nothing has been taken.
 */
export function checkReferences(feed: Feed, known: Local, grades: ReadonlyMap<string, number>): void {
  const details: string[] = []
  const ids = Object.fromEntries(
    Object.values(tableOf).map((table) => [table, new Set(known[table].keys())]),
  ) as Record<Table, Set<string>>
  for (const [kind, table] of Object.entries(tableOf) as [FeedKind, Table][]) {
    once(
      details,
      `${kind}[].id`,
      feed[kind].map(({ id }) => id),
    )
    for (const { id } of feed[kind]) ids[table].add(id)
  }
  const refer = (path: string, table: Table, id: string | undefined) => {
    if (id !== undefined && !ids[table].has(id)) details.push(`${path}: there is no ${table} "${id}"`)
  }
  const graded = (path: string, grade: string | undefined) => {
    if (grade !== undefined && !grades.has(grade)) details.push(`${path}: there is no grade "${grade}"`)
  }

  for (const [index, { grade }] of feed.competitions.entries()) graded(`competitions[${index}].grade`, grade)
  for (const [index, team] of feed.teams.entries()) {
    const path = `teams[${index}]`
    graded(`${path}.grade`, team.grade)
    refer(`${path}.venueId`, 'venue', team.venueId)
    for (const [at, id] of (team.competitionIds ?? []).entries())
      refer(`${path}.competitionIds[${at}]`, 'competition', id)
    for (const [at, { playerId }] of (team.roster ?? []).entries())
      refer(`${path}.roster[${at}].playerId`, 'player', playerId)
    once(
      details,
      `${path}.roster[].playerId`,
      (team.roster ?? []).map(({ playerId }) => playerId),
    )
  }
  for (const [index, match] of feed.matches.entries()) {
    const path = `matches[${index}]`
    refer(`${path}.competitionId`, 'competition', match.competitionId)
    refer(`${path}.venueId`, 'venue', match.venueId)
    for (const [at, { entityType, id }] of match.competitors.entries())
      refer(`${path}.competitors[${at}].id`, entityType, id)
    once(
      details,
      `${path}.competitors[].id`,
      match.competitors.map(({ entityType, id }) => `${entityType} ${id}`),
    )
    for (const [at, { id }] of match.officials.entries()) refer(`${path}.officials[${at}].id`, 'official', id)
    once(
      details,
      `${path}.officials[].id`,
      match.officials.map(({ id }) => id),
    )
    for (const [at, lineup] of (match.lineups ?? []).entries()) {
      refer(`${path}.lineups[${at}].teamId`, 'team', lineup.teamId)
      for (const [n, { playerId }] of lineup.players.entries())
        refer(`${path}.lineups[${at}].players[${n}].playerId`, 'player', playerId)
    }
    once(
      details,
      `${path}.lineups[].teamId`,
      (match.lineups ?? []).map(({ teamId }) => teamId),
    )
    for (const [at, { teamId }] of (match.statistics?.teams ?? []).entries())
      refer(`${path}.statistics.teams[${at}].teamId`, 'team', teamId)
    for (const [at, { playerId }] of (match.statistics?.players ?? []).entries())
      refer(`${path}.statistics.players[${at}].playerId`, 'player', playerId)
    for (const [at, fact] of (match.facts ?? []).entries()) {
      refer(`${path}.facts[${at}].teamId`, 'team', fact.teamId)
      refer(`${path}.facts[${at}].playerId`, 'player', fact.playerId)
      refer(`${path}.facts[${at}].secondaryPlayerId`, 'player', fact.secondaryPlayerId)
    }
    once(
      details,
      `${path}.facts[].id`,
      (match.facts ?? []).map(({ id }) => id),
    )
  }
  if (details.length > 0) throw new SyncError('the feed was refused: nothing of it was taken', { details })
}

function once(details: string[], path: string, ids: readonly string[]) {
  const seen = new Set<string>()
  for (const [index, id] of ids.entries()) {
    if (seen.has(id)) details.push(`${path.replace('[]', `[${index}]`)}: "${id}" is there twice`)
    seen.add(id)
  }
}
