import type { OverlayCommand } from '../../machines/overlay/decide.ts'
import type { Shown } from '../../machines/overlay/model.ts'
import type { Unstamped } from '../../machines/transition.ts'
import type { Ask } from '../../src/actors/ask.ts'
import { ActorHost } from '../../src/actors/host.ts'
import type { Change, Journal, Ref } from '../../src/actors/journal.ts'
import { newActor } from '../../src/actors/rows.ts'
import { notOnAir } from '../../src/errors.ts'
import { createPostgresJournal } from '../../src/store/journal-postgres.ts'
import { connectDatabase } from '../../src/store/postgres.ts'
import { testContext } from './context.ts'
import { testDatabase } from './database.ts'

export const silent = { warn: () => {}, error: () => {} }
export const ORGANIZATION = 7
export const ctx = () => testContext(ORGANIZATION)

export const graphic = (n: number, values: Shown['values'] = {}): Shown => ({
  graphicId: `g${n}`,
  graphicName: `Graphic ${n}`,
  kind: 'code',
  version: 1,
  url: '/bundles/x/index.html',
  themeId: 1,
  themeVersion: 1,
  roomId: 1,
  sectionId: 'a',
  presetId: n,
  values,
})

export const ask = (command: Unstamped<OverlayCommand>): Ask<'overlay', string[]> => ({
  asked: { type: command.type },
  decide: () => command,
  reply: ({ graphics }) => Object.keys(graphics).sort(),
  refused: () => notOnAir(),
})
export const show = (n: number, values?: Shown['values']) => ask({ type: 'show', graphic: graphic(n, values) })
export const update = (n: number, values: Shown['values']) =>
  ask({ type: 'update', graphicId: `g${n}`, presetId: n, sectionId: 'a', values })

/** Lets a test decide what becomes of commits. */
class Faults implements Journal {
  readonly real: Journal
  /** Runs instead of the next commit, with the real one at hand. */
  next:
    | ((changes: readonly Change[], real: () => ReturnType<Journal['commit']>) => ReturnType<Journal['commit']>)
    | undefined
  commits: Change[][] = []
  constructor(real: Journal) {
    this.real = real
  }
  claim = (ref: Ref) => this.real.claim(ref)
  peek = (ref: Ref) => this.real.peek(ref)
  create: Journal['create'] = (...row) => this.real.create(...row)
  find: Journal['find'] = (...row) => this.real.find(...row)
  holds: Journal['holds'] = (...row) => this.real.holds(...row)
  dueTimer: Journal['dueTimer'] = (...row) => this.real.dueTimer(...row)
  dropTimer: Journal['dropTimer'] = (...row) => this.real.dropTimer(...row)
  all: Journal['all'] = (ref) => this.real.all(ref)
  facts: Journal['facts'] = (ref) => this.real.facts(ref)
  replace: Journal['replace'] = (...row) => this.real.replace(...row)
  commit(changes: readonly Change[]) {
    this.commits.push([...changes])
    const fault = this.next
    this.next = undefined
    return fault ? fault(changes, () => this.real.commit(changes)) : this.real.commit(changes)
  }
  commitAlone(change: Change) {
    this.commits.push([change])
    return this.real.commitAlone(change)
  }
}

/** An actor host on a database of its own, with what it published. Call in `beforeAll`, and `close` in `afterAll`. */
export async function hostWorld() {
  const database = await testDatabase()
  const real = createPostgresJournal({
    connect: () => connectDatabase(database.url, { connections: 1 }).sql,
    sql: database.sql,
    secrets: database.db.secrets,
  })
  const journal = new Faults(real)
  const published: { ref: Ref; seq: number; types: string[] }[] = []
  const newHost = () =>
    new ActorHost({
      journal,
      publish: (ref, seq, events) => published.push({ ref, seq, types: events.map(({ type }) => type) }),
      log: silent,
      idleMs: 60_000,
    })
  const host = newHost()
  let nextId = 0
  return {
    database,
    real,
    journal,
    published,
    newHost,
    host,
    newOverlay: async () => {
      const id = ++nextId
      const { machineVersion, snapshot } = newActor('overlay')
      await real.create(`overlay/${id}`, ORGANIZATION, machineVersion, snapshot)
      return id
    },
    rows: (id: number) =>
      database.sql<{ seq: number; command: { type: string }; events: { type: string }[] }[]>`
        select seq, command, events from journal where ref = ${`overlay/${id}`} order by seq`,
    async close() {
      await host.close()
      await real.close()
      await database.drop()
    },
  }
}
