import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSync } from '../../src/providers/sync.ts'
import { connectProvider, requestSync } from '../../src/resources/providers/commands.ts'
import { feedServer, league } from '../providers/feed-server.ts'
import { localConnector } from '../providers/rig.ts'
import { type Production, startProduction } from '../resources/support.ts'

let production: Production
beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.close())

const patience = { timeout: 10_000, interval: 20 }
const call = async (method: string, path: string, body?: unknown) => {
  const answer = await production.call(method, path, body)
  expect([answer.status < 300, answer.body]).toEqual([true, answer.body])
  return answer.body
}

type Recent = { name: string; outcome: string; reason: string | null; factId: number | null }[]
type OnAir = Record<string, { variableValues: Record<string, unknown> }>

test('[issue 18] facts of a provider fire a rule once each, over syncs; one that it corrects or takes back does so on air', async () => {
  const { server, organizationId, competitionId, teamIds, preset } = production
  const { sql, db } = server.database
  // the competition and the teams of the feed are those of the demo, whose theme profile has the plan
  await sql`update competition set provider_name = 'custom', provider_id = 'c1' where id = ${competitionId}`
  for (const [index, id] of teamIds.entries())
    await sql`update team set provider_name = 'custom', provider_id = ${`t${index + 1}`} where id = ${id}`
  const feed = await feedServer()
  const began = Date.now() - 10_000
  const at = (second: number) => new Date(began + second * 1000).toISOString()
  const goal = (index: number) => ({
    id: `g${index}`,
    type: 'goal',
    teamId: 't1',
    playerId: 'p1',
    timestamp: at(index),
  })
  const card = (index: number) => ({ id: `c${index}`, type: 'yellowCard', teamId: 't2', timestamp: at(index) })
  const kickOff = { id: 'k', type: 'matchStart', timestamp: at(0) }
  const ten = [kickOff, ...[1, 2, 3, 4, 5, 6, 7].map(goal), ...[8, 9].map(card)]
  const serve = (facts?: object[]) => {
    const all = league()
    Object.assign(all.matches[0] ?? {}, { date: at(0), ...(facts && { facts }) })
    feed.serve(all)
  }

  serve()
  const connector = localConnector()
  const sync = createSync({
    ...{ db, connectors: new Map([[connector.name, connector]]), log: pino({ level: 'silent' }) },
    systemContext: server.app.systemContext,
  })
  const asked = { provider: 'custom', url: feed.url, intervalSeconds: 900, token: null }
  const { id } = await connectProvider(db, organizationId, asked)
  const synced = async () => {
    await requestSync(db, id)
    const outcome = await sync(id)
    expect(outcome).toMatchObject({ report: { problems: [] } })
    return 'report' in outcome && 'counts' in outcome.report ? outcome.report.counts.facts : undefined
  }
  await synced()
  const [match] = await sql<{ id: number }[]>`
    select id from match where organization_id = ${organizationId} and provider_id = 'm1'`
  const player = async (providerId: string) =>
    (await sql`select id from player where organization_id = ${organizationId} and provider_id = ${providerId}`)[0]?.id

  const made = await call('POST', '/v1/overlays', { name: 'Synced', matchId: match?.id, autoMode: true })
  const overlay = `/v2/overlays/${made.id}`
  const { competitionThemeSettingId: profileId } = await call('GET', overlay)
  const rule = (name: string, type: string, presetName: string, more: object = {}) => ({
    ...{ id: name, name, trigger: { type: 'fact', factTypes: [type] }, presetId: preset(presetName).id },
    ...{ end: { until: 'hidden' }, maxAgeSeconds: 3600, ...more },
  })
  await call('PUT', `/v2/competitions/${competitionId}/theme-profiles/${profileId}/game-plan`, {
    rules: [
      rule('Goal', 'goal', 'Goal scorer', { variableValues: { player: { expression: 'fact.playerId' } } }),
      rule('Card', 'yellowCard', 'Score bug'),
    ],
  })
  const looked = () => sql`select from actor where ref = ${`game-plan/${made.id}`} and seq > 0`
  await expect.poll(async () => (await looked()).length, patience).toBe(1)
  const onAir = async () => (await call('GET', overlay)).manualGraphicState as OnAir
  const names = async () => Object.keys(await onAir()).sort()
  const scorer = async () => (await onAir())['Lower third']?.variableValues.player
  const recent = async () => (await call('GET', `${overlay}/game-plan`)).recent as Recent
  const told = async () => (await recent()).map(({ name, outcome, reason }) => `${name} ${reason ?? outcome}`).sort()

  serve(ten)
  expect(await synced()).toMatchObject({ created: 10 })
  const once = ['Card fired', 'Card priority', 'Goal fired', ...Array(6).fill('Goal priority')]
  await expect.poll(told, patience).toEqual(once)
  await expect.poll(names, patience).toEqual(['Lower third', 'Score bug'])
  expect(await scorer()).toBe(await player('p1'))

  // as nobody knows what it answered last time
  await sql`update provider_page set etag = null where connection_id = ${id}`
  expect(await synced()).toMatchObject({ created: 0, updated: 0, unchanged: 10 })

  serve(ten.filter((fact) => fact.id !== 'c8').map((fact) => (fact.id === 'g1' ? { ...fact, playerId: 'p2' } : fact)))
  expect(await synced()).toMatchObject({ created: 0, updated: 2, unchanged: 8 })
  await expect.poll(scorer, patience).toBe(await player('p2'))
  await expect.poll(names, patience).toEqual(['Lower third'])
  expect(await told()).toEqual([...once, 'Card withdrawn'].sort())
  const facts = (await recent()).flatMap(({ outcome, factId }) => (outcome === 'withdrawn' ? [] : [factId]))
  expect(new Set(facts).size).toBe(9)
  const { asRun } = (await call('GET', `${overlay}/as-run`)) as { asRun: { action: string; graphicName: string }[] }
  expect(asRun.map(({ action, graphicName }) => `${action} ${graphicName}`).sort()).toEqual([
    ...['hide Score bug', 'show Lower third', 'show Score bug', 'update Lower third'],
  ])
})
