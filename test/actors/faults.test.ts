import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { OverlayCommand } from '../../machines/overlay/decide.ts'
import type { Shown } from '../../machines/overlay/model.ts'
import type { Unstamped } from '../../machines/transition.ts'
import type { Ask } from '../../src/actors/ask.ts'
import { ActorHost, type HostParts } from '../../src/actors/host.ts'
import { CommitUnknown, type Journal } from '../../src/actors/journal.ts'
import { newActor } from '../../src/actors/rows.ts'
import { notOnAir } from '../../src/errors.ts'
import { createPostgresJournal } from '../../src/store/journal-postgres.ts'
import { connectDatabase } from '../../src/store/postgres.ts'
import { testContext } from '../support/context.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

const ORGANIZATION = 7
const ask = (command: Unstamped<OverlayCommand>): Ask<'overlay', string[]> => ({
  asked: { type: command.type },
  decide: () => command,
  reply: ({ graphics }) => Object.keys(graphics).sort(),
  refused: () => notOnAir(),
})
const show = (n: number, values: Shown['values'] = {}) => {
  const graphic = {
    graphicId: `g${n}`,
    graphicName: `Graphic ${n}`,
    kind: 'code' as const,
    version: 1,
    url: '/index.html',
  }
  const place = { themeId: 1, themeVersion: 1, roomId: 1, sectionId: 'a', presetId: n, values }
  return ask({ type: 'show', graphic: { ...graphic, ...place } })
}
const refresh = ask({ type: 'refresh', revisions: { 'match/1': 1 } })

