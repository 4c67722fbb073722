import { mkdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { sleep } from '../../bench/clock.ts'
import { removeDataDir, type Server, startServer, temporaryDataDir } from '../../bench/server.ts'
import type { Demo } from '../../src/demo/seed.ts'
import { feedServer } from '../providers/feed-server.ts'
import { giveCluster } from '../support/data-dir.ts'
import { quickPlace } from '../support/quick-place.ts'
import { type AsRun, asked, compared, type Outage, showsOf, type TimeLine } from './automatic.ts'
import { full } from './full.ts'

/** Goals, corrections and kills in the middle of the football match come so often. */
const ROUNDS = full ? 10 : 1
const GAP_MS = 700

test('[issue 18] two matches with no operator: the right graphics at the right times through kills, corrections and a burst', {
  timeout: full ? 400_000 : 120_000,
}, async () => {
  const dataDir = temporaryDataDir(quickPlace())
  mkdirSync(dataDir)
  giveCluster(dataDir)
  const settings = { MEDIA_ENGINE: 'off', OUTBOUND_PRIVATE: 'on' }
  let server = await startServer(dataDir, { settings })
  onTestFinished(async () => {
    await server.stop()
    removeDataDir(dataDir)
  })
  const { port, url } = server
  const demo = (await server.admin('demo', '--name', 'Automatic')) as Demo
  const call = (method: string, path: string, body?: object) => asked(url, demo.apiKey, method, path, body)
  const league = await providedLeague((...command) => server.admin(...command), demo.organizationId, call)
  const outages: Outage[] = []
  const kill = async () => {
    const from = Date.now()
    await server.kill()
    server = await startServer(dataDir, { port, settings })
    outages.push({ from, to: Date.now() })
  }
  const football = await production(demo, call, league, [
    ['Bug', { type: 'period', at: 'start' }, 'Score bug', { until: 'period' }],
    ['Goal', fact('goal'), 'Goal scorer', { afterSeconds: 4 }, scorer],
    ['Corners', fact('corner'), 'Kit partner', { afterSeconds: 5 }, { every: 3 }],
    ['Late', fact('offside'), 'Away line-up', { afterSeconds: 2 }],
    [
      'Half',
      { type: 'state', state: 'break' },
      'Half-time score',
      { afterSeconds: 3 },
      { layer: 'Full', delaySeconds: 1 },
    ],
    [
      'Full',
      { type: 'state', state: 'finished' },
      'Full-time result',
      { until: 'hidden' },
      { layer: 'Full', priority: 90 },
    ],
  ])
  const cricket = await production(demo, call, await cricketCup(demo, call), [
    ['Bug', { type: 'period', at: 'start' }, 'Score bug', { until: 'period' }],
    ['Wicket', fact('wicket'), 'Commentator', { afterSeconds: 4 }],
    ['Sixes', fact('six'), 'Match partner', { afterSeconds: 3 }, { every: 2 }],
    ['Break', { type: 'state', state: 'break' }, 'Half-time score', { afterSeconds: 3 }],
    ['Won', { type: 'state', state: 'finished' }, 'Full-time result', { until: 'hidden' }, { priority: 90 }],
  ])
  const [home, away] = football.sides
  const deleted: number[] = []

  await football.tell('matchStart')
  await cricket.tell('matchStart', cricket.sides[0], { details: { overs: 1 } })
  const { players } = league
  for (let round = 0; round < ROUNDS; round++) {
    const goal = await football.tell('goal', home, { playerId: players[0] })
    if (round === 0) for (const type of ['four', 'six', 'six', 'wicket']) await cricket.tell(type, cricket.sides[0])
    await sleep(GAP_MS)
    await call('POST', `/v2/matches/${football.matchId}/facts/${goal}`, { playerId: players[1] })
    await sleep(GAP_MS)
    // the card is on air
    await kill()
    await sleep(2_500)
    const gone = await football.tell('goal', away)
    await sleep(GAP_MS)
    await call('DELETE', `/v2/matches/${football.matchId}/facts/${gone}`)
    deleted.push(gone)
    // a provider that was away sends what it has, some of it too late
    outages.push(await league.burst([...Array(6).fill('corner'), ...Array(4).fill('offside')], 'offside'))
    await sleep(GAP_MS)
  }
  await football.tell('periodEnd')
  for (const type of ['runs', 'runs']) await cricket.tell(type, cricket.sides[0], { points: type === 'runs' ? 0 : 1 })
  await cricket.tell('periodEnd')
  await kill()
  await sleep(GAP_MS)
  await football.tell('periodStart')
  await cricket.tell('periodStart', cricket.sides[1])
  await football.tell('goal', home, { playerId: players[2] })
  for (let ball = 0; ball < 3; ball++) await cricket.tell('six', cricket.sides[1])
  await sleep(4_500)
  await football.tell('matchEnd')

  for (const match of [football, cricket]) {
    const onAir = async () => {
      const { manualGraphicState } = await call('GET', `/v2/overlays/${match.overlayId}`)
      return Object.keys(manualGraphicState as object)
    }
    await expect.poll(onAir, { timeout: 20_000, interval: 100, message: match.sport }).toEqual(['Result card'])
    const { timeline } = (await call('POST', `${match.plan}/simulate`, { matchId: match.matchId })) as {
      timeline: TimeLine[]
    }
    const asRun = ((await call('GET', `/v2/overlays/${match.overlayId}/as-run?limit=1000`)).asRun as AsRun[]).map(
      ({ graphicName, by, ...line }) => ({ ...line, graphic: graphicName, rule: by.name }),
    )
    // facts that were told too late are in time for a simulation, which plays them when they happened
    const planned = timeline.flatMap(({ graphicName, name, ...line }) =>
      name === 'Late' ? [] : [{ ...line, graphic: graphicName ?? '', rule: name }],
    )
    const { missing, otherwise, unplanned } = compared(showsOf(planned), showsOf(asRun), outages)
    expect({ sport: match.sport, missing, otherwise }).toEqual({ sport: match.sport, missing: [], otherwise: [] })
    // only the goals that were taken back were on air without being part of the match as it stands
    expect(unplanned.map(({ rule }) => rule)).toEqual(match === football ? deleted.map(() => 'Goal') : [])
    for (const { from, to } of unplanned) expect((to ?? Number.POSITIVE_INFINITY) - from).toBeLessThan(4_000)
  }

  const { recent } = (await call('GET', `/v2/overlays/${football.overlayId}/game-plan`)) as {
    recent: { name: string; outcome: string; reason: string | null }[]
  }
  const outcomes = (name: string) =>
    recent.filter((one) => one.name === name).map(({ outcome, reason }) => reason ?? outcome)
  const last = <T>(all: T[], count: number) => all.slice(0, count)
  expect(last(outcomes('Late'), 4)).toEqual(['tooOld', 'tooOld', 'tooOld', 'tooOld'])
  expect(last(outcomes('Corners'), 6).sort()).toEqual(['every', 'every', 'every', 'every', 'fired', 'priority'])
  const log = (await call('GET', `/v2/overlays/${football.overlayId}/as-run?limit=1000`)).asRun as (AsRun & {
    values: { player?: number } | null
  })[]
  const corrected = log.filter(({ action, by }) => action === 'update' && by.name === 'Goal')
  expect(corrected.map(({ values }) => values?.player)).toEqual(Array.from({ length: ROUNDS }, () => players[1]))
})

const fact = (...factTypes: string[]) => ({ type: 'fact', factTypes })
const scorer = {
  condition: 'score.home + score.away < 99',
  variableValues: { player: { expression: 'fact.playerId' } },
  priority: 80,
}

type Call = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>
type RuleRow = [name: string, trigger: object, preset: string, end: object, more?: object]

type Fixture = { sport: string; competitionId: number; matchId: number; sides: readonly [number, number] }

/** A football match of a data provider, which sends facts of it, too. */
async function providedLeague(
  admin: Server['admin'],
  organizationId: number,
  call: Call,
): Promise<Fixture & { players: readonly number[]; burst(types: readonly string[], late: string): Promise<Outage> }> {
  const feed = await feedServer()
  const facts: object[] = []
  const serve = () =>
    feed.serve({
      version: 1,
      competitions: [{ id: 'c', name: 'Premier League', sport: 'football', grade: 'Premier' }],
      players: ['Åberg', 'Stone', 'Reyes'].map((lastName, index) => ({ id: `p${index}`, firstName: 'Sam', lastName })),
      teams: ['Northern United', 'Southern City'].map((name, index) => ({
        ...{ id: `t${index}`, name, sport: 'football', competitionIds: ['c'] },
        roster: index === 0 ? [0, 1, 2].map((at) => ({ playerId: `p${at}`, number: String(at + 7) })) : [],
      })),
      matches: [
        {
          ...{ id: 'm', competitionId: 'c', date, timezone: 'UTC', facts },
          competitors: [0, 1].map((at) => ({ entityType: 'team', id: `t${at}` })),
        },
      ],
    })
  const date = new Date().toISOString()
  serve()
  const asked = ['--org', String(organizationId), '--provider', 'custom', '--url', feed.url]
  const { id } = (await admin('providers', 'connect', ...asked)) as { id: number }
  const sync = async () => {
    const { problems } = (await admin('providers', 'sync', '--id', String(id))) as { problems: unknown[] }
    expect(problems).toEqual([])
  }
  await sync()
  const { competitions } = (await call('GET', '/v1/competitions?limit=100')) as { competitions: Named[] }
  const competitionId = Number(competitions.find(({ name }) => name === 'Premier League')?.id)
  const { matches } = (await call('GET', `/v1/matches?competitionId=${competitionId}`)) as { matches: Named[] }
  const matchId = Number(matches[0]?.id)
  const { homeTeamId, awayTeamId } = (await call('GET', `/v2/matches/${matchId}`)) as Record<string, number>
  const { players } = (await call('GET', `/v1/teams/${homeTeamId}/players`)) as { players: Named[] }
  return {
    ...{ sport: 'football', competitionId, matchId, sides: [Number(homeTeamId), Number(awayTeamId)] },
    players: players.map((player) => player.id),
    /** All at once, those of the `late` type long after they happened; answers how long it was until they had arrived. */
    async burst(types, late) {
      const from = Date.now()
      for (const type of types) {
        const timestamp = new Date(type === late ? from - 60_000 : from).toISOString()
        facts.push({ id: `f${facts.length}`, type, teamId: 't1', timestamp })
      }
      serve()
      await sync()
      return { from, to: Date.now() }
    },
  }
}

type Named = { id: number; name: string }

const idMade = async (call: Call, path: string, body: object) => Number((await call('POST', path, body)).id)

async function cricketCup({ gradeId }: Demo, call: Call): Promise<Fixture> {
  const about = { sport: 'cricket', age: 'Senior', gender: 'Male', gradeId }
  const competitionId = await idMade(call, '/v1/competitions', { name: 'Cricket cup', ...about })
  const team = (name: string) => idMade(call, '/v1/teams', { ...about, name, competitionIds: [competitionId] })
  const sides = [await team('Leopards'), await team('Trade Winds')] as const
  const matchId = await idMade(call, '/v2/matches', {
    ...{ competitionId, date: new Date().toISOString(), timezone: 'UTC' },
    ...{ homeTeamId: sides[0], awayTeamId: sides[1] },
  })
  return { sport: 'cricket', competitionId, matchId, sides }
}

/** An automatic overlay of a match that plays these rules. */
async function production(demo: Demo, call: Call, fixture: Fixture, rows: readonly RuleRow[]) {
  const { themeId, controlRoomId } = demo
  const { sport, competitionId, matchId, sides } = fixture
  const idOf = (path: string, body: object) => idMade(call, path, body)
  const place = `/v2/competitions/${competitionId}/theme-profiles`
  const profileId = await idOf(place, { themeId, name: 'Automatic', defaultControlRoomId: controlRoomId })
  const plan = `${place}/${profileId}/game-plan`
  const own = `/v2/competitions/${demo.competitionId}/theme-profiles/${demo.themeProfileId}`
  const { slots } = await call('GET', `${own}/sponsor-slots`)
  await call('PUT', `${place}/${profileId}/sponsor-slots`, { slots })
  const presetOf = (wanted: string) => demo.presets.find(({ name }) => name === wanted)?.id
  const rules = rows.map(([name, trigger, preset, end, more]) => ({
    name,
    trigger,
    presetId: presetOf(preset),
    end,
    ...more,
  }))
  await call('PUT', plan, { rules })
  const overlayId = await idOf('/v1/overlays', {
    ...{ name: `${sport} output`, matchId, autoMode: true, adType: 'brands' },
    ...{ competitionThemeSettingId: profileId, controlRoomId },
  })
  let told = 0
  return {
    ...{ sport, plan, matchId, overlayId, sides },
    /** As a feed tells it, again and again until it was answered. */
    tell: async (type: string, teamId?: number, more: object = {}) => {
      const clientFactId = `${sport}-${told++}`
      const body = { type, clientFactId, ...(teamId !== undefined && { teamId }), ...more }
      return idOf(`/v2/matches/${matchId}/facts`, body)
    },
  }
}
