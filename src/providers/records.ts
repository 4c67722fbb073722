import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { OutboxRow } from '../actors/journal.ts'
import type { Feed, FeedTeam } from '../resources/providers/feed.schema.ts'
import { announcements } from './announcements.ts'
import type { Counts } from './counts.ts'
import { type Copy, type Local, localId, type Table } from './local.ts'
import { type Reconciled, type Row, reconcile, type ToldRecord } from './reconcile.ts'
import { reconcileRosters } from './rosters.ts'

export type CountsByKind = Record<'competitions' | 'venues' | 'players' | 'teams' | 'rosters' | 'officials', Counts>
export type RecordEvent = { type: string } & Record<string, unknown>

export type Records = {
  counts: CountsByKind
  events: RecordEvent[]
  /** Announces the changes to the overlays that show them. */
  outbox: OutboxRow[]
  local: Local
}

type Given = {
  feed: Feed
  /** The feed of the last complete sync. */
  before: Feed | undefined
  known: Local
  grades: ReadonlyMap<string, number>
  /** The first load since the provider was connected. */
  initial: boolean
}

/**
 * Takes over everything that is a record, in the transaction it is given: competitions, venues, players, teams with their
 * competitions and rosters, officials. The feed has been checked. spec: Teams 2, 3, 5
 */
export async function takeRecords(tx: TransactionSql, copy: Copy, given: Given): Promise<Records> {
  const { feed, before, known, grades, initial } = given
  const local: Local = { ...known }
  const remember = (table: Table, { ids }: Reconciled) => {
    local[table] = new Map([...known[table], ...ids])
  }
  const grade = (name: string | undefined) => (name === undefined ? null : (grades.get(name) ?? null))

  const competitions = await reconcile(tx, copy, {
    table: 'competition',
    rule: 'merge',
    // matches and teams of the competition depend on it
    fixed: ['sport'],
    told: told(feed.competitions, before?.competitions, (one) => ({
      name: one.name,
      gfx_name: one.gfxName ?? null,
      sport: one.sport,
      age: one.age,
      gender: one.gender,
      grade_id: grade(one.grade),
    })),
  })
  remember('competition', competitions)
  const venues = await reconcile(tx, copy, {
    table: 'venue',
    rule: 'merge',
    told: told(feed.venues, before?.venues, (one) => ({
      name: one.name,
      gfx_name: one.gfxName ?? null,
      address: one.address ?? null,
      city: one.city ?? null,
      state: one.state ?? null,
      country: one.country ?? null,
      timezone: one.timezone ?? null,
      latitude: one.latitude ?? null,
      longitude: one.longitude ?? null,
      courts: one.courts ?? [],
    })),
  })
  remember('venue', venues)
  const players = await reconcile(tx, copy, {
    table: 'player',
    rule: 'follow',
    told: told(feed.players, undefined, (one) => ({
      first_name: one.firstName,
      last_name: one.lastName,
      photo_url: one.photoUrl ?? null,
    })),
  })
  remember('player', players)
  const teams = await reconcile(tx, copy, {
    table: 'team',
    rule: 'keep',
    told: told(feed.teams, undefined, (one) => ({
      name: one.name,
      gfx_name: one.gfxName ?? null,
      gfx_full_name: one.gfxFullName ?? null,
      abbreviation: one.abbreviation ?? null,
      primary_background_color: one.primaryBackgroundColor,
      primary_text_color: one.primaryTextColor,
      secondary_background_color: one.secondaryBackgroundColor ?? null,
      secondary_text_color: one.secondaryTextColor ?? null,
      default_venue_id: one.venueId === undefined ? null : localId(local.venue, one.venueId),
      sport: one.sport,
      age: one.age,
      gender: one.gender,
      grade_id: grade(one.grade),
      non_player_staff: tx.json(staffOf(one)),
    })),
  })
  remember('team', teams)
  const restaffed = initial ? await replaceStaff(tx, feed.teams, known.team) : []
  const assigned = await assignCompetitions(tx, feed, before, local)
  const rosters = await reconcileRosters(tx, copy, { teams: feed.teams, before: before?.teams ?? [] }, local)
  const officials = await reconcile(tx, copy, {
    table: 'official',
    rule: 'merge',
    told: told(feed.officials, before?.officials, (one) => ({
      first_name: one.firstName,
      last_name: one.lastName,
      role: one.role ?? null,
      gfx_name: one.gfxName ?? null,
    })),
  })
  remember('official', officials)

  const changedTeams = new Set([...restaffed, ...assigned].filter((id) => !teams.created.includes(id)))
  return {
    counts: {
      competitions: countsOf(competitions),
      venues: countsOf(venues),
      players: countsOf(players),
      teams: {
        created: teams.created.length,
        updated: changedTeams.size,
        unchanged: teams.unchanged - changedTeams.size,
        skipped: 0,
      },
      rosters: rosters.counts,
      officials: countsOf(officials),
    },
    events: [
      ...eventsOf('competition', competitions),
      ...eventsOf('venue', venues),
      ...eventsOf('player', players),
      ...eventsOf('team', { ...teams, updated: [...changedTeams] }),
      ...rosters.teamIds.map((teamId) => ({ type: 'team.roster.synced', teamId })),
      ...eventsOf('official', officials),
    ],
    outbox: await announcements(tx, copy.organizationId, {
      competitions: competitions.updated,
      venues: venues.updated,
      players: players.updated,
      teams: [...changedTeams, ...rosters.teamIds],
      officials: officials.updated,
    }),
    local,
  }
}

