import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectProvider, disconnectProvider } from '../../src/resources/providers/commands.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { addOverlay } from '../support/secrets.ts'
import { feedServer, league } from './feed-server.ts'
import { connected, localConnector, syncing } from './rig.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const team = async (organizationId: number, providerId: string) => {
  const [row] = await database.sql`
    select * from team where organization_id = ${organizationId} and provider_name = 'custom' and provider_id = ${providerId}`
  if (!row) throw new Error(`no team ${providerId}`)
  return row
}
const roster = (organizationId: number, providerId: string) => database.sql`
  select p.provider_id as player, p.first_name, p.last_name, r.number, r.position, r.position_type, r.gfx_first_name,
    r.gfx_last_name, r.starter, r.bench, r.captain
  from roster_entry r join player p on p.id = r.player_id join team t on t.id = r.team_id
  where t.organization_id = ${organizationId} and t.provider_id = ${providerId} order by p.provider_id`
const journalRows = async (organizationId: number) =>
  (await database.sql`select from journal where organization_id = ${organizationId}`).length
/** Every stored value of an organization's records, with the physical place of each row: rewriting a row moves it. */
const everything = (organizationId: number) => database.sql`
  select 'competition' as kind, ctid::text, to_jsonb(c) as row from competition c where organization_id = ${organizationId}
  union all select 'venue', ctid::text, to_jsonb(v) from venue v where organization_id = ${organizationId}
  union all select 'team', ctid::text, to_jsonb(t) from team t where organization_id = ${organizationId}
  union all select 'player', ctid::text, to_jsonb(p) from player p where organization_id = ${organizationId}
  union all select 'official', ctid::text, to_jsonb(o) from official o where organization_id = ${organizationId}
  union all select 'match', ctid::text, to_jsonb(m) from match m where organization_id = ${organizationId}
  union all select 'roster', r.ctid::text, to_jsonb(r) from roster_entry r join team t on t.id = r.team_id
    where t.organization_id = ${organizationId}
  order by 1, 2`

describe('the first load', () => {
  it('takes over every record with its provider and id, and what they refer to', async () => {
    const feed = await feedServer()
    feed.serve(league())
    const { organization, id } = await connected(database, feed.url)
    const { counts, problems } = await syncing(database).done(id)
    expect(problems).toEqual([])
    expect(counts).toMatchObject({
      competitions: { created: 2, updated: 0, unchanged: 0, skipped: 0 },
      venues: { created: 1 },
      players: { created: 3 },
      teams: { created: 3 },
      rosters: { created: 3 },
      officials: { created: 1 },
    })
    const [competition] = await database.sql`
      select c.*, g.name as grade from competition c join grade g on g.id = c.grade_id
      where organization_id = ${organization.id} and provider_id = 'c1'`
    expect(competition).toMatchObject({ name: 'Premier League', sport: 'football', age: 'Senior', grade: 'Premier' })
    const [venue] = await database.sql`select * from venue where organization_id = ${organization.id}`
    expect(venue).toMatchObject({ name: 'North Park', city: 'Leeds', courts: ['Court 1'], provider_name: 'custom' })
    const northern = await team(organization.id, 't1')
    expect(northern).toMatchObject({
      name: 'Northern United',
      gfx_name: null,
      abbreviation: 'NUN',
      default_venue_id: venue?.id,
      primary_background_color: '#000000',
    })
    expect(await roster(organization.id, 't1')).toMatchObject([
      { player: 'p1', first_name: 'Zoë', number: '07', position: 'Forward', position_type: 'attack', captain: false },
      { player: 'p2', first_name: 'Max', number: '1', position: 'Keeper', position_type: null },
    ])
    const assigned = await database.sql<{ id: string }[]>`
      select t.provider_id as id from competition_team join team t on t.id = team_id
      where competition_id = ${competition?.id} order by 1`
    // the second only because it plays a match of it
    expect(assigned.map((row) => row.id)).toEqual(['t1', 't2'])
  })

  it('is one journal row that names what was made, without the token', async () => {
    const feed = await feedServer()
    feed.serve(league())
    const { organization, id } = await connected(database, `${feed.url}`, 'secret-token-of-the-feed')
    await syncing(database).done(id)
    expect(feed.requests[0]?.headers.authorization).toBe('Bearer secret-token-of-the-feed')
    const rows = await database.sql`
      select * from journal where organization_id = ${organization.id} and ref = ${`provider-connection/${id}`} order by seq`
    expect(rows.map((row) => row.command.type)).toEqual(['connect', 'sync'])
    expect(rows[1]?.events.filter((event: { type: string }) => event.type === 'team.created')).toHaveLength(3)
    expect(rows[1]?.principal).toEqual({ type: 'system', name: 'provider custom' })
    expect(JSON.stringify(rows)).not.toContain('secret-token')
  })
})

