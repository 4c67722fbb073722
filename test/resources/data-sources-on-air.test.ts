import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { Renderer } from '../support/renderer.ts'
import { type Production, produce, startProduction } from './support.ts'

let production: Production
let base: string

/** What each preset's graphic selects; the third selects nothing, so it is given everything. */
const SELECTS: Readonly<Record<string, string[] | undefined>> = {
  'Score bug': ['standings'],
  'Full-time result': ['match'],
  'Match partner': undefined,
}

beforeAll(async () => {
  production = await startProduction()
  base = `/v2/data-sources/${production.themeProfileId}`
  const { sql } = production.server.database
  for (const [preset, selectedSchemas] of Object.entries(SELECTS)) {
    const machine = { controlVariables: [], ...(selectedSchemas && { selectedSchemas }) }
    await sql`update graphic_version set state_machine = ${sql.json(machine)}
      where graphic_id = ${production.preset(preset).graphicId}`
    await sql`update preset set variable_values = '{}' where id = ${production.preset(preset).id}`
  }
  await sql`select pg_notify('catalog', ${JSON.stringify({ theme: production.themeId })})`
  await sql`select pg_notify('catalog', ${JSON.stringify({ room: production.controlRoomId })})`
  const samples = { standings: 'team,points\nNorth,1\n', sponsors: 'name\nAcme\n' }
  for (const [alias, sample] of Object.entries(samples)) {
    const body = { alias, sourceType: 'csv', shape: 'rows', sample }
    const made = await production.call('POST', `/v2/themes/${production.themeId}/data-source-templates`, body)
    expect(made.status).toBe(201)
  }
  for (const preset of Object.keys(SELECTS))
    await vi.waitFor(async () => expect((await production.fire('show', preset)).status).toBe(200), {
      timeout: 30_000,
      interval: 100,
    })
})
afterAll(() => production.close())

type Row = Record<string, unknown>
type Data = { match?: object; dataSources?: { standings?: Row[]; sponsors?: Row[] } }
type Frame = { type: string; payload: { graphicId: string; seq: number; data?: Data; themeVariables?: object } }

function look(overlayUrl = production.overlay.url) {
  const frames: (Frame & { at: number; bytes: number })[] = []
  const renderer = new Renderer({
    url: `${overlayUrl.replace('http', 'ws')}/socket`,
    onFrame: (text) => void frames.push({ ...JSON.parse(text), at: performance.now(), bytes: text.length }),
  })
  onTestFinished(() => renderer.close())
  const of = (preset: string) => renderer.shows().get(production.preset(preset).graphicId)
  const data = (preset: string) => of(preset)?.data as Data | undefined
  const framesOf = (preset: string) =>
    frames.filter(({ payload }) => payload.graphicId === production.preset(preset).graphicId)
  return { renderer, frames, framesOf, of, data }
}

const push = async (alias: string, rows: Row[]) => {
  const { status, body } = await production.call('POST', `${base}/${alias}`, { rows })
  expect(status, JSON.stringify(body)).toBe(200)
}
/** Nothing that was pushed or deleted is still on its way: a row stays until its refresh is committed. */
const settled = () =>
  vi.waitFor(async () => {
    const { sql } = production.server.database
    expect([...(await sql`select payload from outbox where kind = 'reaction'`)]).toEqual([])
  }, 30_000)
const points = (seen: ReturnType<typeof look>, preset = 'Score bug') =>
  seen.data(preset)?.dataSources?.standings?.[0]?.points