/** The records of one kind with those of last time beside them. */
function told<One extends { id: string }>(
  now: readonly One[],
  before: readonly One[] | undefined,
  row: (one: One) => Row,
): ToldRecord[] {
  const last = new Map((before ?? []).map((one) => [one.id, one]))
  return now.map((one) => {
    const earlier = last.get(one.id)
    return { providerId: one.id, row: row(one), before: earlier && row(earlier) }
  })
}

/** A football team has the provider's manager as its staff, other teams all that the provider names. spec: Teams 2 */
const staffOf = ({ sport, staff }: z.output<typeof FeedTeam>) =>
  sport === 'football' ? staff.filter(({ role }) => role === 'manager') : staff

/** The initial load replaces the staff of football teams that are there already; the ids of those whose staff it changed. spec: Teams 2 */
async function replaceStaff(
  tx: TransactionSql,
  teams: Feed['teams'],
  known: ReadonlyMap<string, number>,
): Promise<number[]> {
  const changed: number[] = []
  for (const team of teams) {
    const id = known.get(team.id)
    const staff = staffOf(team)
    if (id === undefined || team.sport !== 'football' || staff.length === 0) continue
    const rows = await tx`
      update team set non_player_staff = ${tx.json(staff)}, updated_at = clock_timestamp()
      where id = ${id} and non_player_staff <> ${tx.json(staff)} returning id`
    if (rows.length > 0) changed.push(id)
  }
  return changed
}

/** The competitions that teams are listed in or have a match in. */
const assignments = ({ teams, matches }: Pick<Feed, 'teams' | 'matches'>) => [
  ...teams.flatMap(({ id, competitionIds = [] }) => competitionIds.map((competition) => ({ competition, team: id }))),
  ...matches.flatMap(({ competitionId, competitors }) =>
    competitors
      .filter(({ entityType }) => entityType === 'team')
      .map(({ id }) => ({ competition: competitionId, team: id })),
  ),
]

/** Assigns teams as the provider says now and did not say before: an assignment undone by hand stays so. The ids of those teams. */
async function assignCompetitions(
  tx: TransactionSql,
  feed: Feed,
  before: Feed | undefined,
  local: Local,
): Promise<number[]> {
  const keyOf = ({ competition, team }: { competition: string; team: string }) => JSON.stringify([competition, team])
  const said = new Set((before ? assignments(before) : []).map(keyOf))
  const wanted = assignments(feed).filter((one) => !said.has(keyOf(one)))
  const rows = await tx<{ id: number }[]>`
    insert into competition_team (competition_id, team_id)
    select distinct * from unnest(${wanted.map(({ competition }) => localId(local.competition, competition))}::int[],
      ${wanted.map(({ team }) => localId(local.team, team))}::int[])
    on conflict do nothing returning team_id as id`
  return rows.map(({ id }) => id)
}

const countsOf = ({ created, updated, unchanged }: Reconciled): Counts => ({
  created: created.length,
  updated: updated.length,
  unchanged,
  skipped: 0,
})

const eventsOf = (table: Table, { created, updated }: Reconciled): RecordEvent[] => [
  ...created.map((id) => ({ type: `${table}.created`, [`${table}Id`]: id })),
  ...updated.map((id) => ({ type: `${table}.updated`, [`${table}Id`]: id })),
]
