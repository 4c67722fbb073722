import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Production, produce, startProduction } from './support.ts'

const stateMachine = {
  controlVariables: [
    { id: 'line', name: 'line', type: 'string', defaultValue: 'so far' },
    { id: 'mood', name: 'mood', type: 'enum', options: ['calm', 'loud'], defaultValue: 'calm' },
    { id: 'half', name: 'half', type: 'period', defaultValue: 1 },
    { id: 'scorer', name: 'scorer', type: 'player' },
  ],
  userExpressions: [
    { id: 'u1', name: 'result', expression: 'match.score.home + "-" + match.score.away' },
    {
      id: 'u2',
      name: 'line',
      expression: 'variables.line + ": " + expressions.result',
      description: 'Under the score',
    },
    { id: 'u3', name: 'who', expression: 'selected.scorer.lastName' },
    { id: 'u4', name: 'half', expression: 'selected.half.name' },
    { id: 'u5', name: 'ground', expression: 'theme.primaryColor' },
    { id: 'u6', name: 'sport', expression: 'sport + " " + variables.mood' },
  ],
}

let production: Production
let path: string
let graphicId: string

beforeAll(async () => {
  production = await startProduction()
  const graphics = `/v2/themes/${production.themeId}/code-graphics`
  const { status, body } = await production.call('POST', graphics, { name: 'Computed', stateMachine })
  expect(status, JSON.stringify(body)).toBe(201)
  graphicId = String(body.graphicId)
  path = `${graphics}/${graphicId}/evaluate`
})
afterAll(() => production.close())

type Row = { id: string; name: string; expression: string; value: unknown; ok: boolean; error: string | null }

async function evaluate(asked: object) {
  const { status, body } = await production.call('POST', path, asked)
  expect(status, JSON.stringify(body)).toBe(200)
  const { rows, userExpressions, unresolved } = body as { rows: Row[]; userExpressions: Row[]; unresolved: number }
  expect(rows).toEqual([])
  return { userExpressions, unresolved, value: Object.fromEntries(userExpressions.map((row) => [row.name, row.value])) }
}

