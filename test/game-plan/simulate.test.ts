import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EMPTY_LAYER, NO_PLAN } from '../../machines/game-plan/model.ts'
import { factTypesOf } from '../../machines/sports.ts'
import type { ApiError } from '../../src/errors.ts'
import { LINEUPS } from '../../src/pages/ui/conditions.ts'
import { createAllowance } from '../../src/resources/game-plans/virtual-time.ts'
import { SPORTS } from '../../src/schema/sport.ts'
import { type Production, produce, startProduction } from '../resources/support.ts'
import { createLongPlay } from '../support/long-play.ts'

type Line = {
  matchMs: number
  at: string
  ruleId: string
  name: string
  outcome: string | null
  reason: string | null
  graphicName: string | null
  action: string | null
}
type Answer = { timeline: Line[]; seconds: Record<string, number>; brands: Record<string, number> }

let production: Production
let stranger: Omit<Production, 'close'>
let path: string
beforeAll(async () => {
  production = await startProduction()
  stranger = await produce(production.server)
  const { body } = await production.call('GET', `/v2/overlays/${production.overlay.id}`)
  path = `/v2/competitions/${production.competitionId}/theme-profiles/${body.competitionThemeSettingId}/game-plan`
  await production.call('PUT', path, { rules: rules() })
})
afterAll(() => production.close())

const rule = (name: string, trigger: object, preset: string, end: object, more: object = {}) => ({
  ...{ id: name.toLowerCase(), name, trigger, presetId: production.preset(preset).id, end },
  ...more,
})
const rules = () => [
  rule('Bug', { type: 'state', state: 'live' }, 'Score bug', { until: 'state' }),
  rule(
    'Goal',
    { type: 'fact', factTypes: ['goal'] },
    'Goal scorer',
    { afterSeconds: 8 },
    {
      condition: 'score.home + score.away <= 2',
      variableValues: { player: { expression: 'fact.playerId' } },
    },
  ),
  rule('Half', { type: 'state', state: 'break' }, 'Half-time score', { afterSeconds: 20 }, { delaySeconds: 5 }),
  rule('Full', { type: 'state', state: 'finished' }, 'Full-time result', { until: 'hidden' }),
  rule('Partner', { type: 'interval', everySeconds: 400, during: 'break' }, 'Match partner', { afterSeconds: 30 }),
]

const simulate = async (body: object) => {
  const answer = await production.call('POST', `${path}/simulate`, body)
  expect([answer.status, answer.body.details]).toEqual([200, undefined])
  return answer.body as unknown as Answer
}
const refused = async (body: object, ask = production.call) => {
  const answer = await ask('POST', `${path}/simulate`, body)
  return [answer.status, Object.keys((answer.body.details ?? {}) as object)]
}
const seconds = ({ matchMs }: Line) => Math.round(matchMs / 1000)
/** `60 +Goal`, `68 -Goal`, `70 Goal condition`. */
const told = ({ timeline }: Answer) =>
  timeline.map((line) => {
    const sign = { show: '+', hide: '-', update: '~' }[line.action ?? ''] ?? ''
    return `${seconds(line)} ${sign}${line.name}${line.reason === null ? '' : ` ${line.reason}`}`
  })

