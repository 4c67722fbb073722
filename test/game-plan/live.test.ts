import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Production, startProduction } from '../resources/support.ts'
import { damaged } from '../support/damaged.ts'
import { follow } from '../support/page.ts'

let production: Production
let planPath: string
beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.close())

const patience = { timeout: 10_000, interval: 10 }
type Rule = { id: string; name: string }
type State = {
  paused: boolean
  layers: { layer: string; heldBy: string | null; running: { name: string; until: string | null } | null }[]
  recent: { name: string; outcome: string; reason: string | null; factId: number | null }[]
}
let overlay: string
/** Another automatic overlay of the same match: once it has fired, the first one would have. */
let witness: string
let matchId: number
const call = async (method: string, path: string, body?: unknown) => {
  const answer = await production.call(method, path, body)
  expect([answer.status < 300, answer.body]).toEqual([true, answer.body])
  return answer.body
}
const namesOf = async (path: string) => Object.keys((await call('GET', path)).manualGraphicState as object).sort()
const names = () => namesOf(overlay)
const witnessed = () => expect.poll(() => namesOf(witness), patience).toContain('Lower third')
const state = async () => (await call('GET', `${overlay}/game-plan`)) as unknown as State
const fact = async (type: string, more: object = {}) =>
  Number((await call('POST', `/v2/matches/${matchId}/facts`, { type, ...more })).id)
const goal = (more: object = {}) => fact('goal', { teamId: production.teamIds[0], ...more })

const rules = () => [
  {
    id: 'bug',
    name: 'Bug while it is played',
    trigger: { type: 'state', state: 'live' },
    presetId: production.preset('Score bug').id,
    end: { until: 'state' },
  },
  {
    id: 'goal',
    name: 'Who scored',
    trigger: { type: 'fact', factTypes: ['goal'], side: 'home' },
    condition: 'score.home <= 3',
    presetId: production.preset('Goal scorer').id,
    variableValues: { player: { expression: 'fact.playerId' } },
    end: { afterSeconds: 2 },
  },
]

/** A match and an overlay of its own for each test. */
beforeEach(async () => {
  const { competitionId, teamIds, venueId } = production as unknown as Record<string, number> & { teamIds: number[] }
  const before = await call('GET', `/v2/matches/${production.matchId}`)
  const match = await call('POST', '/v2/matches', {
    competitionId,
    name: `Match ${Math.random().toString(36).slice(2)}`,
    date: new Date().toISOString(),
    timezone: 'Europe/London',
    competitorsType: before.competitorsType ?? 'teams',
    ...(venueId !== undefined && { venueId }),
    competitors: teamIds.map((entityId, index) => ({ entityType: 'team', entityId, isHome: index === 0 })),
  })
  matchId = Number(match.id)
  const automatic = { matchId, autoMode: true, adType: 'brands' }
  const made = await call('POST', '/v1/overlays', { name: 'Automatic', ...automatic })
  const other = await call('POST', '/v1/overlays', { name: 'Witness', ...automatic })
  overlay = `/v2/overlays/${made.id}`
  witness = `/v2/overlays/${other.id}`
  const { competitionThemeSettingId } = await call('GET', overlay)
  planPath = `/v2/competitions/${competitionId}/theme-profiles/${competitionThemeSettingId}/game-plan`
  await call('PUT', planPath, { rules: rules() })
  // it counts as switched on with its first look, and what happened before is past
  const refs = [made.id, other.id].map((id) => `game-plan/${id}`)
  const looked = () => production.server.database.sql`select from actor where ref = any(${refs}) and seq > 0`
  await expect.poll(async () => (await looked()).length, patience).toBe(2)
})

