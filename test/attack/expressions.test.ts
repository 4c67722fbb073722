import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Production, produce, startProduction } from '../resources/support.ts'

let attacker: Production
let victim: Omit<Production, 'close'>

let costly: string

beforeAll(async () => {
  attacker = await startProduction()
  victim = await produce(attacker.server)
  const { status, body } = await attacker.call('POST', graphics(), withExpressions('Costly', COSTLY))
  expect(status, JSON.stringify(body)).toBe(201)
  costly = String(body.graphicId)
})
afterAll(() => attacker.close())

/** What held the loop for two seconds: each repeat is a thousand copies of a large class. */
const HUGE = '\\p{L}{0,1000}'.repeat(14)

const COSTLY = [
  // patterns that are put together from data cannot be refused when they are saved
  'facts.map(f, f.name.matches(f.pattern)).size()',
  'facts.map(f, f.name.matches(f.huge)).size()',
  'facts.map(f, match.one == match.two).size()',
  'facts.map(f, facts.map(g, g.name)).size()',
  'facts.map(f, timestamp("2026-11-20T19:47:00Z").getHours("Europe/Oslo")).size()',
  '["a"].map(a, a.padEnd(16000, "a")).map(a, facts.map(f, a.replace("a", "b").upper())).size()',
]

const graphics = () => `/v2/themes/${attacker.themeId}/code-graphics`
const withExpressions = (name: string, expressions: readonly string[]) => ({
  name,
  stateMachine: {
    userExpressions: expressions.map((expression, index) => ({ id: `e${index}`, name: `e${index}`, expression })),
  },
})

it('a pattern that is too large is refused when it is saved, by the name of its expression', async () => {
  const { status, body } = await attacker.call('POST', graphics(), withExpressions('Huge', [`'a'.matches(r'${HUGE}')`]))
  expect([status, body.details]).toEqual([
    400,
    ['user expression e0: matches(): a pattern that is too large with its repeats written out'],
  ])
})

it('eight who try the costliest expressions do not hold the show of another organization', async () => {
  const large = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`k${index}`, [index]]))
  // each finds patterns that nobody tried before it
  const bodies = Array.from({ length: 40 }, (_, round) =>
    JSON.stringify({
      data: {
        match: { one: large, two: large },
        facts: Array.from({ length: 100 }, (_, index) => ({
          name: 'Ståhlberg',
          pattern: `${round}x${index}\\p{L}{30,40}(?:${'a?'.repeat(30)}){9}`,
          huge: `${HUGE}${round}${index}`,
        })),
      },
    }),
  )
  const url = `${attacker.server.origin}/rest${graphics()}/${costly}/evaluate`
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${attacker.apiKey}` }
  const tried = await fetch(url, { method: 'POST', headers, body: bodies[0] ?? '' })
  expect([200, 400], await tried.text()).toContain(tried.status)
  let attacking = true
  const answers = new Map<number, number>()
  const attack = async (nth: number) => {
    for (let round = nth; attacking; round += 8) {
      const response = await fetch(url, { method: 'POST', headers, body: bodies[round % bodies.length] ?? '' })
      await response.arrayBuffer()
      answers.set(response.status, (answers.get(response.status) ?? 0) + 1)
    }
  }
  const attacks = Array.from({ length: 8 }, (_, nth) => attack(nth))
  const [{ name = '' } = {}] = victim.presets
  const tookMs: number[] = []
  for (let nth = 0; nth < 150; nth++) {
    const since = performance.now()
    expect((await victim.fire('show', name)).status).toBe(200)
    tookMs.push(performance.now() - since)
  }
  attacking = false
  await Promise.all(attacks)
  // they are tried, on a busy machine refused for their time, and who has too many waiting is told to come back
  expect([...answers.keys()].filter((status) => ![200, 400, 503].includes(status))).toEqual([])
  expect((answers.get(200) ?? 0) + (answers.get(400) ?? 0)).toBeGreaterThan(0)
  tookMs.sort((one, other) => one - other)
  // the machine of a test does other things, too: what was held up by an expression took seconds, or was refused
  expect(tookMs[Math.floor(tookMs.length * 0.5)]).toBeLessThan(100)
  expect(tookMs.at(-1)).toBeLessThan(1_000)
})