describe('[domain 5.12] evaluate: errors are data, status 200', () => {
  it('without data each row says why it fails; those that need none have their values', async () => {
    const { userExpressions, unresolved, value } = await evaluate({})
    expect(userExpressions[0]).toEqual({
      id: 'u1',
      name: 'result',
      expression: 'match.score.home + "-" + match.score.away',
      value: null,
      ok: false,
      error: 'No such key: score',
    })
    expect(value).toMatchObject({ ground: '#0b1020', sport: null })
    expect(unresolved).toBe(5)
    expect((await evaluate({ sport: 'tennis' })).value.sport).toBe('tennis calm')
  })

  it('on a scenario', async () => {
    const { value, unresolved, userExpressions } = await evaluate({ scenarioId: 'football-goal' })
    expect(value.result).toMatch(/^\d+-\d+$/)
    expect(value).toMatchObject({
      line: `so far: ${value.result}`,
      sport: 'football calm',
      who: null,
      half: '1st half',
    })
    expect(unresolved).toBe(1)
    expect(userExpressions.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(['who'])
  })

  it('on a match with values, which records of it they name, and the values of a profile', async () => {
    const [home = 0] = production.teamIds
    const scorer = production.playerIds[home]?.[10] ?? 0
    const profile = `/v2/competitions/${production.competitionId}/theme-profiles/${production.themeProfileId}`
    const set = await production.call('PATCH', profile, {
      themeVariableValues: [{ variableId: 'primaryColor', value: '#112233' }],
    })
    expect(set.status, JSON.stringify(set.body)).toBe(200)
    const asked = { matchId: production.matchId, variableValues: { scorer, line: 'now', mood: null } }
    expect((await evaluate(asked)).value).toMatchObject({
      result: '0-0',
      line: 'now: 0-0',
      who: 'Ståhlberg',
      ground: '#0b1020',
      sport: 'football calm',
    })
    const dressed = { ...asked, competitionThemeSettingId: production.themeProfileId }
    expect((await evaluate(dressed)).value.ground).toBe('#112233')
  })

  it('with rows: the sample of a template, what was pushed to a profile, or those of the caller', async () => {
    const { themeId, themeProfileId } = production
    const template = { alias: 'table', sourceType: 'csv', shape: 'rows', sample: 'team,points\nNorrvik,3\n' }
    expect((await production.call('POST', `/v2/themes/${themeId}/data-source-templates`, template)).status).toBe(201)
    const rows = { id: 'r', name: 'row', expression: 'dataSources.table[0].team + " " + dataSources.table[0].points' }
    const graphic = path.replace('/evaluate', '')
    const change = (userExpressions: object[]) =>
      production.call('PATCH', graphic, { stateMachine: { ...stateMachine, userExpressions } })
    expect((await change([rows])).status).toBe(200)
    expect((await evaluate({})).value).toEqual({ row: 'Norrvik 3' })
    // to a real match nobody has pushed anything yet
    expect((await evaluate({ matchId: production.matchId })).unresolved).toBe(1)
    const profile = { competitionThemeSettingId: themeProfileId }
    expect((await evaluate(profile)).unresolved).toBe(1)
    const pushed = { rows: [{ team: 'Harbour', points: 31 }] }
    expect((await production.call('POST', `/v2/data-sources/${themeProfileId}/table`, pushed)).status).toBe(200)
    expect((await evaluate(profile)).value).toEqual({ row: 'Harbour 31' })
    const own = { dataSources: { table: [{ team: 'Own', points: 1 }] } }
    expect((await evaluate({ ...profile, data: own })).value).toEqual({ row: 'Own 1' })
    expect((await change(stateMachine.userExpressions)).status).toBe(200)
  })

  it('on data of the caller, whole or not; a part that is not right names no record and breaks nothing', async () => {
    const data = { match: { score: { home: 7, away: 5 } }, periods: 'none', players: [{ id: 4 }] }
    const { value, unresolved } = await evaluate({ data, sport: 'waterPolo', variableValues: { scorer: 4 } })
    expect(value).toMatchObject({ result: '7-5', line: 'so far: 7-5', who: null, half: null, sport: 'waterPolo calm' })
    expect(unresolved).toBe(2)
    const scenario = (await production.call('GET', '/v2/scenarios/football-goal')).body as { data: object }
    expect((await evaluate({ data: scenario.data })).value.half).toBe('1st half')
  })

  it('of a published version, whatever the working copy has become', async () => {
    const file = { name: 'index.html', mime: 'text/html', size: 1, hash: 'a'.repeat(64) }
    const { sql } = production.server.database
    await sql`update graphic_draft set assets = ${sql.json([{ ...file, version: 1, updatedAt: new Date().toISOString() }])}
      where graphic_id = ${graphicId}`
    const published = await production.call('POST', path.replace('evaluate', 'publish'), {})
    expect(published.status, JSON.stringify(published.body)).toBe(201)
    const changed = { ...stateMachine, userExpressions: [{ id: 'u1', name: 'result', expression: '"changed"' }] }
    expect((await production.call('PATCH', path.replace('/evaluate', ''), { stateMachine: changed })).status).toBe(200)
    const scenarioId = 'football-full-time'
    expect((await evaluate({ scenarioId })).value).toEqual({ result: 'changed' })
    expect((await evaluate({ version: 'working', scenarioId })).value).toEqual({ result: 'changed' })
    expect((await evaluate({ version: 1, scenarioId })).value.result).toMatch(/^\d+-\d+$/)
    await production.call('PATCH', path.replace('/evaluate', ''), { stateMachine })
  })
})

describe('what evaluate refuses', () => {
  it.each([
    [{ scenarioId: 'football-goal', data: {} }, 'body.scenarioId'],
    [{ data: {}, matchId: 1 }, 'body.matchId'],
    [{ scenarioId: 'football-nothing' }, 'body.scenarioId'],
    [{ scenarioId: 'football-goal', sport: 'tennis' }, 'body.sport'],
    [{ sport: 'chess' }, 'body.sport'],
    [{ version: 0 }, 'body.version'],
    [{ version: 'draft' }, 'body.version'],
    [{ variableValues: { unknown: 1 } }, 'body.variableValues.unknown'],
    [{ variableValues: { mood: 'wild' } }, 'body.variableValues.mood'],
    [{ variableValues: { scorer: 'x' } }, 'body.variableValues.scorer'],
  ])('%j answers 400 naming %s', async (asked, name) => {
    const { status, body } = await production.call('POST', path, asked)
    expect([status, Object.keys(body.details as object)]).toEqual([400, [name]])
  })

  it('what is missing answers 404; another organization: its theme 404, its match and profile 403', async () => {
    const other = await produce(production.server)
    const answer = async (asked: object, on = path) => (await production.call('POST', on, asked)).status
    expect(await answer({ version: 99 })).toBe(404)
    expect(await answer({ matchId: 2_000_000_000 })).toBe(404)
    expect(await answer({ competitionThemeSettingId: 2_000_000_000 })).toBe(404)
    expect(await answer({}, path.replace(graphicId, 'no-such-graphic'))).toBe(404)
    expect((await other.call('POST', path, {})).status).toBe(404)
    expect(await answer({ matchId: other.matchId })).toBe(403)
    expect(await answer({ competitionThemeSettingId: other.themeProfileId })).toBe(403)
  })
})

describe('[CODE_GRAPHIC_INVALID] broken user expressions are refused when they are written', () => {
  it('on creation and on change, each rule as a sentence, and nothing changes', async () => {
    const broken = {
      userExpressions: [
        { id: '1', name: 'a', expression: 'match.score.home +' },
        { id: '2', name: 'b', expression: 'shout(match.name)' },
        { id: '3', name: 'b', expression: 'expressions.later' },
      ],
    }
    const rules = [
      'user expression a: Unexpected token: EOF (at character 19)',
      "user expression b: found no matching overload for 'shout(dyn)' (at character 1)",
      'user expression b: expressions.later is read, but no expression before it has this name',
      'user expression b: the name is used twice',
    ]
    for (const [method, on, body] of [
      ['POST', path.split(`/${graphicId}`)[0] ?? '', { name: 'Broken', stateMachine: broken }],
      ['PATCH', path.replace('/evaluate', ''), { stateMachine: broken }],
    ] as const) {
      const refused = await production.call(method, on, body)
      expect([refused.status, refused.body.code]).toEqual([400, 'CODE_GRAPHIC_INVALID'])
      expect(refused.body.details).toEqual(rules)
    }
    const { body } = await production.call('GET', path.replace('/evaluate', ''))
    expect(body.stateMachine).toEqual(stateMachine)
  })
})