describe('[issue 18.5] a game plan in virtual time', () => {
  test('a whole match: what comes and goes, when and for how long, and what does not and why', async () => {
    const answer = await simulate({ scenarioId: 'football-full-time' })
    const lines = told(answer)
    expect(lines[0]).toBe('0 +Bug')
    const goals = answer.timeline.filter(({ name, action }) => name === 'Goal' && action === 'show')
    expect(goals.length).toBeGreaterThan(0)
    for (const goal of goals)
      expect(answer.timeline).toContainEqual({
        ...goal,
        ...{ matchMs: goal.matchMs + 8000, at: new Date(Date.parse(goal.at) + 8000).toISOString() },
        ...{ outcome: null, action: 'hide', variableValues: null },
      })
    expect(goals[0]).toMatchObject({ ruleId: 'goal', outcome: 'fired', reason: null, graphicName: 'Lower third' })
    expect(answer.timeline.find(({ reason }) => reason === 'condition')).toMatchObject({
      ...{ name: 'Goal', outcome: 'suppressed', action: null, graphicName: 'Lower third' },
    })
    const half = answer.timeline.findIndex(({ name }) => name === 'Half')
    expect(lines.slice(half - 2, half)).toEqual([expect.stringContaining('-Bug'), expect.stringContaining('+Partner')])
    expect(answer.seconds['Lower third']).toBe(8 * goals.length)
    expect(answer.seconds['Score bug']).toBeGreaterThan(90 * 60)
    // a break of fifteen minutes: at 0:00, 6:40 and 13:20
    expect(answer.brands).toEqual({ 'Fjordline Coffee': 30, 'Kestrel Outdoor': 30, 'Norrvik Membership': 30 })
    expect(answer.seconds['Sponsor card']).toBe(90)
    expect(lines.at(-1)).toMatch(/\+Full$/)
    expect(answer.seconds['Result card']).toBe(20 + 15 * 60)
  })

  test('[issue 18] facts that no rule waits for are passed over, and nothing is told otherwise than by a plan that looks at each', async () => {
    const everything = { type: 'fact', factTypes: factTypesOf('football') }
    const never = rule('Never', everything, 'Commentator', { afterSeconds: 5 }, { condition: 'false' })
    const [some, all] = await Promise.all(
      [rules(), [...rules(), never]].map((asked) => simulate({ scenarioId: 'football-full-time', rules: asked })),
    )
    const looks = all?.timeline.filter(({ name }) => name === 'Never') ?? []
    expect(looks.length).toBeGreaterThan(10)
    expect(all?.timeline.filter(({ name }) => name !== 'Never')).toEqual(some?.timeline)
    expect([all?.seconds, all?.brands]).toEqual([some?.seconds, some?.brands])
  })

  test('it changes nothing, and comes to the same each time', async () => {
    const { sql } = production.server.database
    const everything =
      () => sql`select (select count(*) from journal) as journal, (select count(*) from actor) as actor,
      (select sum(seq) from actor) as seq, (select count(*) from timer) as timer, (select last_value from outbox_id_seq) as outbox`
    const before = await everything()
    const first = await simulate({ scenarioId: 'football-half-time' })
    expect(await simulate({ scenarioId: 'football-half-time' })).toEqual(first)
    expect(await everything()).toEqual(before)
  })

  test('rules that are not saved yet are tried in place of those of the plan', async () => {
    const { id: _, ...one } = rule(
      'Corner',
      { type: 'fact', factTypes: ['corner'] },
      'Commentator',
      { afterSeconds: 5 },
      { every: 3 },
    )
    const { timeline } = await simulate({ scenarioId: 'football-full-time', rules: [one] })
    expect(new Set(timeline.map(({ ruleId }) => ruleId))).toEqual(new Set(['rules[0]']))
    const outcomes = timeline.flatMap(({ outcome, reason }) => (outcome === null ? [] : [reason ?? outcome]))
    expect(outcomes.slice(0, 3)).toEqual(['every', 'every', 'fired'])
  })

  test.each(SPORTS)('the scenarios of %s are played to their moment', async (sport) => {
    const { scenarios } = (await production.call('GET', `/v2/scenarios?sport=${sport}`)).body as {
      scenarios: { id: string }[]
    }
    const start = rule('Start', { type: 'period', at: 'start' }, 'Score bug', { until: 'period' })
    const before = rule('Before', { type: 'time', of: 'date', offsetSeconds: -600 }, 'Home line-up', {
      afterSeconds: 60,
    })
    const found = await Promise.all(scenarios.map(({ id }) => simulate({ scenarioId: id, rules: [start, before] })))
    for (const { timeline } of found)
      expect(timeline[0]).toMatchObject({ name: 'Before', matchMs: -600_000, action: 'show' })
    const shown = found.map(({ timeline }) =>
      timeline.filter(({ name, action }) => name === 'Start' && action === 'show'),
    )
    expect(Math.max(...shown.map(({ length }) => length))).toBeGreaterThan(0)
    for (const [first] of shown) if (first) expect(first.matchMs).toBe(0)
  })
})

