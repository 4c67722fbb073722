import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKey } from '../support/app.ts'
import { type Production, produce, startProduction } from './support.ts'

let production: Production
let stranger: Omit<Production, 'close'>

beforeAll(async () => {
  production = await startProduction('built')
  stranger = await produce(production.server)
})
afterAll(() => production.close())

const get = (path: string) => production.call('GET', path)
const keyFor = async (...scopes: string[]) => {
  const { key } = await newKey(production.server.database, production.organizationId, scopes)
  return (path: string) => production.server.call('GET', path, { key })
}

describe('control rooms', () => {
  it('[op.29] lists the own rooms with their sections, narrowed to a theme; a foreign theme is 404', async () => {
    const answer = await get('/v2/control-rooms')
    expect(answer.body).toEqual([
      {
        id: production.controlRoomId,
        themeId: production.themeId,
        name: 'Match day',
        defaultMode: 'direct',
        sections: ['In play', 'Line-ups', 'Full time', 'Sponsors'].map((name, index) => ({
          id: production.sectionIds[index],
          name,
          colorKey: expect.any(String),
        })),
        updatedAt: expect.any(String),
      },
    ])
    expect(answer.headers.get('x-service-beta')).toBe('true')
    expect((await get(`/v2/control-rooms?themeId=${production.themeId}`)).body).toEqual(answer.body)
    expect((await get(`/v2/control-rooms?themeId=${stranger.themeId}`)).status).toBe(404)
    expect((await get('/v2/control-rooms?themeId=x')).status).toBe(400)
  })

  it('[op.30] a room carries its theme and presets, and the overlays only for overlays:read', async () => {
    const path = `/v2/control-rooms/${production.controlRoomId}`
    const { body } = await get(path)
    expect(body.theme).toEqual({ id: production.themeId, name: 'Coastline', activeVersion: 1 })
    expect(
      (body.presets as { id: number; graphicName: string }[]).map(({ id, graphicName }) => [id, graphicName]),
    ).toEqual(production.presets.map(({ id, graphicName }) => [id, graphicName]))
    expect(body.overlays).toEqual([
      {
        id: production.overlay.id,
        name: 'Main output',
        matchId: production.matchId,
        monitoringUrl: expect.stringContaining('/monitor/'),
      },
    ])
    const themesOnly = await keyFor('themes:read')
    expect('overlays' in (await themesOnly(path)).body).toBe(false)
  })

  it('[op.31] sections come in order, [op.32] presets in the order operators see them', async () => {
    const sections = await get(`/v2/control-rooms/${production.controlRoomId}/sections`)
    expect((sections.body as unknown as { id: string }[]).map(({ id }) => id)).toEqual(production.sectionIds)
    const presets = await get(`/v2/control-rooms/${production.controlRoomId}/presets`)
    expect((presets.body as unknown as object[])[1]).toEqual({
      id: production.preset('Goal scorer').id,
      controlRoomId: production.controlRoomId,
      sectionId: production.sectionIds[0],
      graphicId: production.preset('Goal scorer').graphicId,
      name: 'Goal scorer',
      orderIndex: 1,
      variableValues: { about: 'lastGoal' },
      exposedVariables: ['name', 'player', 'title', 'team'],
      updatedAt: expect.any(String),
    })
  })

  it('[contract: control-rooms] themes:read or overlays:read opens them, anything else does not', async () => {
    for (const scope of ['themes:read', 'overlays:read'])
      expect((await (await keyFor(scope))('/v2/control-rooms')).status).toBe(200)
    expect((await (await keyFor('matches:write'))('/v2/control-rooms')).body.code).toBe('INSUFFICIENT_SCOPE')
  })

  it('[contract: control-rooms] a foreign or missing room is 404 on every path', async () => {
    for (const id of [stranger.controlRoomId, 2_000_000_000])
      for (const rest of ['', '/sections', '/presets'])
        expect((await get(`/v2/control-rooms/${id}${rest}`)).status).toBe(404)
  })
})

