import type { ISql } from 'postgres'
import type { Breathe } from '../breaths.ts'
import { causedBy } from '../caused-by.ts'
import { type RecordedOverlay, settingsOf } from '../overlays/recorded.queries.ts'
import { commandsKnownFrom, databaseNow } from '../overlays/recorded-commands.queries.ts'
import { merged } from './merged.ts'
import { type NamedPlay, type ProvedPlay, proveOverlay, reportsKeptFrom } from './queries.ts'
import type { ProofOfPlay, ProofQuery } from './schema.ts'
import { brandNames, slotProofs, slotsOf } from './slots.ts'
import { inSeconds, iso, Sums, seconds } from './sums.ts'

type Filter = Omit<ProofQuery, 'format' | 'rows' | 'limit' | 'offset'>
type Asked = { overlays: readonly RecordedOverlay[]; filter: Filter; breathe: Breathe }

/** The plays of these overlays and how long they were seen, by graphic, by brand and, some of them, play by play. */
export async function proofOfPlay(
  sql: ISql,
  { limit, offset, ...asked }: Asked & { limit: number; offset: number },
): Promise<ProofOfPlay> {
  const { overlays, filter } = asked
  const { from, until, keptFrom, knownFrom, plays, names } = await begin(sql, asked)
  const sums = new Sums()
  const page: ProofOfPlay['plays'] = []
  for await (const some of plays)
    for (const play of some) {
      if (sums.plays >= offset && page.length < limit) page.push(shownPlay(play))
      sums.add(play)
    }
  const { committedMs, paintedMs, forgottenMs } = sums.times
  return {
    from: filter.from === undefined ? null : iso(from),
    to: iso(until),
    overlays: overlays.map(({ id, name, removed }) => ({ id, name, removed })),
    complete: (knownFrom ?? 0) <= from && forgottenMs === 0,
    knownFrom: knownFrom === null ? null : iso(knownFrom),
    reportsKnownFrom: keptFrom === null ? null : iso(keptFrom),
    committedSeconds: seconds(committedMs),
    paintedSeconds: seconds(paintedMs),
    graphics: sums.graphics(),
    brands: sums.brands(),
    slots: slotProofs(await slotsOf(sql, overlays), sums.slots, names),
    plays: page,
    total: sums.plays,
    returned: page.length,
  }
}

/** All plays of these overlays from the `offset`th on, oldest first, some at a time. */
export async function* allPlays(
  sql: ISql,
  { offset, ...asked }: Asked & { offset: number },
): AsyncGenerator<ProofOfPlay['plays']> {
  const { plays } = await begin(sql, asked)
  let skip = offset
  for await (const some of plays) {
    const rest = some.slice(skip)
    skip = Math.max(0, skip - some.length)
    if (rest.length > 0) yield rest.map(shownPlay)
  }
}

/** The members about the whole answer, and the plays that it is about, oldest first. */
async function begin(sql: ISql, { overlays, filter, breathe }: Asked) {
  const now = await databaseNow(sql)
  const keptFrom = await reportsKeptFrom(sql)
  const settings = await settingsOf(
    sql,
    overlays.map(({ id }) => id),
  )
  const from = filter.from === undefined ? 0 : Date.parse(filter.from)
  const until = filter.to === undefined ? now : Math.min(now, Date.parse(filter.to))
  let knownFrom: number | null = null
  const proofs: AsyncGenerator<ProvedPlay[]>[] = []
  for (const { id } of overlays) {
    const known = await commandsKnownFrom(sql, id)
    if (known) knownFrom = Math.max(knownFrom ?? 0, known.at)
    proofs.push(
      proveOverlay(sql, {
        overlayId: id,
        known,
        window: { from, until },
        now,
        settings: settings.get(id) ?? [],
        keptFrom: keptFrom ?? 0,
        renderer: filter.renderer,
        breathe,
      }),
    )
  }
  const names = await brandNames(sql, overlays)
  const matching = async function* () {
    for await (const some of merged(proofs))
      yield some.map((play) => named(play, names)).filter((play) => matches(play, filter))
  }
  return { from, until, keptFrom, knownFrom, names, plays: matching() }
}

function named(play: ProvedPlay, names: ReadonlyMap<number, string>): NamedPlay {
  const ads = play.ads.map((ad) => ({ ...ad, name: names.get(ad.brandId) ?? `Brand ${ad.brandId}` }))
  return { ...play, brand: ads[0]?.name ?? play.brand, ads }
}

const matches = (play: NamedPlay, { graphicId, brand, adType }: Filter) =>
  (graphicId === undefined || play.graphicId === graphicId) &&
  (brand === undefined || [play.brand, ...play.ads.map(({ name }) => name)].some((one) => isNamed(one, brand))) &&
  (adType === undefined || play.adType === adType)

const isNamed = (one: string | null, brand: string) => one?.toLowerCase() === brand.toLowerCase()

const shownPlay = (play: NamedPlay): ProofOfPlay['plays'][number] => ({
  overlayId: play.overlayId,
  seq: play.seq,
  at: iso(play.at),
  until: play.until === null ? null : iso(play.until),
  graphicId: play.graphicId,
  graphicName: play.graphicName,
  presetId: play.presetId,
  brand: play.brand,
  brandId: play.ads[0]?.brandId ?? null,
  adType: play.adType,
  by: play.by && causedBy(play.by),
  cut: play.cut,
  ...inSeconds(play),
  renderers: play.renderers.map(({ renderer, from, paintedMs }) => ({
    renderer,
    paintedFrom: iso(from),
    paintedSeconds: seconds(paintedMs),
  })),
})
