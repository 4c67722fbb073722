import { expect, test } from 'vitest'
import { kinds } from '../../machines/kinds.ts'
import { newMatch } from '../../machines/match.ts'
import { decodeSnapshot } from '../../src/actors/rows.ts'
import { migrate } from '../../src/store/migrate.ts'
import { testDatabaseOfOneTest } from '../support/database.ts'
import { toSchemaBefore } from '../support/older-schema.ts'
import { testKeys } from '../support/secrets.ts'

test('0007 makes an actor of each match that is there, with a journal to repair it from', async () => {
  const { sql, url } = await testDatabaseOfOneTest()
  await toSchemaBefore({ sql }, '0007')
  await sql`insert into organization (name) values ('League')`
  await sql`insert into competition (organization_id, name, sport) values (1, 'Premier', 'basketball')`
  await sql`insert into team (organization_id, name, sport) values (1, 'Home', 'basketball'), (1, 'Away', 'basketball')`
  await sql`insert into official (organization_id, first_name, last_name) values (1, 'Ann', 'Lee')`
  await sql`
    insert into match (organization_id, competition_id, sport, name, starts_at, config, round, created_at)
    values (1, 1, 'basketball', 'Derby', '2027-03-01T18:00:00.5+01', '{"periodLength": 12}', '7', '2027-01-01T00:00:00Z')`
  await sql`insert into match_competitor values (1, 0, 'team', 1, null, true), (1, 1, 'team', 2, null, false)`
  await sql`insert into match_official values (1, 1, 'referee')`
  await sql`
    insert into journal (ref, seq, organization_id, command_id, request_id, principal, command, events)
    values ('match/1', 1, 1, gen_random_uuid(), 'r', '{}', '{}', '[{"type":"match.created"}]')`
  await migrate(url, { keys: testKeys() })
  const made = newMatch({
    sport: 'basketball',
    config: { periodLength: 12 },
    settings: {
      name: 'Derby',
      competitorsType: 'teams',
      date: '2027-03-01T17:00:00.500Z',
      timezone: 'UTC',
      venueId: null,
      round: '7',
      officials: [{ id: 1, role: 'referee' }],
      pregameAutomationTime: null,
      postgameAutomationTime: null,
    },
    competitors: [
      { entityType: 'team', teamId: 1, playerId: null, isHome: true },
      { entityType: 'team', teamId: 2, playerId: null, isHome: false },
    ],
    at: '2027-01-01T00:00:00.000Z',
  })
  const [actor] = await sql`select machine_version, snapshot, seq from actor where ref = 'match/1'`
  expect(actor?.seq).toBe(0)
  expect(decodeSnapshot('match', actor?.machine_version, actor?.snapshot).context).toEqual(made)
  const rows = await sql<{ seq: number; events: [{ type: 'match.created'; match: Parameters<typeof newMatch>[0] }] }[]>`
    select seq, events from journal where ref = 'match/1'`
  expect(rows.map(({ seq }) => seq)).toEqual([0])
  expect(kinds.match.replay(rows.flatMap(({ events }) => events)).context).toEqual(made)
  expect(await sql`select state, play, officials from match`).toEqual([
    { state: 'scheduled', play: null, officials: [{ id: 1, role: 'referee' }] },
  ])
})