describe('[live-path 4] whoever fails hurts only itself', () => {
  let database: TestDatabase
  let journal: ReturnType<typeof createPostgresJournal>
  let nextId = 0
  let told: { fields: { refs?: string[]; actors?: number }; text: string }[] = []

  const open = (parts: Partial<HostParts> = {}) => {
    told = []
    const log = {
      warn: (fields: object, text: string) => void told.push({ fields, text }),
      error: (fields: object, text: string) => void told.push({ fields, text }),
    }
    const host = new ActorHost({ journal, publish: () => {}, log, idleMs: 60_000, ...parts })
    onTestFinished(() => host.close())
    return { host, send: (id: number, one = show(1)) => host.send(testContext(ORGANIZATION), 'overlay', id, one) }
  }
  const newOverlay = async () => {
    const id = ++nextId
    const { machineVersion, snapshot } = newActor('overlay')
    await journal.create(`overlay/${id}`, ORGANIZATION, machineVersion, snapshot)
    return id
  }
  const newOverlays = (count: number) => Promise.all(Array.from({ length: count }, newOverlay))
  const typesOf = async (id: number) => {
    const rows = await database.sql<{ type: string }[]>`
      select command->>'type' as type from journal where ref = ${`overlay/${id}`} order by seq`
    return rows.map(({ type }) => type)
  }

  beforeAll(async () => {
    database = await testDatabase()
    journal = createPostgresJournal({
      connect: (pool) => connectDatabase(database.url, pool).sql,
      sql: database.sql,
      secrets: database.db.secrets,
    })
  })
  afterAll(async () => {
    await journal.close()
    await database.drop()
  })

  it('a state that cannot be written is refused for the command that made it; the others taken with it are settled', async () => {
    const { host, send } = open()
    const ids = await newOverlays(6)
    const bad = ids[3] ?? 0
    let broken = false
    // written well with its own event; a refresh makes a copy, which is written anew
    const toJSON = () => {
      if (broken) throw new Error('cannot be written')
      return 'x'
    }
    const values = { a: { toJSON } } as unknown as Shown['values']
    await Promise.all(ids.map((id) => send(id, show(1, values))))
    broken = true
    const [answers, first, refused, last] = await Promise.all([
      Promise.all(ids.filter((id) => id !== bad).map((id) => send(id, show(2)))),
      send(bad, show(2)),
      send(bad, refresh).catch((error) => error.status),
      send(bad, show(3)),
    ])
    expect(answers).toEqual(Array.from({ length: 5 }, () => ['g1', 'g2']))
    expect([first, refused, last]).toEqual([['g1', 'g2'], 500, ['g1', 'g2', 'g3']])
    broken = false
    expect(await send(bad, refresh)).toEqual(['g1', 'g2', 'g3'])
    expect(await typesOf(bad)).toEqual(['show', 'show', 'show', 'refresh'])
    expect(await host.read('overlay', bad)).toMatchObject({ seq: 4 })
  })

  it('a listener to commits that fails takes nobody its answer, and is in the log', async () => {
    const { send } = open({
      committed: () => {
        throw new Error('a listener failed')
      },
    })
    const id = await newOverlay()
    expect(await send(id)).toEqual(['g1'])
    expect(await send(id, show(2))).toEqual(['g1', 'g2'])
    expect(told.map(({ text }) => text)).toContain('a commit could not be reported')
  })

  it('[live-path 5] claims that keep failing are told once, then now and then, until they succeed', async () => {
    const ids = await newOverlays(3)
    const fault = { claims: false, commits: false }
    const faulty: Journal = {
      ...journal,
      claim: (ref) => (fault.claims ? Promise.reject(new Error('no such column')) : journal.claim(ref)),
      commit: (changes) => (fault.commits ? Promise.reject(new CommitUnknown('cut')) : journal.commit(changes)),
    }
    const { host, send } = open({ journal: faulty, complainEveryMs: 300, answerWithinMs: 200 })
    await Promise.all(ids.map((id) => send(id)))
    fault.claims = true
    fault.commits = true
    const complaints = () => told.filter(({ text }) => text.startsWith('actors cannot be claimed'))
    const since = performance.now()
    const answers = await Promise.all(ids.map((id) => send(id, show(2)).catch((error) => error.status)))
    expect(answers).toEqual([503, 503, 503])
    const refs = ids.map((id) => `overlay/${id}`).sort()
    expect(host.unsettled().toSorted()).toEqual(refs)
    await expect.poll(() => complaints().length).toBeGreaterThan(1)
    const [first, second] = complaints()
    expect(first?.fields).toMatchObject({ actors: 1, err: { message: 'no such column' } })
    expect(second?.fields).toMatchObject({ actors: 3 })
    expect(second?.fields.refs?.toSorted()).toEqual(refs)
    // many tries, few lines
    expect(complaints().length).toBeLessThanOrEqual(1 + (performance.now() - since) / 300)
    fault.claims = false
    fault.commits = false
    await expect.poll(() => host.unsettled()).toEqual([])
    expect(told.at(-1)?.text).toBe('every actor is claimed again')
    for (const id of ids) expect(await send(id, show(3))).toEqual(['g1', 'g3'])
  })

  it('a host that is closed stops claiming, and nobody is left without an answer', async () => {
    const id = await newOverlay()
    let claims = 0
    const fault = { on: false }
    const faulty: Journal = {
      ...journal,
      claim: (ref) => {
        claims++
        return fault.on ? Promise.reject(new Error('down')) : journal.claim(ref)
      },
      commit: (changes) => (fault.on ? Promise.reject(new CommitUnknown('cut')) : journal.commit(changes)),
    }
    const { host, send } = open({ journal: faulty, answerWithinMs: 60_000 })
    await send(id)
    fault.on = true
    const asked = send(id, show(2)).catch((error) => error.status)
    await expect.poll(() => claims).toBeGreaterThan(2)
    expect(host.unsettled()).toEqual([`overlay/${id}`])
    const since = performance.now()
    await host.close()
    expect(performance.now() - since).toBeLessThan(3_000)
    expect(await asked).toBe(503)
    // with the last of its tries
    await expect.poll(() => host.unsettled()).toEqual([])
  })
})