describe('a match that was recorded', () => {
  let matchId: number
  beforeEach(async () => {
    const { body } = await production.call('POST', '/v2/matches', {
      ...{ competitionId: production.competitionId, date: '2026-05-02T15:00:00.000Z', timezone: 'UTC' },
      ...{ homeTeamId: production.teamIds[0], awayTeamId: production.teamIds[1] },
    })
    matchId = Number(body.id)
  })
  const fact = async (second: number, type: string, more: object = {}) => {
    const timestamp = new Date(Date.parse('2026-05-02T15:00:00.000Z') + second * 1000).toISOString()
    const answer = await production.call('POST', `/v2/matches/${matchId}/facts`, { type, timestamp, ...more })
    expect(answer.status).toBe(201)
    return Number(answer.body.id)
  }
  const goal = (second: number) => fact(second, 'goal', { teamId: production.teamIds[0] })

  test('is played as its facts stand now, in the order in which they happened', async () => {
    await fact(0, 'matchStart')
    await goal(200)
    const gone = await goal(300)
    // told after the one that came after it
    await goal(100)
    await production.call('DELETE', `/v2/matches/${matchId}/facts/${gone}`)
    const answer = await simulate({ matchId })
    expect(told(answer)).toEqual(['0 +Bug', '100 +Goal', '108 -Goal', '200 +Goal', '208 -Goal'])
    // what is not over goes on for a minute after what happened last
    expect(answer.seconds).toEqual({ 'Lower third': 16, 'Score bug': 260 })
  })

  test('states said by hand, facts of one moment and its own automation count', async () => {
    await production.call('POST', `/v2/matches/${matchId}`, { pregameAutomationTime: 3, postgameAutomationTime: 2 })
    await fact(0, 'matchStart')
    await goal(60)
    await goal(60)
    await fact(90, 'periodEnd')
    await fact(90, 'periodStart')
    await fact(120, 'matchEnd')
    const live = rule('Live', { type: 'state', state: 'live' }, 'Score bug', { until: 'state' })
    const early = rule('Early', { type: 'interval', everySeconds: 70, during: 'pregame' }, 'Commentator', {
      afterSeconds: 5,
    })
    const late = rule('Late', { type: 'interval', everySeconds: 60, during: 'postgame' }, 'Commentator', {
      afterSeconds: 5,
    })
    const one = rule('Goal', { type: 'fact', factTypes: ['goal'] }, 'Goal scorer', { afterSeconds: 5 })
    const shown = told(await simulate({ matchId, rules: [live, early, late, one] })).filter(
      (text) => !text.includes('-') || text.startsWith('-'),
    )
    expect(shown).toEqual([
      ...['-180 +Early', '-175 -Early', '-110 +Early', '-105 -Early', '-40 +Early', '-35 -Early'],
      ...['0 +Live', '60 +Goal', '60 Goal priority', '90 +Live'],
      ...['120 +Late', '180 +Late', '240 +Late'],
    ])
  })

  test.each(['home', 'away'] as const)('[issue 18] the %s line-up comes only where somebody is in it', async (side) => {
    const card = side === 'home' ? 'Home line-up' : 'Away line-up'
    const more = { condition: LINEUPS[side].source }
    const lineUp = rule('Line-up', { type: 'time', of: 'date', offsetSeconds: -60 }, card, { afterSeconds: 5 }, more)
    const teamId = production.teamIds[side === 'home' ? 0 : 1] ?? 0
    const playerId = production.playerIds[teamId]?.[0]
    const field = async (players: object[]) => {
      const answer = await production.call('PUT', `/v2/matches/${matchId}/lineup`, { teams: [{ teamId, players }] })
      expect(answer.status).toBe(200)
    }
    await field([])
    expect(told(await simulate({ matchId, rules: [lineUp] }))).toEqual(['-60 Line-up condition'])
    await field([{ playerId, starting: true }])
    expect(told(await simulate({ matchId, rules: [lineUp] }))).toEqual(['-60 +Line-up', '-55 -Line-up'])
  })

  test('a match that was stopped by hand stands from then on', async () => {
    await fact(0, 'matchStart')
    await production.call('POST', `/v2/matches/${matchId}`, { state: 'suspended' })
    const stopped = rule('Stopped', { type: 'state', state: 'suspended' }, 'Commentator', { until: 'hidden' })
    const live = rule('Live', { type: 'state', state: 'live' }, 'Score bug', { until: 'state' })
    const { timeline } = await simulate({ matchId, rules: [live, stopped] })
    expect(timeline.map(({ name, action }) => `${action} ${name}`)).toEqual(['show Live', 'hide Live', 'show Stopped'])
  })

  // how long it takes is in the benchmark; what would take too long is refused
  test('a match of six hundred facts is played whole, also with conditions on all of them', async () => {
    await createLongPlay(production.server.database.sql, matchId, 600)
    const facts = { type: 'fact', factTypes: ['corner', 'foul', 'shot', 'goal'] }
    const each = rule(
      'Each',
      facts,
      'Goal scorer',
      { afterSeconds: 4 },
      { condition: 'size(facts) > 2 && score.home < 90' },
    )
    const { timeline } = await simulate({ matchId, rules: [...rules(), each] })
    expect(timeline.filter(({ name }) => name === 'Each').length).toBeGreaterThan(500)
  })

  test('a plan that does too much is refused, and holds nobody up meanwhile', async () => {
    await createLongPlay(production.server.database.sql, matchId, 600)
    const often = { type: 'interval', everySeconds: 5, during: 'live' }
    const many = Array.from({ length: 200 }, (_, index) => ({
      ...rule(
        `Often ${index}`,
        often,
        'Goal scorer',
        { afterSeconds: 4 },
        { onInterrupt: 'queue', priority: index % 100 },
      ),
      condition: 'size(facts) < 0',
    }))
    let longest = 0
    let last = performance.now()
    const watch = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 5)
    try {
      expect(await refused({ matchId, rules: many })).toEqual([400, ['body.rules']])
    } finally {
      clearInterval(watch)
    }
    expect(longest).toBeLessThan(1_000)
  })
})