describe('[issue 18.2] a plan on air', () => {
  test('graphics come and go by themselves, as the log tells', async () => {
    await fact('matchStart')
    await expect.poll(names, patience).toEqual(['Score bug'])
    const scorer = await goal()
    await expect.poll(names, patience).toEqual(['Lower third', 'Score bug'])
    expect((await state()).layers.map(({ running }) => running?.name).sort()).toEqual([
      'Bug while it is played',
      'Who scored',
    ])
    await expect.poll(names, patience).toEqual(['Score bug'])
    await fact('periodEnd')
    await expect.poll(names, patience).toEqual([])
    const { asRun } = (await call('GET', `${overlay}/as-run`)) as {
      asRun: { action: string; graphicName: string; by: Rule }[]
    }
    expect(asRun.map(({ action, graphicName, by }) => [action, graphicName, by.id ?? by.name])).toEqual([
      ['show', 'Score bug', 'bug'],
      ['show', 'Lower third', 'goal'],
      ['autoHide', 'Lower third', 'timer'],
      ['hide', 'Score bug', 'bug'],
    ])
    const { steps } = (await call('GET', `${overlay}/replay`)) as { steps: { kind: string; by: unknown }[] }
    const bug = { type: 'gamePlan', id: 'bug', name: 'Bug while it is played' }
    const shown = steps.filter(({ kind }) => kind === 'show').map((step) => step.by)
    expect(shown).toEqual([bug, { type: 'gamePlan', id: 'goal', name: 'Who scored' }])
    const rows = await fetch(`${production.server.origin}/rest${overlay}/as-run?format=csv`, {
      headers: { Authorization: `Bearer ${production.apiKey}` },
    })
    expect(await rows.text()).toContain(',gamePlan,bug,Bug while it is played,')
    const by = async (text: string) => Number((await call('GET', `${overlay}/as-run?by=${text}`)).total)
    expect([await by('gamePlan'), await by('gamePlan/goal'), await by('gamePlan/nothing'), await by('key')]).toEqual([
      3, 1, 0, 0,
    ])
    expect((await state()).recent).toMatchObject([
      { name: 'Who scored', outcome: 'fired', factId: scorer },
      { name: 'Bug while it is played', outcome: 'fired', factId: null },
    ])
  })

  test('[issue 18] an overlay that is made for a plan looks at once: the first goal fires, and so does a time of day', async () => {
    const { date } = await call('GET', `/v2/matches/${matchId}`)
    const inTwoSeconds = Math.ceil((Date.now() - Date.parse(String(date))) / 1000) + 2
    const clock = { type: 'time', of: 'date', offsetSeconds: inTwoSeconds }
    await call('PUT', planPath, { rules: [{ ...rules()[0], trigger: clock, end: { afterSeconds: 600 } }, rules()[1]] })
    await fact('matchStart')
    const { id } = await call('POST', '/v1/overlays', { name: 'Made late', matchId, adType: 'brands' })
    const late = `/v2/overlays/${id}`
    const looked = () => production.server.database.sql`select from actor where ref = ${`game-plan/${id}`} and seq > 0`
    await expect.poll(async () => (await looked()).length, patience).toBe(1)
    await goal()
    await expect.poll(() => namesOf(late), patience).toContain('Lower third')
    await expect.poll(() => namesOf(late), patience).toContain('Score bug')
  })

  test('[issue 18.3] a deleted goal takes its card off; what the condition refuses is told', async () => {
    await fact('matchStart')
    const id = await goal()
    await expect.poll(names, patience).toContain('Lower third')
    await call('DELETE', `/v2/matches/${matchId}/facts/${id}`)
    await expect.poll(names, patience).toEqual(['Score bug'])
    for (let score = 0; score < 4; score++) await goal()
    await expect.poll(async () => (await state()).recent.map(({ reason }) => reason), patience).toContain('condition')
    expect((await state()).recent.filter(({ outcome }) => outcome === 'withdrawn')).toHaveLength(1)
  })

  test('[issue 18.4] what is hidden by hand stays hidden until its layer is released; hideAll pauses', async () => {
    await fact('matchStart')
    await expect.poll(names, patience).toEqual(['Score bug'])
    const preset = production.preset('Score bug').id
    await call('POST', `${overlay}/graphics/commands`, { action: 'hide', presetId: preset })
    await expect
      .poll(async () => (await state()).layers.map(({ heldBy }) => heldBy), patience)
      .toEqual([expect.any(String)])
    // a press that says nothing more means all of them
    await call('POST', `${overlay}/game-plan/release`)
    await expect.poll(names, patience).toEqual(['Score bug'])
    await call('POST', `${overlay}/graphics/commands`, { action: 'hideAll' })
    await expect.poll(async () => (await state()).paused, patience).toBe(true)
    await goal()
    await expect.poll(async () => (await state()).recent[0]?.reason, patience).toBe('paused')
    expect(await names()).toEqual([])
    expect(await call('POST', `${overlay}/game-plan/resume`)).toMatchObject({ paused: false })
    await expect.poll(names, patience).toEqual(['Score bug'])
    await call('POST', `${overlay}/game-plan/fire`, { ruleId: 'goal' })
    await expect.poll(names, patience).toEqual(['Lower third', 'Score bug'])
  })

  test('[show-control: rehearsal] a plan rehearses with its overlay, and on air it goes on as if it never had', async () => {
    const all = rules().map((rule) => (rule.id === 'goal' ? { ...rule, once: true } : rule))
    await call('PUT', planPath, { rules: all })
    await call('PATCH', overlay, { rehearsal: true })
    await fact('matchStart')
    await expect.poll(names, patience).toEqual(['Score bug'])
    await goal()
    await expect.poll(names, patience).toEqual(['Lower third', 'Score bug'])
    // somebody takes a layer, which is given back with the end
    await call('POST', `${overlay}/graphics/commands`, {
      action: 'hide',
      presetId: production.preset('Score bug').id,
    })
    await expect.poll(async () => (await state()).layers.some(({ heldBy }) => heldBy !== null), patience).toBe(true)
    const onAir = async () =>
      ((await call('GET', `${overlay}/as-run`)) as { asRun: { action: string; graphicName: string | null }[] }).asRun
        .filter(({ action }) => action !== 'rehearse')
        .map(({ action, graphicName }) => `${action} ${graphicName}`)
    expect(await onAir()).toEqual([])
    await call('PATCH', overlay, { rehearsal: false })
    await expect.poll(names, patience).toEqual(['Score bug'])
    await goal()
    await expect.poll(names, patience).toEqual(['Lower third', 'Score bug'])
    expect(await onAir()).toEqual(['show Score bug', 'show Lower third'])
  })

  test('[issue 18.4] hideAll by a person pauses the plan also with nothing on air; without a plan it writes nothing', async () => {
    const { sql } = production.server.database
    const journaled = () => sql<{ type: string; by: string }[]>`
      select e ->> 'type' as type, e ->> 'by' as by from journal, json_array_elements(events) e
      where ref = ${`game-plan/${overlay.split('/').at(-1)}`} and e ->> 'type' = 'plan.paused'`
    const hideAll = () => call('POST', `${overlay}/graphics/commands`, { action: 'hideAll' })
    await call('POST', `${overlay}/graphics/commands`, { action: 'hideAll', sectionId: production.sectionIds[0] })
    expect((await state()).paused).toBe(false)
    expect(await hideAll()).toMatchObject({ manualGraphicState: {} })
    // it is durable by then
    expect((await state()).paused).toBe(true)
    expect(await journaled()).toEqual([{ type: 'plan.paused', by: expect.any(String) }])
    await hideAll()
    expect(await journaled()).toHaveLength(1)
    await fact('matchStart')
    await expect.poll(async () => (await state()).recent[0]?.reason, patience).toBe('paused')
    const manual = await call('POST', '/v1/overlays', { name: 'Manual', matchId, autoMode: false, adType: 'brands' })
    await call('POST', `/v2/overlays/${manual.id}/graphics/commands`, { action: 'hideAll' })
    const refs = [`overlay/${manual.id}`, `game-plan/${manual.id}`]
    expect(await sql`select ref from journal where ref = any(${refs})`).toEqual([])
  })

  test('[issue 18.4] a repeated hideAll pauses no plan that was resumed since', async () => {
    const again = () =>
      production.server.call('POST', `${overlay}/graphics/commands`, {
        key: production.apiKey,
        body: { action: 'hideAll' },
        headers: { 'Idempotency-Key': 'hide-it-all' },
      })
    expect((await again()).status).toBe(200)
    expect((await state()).paused).toBe(true)
    await call('POST', `${overlay}/game-plan/resume`)
    expect((await again()).status).toBe(200)
    expect((await state()).paused).toBe(false)
  })

  test('[issue 18.4] followers are told what GET answers, and a burst of facts is few states', async () => {
    await fact('matchStart')
    await expect.poll(names, patience).toEqual(['Score bug'])
    const id = Number(overlay.split('/').at(-1))
    const socket = await follow(production.server.origin, id, production.apiKey)
    const plans = () => socket.of('PLAN').map(({ payload }) => payload)
    await expect.poll(() => plans().at(-1), patience).toMatchObject({ overlayId: id, autoMode: true, paused: false })
    await goal()
    const told = () => socket.of('CHANGE').map(({ payload }) => payload.by)
    await expect.poll(told, patience).toContainEqual({ type: 'gamePlan', name: 'Who scored' })
    const before = plans().length
    await Promise.all(Array.from({ length: 10 }, () => goal()))
    await expect
      .poll(
        () =>
          plans()
            .at(-1)
            ?.recent.filter(({ name }) => name === 'Who scored').length,
        patience,
      )
      .toBe(11)
    expect(plans().length - before).toBeLessThan(10)
    await call('POST', `${overlay}/game-plan/pause`)
    await expect.poll(() => plans().at(-1)?.paused, patience).toBe(true)
    await expect.poll(async () => JSON.stringify(await state()) === JSON.stringify(plans().at(-1)), patience).toBe(true)
    await call('PATCH', overlay.replace('v2', 'v1'), { autoMode: false })
    await expect.poll(() => plans().at(-1)?.autoMode, patience).toBe(false)
    await call('PUT', planPath, { rules: rules().slice(1) })
    await expect.poll(() => socket.of('ROOM').length, patience).toBeGreaterThan(0)
  })

  test('switched off it clears nothing and fires nothing; another server goes on where this one stopped', async () => {
    await fact('matchStart')
    await expect.poll(names, patience).toEqual(['Score bug'])
    await call('PATCH', overlay.replace('v2', 'v1'), { autoMode: false })
    await goal()
    await witnessed()
    expect(await names()).toEqual(['Score bug'])
    await expect.poll(() => namesOf(witness), patience).toEqual(['Score bug'])
    const refused = await production.call('POST', `${overlay}/game-plan/pause`)
    expect([refused.status, refused.body.code]).toEqual([409, 'NOT_AUTOMATIC'])
    await call('PATCH', overlay.replace('v2', 'v1'), { autoMode: true })
    await expect.poll(async () => (await state()).layers.length, patience).toBe(1)
    await production.server.restart(async () => {})
    await goal()
    await expect.poll(names, patience).toEqual(['Lower third', 'Score bug'])
  })

  describe('[issue 18] a show whose time is over before the overlay can do it', () => {
    const shownRules = async () =>
      ((await call('GET', `${overlay}/as-run`)) as { asRun: { action: string; by: Rule }[] }).asRun
        .filter(({ action }) => action === 'show')
        .map(({ by }) => by.id)
    const latest = async () => (await state()).recent.slice(0, 2)
    /** The overlay is away from now on; then a goal, of which the plan fires its rule. */
    const goalWhileAway = async () => {
      await fact('matchStart')
      await expect.poll(names, patience).toEqual(['Score bug'])
      const back = await damaged(
        production.server.database.sql,
        overlay.replace('/v2/overlays', 'overlay'),
        'graphics',
        7,
      )
      const factId = await goal()
      await expect.poll(async () => (await latest())[0], patience).toMatchObject({ outcome: 'fired', factId })
      const running = async () => (await state()).layers.find((layer) => layer.running?.name === 'Who scored')?.running
      return { back, factId, running, until: Date.parse((await running())?.until ?? '') }
    }
    const leftOut = (factId: number) => [
      { name: 'Who scored', outcome: 'withdrawn', reason: 'tooOld', factId },
      { name: 'Who scored', outcome: 'fired', reason: null, factId },
    ]

    test('is told as left out when it is back, once, and followers hear it', async () => {
      const socket = await follow(production.server.origin, Number(overlay.split('/').at(-1)), production.apiKey)
      const { back, factId, running } = await goalWhileAway()
      await expect.poll(running, patience).toBeUndefined()
      await back()
      await fact('corner')
      await expect.poll(latest, patience).toMatchObject(leftOut(factId))
      const heard = () => socket.of('PLAN').at(-1)?.payload.recent.slice(0, 2)
      await expect.poll(heard, patience).toMatchObject(leftOut(factId))
      // the next one is shown as ever
      await goal()
      await expect.poll(names, patience).toEqual(['Lower third', 'Score bug'])
      await expect.poll(names, patience).toEqual(['Score bug'])
      expect(await shownRules()).toEqual(['bug', 'goal'])
      const { recent } = await state()
      expect(recent.map(({ outcome }) => outcome)).toEqual(['fired', 'withdrawn', 'fired', 'fired'])
    })

    test('one that comes late, but in time, goes off when it should all the same: the layer is another rule then', async () => {
      await call('PUT', planPath, {
        rules: rules().map((rule) => (rule.id === 'goal' ? { ...rule, end: { afterSeconds: 6 } } : rule)),
      })
      const { back, until } = await goalWhileAway()
      await expect.poll(() => Date.now(), patience).toBeGreaterThan(until - 4_000)
      await back()
      await expect.poll(names, patience).toEqual(['Lower third', 'Score bug'])
      await expect.poll(names, patience).toEqual(['Score bug'])
      const { asRun } = (await call('GET', `${overlay}/as-run`)) as { asRun: { action: string; at: string }[] }
      const off = asRun.find(({ action }) => action === 'autoHide')
      expect(Date.parse(off?.at ?? '') - until, 'ms after its time').toBeLessThan(1_500)
    })

    test('is left out by the next server, too, which tells nothing of those that were shown', async () => {
      const { back, factId, until } = await goalWhileAway()
      await production.server.restart(async () => {
        await expect.poll(() => Date.now(), patience).toBeGreaterThan(until)
        await back()
      })
      await expect.poll(latest, patience).toMatchObject(leftOut(factId))
      await goal()
      await expect.poll(names, patience).toEqual(['Lower third', 'Score bug'])
      expect(await shownRules()).toEqual(['bug', 'goal'])
      expect((await state()).recent.map(({ outcome }) => outcome)).toEqual(['fired', 'withdrawn', 'fired', 'fired'])
    })
  })

  test('a deleted overlay leaves nothing of its plan that could wake', async () => {
    await fact('matchStart')
    await expect.poll(names, patience).toEqual(['Score bug'])
    await goal()
    await expect.poll(names, patience).toEqual(['Lower third', 'Score bug'])
    await call('DELETE', overlay.replace('v2', 'v1'))
    const { sql } = production.server.database
    const ref = `game-plan/${overlay.split('/').at(-1)}`
    await goal()
    expect(
      await sql`select ref from actor where ref = ${ref} union all select ref from timer where ref = ${ref}`,
    ).toEqual([])
  })
})