describe('themes', () => {
  it('[op.16] a theme has its versions and every graphic with its versions', async () => {
    const { body, headers } = await get(`/v2/themes/${production.themeId}`)
    expect(body).toMatchObject({ id: production.themeId, name: 'Coastline', activeVersion: 1, versions: [1] })
    expect(body.graphics).toHaveLength(7)
    expect(body.graphics).toContainEqual({
      graphicId: production.preset('Score bug').graphicId,
      name: 'Score bug',
      type: 'code',
      workingVersion: 2,
      publishedVersions: [1],
    })
    expect(headers.get('link')).toContain('rel="help"')
    const list = await get('/v2/themes')
    expect(list.body).toMatchObject({ total: 1, returned: 1, themes: [{ id: production.themeId }] })
  })

  it('[op.17] variables come with the time of the last change', async () => {
    const { body } = await get(`/v2/themes/${production.themeId}/variables`)
    expect(Date.parse(String(body.updatedAt))).toBeGreaterThan(0)
    expect(body.variables).toContainEqual({
      id: 'accentColor',
      name: 'accentColor',
      type: 'string',
      defaultValue: '#d4ff3a',
      description: 'Lines and highlights',
      enumOptions: null,
      isStyle: true,
    })
  })

  it('[Code graphic] the working copy lists its files with hash and revision', async () => {
    const { graphicId } = production.preset('Score bug')
    const { body } = await get(`/v2/themes/${production.themeId}/code-graphics/${graphicId}`)
    expect(body).toMatchObject({
      graphicId,
      name: 'Score bug',
      type: 'code',
      version: 2,
      publishedVersions: [1],
      lock: null,
    })
    const assets = body.assets as { name: string }[]
    expect(assets.map(({ name }) => name)).toEqual(assets.map(({ name }) => name).sort())
    expect(assets).toContainEqual({
      name: 'index.html',
      mime: 'text/html',
      size: expect.any(Number),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      version: 1,
      updatedAt: expect.any(String),
    })
    const list = await get(`/v2/themes/${production.themeId}/code-graphics`)
    expect(list.body as unknown as object[]).toHaveLength(7)
  })

  it('[auth.11] a foreign theme is 404 on every path, its graphics too', async () => {
    const { graphicId } = stranger.preset('Score bug')
    for (const path of ['', '/variables', '/code-graphics', `/code-graphics/${graphicId}`])
      expect((await get(`/v2/themes/${stranger.themeId}${path}`)).status).toBe(404)
    expect((await get(`/v2/themes/${production.themeId}/code-graphics/${graphicId}`)).status).toBe(404)
  })

  it('[op.10] profiles of a competition, without archived ones; foreign 403, missing 404', async () => {
    const { body } = await get(`/v2/competitions/${production.competitionId}/theme-profiles`)
    expect(body).toEqual([
      {
        id: production.themeProfileId,
        competitionId: production.competitionId,
        themeId: production.themeId,
        name: 'Full graphics',
        defaultControlRoomId: production.controlRoomId,
        isDefault: true,
        themeVariableValues: [{ variableId: 'accentColor', value: '#ffd23f' }],
        updatedAt: expect.any(String),
      },
    ])
    expect((await get(`/v2/competitions/${stranger.competitionId}/theme-profiles`)).status).toBe(403)
    expect((await get('/v2/competitions/2000000000/theme-profiles')).status).toBe(404)
    const { sql } = stranger.server.database
    await sql`update theme_profile set archived_at = now() where id = ${stranger.themeProfileId}`
    expect((await stranger.call('GET', `/v2/competitions/${stranger.competitionId}/theme-profiles`)).body).toEqual([])
  })
})

describe('competitions', () => {
  it('[op.9] grades, search, read with teams, teams of a competition', async () => {
    const grades = await get('/v1/competitions/grades')
    expect((grades.body as unknown as object[])[0]).toEqual({ id: expect.any(Number), name: expect.any(String) })
    const found = await get('/v1/competitions?name=COAST&sport=football')
    expect(found.body).toMatchObject({
      total: 1,
      returned: 1,
      competitions: [{ id: production.competitionId, gfxName: 'Coast Premier' }],
    })
    expect((await get('/v1/competitions?name=%25')).body.total).toBe(0)
    const path = `/v1/competitions/${production.competitionId}`
    expect('teams' in (await get(path)).body).toBe(false)
    const teams = (await get(`${path}/teams`)).body
    expect(teams).toMatchObject({
      count: 2,
      teams: [{ id: production.teamIds[0], abbreviation: 'NOR' }, { id: production.teamIds[1] }],
    })
    expect((await get(`${path}?include=t`)).body.teams).toEqual(teams.teams)
    expect((await get(`${path}?include=z`)).status).toBe(400)
    expect(JSON.stringify(teams)).not.toContain('null')
  })

  it('[Competition] creation answers 201, an unknown key 400, an unknown grade 400', async () => {
    const body = { name: 'Winter Cup', sport: 'football', age: 'Senior', gender: 'Female', gradeId: production.gradeId }
    const made = await production.call('POST', '/v1/competitions', body)
    expect([made.status, made.body]).toEqual([
      201,
      { id: expect.any(Number), name: 'Winter Cup', gfxName: null, sport: 'football' },
    ])
    const unknownKey = await production.call('POST', '/v1/competitions', { ...body, colour: 'red' })
    expect([unknownKey.status, Object.keys(unknownKey.body.details as object)]).toEqual([400, ['body.colour']])
    const badGrade = await production.call('POST', '/v1/competitions', { ...body, gradeId: 9_999 })
    expect([badGrade.status, Object.keys(badGrade.body.details as object)]).toEqual([400, ['body.gradeId']])
  })

  it('[auth.11] a foreign competition is 403 and in no list', async () => {
    expect((await get(`/v1/competitions/${stranger.competitionId}`)).status).toBe(403)
    expect((await get(`/v1/competitions/${stranger.competitionId}/teams`)).status).toBe(403)
    expect((await get('/v1/competitions?providerIds=1')).status).toBe(400)
    const both = await get('/v1/competitions?providerIds=1&limit=0')
    expect([both.status, Object.keys(both.body.details as object)]).toEqual([400, ['query.limit', 'query.providerIds']])
    expect((await get('/v1/competitions?providerName=opta&providerIds=1')).body.total).toBe(0)
  })
})

