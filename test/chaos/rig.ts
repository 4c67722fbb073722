import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import postgres, { type Sql } from 'postgres'
import { expect } from 'vitest'
import { until } from '../../bench/clock.ts'
import { freePort } from '../../bench/free-port.ts'
import { produceOverlays, rest } from '../../bench/production.ts'
import type { Trigger } from '../../bench/samples.ts'
import { postmasterPid, removeDataDir, type Server, startServer, temporaryDataDir } from '../../bench/server.ts'
import { fold, type OverlayEvent } from '../../machines/overlay/events.ts'
import type { Overlay } from '../../machines/overlay/model.ts'
import { PostgresServer } from '../../src/store/embedded/postgres-server.ts'
import { giveCluster } from '../support/data-dir.ts'
import { quickPlace } from '../support/quick-place.ts'
import type { Attempts } from './attempts.ts'
import { Screen } from './screen.ts'

/** No stream is looked at, and each start would ask ffmpeg what it can; receivers of webhooks are on this machine. */
const settings = { MEDIA_ENGINE: 'off', OUTBOUND_PRIVATE: 'on' }

const empty: Overlay = { graphics: {}, revisions: {} }

/** The real built server on a data directory of its own, with overlays, a renderer on each, and the oracle. */
export class Rig {
  readonly dataDir: string
  readonly port: number
  readonly ackLog: string
  readonly screens: Screen[]
  readonly overlays: { id: number; key: string }[]
  server: Server
  readonly #apiKey: string
  readonly #triggers: Trigger[]

  constructor(
    server: Server,
    production: { apiKey: string; overlays: { id: number; key: string }[]; triggers: Trigger[] },
  ) {
    this.server = server
    this.dataDir = server.dataDir
    this.port = server.port
    this.ackLog = join(server.dataDir, '..', 'acknowledged.jsonl')
    this.overlays = production.overlays
    this.#apiKey = production.apiKey
    this.#triggers = production.triggers
    this.screens = this.overlays.map(({ key }) => new Screen(this.socketUrl(key)))
  }

  socketUrl(key: string): string {
    return `ws://127.0.0.1:${this.port}/overlay/${key}/socket`
  }

  trigger(turn: number): Trigger {
    const trigger = this.#triggers[turn % this.#triggers.length]
    if (!trigger) throw new Error('a rig has triggers')
    return trigger
  }

  values(presetId: number, number: number): { variableValues: Record<string, number | string> } {
    const { variable, asText } = this.#triggers.find((trigger) => trigger.presetId === presetId) ?? this.trigger(0)
    return { variableValues: { [variable]: asText ? `n${number}` : number } }
  }

  /** Fires one command. Status 0: the connection broke, or nothing came in 5 s. */
  async command(overlayId: number, body: object, headers: Record<string, string> = {}) {
    try {
      const response = await fetch(`${this.server.url}/rest/v2/overlays/${overlayId}/graphics/commands`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${this.#apiKey}`, 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(5_000),
      })
      return { status: response.status, body: await response.text() }
    } catch {
      return { status: 0, body: '' }
    }
  }