describe('[live-path 14] pushed rows on air', () => {
  it('reach the graphics that select them, with the aliases that each selects and no others', async () => {
    const seen = look()
    await push('standings', [{ team: 'North', points: 2 }])
    await push('sponsors', [{ name: 'Blue' }])
    await seen.renderer.waitFor(() => seen.data('Match partner')?.dataSources?.sponsors?.[0]?.name === 'Blue')
    await seen.renderer.waitFor(() => points(seen) === 2)
    expect(seen.data('Score bug')).toEqual({ dataSources: { standings: [{ team: 'North', points: 2 }] } })
    expect(seen.data('Full-time result')).toEqual({ match: expect.anything() })
    expect(seen.data('Match partner')).toMatchObject({ match: expect.anything(), dataSources: { standings: [{}] } })
    // who joins late sees the same
    const late = look()
    await late.renderer.waitFor(() => points(late) === 2 && late.of('Match partner') !== undefined)
    for (const preset of Object.keys(SELECTS)) expect(late.of(preset)).toEqual(seen.of(preset))
  })

  it('a refresh carries only what changed for each graphic; the others hear of their seq', async () => {
    const seen = look()
    await push('standings', [{ team: 'North', points: 3 }])
    await seen.renderer.waitFor(() => points(seen) === 3)
    const before = seen.frames.length
    await push('standings', [{ team: 'North', points: 4 }])
    await seen.renderer.waitFor(() =>
      Object.keys(SELECTS).every((preset) => seen.framesOf(preset).at(-1) !== undefined),
    )
    await seen.renderer.waitFor(() => points(seen) === 4 && points(seen, 'Match partner') === 4)
    const fresh = seen.frames.slice(before)
    const bare = fresh.filter(({ payload }) => payload.graphicId === production.preset('Full-time result').graphicId)
    expect(bare.length).toBeGreaterThan(0)
    for (const { payload } of bare) expect(Object.keys(payload).sort()).toEqual(['graphicId', 'onAir', 'seq', 'sport'])
    for (const { payload } of fresh) expect(payload.themeVariables).toBeUndefined()
  })

  it('what is cleared, and what a deleted template held, is gone from the air', async () => {
    const seen = look()
    await push('standings', [{ team: 'North', points: 5 }])
    await seen.renderer.waitFor(() => points(seen) === 5)
    expect((await production.call('DELETE', `${base}/standings`)).status).toBe(204)
    await seen.renderer.waitFor(() => points(seen) === undefined && seen.data('Score bug') !== undefined)
    const templates = `/v2/themes/${production.themeId}/data-source-templates`
    const made = await production.call('POST', templates, {
      alias: 'gone',
      sourceType: 'csv',
      shape: 'rows',
      sample: 'a\n1',
    })
    await push('gone', [{ a: 1 }])
    const held = () => Object.keys(seen.data('Match partner')?.dataSources ?? {})
    await seen.renderer.waitFor(() => held().includes('gone'))
    expect((await production.call('DELETE', `${templates}/${made.body.id}`)).status).toBe(204)
    await seen.renderer.waitFor(() => !held().includes('gone'))
  })

  it('overlays of other profiles hear nothing of it', async () => {
    const other = await produce(production.server)
    const template = { alias: 'standings', sourceType: 'csv', shape: 'rows', sample: 'team,points\nWest,1\n' }
    await other.call('POST', `/v2/themes/${other.themeId}/data-source-templates`, template)
    await settled()
    const seen = look()
    // who joins after a push has it before its refresh comes
    await seen.renderer.waitFor(() => seen.data('Score bug') !== undefined)
    await push('standings', [{ team: 'North', points: 7 }])
    await seen.renderer.waitFor(() => points(seen) === 7)
    const before = seen.framesOf('Score bug').length
    await other.call('POST', `/v2/data-sources/${other.themeProfileId}/standings`, {
      rows: [{ team: 'West', points: 8 }],
    })
    await push('standings', [{ team: 'North', points: 9 }])
    await seen.renderer.waitFor(() => points(seen) === 9)
    expect(seen.framesOf('Score bug').slice(before)).toHaveLength(1)
  })

  it('a table of 5,000 rows reaches renderers, and they stay connected', async () => {
    const seen = look()
    const rows = Array.from({ length: 5_000 }, (_, points) => ({ team: `Team ${points} ${'x'.repeat(80)}`, points }))
    await push('standings', rows)
    await seen.renderer.waitFor(() => seen.data('Score bug')?.dataSources?.standings?.length === 5_000)
    await push('standings', [{ team: 'North', points: 1 }])
    await seen.renderer.waitFor(() => points(seen) === 1)
    expect([seen.renderer.connections, seen.renderer.closedWith]).toEqual([1, []])
  })

  it('ten pushes a second for ten seconds: two renderers keep up, the last one is there at once, nothing is left behind', async () => {
    const both = [look(), look()] as const
    for (const seen of both) await seen.renderer.waitFor(() => seen.of('Score bug') !== undefined)
    const startedAt = performance.now()
    const seqOf = (seen: ReturnType<typeof look>) => seen.of('Score bug')?.seq ?? 0
    const firstSeq = seqOf(both[0])
    const lagMs: number[] = []
    const PUSHES = 100
    for (let nth = 1; nth <= PUSHES; nth++) {
      // a feed pushes on its own beat, whatever the answers take
      await pause(Math.max(0, startedAt + nth * 100 - performance.now()))
      await push('standings', [{ team: 'North', points: 1_000 + nth }])
      const answeredAt = performance.now()
      if (nth < PUSHES) continue
      for (const seen of both) {
        await seen.renderer.waitFor(() => points(seen) === 1_000 + nth)
        lagMs.push(performance.now() - answeredAt)
      }
    }
    const seconds = (performance.now() - startedAt) / 1000
    for (const seen of both) {
      expect(seqOf(seen) - firstSeq).toBeLessThanOrEqual(20 * seconds + 1)
      const shown = seen.framesOf('Score bug').map(({ payload }) => payload.data?.dataSources?.standings?.[0]?.points)
      const values = shown.filter((value) => typeof value === 'number' && value > 1_000).map(Number)
      expect(values).toEqual([...values].sort((one, another) => one - another))
      expect(new Set(values).size).toBeGreaterThan(PUSHES / 2)
    }
    // no backlog: what waited would come one refresh gap after the other
    expect(Math.max(...lagMs)).toBeLessThan(1_000)
    await settled()
  })

  it('it is there after a restart', async () => {
    await push('standings', [{ team: 'North', points: 6 }])
    await production.server.restart()
    const after = look()
    await after.renderer.waitFor(() => points(after) === 6, 15_000)
  })
})
