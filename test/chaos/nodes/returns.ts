import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../../../bench/clock.ts'
import type { NodesRig } from './rig.ts'
import type { Watcher } from './watcher.ts'

/** A renderer that lost its connection and got another one: how long its picture was older than the journal then. */
type Return = { readonly openedAt: number; readonly rightAt: number }

const GIVE_UP_MS = 40_000

/** Watches over every renderer that comes back. */
export class Returns {
  readonly #rig: NodesRig
  readonly #underWay = new Set<Promise<void>>()
  #done: Return[] = []
  readonly #failed: unknown[] = []

  constructor(rig: NodesRig, watchers: readonly Watcher[]) {
    this.#rig = rig
    for (const watcher of watchers)
      watcher.onReturn = () => {
        const work = this.#follow(watcher)
          .catch((error: unknown) => void this.#failed.push(error))
          .finally(() => this.#underWay.delete(work))
        this.#underWay.add(work)
      }
  }

  /** Those since the last time that this was asked, once all are right. Throws when one never was. */
  async taken(): Promise<Return[]> {
    await Promise.all(this.#underWay)
    if (this.#failed.length > 0) throw this.#failed[0]
    const done = this.#done
    this.#done = []
    return done
  }

  async #follow(watcher: Watcher): Promise<void> {
    const { connections } = watcher.renderer
    const openedAt = performance.now()
    // PostgreSQL itself may be away
    let seq = await this.#newest(watcher.overlayId)
    while (seq === undefined && performance.now() - openedAt < GIVE_UP_MS) {
      await pause(50)
      seq = await this.#newest(watcher.overlayId)
    }
    const needed = seq ?? Number.POSITIVE_INFINITY
    const hasLeft = () => watcher.renderer.connections > connections || !watcher.renderer.connected
    await until(
      'a renderer that came back to show what is on air',
      GIVE_UP_MS,
      10,
      () => hasLeft() || watcher.seq >= needed,
    )
    // one that was cut off again counts from its next connection
    if (watcher.seq < needed) return
    this.#done.push({ openedAt, rightAt: Math.max(openedAt, watcher.toldAt(needed) ?? performance.now()) })
  }

  async #newest(overlayId: number): Promise<number | undefined> {
    const { sql } = this.#rig
    const rows = await sql<{ seq: number }[]>`
      select seq::float8 as seq from journal
      where ref = ${`overlay/${overlayId}`} and command ->> 'action' = 'show' order by journal.seq desc limit 1`.catch(
      () => undefined,
    )
    return rows && (rows[0]?.seq ?? 0)
  }
}