  /** Asks the API. Rejects when the connection breaks. */
  rest<T>(method: string, path: string, body?: object) {
    return rest<T>(this.server.url, this.#apiKey, method, path, body)
  }

  async get(path: string): Promise<number> {
    try {
      const headers = { Authorization: `Bearer ${this.#apiKey}` }
      const response = await fetch(`${this.server.url}${path}`, { headers, signal: AbortSignal.timeout(5_000) })
      await response.arrayBuffer()
      return response.status
    } catch {
      return 0
    }
  }

  async restart(): Promise<void> {
    this.server = await startServer(this.dataDir, { port: this.port, settings })
  }

  killPostmaster(): void {
    process.kill(postmasterPid(this.dataDir), 'SIGKILL')
  }

  /** Runs with a connection of its own to the server's database. */
  async withSql<T>(use: (sql: Sql) => Promise<T>): Promise<T> {
    const cluster = new PostgresServer(this.dataDir)
    await cluster.initialize()
    const sql = postgres(cluster.url('tally'), { max: 1, connect_timeout: 2, onnotice: () => {} })
    try {
      return await use(sql)
    } finally {
      await sql.end({ timeout: 1 })
    }
  }

  /** Waits for this many more acknowledged commands, which must come in `withinMs`. */
  async acknowledged(load: Attempts, count: number, withinMs = 60_000): Promise<void> {
    const from = load.attempts.length
    await until(`${count} more acknowledged commands`, withinMs, 20, () => load.acked(from).length >= count)
  }

  /** A run that failed before the fault proves nothing: at least nine of ten must have been acknowledged. */
  healthyBefore(load: Attempts, from: number): void {
    const attempts = load.attempts.length - from
    expect(attempts).toBeGreaterThan(0)
    expect(load.acked(from).length / attempts, 'successes before the fault').toBeGreaterThanOrEqual(0.9)
  }

  /** Every acknowledged command has its journal row; each overlay's seq has no gap; snapshot = fold of the journal. */
  async nothingWasLost(load: Attempts): Promise<void> {
    const { rows, snapshots } = await this.withSql(async (sql) => ({
      rows: await sql<
        { ref: string; seq: string; request_id: string; events: OverlayEvent[] }[]
      >`select ref, seq, request_id, events from journal where ref like 'overlay/%' order by ref, seq`,
      snapshots: await sql<
        { ref: string; seq: string; snapshot: { context: Overlay } }[]
      >`select ref, seq, snapshot from actor where ref like 'overlay/%'`,
    }))
    const journaled = new Set(rows.map(({ request_id }) => request_id))
    const lost = load.acked().filter(({ requestId }) => !journaled.has(requestId))
    expect(lost, 'acknowledged commands without a journal row').toEqual([])
    for (const { id } of this.overlays) {
      const own = rows.filter(({ ref }) => ref === `overlay/${id}`)
      const snapshot = snapshots.find(({ ref }) => ref === `overlay/${id}`)
      expect(own.map(({ seq }) => Number(seq))).toEqual(own.map((_, index) => index + 1))
      expect(Number(snapshot?.seq)).toBe(own.length)
      expect(snapshot?.snapshot.context).toEqual(own.flatMap(({ events }) => events).reduce(fold, empty))
    }
  }

  /** Soon every renderer, and one that just came, shows what the journal says. */
  async renderersConverge(): Promise<void> {
    const fresh = this.overlays.map(({ key }) => new Screen(this.socketUrl(key)))
    try {
      const expected = await this.#onAir()
      const wrong = () =>
        this.overlays.filter(({ id }, index) =>
          [this.screens[index], fresh[index]].some((screen) => !isDeepStrictEqual(shownBy(screen), expected.get(id))),
        )
      await until('the renderers to show what the journal says', 60_000, 50, () => wrong().length === 0).catch(() => {})
      expect(
        wrong().map(({ id }) => ({
          id,
          expected: expected.get(id),
          shown: shownBy(this.screens[this.overlays.findIndex((overlay) => overlay.id === id)]),
        })),
      ).toEqual([])
    } finally {
      for (const screen of fresh) screen.close()
    }
    expect([...this.screens, ...fresh].flatMap(({ violations }) => violations)).toEqual([])
  }

  async #onAir(): Promise<Map<number, object>> {
    const rows = await this.withSql(
      (sql) => sql<{ ref: string; snapshot: { context: Overlay } }[]>`select ref, snapshot from actor`,
    )
    return new Map(
      this.overlays.map(({ id }) => {
        const graphics = rows.find(({ ref }) => ref === `overlay/${id}`)?.snapshot.context.graphics ?? {}
        const shown = Object.values(graphics).map(({ graphicId, presetId, values, seq }) => [
          graphicId,
          { presetId, values, seq },
        ])
        return [id, Object.fromEntries(shown)]
      }),
    )
  }

  async close(): Promise<void> {
    for (const screen of this.screens) screen.close()
    await this.server.stop()
    removeDataDir(this.dataDir)
  }
}

const shownBy = (screen: Screen | undefined): object => Object.fromEntries(screen?.shown ?? [])

/** Starts a server with this many overlays and waits for a renderer on each. The parent of `dataDir` is removed at the end. */
export async function startRig(overlays: number, dataDir = temporaryDataDir(quickPlace())): Promise<Rig> {
  mkdirSync(dataDir, { recursive: true })
  giveCluster(dataDir)
  const server = await startServer(dataDir, { port: await freePort(), settings })
  try {
    const rig = new Rig(server, await produceOverlays(server, overlays))
    await until('a renderer on each overlay', 60_000, 20, () => rig.screens.every(({ connected }) => connected))
    return rig
  } catch (error) {
    await server.stop()
    removeDataDir(dataDir)
    throw error
  }
}
