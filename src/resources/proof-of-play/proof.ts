import type { ReadContext } from '../../context.ts'
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
      }),
    )
  const plays = proofs
    .flatMap((proof) => proof.plays)
    .filter((play) => matches(play, filter))
    .sort((a, b) => a.at - b.at || a.overlayId - b.overlayId || a.seq - b.seq)
  const known = proofs.flatMap(({ knownFrom }) => (knownFrom === null ? [] : [knownFrom]))
  const knownFrom = known.length > 0 ? Math.max(...known) : null
  const page = plays.slice(filter.offset, filter.offset + filter.limit)
  const graphics = groups(plays, ({ graphicId }) => graphicId)
  const brands = groups(plays, ({ brand, adType }) => JSON.stringify([brand, adType]))
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
    plays: page.map(shownPlay),
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
    const known = byKey.get(keyOf(play))
    if (known) known.push(play)
    else byKey.set(keyOf(play), [play])
  }
  const committed = (group: readonly ProvedPlay[]) => group.reduce((sum, { committedMs }) => sum + committedMs, 0)
  return [...byKey.values()]
    .sort((a, b) => committed(b) - committed(a))
    .flatMap((group): [ProvedPlay, ProvedPlay[]][] => {
      const newest = group.at(-1)
      return newest ? [[newest, group]] : []
    })
}

const sum = (plays: readonly ProvedPlay[], of: (play: ProvedPlay) => number) =>
  seconds(plays.reduce((total, play) => total + of(play), 0))

const summed = (plays: readonly ProvedPlay[]) => ({
  committedSeconds: sum(plays, ({ committedMs }) => committedMs),
  paintedSeconds: sum(plays, ({ paintedMs }) => paintedMs),
  gaps: {
    delaySeconds: sum(plays, ({ delayMs }) => delayMs),
    noRendererSeconds: sum(plays, ({ noRendererMs }) => noRendererMs),
    lateSeconds: sum(plays, ({ lateMs }) => lateMs),
    unreportedSeconds: sum(plays, ({ unreportedMs }) => unreportedMs),
    forgottenSeconds: sum(plays, ({ forgottenMs }) => forgottenMs),
  },
  overrunSeconds: sum(plays, ({ overrunMs }) => overrunMs),
})

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
