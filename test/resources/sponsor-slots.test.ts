import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OnAir } from '../../machines/overlay/model.ts'
import type { BrandCard, SlotBrand } from '../../src/catalog/cards.ts'
import { eligibleBrands, furthestBehind } from '../../src/resources/sponsor-slots/choose.ts'
import { seenInSlot } from '../../src/resources/sponsor-slots/ledger.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { insertOverlay, OverlayJournal } from '../support/overlay-rows.ts'
import { shown } from '../support/studio.ts'

const brand = (id: number, more: Partial<BrandCard> = {}): BrandCard => ({
  ...{ id, name: `Brand ${id}`, logo: null, primaryColor: '#000', textColor: '#fff', tagline: null },
  ...{ from: null, to: null, active: true, house: false },
  ...more,
})
const share = (brandId: number, part = 1, side?: 'home' | 'away'): SlotBrand => ({
  brandId,
  share: part,
  ...(side && { side }),
})
const seen = (...of: [id: number, seconds: number, shownAt: number][]) =>
  new Map(of.map(([id, seconds, shownAt]) => [id, { paintedMs: seconds * 1000, shownAt }]))

describe('[issue 18.7] the brand of a sponsor slot', () => {
  test('[game-plan: Brands] is the one furthest behind its share of painted seconds', () => {
    const slot = [share(1, 60), share(2, 30), share(3, 10)]
    expect(furthestBehind(slot, seen([1, 59, 1], [2, 31, 2], [3, 10, 3]))?.brandId).toBe(1)
    expect(furthestBehind(slot, seen([1, 60, 1], [2, 29, 2], [3, 11, 3]))?.brandId).toBe(2)
    expect(furthestBehind(slot, seen([1, 60, 1], [2, 35, 2]))?.brandId).toBe(3)
  })

  test('at a tie it is the one not shown longest, and before all of them one that never was; then the first', () => {
    const slot = [share(1), share(2), share(3)]
    expect(furthestBehind(slot, new Map())?.brandId).toBe(1)
    expect(furthestBehind(slot, seen([1, 0, 7]))?.brandId).toBe(2)
    expect(furthestBehind(slot, seen([1, 8, 9], [2, 8, 3], [3, 8, 5]))?.brandId).toBe(2)
    expect(furthestBehind([], new Map())).toBeUndefined()
  })

  test('over a season each gets what it was promised, to one showing', () => {
    const slot = [share(1, 50), share(2, 30), share(3, 20)]
    const sums = new Map<number, { paintedMs: number; shownAt: number }>()
    for (let at = 1; at <= 1000; at++) {
      const { brandId = 0 } = furthestBehind(slot, sums) ?? {}
      sums.set(brandId, { paintedMs: (sums.get(brandId)?.paintedMs ?? 0) + 8000, shownAt: at })
    }
    for (const { brandId, share: part } of slot)
      expect(Math.abs((sums.get(brandId)?.paintedMs ?? 0) - part * 80_000)).toBeLessThanOrEqual(8000)
  })

  test('is in its term, active, of the side that the graphic is about, and what the overlay may show', () => {
    const brands = new Map(
      [
        brand(1),
        brand(2, { active: false }),
        brand(3, { from: 100 }),
        brand(4, { to: 100 }),
        brand(5, { house: true }),
      ].map((one) => [one.id, one]),
    )
    const slot = { brands: [share(1, 1, 'home'), share(2), share(3), share(4), share(5, 1, 'away'), share(6)] }
    const ids = (at: number, side: 'home' | 'away' | null, adType: 'brands' | 'noBrands' | 'free' | null = 'brands') =>
      eligibleBrands(slot, brands, { at, side, adType }).map(({ brandId }) => brandId)
    expect(ids(99, null)).toEqual([4])
    expect(ids(100, null)).toEqual([3])
    expect(ids(100, 'home')).toEqual([1, 3])
    expect(ids(100, 'away', null)).toEqual([3, 5])
    expect(ids(100, 'away', 'free')).toEqual([5])
    expect(ids(100, 'home', 'free')).toEqual([])
    expect(ids(100, 'home', 'noBrands')).toEqual([])
  })
})

