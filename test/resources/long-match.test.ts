import { afterAll, beforeAll, expect, it } from 'vitest'
import { AsRunLog } from '../../src/resources/overlays/as-run.schema.ts'
import { ProofOfPlay } from '../../src/resources/proof-of-play/schema.ts'
import { insertLongMatch } from '../support/long-match.ts'
import { insertOverlay } from '../support/overlay-rows.ts'
import { type Production, startProduction } from './support.ts'

const COMMANDS = 280_000
/** Of an overlay whose log is read to its end: a play of each second command, and one that is on air all the time. */
const SHORT = 5_000
const PLAYS = SHORT / 2 + 1

let production: Production
/** A measured time is tried again, and what the try before pressed is in the log by then. */
let pressed = 0
let long: number
let short: number
beforeAll(async () => {
  production = await startProduction()
  const { sql } = production.server.database
  const { organizationId, matchId } = production
  const overlay = async () => {
    const { id } = await insertOverlay(sql)
    await sql`update overlay set organization_id = ${organizationId}, match_id = ${matchId} where id = ${id}`
    return id
  }
  long = await overlay()
  short = await overlay()
  await insertLongMatch(sql, { commands: COMMANDS, renderers: 0, overlayIds: [long], organizationId })
  await insertLongMatch(sql, { commands: SHORT, overlayIds: [short], organizationId })
}, 60_000)
afterAll(() => production.close())

const read = (path: string, init: RequestInit = {}) =>
  fetch(`${production.server.origin}/rest${path}`, {
    ...init,
    headers: { authorization: `Bearer ${production.apiKey}` },
  })

it('[issue 15.15] the log of 280,000 rows is sent from its beginning while a show answers as ever', async () => {
  await production.fire('show', 'Score bug')
  pressed += 1
  const leaving = new AbortController()
  const answer = await read(`/v2/matches/${production.matchId}/as-run?format=csv`, { signal: leaving.signal })
  expect([answer.status, Number(answer.headers.get('x-total-count'))]).toEqual([200, COMMANDS + SHORT + pressed])
  const reader = answer.body?.getReader()
  let bytes = 0
  let reading = true
  const drained = (async () => {
    while (reading) bytes += (await reader?.read())?.value?.length ?? 0
  })()
  const took: number[] = []
  for (let press = 0; press < 100; press++) {
    const since = performance.now()
    const { status } = await production.fire(press % 2 === 0 ? 'hide' : 'show', 'Score bug')
    took.push(performance.now() - since)
    pressed += 1
    expect(status).toBe(200)
  }
  reading = false
  await drained
  leaving.abort()
  expect(bytes).toBeGreaterThan(0)
  took.sort((a, b) => a - b)
  expect(took[Math.floor(took.length * 0.9)]).toBeLessThan(100)
}, 30_000)

it('[issue 15.15] any page of it is answered, the last one too', async () => {
  const path = `/v2/overlays/${long}/as-run`
  const first = AsRunLog.parse(await (await read(`${path}?limit=1000`)).json())
  expect([first.total, first.asRun.at(-1)?.seq]).toEqual([COMMANDS, 1_000])
  const second = AsRunLog.parse(await (await read(`${path}?limit=2&cursor=${first.nextCursor}`)).json())
  expect(second.asRun.map(({ seq }) => seq)).toEqual([1_001, 1_002])
  const last = AsRunLog.parse(await (await read(`${path}?limit=1000&offset=${COMMANDS - 3}`)).json())
  expect([last.asRun.map(({ seq }) => seq), last.nextCursor]).toEqual([
    [COMMANDS - 2, COMMANDS - 1, COMMANDS],
    undefined,
  ])
})

it('[issue 15.15] CSV without a limit is the whole log, in order, to the last row', async () => {
  const text = await (await read(`/v2/overlays/${short}/as-run?format=csv`)).text()
  const seqs = text
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => Number(line.slice(0, line.indexOf(','))))
  expect(seqs).toEqual(Array.from({ length: SHORT }, (_, place) => place + 1))
})

it('[issue 15.15] the plays of a proof come in the order in which they began, also beside one that never ends', async () => {
  // what is on air goes on meanwhile
  const path = `/v2/overlays/${short}/proof-of-play?to=${new Date().toISOString()}`
  const proof = ProofOfPlay.parse(await (await read(`${path}&offset=${PLAYS - 2}`)).json())
  expect(proof.total).toBe(PLAYS)
  expect(proof.plays.map(({ seq, until }) => [seq, until === null])).toEqual([
    [SHORT - 2, false],
    [SHORT, true],
  ])
  const text = await (await read(`${path}&format=csv`)).text()
  const [header = '', ...rows] = text.trimEnd().split('\r\n')
  const column = header.split(',').indexOf('paintedSeconds')
  expect(rows.map((row) => Number(row.split(',')[1]))).toEqual([
    1,
    ...Array.from({ length: PLAYS - 1 }, (_, place) => 2 * (place + 1)),
  ])
  // each is reported by the first renderer 20 ms after its command, and gone 20 ms after that of its end
  expect(new Set(rows.slice(1, -1).map((row) => Number(row.split(',')[column])))).toEqual(new Set([0.18]))
  const sum = rows.reduce((total, row) => total + Number(row.split(',')[column]), 0)
  expect(Math.abs(sum - proof.paintedSeconds)).toBeLessThan(1)
  expect(proof.graphics.map(({ plays }) => plays).reduce((a, b) => a + b)).toBe(PLAYS)
})
