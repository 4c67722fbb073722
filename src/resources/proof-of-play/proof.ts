import type { ReadContext } from '../../context.ts'
import { type Breathe, mapInBreaths } from '../breaths.ts'
import { causedBy } from '../caused-by.ts'
import { type RecordedOverlay, settingsOf } from '../overlays/recorded.queries.ts'
import { databaseNow } from '../overlays/recorded-commands.queries.ts'
import { type ProvedPlay, proveOverlay, reportsKeptFrom } from './queries.ts'
import type { ProofOfPlay, ProofQuery } from './schema.ts'

type Filter = Omit<ProofQuery, 'format' | 'rows' | 'limit'> & { limit: number }

/** What these overlays had on air and what was seen of it, by graphic, by brand and play by play. */
export async function proofOfPlay(
  ctx: ReadContext,
  overlays: readonly RecordedOverlay[],
  filter: Filter,
  breathe: Breathe,
): Promise<ProofOfPlay> {
  const { sql } = ctx.db
  const now = await databaseNow(sql)
  const keptFrom = await reportsKeptFrom(sql)
  const settings = await settingsOf(
    sql,
    overlays.map(({ id }) => id),
  )
  const from = filter.from === undefined ? 0 : Date.parse(filter.from)
  const until = filter.to === undefined ? now : Math.min(now, Date.parse(filter.to))
  const proofs = []
  // one after the other: a report must not take the connections that operators need
  for (const { id } of overlays)
    proofs.push(
      await proveOverlay(sql, {
        overlayId: id,
        window: { from, until },
        now,
        settings: settings.get(id) ?? [],
        keptFrom: keptFrom ?? 0,
        renderer: filter.renderer,
        breathe,
      }),
    )
  const plays = proofs
    .flatMap((proof) => proof.plays)
    .filter((play) => matches(play, filter))
    .sort((a, b) => a.at - b.at || a.overlayId - b.overlayId || a.seq - b.seq)
  const known = proofs.flatMap(({ knownFrom }) => (knownFrom === null ? [] : [knownFrom]))
  const knownFrom = known.length > 0 ? Math.max(...known) : null
  const page = plays.slice(filter.offset, filter.offset + filter.limit)
  await breathe()
  const graphics = groups(plays, ({ graphicId }) => graphicId)
  await breathe()
  const brands = groups(plays, ({ brand, adType }) => JSON.stringify([brand, adType]))
  await breathe()
  const { committedSeconds, paintedSeconds } = summed(plays)
  return {
    from: filter.from === undefined ? null : iso(from),
    to: iso(until),
    overlays: overlays.map(({ id, name, removed }) => ({ id, name, removed })),
    complete: (knownFrom ?? 0) <= from && !plays.some(({ forgottenMs }) => forgottenMs > 0),
    knownFrom: knownFrom === null ? null : iso(knownFrom),
    reportsKnownFrom: keptFrom === null ? null : iso(keptFrom),
    committedSeconds,
    paintedSeconds,
    graphics: graphics.map(([one, same]) => ({
      graphicId: one.graphicId,
      graphicName: one.graphicName,
      ...summary(same),
    })),
    brands: brands.map(([one, same]) => ({ brand: one.brand, adType: one.adType, ...summary(same) })),
    plays: await mapInBreaths(breathe, page, shownPlay),
    total: plays.length,
    returned: page.length,
  }
}

const matches = (play: ProvedPlay, { graphicId, brand, adType }: Filter) =>
  (graphicId === undefined || play.graphicId === graphicId) &&
  (brand === undefined || play.brand?.toLowerCase() === brand.toLowerCase()) &&
  (adType === undefined || play.adType === adType)

const iso = (at: number) => new Date(at).toISOString()
const seconds = (ms: number) => Math.round(ms) / 1000

/** The newest of each group, whose name it is given by, and all of it; those longest on air first. */
function groups(plays: readonly ProvedPlay[], keyOf: (play: ProvedPlay) => string): [ProvedPlay, ProvedPlay[]][] {
  const byKey = new Map<string, ProvedPlay[]>()
  for (const play of plays) {
    const key = keyOf(play)
    const known = byKey.get(key)
    if (known) known.push(play)
    else byKey.set(key, [play])
  }
  return [...byKey.values()]
    .map((group) => ({ group, committedMs: group.reduce((sum, { committedMs }) => sum + committedMs, 0) }))
    .sort((a, b) => b.committedMs - a.committedMs)
    .flatMap(({ group }): [ProvedPlay, ProvedPlay[]][] => {
      const newest = group.at(-1)
      return newest ? [[newest, group]] : []
    })
}

/** Seconds. In one pass: a day has ten thousands of plays. */
function summed(plays: readonly ProvedPlay[]) {
  const total = {
    committedMs: 0,
    paintedMs: 0,
    delayMs: 0,
    noRendererMs: 0,
    lateMs: 0,
    unreportedMs: 0,
    outOfViewMs: 0,
    forgottenMs: 0,
    overrunMs: 0,
  }
  for (const play of plays) {
    total.committedMs += play.committedMs
    total.paintedMs += play.paintedMs
    total.delayMs += play.delayMs
    total.noRendererMs += play.noRendererMs
    total.lateMs += play.lateMs
    total.unreportedMs += play.unreportedMs
    total.outOfViewMs += play.outOfViewMs
    total.forgottenMs += play.forgottenMs
    total.overrunMs += play.overrunMs
  }
  return {
    committedSeconds: seconds(total.committedMs),
    paintedSeconds: seconds(total.paintedMs),
    gaps: {
      delaySeconds: seconds(total.delayMs),
      noRendererSeconds: seconds(total.noRendererMs),
      lateSeconds: seconds(total.lateMs),
      unreportedSeconds: seconds(total.unreportedMs),
      outOfViewSeconds: seconds(total.outOfViewMs),
      forgottenSeconds: seconds(total.forgottenMs),
    },
    overrunSeconds: seconds(total.overrunMs),
  }
}

function summary(plays: readonly ProvedPlay[]) {
  const firstAt = Math.min(...plays.map(({ at }) => at))
  const ends = plays.map(({ until }) => until ?? Number.POSITIVE_INFINITY)
  const last = Math.max(...ends)
  return {
    plays: plays.length,
    ...summed(plays),
    firstAt: iso(firstAt),
    lastAt: last === Number.POSITIVE_INFINITY ? null : iso(last),
  }
}

const shownPlay = (play: ProvedPlay): ProofOfPlay['plays'][number] => ({
  overlayId: play.overlayId,
  seq: play.seq,
  at: iso(play.at),
  until: play.until === null ? null : iso(play.until),
  graphicId: play.graphicId,
  graphicName: play.graphicName,
  presetId: play.presetId,
  brand: play.brand,
  adType: play.adType,
  by: play.by && causedBy(play.by),
  cut: play.cut,
  ...summed([play]),
  renderers: play.renderers.map(({ renderer, from, paintedMs }) => ({
    renderer,
    paintedFrom: iso(from),
    paintedSeconds: seconds(paintedMs),
  })),
})
