import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { insertLongMatch } from '../support/long-match.ts'
import { type Production, startProduction } from './support.ts'

let production: Production
beforeAll(async () => {
  production = await startProduction('built')
}, 120_000)
afterAll(() => production.close())
const say = (...x: unknown[]) =>
  appendFileSync(
    '/tmp/reads-measure.txt',
    `${x.map((y) => (typeof y === 'string' ? y : JSON.stringify(y))).join(' ')}\n`,
  )
it('measures', async () => {
  const { sql } = production.server.database
  const [other] =
    await sql`insert into overlay (organization_id, match_id, key, control_token, monitoring_token, name, encoding_delay_seconds)
    select organization_id, match_id, ${randomUUID()}, ${randomUUID()}, ${randomUUID()}, 'Second', 0 from overlay where id = ${production.overlay.id} returning id`
  const [third] =
    await sql`insert into overlay (organization_id, match_id, key, control_token, monitoring_token, name, encoding_delay_seconds)
    select organization_id, match_id, ${randomUUID()}, ${randomUUID()}, ${randomUUID()}, 'Third', 0 from overlay where id = ${production.overlay.id} returning id`
  const t = performance.now()
  await insertLongMatch(sql, {
    commands: 280_000,
    overlayIds: [other!.id, third!.id],
    organizationId: production.organizationId,
  })
  say('seeded', Math.round(performance.now() - t))
  const base = process.memoryUsage().rss
  const sample = async (name: string, path: string) => {
    globalThis.gc?.()
    const before = process.memoryUsage().rss
    let peak = before,
      stop = false
    const lat: number[] = []
    const mem = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss)
    }, 20)
    const pressing = (async () => {
      let n = 0
      while (!stop) {
        const s = performance.now()
        const a = await production.fire(n++ % 2 ? 'hide' : 'show', 'Score bug')
        lat.push(performance.now() - s)
        if (a.status !== 200) say('PRESS', a.status)
        await new Promise((r) => setTimeout(r, 20))
      }
    })()
    await new Promise((r) => setTimeout(r, 500))
    const quiet = lat.length
    const s = performance.now()
    const response = await fetch(`${production.server.origin}/rest${path}`, {
      headers: { authorization: `Bearer ${production.apiKey}` },
    })
    const first = performance.now() - s
    let bytes = 0,
      lines = 0
    for await (const chunk of response.body!) {
      bytes += chunk.length
      for (const b of chunk) if (b === 10) lines++
    }
    const took = performance.now() - s
    stop = true
    await pressing
    clearInterval(mem)
    const during = lat.slice(quiet).sort((a, b) => a - b)
    say(
      name,
      response.status,
      `first ${Math.round(first)} ms, all ${Math.round(took)} ms, ${bytes} bytes ${lines} lines; rss +${Math.round((peak - before) / 1e6)} MB; show n=${during.length} p50 ${during[during.length >> 1]?.toFixed(1)} p99 ${during[Math.floor(during.length * 0.99)]?.toFixed(1)} max ${during.at(-1)?.toFixed(1)}`,
      response.status === 200 ? '' : '503',
    )
  }
  const m = `/v2/matches/${production.matchId}`
  await sample('idle', `/v2/matches/${production.matchId}`)
  await sample('as-run csv', `${m}/as-run?format=csv`)
  await sample('as-run json', `${m}/as-run?limit=1000`)
  await sample('as-run json far', `${m}/as-run?limit=1000&offset=250000`)
  await sample('proof csv', `${m}/proof-of-play?format=csv`)
  await sample('proof json', `${m}/proof-of-play`)
  await sample('proof brands csv', `${m}/proof-of-play?format=csv&rows=brands`)
  expect(base).toBeGreaterThan(0)
}, 600_000)