describe('what a simulation may come to', () => {
  const plan = { ...NO_PLAN, layers: { third: { ...EMPTY_LAYER, queue: [] } } }
  const most = { lines: 3, steps: 3, inLine: 0, workMs: 60_000 }
  const line = {
    matchMs: 0,
    at: '',
    ruleId: '',
    name: '',
    outcome: null,
    reason: null,
    graphicName: null,
    action: null,
    variableValues: null,
  }
  const message = (spend: () => Promise<void>) =>
    spend().then(
      () => undefined,
      (error: ApiError) => JSON.stringify(error.body),
    )

  test('its lines, its looks, what waits at once and the work of it are bounded, each with a sentence', async () => {
    const looks = createAllowance({ lines: [] }, { plan }, most)
    for (let step = 0; step < 3; step++) expect(await message(looks)).toBeUndefined()
    expect(await message(looks)).toContain('looks more than 3 times')
    expect(await message(createAllowance({ lines: [line, line, line, line] }, { plan }, most))).toContain('3 lines')
    expect(await message(createAllowance({ lines: [] }, { plan }, { ...most, workMs: -1 }))).toContain('longer than')
    const waits = { ...plan, waiting: [{}, {}] as unknown as typeof plan.waiting }
    expect(await message(createAllowance({ lines: [] }, { plan: waits }, most))).toContain('0 firings wait')
  })
})

describe('what cannot be tried', () => {
  test('nothing or two things to play, what does not exist, wrong rules', async () => {
    expect(await refused({})).toEqual([400, ['body']])
    expect(await refused({ scenarioId: 'football-goal', matchId: production.matchId })).toEqual([400, ['body']])
    expect(await refused({ scenarioId: 'football-nothing' })).toEqual([400, ['body.scenarioId']])
    expect((await refused({ matchId: 999_999 }))[0]).toBe(404)
    expect((await refused({ matchId: stranger.matchId }))[0]).toBe(403)
    expect((await refused({ scenarioId: 'football-goal' }, stranger.call))[0]).toBe(403)
    const wrong = { ...rules()[0], condition: '(', presetId: stranger.preset('Score bug').id }
    expect(await refused({ scenarioId: 'football-goal', rules: [wrong] })).toEqual([
      400,
      ['body.rules[0].condition', 'body.rules[0].presetId'],
    ])
  })
})