describe('the next sync', () => {
  it('writes nothing and journals nothing when nothing changed, whether the provider answers 304 or everything again', async () => {
    const feed = await feedServer()
    feed.serve(league())
    const { organization, id } = await connected(database, feed.url)
    const run = syncing(database)
    await run.done(id)
    const before = await everything(organization.id)
    const journaled = await journalRows(organization.id)

    const unchanged = await run.done(id)
    expect(feed.requests.at(-1)?.headers['if-none-match']).toMatch(/^"/)
    feed.serve({ ...league(), venues: [...league().venues] })
    await database.sql`update provider_page set etag = null where connection_id = ${id}`
    const again = await run.done(id)
    expect(feed.requests.at(-1)?.headers['if-none-match']).toBeUndefined()

    for (const { counts } of [unchanged, again])
      expect(counts.players).toEqual({ created: 0, updated: 0, unchanged: 3, skipped: 0 })
    expect(await everything(organization.id)).toEqual(before)
    expect(await journalRows(organization.id)).toBe(journaled)
  })

  it('[Teams 2] keeps every field of a team that the PATCH route sets, edited or not, and [Teams 3] the logo', async () => {
    const feed = await feedServer()
    feed.serve(league())
    const { organization, id } = await connected(database, feed.url)
    const run = syncing(database)
    await run.done(id)
    const { id: teamId } = await team(organization.id, 't1')
    await database.sql`insert into image (hash, content_type, width, height) values ('abc', 'image/png', 1, 1)`
    await database.sql`update team set name = 'Our Northern', logo_blob = 'abc', primary_text_color = '#123456',
      non_player_staff = '[]' where id = ${teamId}`
    const changed = league()
    for (const one of changed.teams)
      Object.assign(one, {
        name: 'Renamed By Provider',
        gfxName: 'Renamed',
        gfxFullName: 'Renamed Fully',
        abbreviation: 'REN',
        age: 'U18',
        gender: 'Female',
        grade: 'Cup',
        primaryBackgroundColor: '#ffffff',
        primaryTextColor: '#ffffff',
        secondaryBackgroundColor: '#ffffff',
        secondaryTextColor: '#ffffff',
        staff: [{ firstName: 'New', lastName: 'Coach', role: 'manager' }],
      })
    delete changed.teams[0]?.venueId
    const edited = [await team(organization.id, 't1'), await team(organization.id, 't2')]
    feed.serve(changed)
    const { counts } = await run.done(id)
    expect(counts.teams).toEqual({ created: 0, updated: 0, unchanged: 3, skipped: 0 })
    expect([await team(organization.id, 't1'), await team(organization.id, 't2')]).toEqual(edited)
  })

  it('[Teams 5] replaces names, number and positions of roster players, and leaves graphics names, defaults and captain', async () => {
    const feed = await feedServer()
    feed.serve(league())
    const { organization, id } = await connected(database, feed.url)
    const run = syncing(database)
    await run.done(id)
    await database.sql`
      update roster_entry r set number = '99', position = 'Wing', position_type = 'other', gfx_first_name = 'Z.',
        gfx_last_name = 'ÅBERG', starter = true, bench = true, captain = true
      from player p where p.id = r.player_id and p.organization_id = ${organization.id} and p.provider_id = 'p1'`
    await database.sql`update player set first_name = 'Edited', last_name = 'Edited'
      where organization_id = ${organization.id} and provider_id = 'p1'`
    // not even a provider that answers 304 leaves the edit alone
    const { counts } = await run.done(id)
    expect(counts.players.updated).toBe(1)
    expect(counts.rosters.updated).toBe(1)
    expect((await roster(organization.id, 't1'))[0]).toEqual({
      player: 'p1',
      first_name: 'Zoë',
      last_name: 'Åberg',
      number: '07',
      position: 'Forward',
      position_type: 'attack',
      gfx_first_name: 'Z.',
      gfx_last_name: 'ÅBERG',
      starter: true,
      bench: true,
      captain: true,
    })
  })

  it('takes what the provider changed on a competition or venue, but not over an edit by hand', async () => {
    const feed = await feedServer()
    feed.serve(league())
    const { organization, id } = await connected(database, feed.url)
    const run = syncing(database)
    await run.done(id)
    await database.sql`update venue set city = 'Bradford' where organization_id = ${organization.id}`
    const changed = league()
    Object.assign(changed.venues[0] ?? {}, { city: 'York', country: 'England' })
    Object.assign(changed.competitions[0] ?? {}, { name: 'Premiership', sport: 'futsal' })
    feed.serve(changed)
    const { counts } = await run.done(id)
    expect([counts.venues.updated, counts.competitions.updated]).toEqual([1, 1])
    const [venue] = await database.sql`select city, country from venue where organization_id = ${organization.id}`
    expect(venue).toEqual({ city: 'Bradford', country: 'England' })
    const [competition] = await database.sql`
      select name, sport from competition where organization_id = ${organization.id} and provider_id = 'c1'`
    expect(competition).toEqual({ name: 'Premiership', sport: 'football' })
  })

  it('keeps what the feed no longer holds, but a roster is what the provider lists, and players added by hand stay', async () => {
    const feed = await feedServer()
    feed.serve(league())
    const { organization, id } = await connected(database, feed.url)
    const run = syncing(database)
    await run.done(id)
    const { id: teamId } = await team(organization.id, 't1')
    const [own] = await database.sql`
      insert into player (organization_id, first_name, last_name) values (${organization.id}, 'Own', 'Player') returning id`
    await database.sql`insert into roster_entry (team_id, player_id, number) values (${teamId}, ${own?.id}, '50')`
    const { teams } = league()
    feed.serve({ version: 1, teams: [{ ...teams[0], roster: [{ playerId: 'p1', number: '8' }] }] })
    const { counts } = await run.done(id)
    expect(counts.rosters).toEqual({ created: 0, updated: 2, unchanged: 0, skipped: 0 })
    expect(await roster(organization.id, 't1')).toMatchObject([
      { player: 'p1', number: '8', position: null },
      { player: null, number: '50' },
    ])
    expect(await roster(organization.id, 't2')).toHaveLength(1)
    expect(await database.sql`select from player where organization_id = ${organization.id}`).toHaveLength(4)
  })
})

describe('what was done by hand to rosters and competitions', () => {
  it('holds: who was taken off or put on, and which teams left a competition, until the provider says something new', async () => {
    const feed = await feedServer()
    feed.serve(league())
    const { organization, id } = await connected(database, feed.url)
    const run = syncing(database)
    await run.done(id)
    const { id: first } = await team(organization.id, 't1')
    const { id: second } = await team(organization.id, 't2')
    await database.sql`delete from roster_entry where team_id = ${first} and player_id in (
      select id from player where organization_id = ${organization.id} and provider_id = 'p1')`
    await database.sql`insert into roster_entry (team_id, player_id, number)
      select ${second}, id, '77' from player where organization_id = ${organization.id} and provider_id = 'p2'`
    await database.sql`delete from competition_team where team_id = ${first}`
    const changed = league()
    Object.assign(changed.teams[1] ?? {}, { competitionIds: ['c1'] })
    feed.serve(changed)
    const { counts } = await run.done(id)
    expect([counts.rosters, counts.teams.updated]).toEqual([{ created: 0, updated: 0, unchanged: 2, skipped: 1 }, 0])
    expect((await roster(organization.id, 't1')).map(({ player }) => player)).toEqual(['p2'])
    expect((await roster(organization.id, 't2')).map(({ player, number }) => [player, number])).toEqual([
      ['p2', '77'],
      ['p3', ''],
    ])
    expect(await database.sql`select from competition_team where team_id = ${first}`).toEqual([])

    Object.assign(changed.teams[0] ?? {}, { competitionIds: ['c1', 'c2'] })
    feed.serve(changed)
    expect((await run.done(id)).counts.teams.updated).toBe(1)
    expect(await database.sql`select from competition_team where team_id = ${first}`).toHaveLength(1)
  })
})

describe('overlays', () => {
  it('of the matches that changed teams and players have a part in hear of it once, others do not', async () => {
    const feed = await feedServer()
    feed.serve(league())
    const { organization, id } = await connected(database, feed.url)
    const run = syncing(database)
    await run.done(id)
    const [match] = await database.sql<
      { id: number }[]
    >`select id from match where organization_id = ${organization.id}`
    const matchId = match?.id ?? 0
    for (let nth = 0; nth < 2; nth++) await addOverlay(database.sql, { organizationId: organization.id, matchId })
    const announced = async () =>
      (await database.sql`select from outbox where payload ->> 'ref' = ${`match/${matchId}`}`).length
    const before = await announced()
    await run.done(id)
    expect(await announced()).toBe(before)
    const changed = league()
    for (const player of changed.players) player.lastName = 'Changed'
    Object.assign(changed.officials[0] ?? {}, { lastName: 'Changed' })
    feed.serve(changed)
    await run.done(id)
    expect(await announced()).toBe(before + 1)
    for (const change of [
      { venues: [{ ...changed.venues[0], name: 'South Park' }] },
      { officials: [{ ...changed.officials[0], lastName: 'Other' }] },
      { competitions: [{ ...changed.competitions[0], name: 'Second League' }] },
    ]) {
      const so = await announced()
      feed.serve({ version: 1, ...change })
      await run.done(id)
      expect(await announced()).toBe(so + 1)
    }
  })
})

describe('a process that stops', () => {
  it('gives its sync back, and the next one begins at once', async () => {
    const feed = await feedServer()
    const stopping = new AbortController()
    feed.answer(() => stopping.abort())
    const { id } = await connected(database, feed.url)
    const outcome = await syncing(database, localConnector(), stopping.signal).sync(id)
    expect(outcome).toEqual({ waitMs: 0, busy: true })
    expect(feed.requests).toHaveLength(1)
    feed.serve(league())
    expect(await syncing(database).sync(id)).toMatchObject({ report: { counts: { teams: { created: 3 } } } })
  })
})

describe('[Teams 2] the manager', () => {
  it('of a football team is its staff after the initial load; other sports take the whole staff', async () => {
    const feed = await feedServer()
    feed.serve(league())
    const { organization, id } = await connected(database, feed.url)
    await syncing(database).done(id)
    expect((await team(organization.id, 't1')).non_player_staff).toEqual([
      { firstName: 'Pat', lastName: 'First', role: 'manager' },
    ])
    expect((await team(organization.id, 't3')).non_player_staff).toEqual([
      { firstName: 'Bo', lastName: 'Bench', role: 'assistantManager' },
    ])
  })

  it('replaces the staff again when an admin connects the provider anew, and every other field keeps its value', async () => {
    const feed = await feedServer()
    feed.serve(league())
    const { organization, id } = await connected(database, feed.url)
    const run = syncing(database)
    await run.done(id)
    const staff = [{ firstName: 'By', lastName: 'Hand', role: 'manager' }]
    await database.sql`update team set non_player_staff = ${database.sql.json(staff)}, name = 'Named by hand'
      where organization_id = ${organization.id}`
    await run.done(id)
    expect((await team(organization.id, 't1')).non_player_staff).toEqual(staff)

    await disconnectProvider(database.db, id)
    const again = await connectProvider(database.db, organization.id, {
      provider: 'custom',
      url: feed.url,
      intervalSeconds: 900,
      token: null,
    })
    const { counts } = await run.done(again.id)
    expect(counts.teams).toEqual({ created: 0, updated: 1, unchanged: 2, skipped: 0 })
    expect(await team(organization.id, 't1')).toMatchObject({
      name: 'Named by hand',
      non_player_staff: [{ firstName: 'Pat', lastName: 'First', role: 'manager' }],
    })
    // no manager in the feed, and not football
    expect((await team(organization.id, 't2')).non_player_staff).toEqual(staff)
    expect((await team(organization.id, 't3')).non_player_staff).toEqual(staff)
  })
})

describe('organizations', () => {
  it('[Team] have copies of their own of the same feed: an edit changes one of them', async () => {
    const feed = await feedServer()
    feed.serve(league())
    const [one, other] = [await connected(database, feed.url), await connected(database, feed.url)]
    const run = syncing(database)
    await run.done(one.id)
    await run.done(other.id)
    const mine = await team(one.organization.id, 't1')
    const theirs = await team(other.organization.id, 't1')
    expect(mine.id).not.toBe(theirs.id)
    await database.sql`update team set name = 'Only ours now' where id = ${mine.id}`
    await run.done(one.id)
    await run.done(other.id)
    expect((await team(one.organization.id, 't1')).name).toBe('Only ours now')
    expect((await team(other.organization.id, 't1')).name).toBe('Northern United')
  })
})
