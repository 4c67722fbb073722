import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { fold, type OverlayEvent } from '../../machines/overlay/events.ts'
import type { Overlay } from '../../machines/overlay/model.ts'
import { createDemo } from '../../src/demo/seed.ts'
import { liveData } from '../../src/resources/matches/live-data.ts'
import { type ConnectedDatabase, connectDatabase } from '../../src/store/postgres.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { CONNECT_WITHIN_SECONDS } from '../support/database.ts'
import { demoGraphics, emptyDemoTheme } from '../support/demo-theme.ts'
import { Run, SPARED } from './run.ts'

// biome-ignore lint/style/noProcessEnv: how long to look is said by whoever runs the tests
const runs = process.env.CHAOS === 'full' ? 24 : 6

describe('[P5] seeded random runs of commands, disconnects, slow renderers, live data, lost connections and restarts', () => {
  let app: TestApp
  let themeFolder: string
  /** Ours: the only connections that no bad luck hits. */
  let db: ConnectedDatabase

  beforeAll(async () => {
    app = await startApp()
    db = connectDatabase(app.database.url, {
      connections: 2,
      connectWithinSeconds: CONNECT_WITHIN_SECONDS,
      applicationName: SPARED,
      secrets: app.database.db.secrets,
    })
    themeFolder = emptyDemoTheme()
  })
  afterAll(async () => {
    await db.close(1)
    await app.close()
    rmSync(themeFolder, { recursive: true, force: true })
  })

  async function stored(overlayId: number): Promise<Overlay> {
    const [row] = await db.sql<{ context: Overlay }[]>`
      select snapshot -> 'context' as context from actor where ref = ${`overlay/${overlayId}`}`
    if (!row) throw new Error('the overlay has no actor')
    return row.context
  }

  /** What the overlay is, everywhere: its renderers, its REST state and its journal tell the same. */
  async function isOneState(run: Run): Promise<void> {
    const { demo } = run
    const { sql } = db
    expect(await sql`select from outbox where kind = 'reaction'`).toHaveLength(0)
    const { graphics } = await stored(demo.overlay.id)
    const live = await liveData(sql, app.origin, demo.overlay.id)
    const selected = (graphic: Overlay['graphics'][string]) => {
      const { selectedSchemas = [], controlVariables = [] } =
        demoGraphics.find(({ name }) => name === graphic.graphicName) ?? {}
      const set = controlVariables.filter(({ defaultValue }) => defaultValue !== null)
      const defaults = Object.fromEntries(set.map((variable) => [variable.name, variable.defaultValue]))
      const parts = Object.fromEntries(selectedSchemas.map((schema) => [schema, live.data?.[schema]]))
      const records = live.selected?.(graphic)
      return JSON.parse(
        JSON.stringify({ ...parts, ...(records && { selected: records }), ...(set.length > 0 && { defaults }) }),
      )
    }
    const expected = Object.fromEntries(
      Object.values(graphics).map((graphic) => {
        const { graphicId, seq, presetId, values } = graphic
        return [graphicId, { seq, presetId, variableValues: values, data: selected(graphic) }]
      }),
    )
    for (const [index, renderer] of run.renderers.entries()) {
      expect(renderer.connected, `renderer ${index}`).toBe(true)
      expect(Object.fromEntries(renderer.picture.graphics), `renderer ${index}`).toEqual(expected)
    }
    const answer = await app.call('GET', `/v2/overlays/${demo.overlay.id}`, { key: demo.apiKey })
    expect(answer.body.manualGraphicState).toEqual(
      Object.fromEntries(
        Object.values(graphics).map(({ graphicName, presetId, values }) => [
          graphicName,
          { _service_presetId: presetId, variableValues: values },
        ]),
      ),
    )
    const journal = await sql<{ seq: number; events: OverlayEvent[] }[]>`
      select seq::float8 as seq, events from journal where ref = ${`overlay/${demo.overlay.id}`} order by journal.seq`
    expect(journal.map(({ seq }) => seq)).toEqual(journal.map((_, index) => index + 1))
    const replayed = journal.flatMap(({ events }) => events).reduce(fold, { graphics: {}, revisions: {} } as Overlay)
    expect(replayed.graphics).toEqual(graphics)
  }

  /** Everything that must hold once the world is quiet. */
  async function converge(run: Run): Promise<void> {
    await Promise.all(run.answers)
    await run.delay(0)
    for (const renderer of run.renderers) renderer.resume()
    // a refresh that was handed on, and a command whose caller got 503, still commit while this looks
    await vi.waitFor(() => isOneState(run), { timeout: 60_000, interval: 100 })
    expect(run.wrong).toEqual([])
    expect(run.renderers.flatMap(({ faults }) => faults)).toEqual([])
    // within one connection frames of a graphic come in order
    expect(run.renderers.map(({ picture }) => picture.dropped)).toEqual(run.renderers.map(() => 0))
    expect(run.acknowledged).toBeGreaterThan(0)
  }

  async function play(seed: number, steps: number): Promise<Run> {
    const demo = await createDemo({ db, request: app.app.request, publicUrl: app.origin, themeFolder }, `Seed ${seed}`)
    const run = new Run(app, db.sql, seed, demo)
    onTestFinished(() => {
      for (const renderer of run.renderers) renderer.end()
    })
    const stopAt = run.random.below(steps)
    for (let step = 0; step < steps; step++) {
      await run.step()
      // converging half way, too, meets states that the end does not
      if (step === stopAt) await converge(run)
    }
    await converge(run)
    return run
  }

  it.each(Array.from({ length: runs }, (_, index) => index + 1))(
    'seed %i: every renderer equals the state of the server',
    async (seed) => {
      await play(seed, 120)
    },
    240_000,
  )
})
