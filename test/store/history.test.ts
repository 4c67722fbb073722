import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OverlayCommand } from '../../machines/overlay/decide.ts'
import type { Unstamped } from '../../machines/transition.ts'
import { digestOf } from '../../src/secrets/digest.ts'
import { findChannelCard } from '../../src/store/channel-card.ts'
import { createHistory } from '../../src/store/history.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { insertOverlay, OverlayJournal } from '../support/overlay-rows.ts'
import { shown } from '../support/studio.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const journalOf = async () => {
  const overlay = await insertOverlay(database.sql)
  return { overlay, journal: new OverlayJournal(database.sql, overlay), history: createHistory(database.sql) }
}
const update = (graphicId: string, name: string) =>
  ({ type: 'update', graphicId, presetId: 2, sectionId: 's', values: { name } }) as const

describe('the state at the cursor', () => {
  test('[live-path 22] shows what was on air then: shows, updates and hides of the window are taken back', async () => {
    const { overlay, journal, history } = await journalOf()
    for (const id of ['kept', 'changed', 'hidden', 'shown again'])
      await journal.commit({ type: 'show', graphic: shown(id, { name: 'old' }) }, { ageSeconds: 100 })
    await journal.commit(update('changed', 'before'), { ageSeconds: 50 })
    const then = { seq: journal.seq, context: journal.context }
    await journal.commit(update('changed', 'new'), { ageSeconds: 9 })
    await journal.commit({ type: 'hide', graphicId: 'hidden' }, { ageSeconds: 8 })
    await journal.commit({ type: 'show', graphic: shown('shown again', { name: 'new' }) }, { ageSeconds: 7 })
    await journal.commit({ type: 'show', graphic: shown('early', {}) }, { ageSeconds: 6 })
    await journal.commit(update('changed', 'newer'), { ageSeconds: 5 })
    const past = await history.past(overlay.id, 30_000)
    expect(past.view).toEqual(then)
    expect(past.committed).toEqual({ seq: journal.seq, context: journal.context })
    expect(past.since.map(({ seq }) => seq)).toEqual([6, 7, 8, 9, 10])
    expect(past.since[0]?.ageMs).toBeGreaterThan(8_900)
    expect(past.since[0]?.ageMs).toBeLessThan(15_000)
  })

  test('[live-path 9] a state that cannot be read is an error, and not an empty picture', async () => {
    const { overlay, journal, history } = await journalOf()
    await journal.commit({ type: 'show', graphic: shown('a') }, { ageSeconds: 100 })
    for (const snapshot of ['{"value":"offAir","context":{"graphics":7}}', '{"value":"onAir","context":{}}']) {
      await database.sql`update actor set snapshot = ${snapshot}::text::json where ref = ${`overlay/${overlay.id}`}`
      await expect(history.past(overlay.id, 10_000)).rejects.toThrow('graphics')
    }
  })

  test('[live-path 22] a hideAll of the window is taken back', async () => {
    const { overlay, journal, history } = await journalOf()
    for (const id of ['a', 'b']) await journal.commit({ type: 'show', graphic: shown(id) }, { ageSeconds: 100 })
    const { context } = journal
    await journal.commit({ type: 'hideAll' })
    expect((await history.past(overlay.id, 10_000)).view).toEqual({ seq: 2, context })
  })

  test('[live-path 22] a refresh of the window is taken back from the seq of every graphic', async () => {
    const { overlay, journal, history } = await journalOf()
    await journal.commit({ type: 'show', graphic: shown('a') }, { ageSeconds: 100 })
    await journal.commit({ type: 'refresh', revisions: { match: 1 } }, { ageSeconds: 90 })
    await journal.commit({ type: 'show', graphic: shown('b') }, { ageSeconds: 80 })
    const { context } = journal
    await journal.commit({ type: 'refresh', revisions: { match: 2 } })
    const { view } = await history.past(overlay.id, 10_000)
    expect(view.seq).toBe(3)
    expect(view.context.graphics).toEqual(context.graphics)
  })

  test('[live-path 22] a value that is named like the id of a graphic is not taken for the graphic', async () => {
    const { overlay, journal, history } = await journalOf()
    await journal.commit({ type: 'show', graphic: shown('a', { name: 'old' }) }, { ageSeconds: 100 })
    await journal.commit({ type: 'show', graphic: shown('b', { graphicId: 'a' }) }, { ageSeconds: 90 })
    await journal.commit(update('a', 'new'))
    expect((await history.past(overlay.id, 10_000)).view.context.graphics.a?.values).toEqual({ name: 'old' })
  })

  test('[live-path 22] a clock that was set back takes nothing back, and holds nothing up for longer than the delay', async () => {
    const { overlay, journal, history } = await journalOf()
    await journal.commit({ type: 'show', graphic: shown('a', { name: 'old' }) }, { ageSeconds: 100 })
    await journal.commit(update('a', 'on screen for long'), { ageSeconds: -3_600 })
    const seen = { seq: journal.seq, context: journal.context }
    await journal.commit(update('a', 'new'), { ageSeconds: -20 })
    const past = await history.past(overlay.id, 30_000)
    expect(past.view).toEqual(seen)
    expect(past.since).toMatchObject([{ seq: 3, ageMs: 0 }])
  })

  test('[live-path 22] the view never goes back before the floor that a raised delay left', async () => {
    const { overlay, journal, history } = await journalOf()
    await journal.commit({ type: 'show', graphic: shown('a') }, { ageSeconds: 20 })
    await journal.commit(update('a', 'seen already'), { ageSeconds: 10 })
    const seen = { seq: journal.seq, context: journal.context }
    await database.sql`update overlay set delay_floor_seq = 2 where id = ${overlay.id}`
    await journal.commit(update('a', 'not yet'), { ageSeconds: 5 })
    expect((await history.past(overlay.id, 60_000)).view).toEqual(seen)
  })

  test('[live-path 22] an overlay that was never commanded is empty, one whose commits are all young too', async () => {
    const { overlay, journal, history } = await journalOf()
    expect(await history.past(overlay.id, 5_000)).toMatchObject({ view: { seq: 0 }, committed: { seq: 0 }, since: [] })
    await journal.commit({ type: 'show', graphic: shown('a') })
    const past = await history.past(overlay.id, 5_000)
    expect(past.view).toMatchObject({ seq: 0, context: { graphics: {} } })
    expect(past.since).toHaveLength(1)
  })

  test('[live-path 22] any history: the view equals the replay up to the cursor', async () => {
    const { overlay, journal, history } = await journalOf()
    const ids = ['a', 'b', 'c', 'd']
    const states = [{ seq: 0, context: journal.context }]
    let random = 7
    const pick = (count: number) => {
      random = (random * 48_271) % 2_147_483_647
      return random % count
    }
    for (let age = 60; age > 0; age--) {
      const id = ids[pick(4)] ?? 'a'
      const onAir = id in journal.context.graphics
      const commands: Unstamped<OverlayCommand>[] = [
        { type: 'show', graphic: shown(id, { age }) },
        onAir ? update(id, `at ${age}`) : { type: 'show', graphic: shown(id, { age }) },
        onAir ? { type: 'hide', graphicId: id } : { type: 'show', graphic: shown(id) },
        Object.keys(journal.context.graphics).length > 0
          ? { type: 'refresh', revisions: { match: age } }
          : { type: 'show', graphic: shown(id) },
      ]
      const command = commands[pick(4)]
      if (command) await journal.commit(command, { ageSeconds: age })
      states.push({ seq: journal.seq, context: journal.context })
    }
    for (const seconds of [1, 5, 17, 30, 45, 59]) {
      const { view } = await history.past(overlay.id, seconds * 1000 + 500)
      expect(view.context.graphics).toEqual(states[view.seq]?.context.graphics)
      expect(view.seq).toBeGreaterThan(0)
      expect(view.seq).toBeLessThan(journal.seq)
    }
  })
})

test('[contract socket] commit times are those of the journal; unknown seqs are absent', async () => {
  const { overlay, journal, history } = await journalOf()
  await journal.commit({ type: 'show', graphic: shown('a') }, { ageSeconds: 100 })
  const times = await history.commitTimes(overlay.id, [1, 2])
  expect([...times.keys()]).toEqual([1])
  expect(Date.now() - (times.get(1) ?? 0)).toBeGreaterThan(99_000)
})

test('[contract socket] the settings of an overlay are read for its sockets, and those of none', async () => {
  const overlay = await insertOverlay(database.sql, { delaySeconds: 4 })
  expect(await findChannelCard(database.sql, overlay.id)).toMatchObject({
    id: overlay.id,
    name: 'Program',
    sport: 'football',
    encodingDelaySeconds: 4,
    tokens: { key: overlay.key, control: digestOf(overlay.controlToken) },
  })
  expect(await findChannelCard(database.sql, 2_000_000)).toBeUndefined()
})