describe('matches', () => {
  it('[domain 5.3] v2 lists competitors, v1 the two teams; include adds overlays, teams, competition and venue', async () => {
    const v2 = await get(`/v2/matches/${production.matchId}`)
    const [home, away] = production.teamIds
    expect(v2.body).toMatchObject({
      sport: 'football',
      homeTeamId: home,
      awayTeamId: away,
      state: 'scheduled',
      competitors: [
        { entityType: 'team', entityId: home, isHome: true },
        { entityType: 'team', entityId: away, isHome: false },
      ],
      config: { periodCount: 2, periodLength: 45, startingSize: 11, benchSize: 7 },
      officials: production.officialIds.map((id) => ({ id, role: expect.any(String) })),
    })
    expect('overlays' in v2.body).toBe(false)
    const v1 = await get(`/v1/matches/${production.matchId}?include=o,c,v`)
    expect(v1.body).toMatchObject({
      homeTeam: { id: home, name: 'Norrvik Athletic', isHome: true },
      awayTeam: { id: away },
      competition: { id: production.competitionId },
      venue: { id: production.venueId, name: 'Harbour Lane Stadium' },
      overlays: [{ id: production.overlay.id, monitoringUrl: expect.stringContaining('/monitor/') }],
    })
    expect((await get(`/v2/matches/${production.matchId}?include=t`)).body.teams).toHaveLength(2)
    const list = await get(`/v2/matches?include=o&teamId=${home}`)
    expect(list.body).toMatchObject({ total: 1, returned: 1, matches: [{ overlays: [{ id: production.overlay.id }] }] })
    expect((await get('/v1/matches?dateTo=2000-01-01T00:00:00Z')).body).toEqual({ matches: [], total: 0, returned: 0 })
  })

  it('[decisions] include=o gives no links to a key without overlays:read', async () => {
    const matchesOnly = await keyFor('matches:read')
    const answer = await matchesOnly(`/v2/matches/${production.matchId}?include=o`)
    expect([answer.status, 'overlays' in answer.body]).toEqual([200, false])
  })

  const creation = () => ({
    competitionId: production.competitionId,
    date: '2027-03-01T18:00:00+01:00',
    homeTeamId: production.teamIds[0],
    awayTeamId: production.teamIds[1],
  })
  const create = (body: object) => production.call('POST', '/v2/matches', { ...creation(), ...body })

  it('[contract] POST answers 200, since the specification names it, with the match; matchTier is ignored, defaults come from the sport', async () => {
    const answer = await create({ matchTier: 'gold', round: 'Final', venueId: production.venueId })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      date: '2027-03-01T17:00:00.000Z',
      round: 'Final',
      timezone: 'Europe/Oslo',
      config: { periodLength: 45 },
    })
    expect('matchTier' in answer.body).toBe(false)
  })

  it.each([
    ['only one team', () => ({ awayTeamId: undefined }), 'body.awayTeamId'],
    ['the same team twice', () => ({ awayTeamId: production.teamIds[0] }), 'body.awayTeamId'],
    ['a bad time zone', () => ({ timezone: 'Mars/Base' }), 'body.timezone'],
    ['a bad date', () => ({ date: 'tomorrow' }), 'body.date'],
    ['a date before the year 1', () => ({ date: '0000-12-31T00:00:00Z' }), 'body.date'],
    ['a date that is in the year 10000 in UTC', () => ({ date: '9999-12-31T23:00:00-02:00' }), 'body.date'],
    ['teams and competitors', () => ({ competitors: [{ entityType: 'team', entityId: 1 }] }), 'body.competitors'],
  ])('[domain 5.3] %s answers 400', async (_, body, field) => {
    const answer = await create(body())
    expect([answer.status, Object.keys(answer.body.details as object)]).toEqual([400, [field]])
  })

  it('[contract] foreign ids in the body are 403, missing ones 404, a team of no such competition 400', async () => {
    expect((await create({ homeTeamId: stranger.teamIds[0] })).status).toBe(403)
    expect((await create({ venueId: stranger.venueId })).status).toBe(403)
    // ownership is judged before the rules of a match
    const twice = { awayTeamId: production.teamIds[0], venueId: stranger.venueId }
    expect((await create(twice)).status).toBe(403)
    expect((await create({ competitionId: stranger.competitionId })).status).toBe(403)
    expect((await create({ homeTeamId: 2_000_000_000 })).status).toBe(404)
    const { sql } = production.server.database
    const [team] = await sql<{ id: number }[]>`
      insert into team (organization_id, name, sport) values (${production.organizationId}, 'Lonely Team', 'football') returning id`
    expect((await create({ awayTeamId: team?.id })).status).toBe(400)
  })

  it('[auth.11] a foreign match is 403, a missing one 404', async () => {
    for (const version of ['v1', 'v2']) {
      expect((await get(`/${version}/matches/${stranger.matchId}`)).status).toBe(403)
      expect((await get(`/${version}/matches/2000000000`)).status).toBe(404)
    }
  })
})