describe('[issue 18.7] how long brands were seen in a slot', () => {
  let database: TestDatabase
  const runId = randomUUID()
  beforeAll(async () => {
    database = await testDatabase()
    await database.sql`insert into server_run (id) values (${runId})`
  })
  afterAll(() => database.drop())

  const nowOf = async () => {
    const [row] = await database.sql<{ now: number }[]>`
      select extract(epoch from clock_timestamp())::float8 * 1000 as now`
    return row?.now ?? 0
  }
  async function production(of?: number) {
    const overlay = await insertOverlay(database.sql)
    const [{ competitionId = 0 } = {}] = await database.sql<{ competitionId: number }[]>`
      update match set competition_id = coalesce(${of ?? null}, competition_id)
      where id = (select match_id from overlay where id = ${overlay.id}) returning competition_id as "competitionId"`
    const journal = new OverlayJournal(database.sql, overlay)
    const show = (brandId: number, ageSeconds: number, graphicId = 'card') =>
      journal.commit(
        { type: 'show', graphic: { ...shown(graphicId, { sponsor: brandId }), ads: { sponsor: 'breaks' } } },
        { ageSeconds },
      )
    const card = { id: overlay.id, competitionId }
    return { overlay, journal, show, card, read: async (onAir: OnAir[] = []) => read(card, onAir) }
  }
  type Card = { id: number; competitionId: number }
  async function read(overlay: Card, onAir: OnAir[] = []) {
    const found = await seenInSlot(database.sql, { overlay, slotId: 'breaks', now: await nowOf(), onAir })
    return Object.fromEntries([...found].map(([id, { paintedMs }]) => [id, Math.round(paintedMs / 1000)]))
  }
  const connected = (id: number, from: number, to?: number) => database.sql`
    insert into renderer_session (id, overlay_id, run_id, renderer, opened_at, closed_at, showing, out_of_view)
    values (${randomUUID()}, ${id}, ${runId}, 'main', clock_timestamp() - make_interval(secs => ${from}),
      clock_timestamp() - make_interval(secs => ${to ?? null}::float8), '[]', '[]')`
  const paint = (id: number, seq: number, ago: number, graphicId = 'card') => database.sql`
    insert into paint (overlay_id, graphic_id, seq, renderer, reported_at)
    values (${id}, ${graphicId}, ${seq}, 'main', clock_timestamp() - make_interval(secs => ${ago}))`
  const ledgerOf = async (id: number) => {
    const [row] = await database.sql<{ upTo: number; plays: unknown[]; sums: object }[]>`
      select up_to::float8 as "upTo", plays, sums from sponsor_ledger where overlay_id = ${id}`
    return row
  }

  test('only what renderers painted counts, also of what is on air now', async () => {
    const { overlay, journal, show, read: seenNow } = await production()
    expect(await seenNow()).toEqual({})
    await connected(overlay.id, 1000)
    await show(1, 100)
    await paint(overlay.id, 1, 95)
    await journal.commit({ type: 'hide', graphicId: 'card' }, { ageSeconds: 80 })
    await show(2, 60)
    expect(await seenNow()).toEqual({ 1: 15, 2: 0 })
    await paint(overlay.id, 3, 40)
    expect(await seenNow()).toEqual({ 1: 15, 2: 40 })
  })

  test('what is over is summed up once, and the same as before; a show that lasts in pieces', async () => {
    const { overlay, journal, show, card, read: seenNow } = await production()
    await seenNow()
    await connected(overlay.id, 3000)
    await show(1, 2000)
    await paint(overlay.id, 1, 1990)
    await journal.commit({ type: 'hide', graphicId: 'card' }, { ageSeconds: 1900 })
    await show(2, 1500, 'bug')
    await paint(overlay.id, 3, 1500, 'bug')
    expect(await seenNow()).toEqual({ 1: 90, 2: 1500 })
    const ledger = await ledgerOf(overlay.id)
    expect(ledger).toMatchObject({ upTo: 3, plays: [{ graphicId: 'bug' }] })
    expect(Object.keys(ledger?.sums ?? {})).toEqual(['breaks'])
    // reports and journal of what was summed up are not read again
    await database.sql`delete from paint where overlay_id = ${overlay.id} and graphic_id = 'card'`
    expect(await seenNow()).toEqual({ 1: 90, 2: 1500 })
    await Promise.all([read(card), read(card), read(card)])
    await journal.commit({ type: 'hide', graphicId: 'bug' }, { ageSeconds: 100 })
    expect(await seenNow()).toEqual({ 1: 90, 2: 1400 })
    expect((await ledgerOf(overlay.id))?.plays).toHaveLength(1)
  })

  test('overlays of one competition count together, those of others do not', async () => {
    const first = await production()
    const other = await production(first.card.competitionId)
    const foreign = await production()
    for (const one of [first, other, foreign]) {
      await one.read()
      await connected(one.overlay.id, 100)
      await one.show(7, 50)
      await paint(one.overlay.id, 1, 50)
    }
    expect(await first.read()).toEqual({ 7: 100 })
    expect(await other.read()).toEqual({ 7: 100 })
    expect(await foreign.read()).toEqual({ 7: 50 })
  })
})
