import type { Sql } from 'postgres'
import type { OnAir } from '../../../machines/overlay/model.ts'
import type { OverlayCard } from '../../catalog/cards.ts'
import { createBreaths } from '../breaths.ts'
import { settingsOf } from '../overlays/recorded.queries.ts'
import { commandsOf } from '../overlays/recorded-commands.queries.ts'
import { type Play, Plays } from '../proof-of-play/plays.ts'
import { paintedMsOf, reportsKeptFrom } from '../proof-of-play/queries.ts'
import type { BrandSeen } from './choose.ts'

/** By slot, then by brand. */
type Sums = Record<string, Record<string, BrandSeen>>
/** A play of which only the time before `provedTo` (ms since 1970) is in the sums. */
type Pending = Play & { provedTo: number }
type Painted = { play: Pending; paintedMs: number }
type Ledger = {
  overlayId: number
  upTo: number
  plays: Pending[]
  /** `plays` as they are stored. */
  stored: string
  sums: Sums
  /** The seq of the overlay. */
  seq: number
  /** A renderer was connected since the plays were looked at. */
  isSeen: boolean
}

/** Reports of renderers are in the database so long after they were made, and encoding delays are no longer than a minute. */
const SETTLED_AFTER_MS = 120_000
/** A play that lasts is settled in pieces, and commands are noted as read, when there is so much of it. */
const PIECE_MS = 300_000
const MANY_COMMANDS = 100
/** The end of the year 9999, ms since 1970: PostgreSQL has a later one than JavaScript. */
const NO_END = 253_402_300_799_000

type Asked = {
  overlay: Pick<OverlayCard, 'id' | 'competitionId'>
  slotId: string
  /** Ms since 1970 by the clock of the database. */
  now: number
  /** The graphics on the overlay, some of which may not be committed yet. */
  onAir: readonly OnAir[]
}

/**
 * How long each brand of a sponsor slot was seen in its competition by the reports of renderers, and when it was last put there. What is over is
 * summed up in a ledger per overlay that shows slots; the rest is worked out as proof of play does it.
 */
export async function seenInSlot(sql: Sql, { overlay, slotId, now, onAir }: Asked): Promise<Map<number, BrandSeen>> {
  const ledgers = await readLedgers(sql, overlay)
  const seen = new Map<number, BrandSeen>()
  const add = (brandId: number, more: BrandSeen) => seen.set(brandId, plus(seen.get(brandId), more))
  for (const ledger of ledgers) {
    const rest = await bringUpToDate(sql, ledger, now)
    for (const [brandId, sum] of Object.entries(ledger.sums[slotId] ?? {})) add(Number(brandId), sum)
    for (const { play, paintedMs } of rest)
      for (const ad of play.ads) if (ad.slotId === slotId) add(ad.brandId, { paintedMs, shownAt: play.at })
  }
  for (const { ads = {}, values } of onAir)
    for (const [name, from] of Object.entries(ads)) {
      const brandId = values[name]
      if (from === slotId && typeof brandId === 'number') add(brandId, { paintedMs: 0, shownAt: now })
    }
  return seen
}

/** The ledgers of the competition; that of the overlay is begun when it has none. */
async function readLedgers(sql: Sql, { id, competitionId }: Asked['overlay']): Promise<Ledger[]> {
  const read = () => sql<Ledger[]>`
    select l.overlay_id as "overlayId", l.up_to::float8 as "upTo", l.plays, l.plays::text as stored, l.sums,
      coalesce(a.seq, 0)::float8 as seq,
      l.plays::text <> '[]' and exists (select from renderer_session s where s.overlay_id = l.overlay_id
        and coalesce(s.closed_at, 'infinity') > (select to_timestamp(min((play ->> 'provedTo')::float8) / 1000)
          from json_array_elements(l.plays) play)) as "isSeen"
    from sponsor_ledger l left join actor a on a.ref = 'overlay/' || l.overlay_id
    where l.competition_id = ${competitionId} order by l.overlay_id`
  const ledgers = await read()
  if (ledgers.some(({ overlayId }) => overlayId === id)) return [...ledgers]
  await sql`
    insert into sponsor_ledger (overlay_id, competition_id, up_to, plays, sums)
    select ${id}, ${competitionId}, coalesce((select seq from actor where ref = ${`overlay/${id}`}), 0), '[]', '{}'
    on conflict (overlay_id) do update set competition_id = excluded.competition_id`
  return [...(await read())]
}

/** Reads the commands of the overlay since, puts plays that are settled into the sums, and answers the rest. */
async function bringUpToDate(sql: Sql, ledger: Ledger, now: number): Promise<Painted[]> {
  const { overlayId, upTo, stored, seq, isSeen, sums } = ledger
  if (seq === upTo && !isSeen) return ledger.plays.map((play) => ({ play, paintedMs: 0 }))
  const { plays, readTo } = await foldCommands(sql, ledger)
  const settled = plays.map((play) => ({ play, until: settledUntil(play, now) }))
  const over = await painted(sql, overlayId, settled, now)
  for (const { play, paintedMs } of over)
    for (const { slotId, brandId } of play.ads)
      if (slotId !== null) put(sums, slotId, brandId, { paintedMs, shownAt: play.at })
  for (const { play, until } of settled) if (until !== null) play.provedTo = until
  const left = plays.filter(({ until, provedTo }) => until === null || provedTo < until)
  if (over.length > 0 || plays.length > left.length || readTo >= upTo + MANY_COMMANDS)
    // the ledger stays as it is when another choice was faster
    await sql`
      update sponsor_ledger set up_to = ${readTo}, plays = ${JSON.stringify(left)}::text::json,
        sums = ${JSON.stringify(sums)}::text::json
      where overlay_id = ${overlayId} and up_to = ${upTo} and plays::text = ${stored}`
  return painted(
    sql,
    overlayId,
    left.map((play) => ({ play, until: now })),
    now,
  )
}

/** The plays with slots that are not settled, after the newest commands, and the seq up to which those were read. */
async function foldCommands(sql: Sql, { overlayId, upTo, seq, plays: before }: Ledger) {
  const plays = [...before]
  const began = (play: Play) => {
    if (play.ads.some(({ slotId }) => slotId !== null)) plays.push(Object.assign(play, { by: null, provedTo: play.at }))
  }
  const open = plays.filter(({ until }) => until === null)
  const folded = new Plays(undefined, { began }, open)
  let readTo = Math.max(upTo, seq)
  for await (const command of commandsOf(sql, overlayId, { after: upTo, until: NO_END })) {
    folded.add(command)
    readTo = Math.max(readTo, command.seq)
  }
  return { plays, readTo }
}

/** Up to when a play can be settled, if that is worth a write; ms since 1970. */
function settledUntil({ until, provedTo }: Pending, now: number): number | null {
  const known = now - SETTLED_AFTER_MS
  if (until !== null && until <= known) return until
  return known - provedTo >= PIECE_MS ? known : null
}

/** How long plays of one overlay were painted, from where they are settled to the given time. */
async function painted(
  sql: Sql,
  overlayId: number,
  asked: readonly { play: Pending; until: number | null }[],
  now: number,
): Promise<Painted[]> {
  const some = asked.flatMap(({ play, until }) => (until === null ? [] : [{ play, until }]))
  if (some.length === 0) return []
  const settings = (await settingsOf(sql, [overlayId])).get(overlayId) ?? []
  const keptFrom = (await reportsKeptFrom(sql)) ?? 0
  const common = { overlayId, now, settings, keptFrom, breathe: createBreaths() }
  const found: Painted[] = []
  for (const { window, plays } of windowsOf(some)) {
    const painting = await paintedMsOf(sql, { ...common, window }, plays)
    for (const [index, play] of plays.entries()) found.push({ play, paintedMs: painting[index] ?? 0 })
  }
  return found
}

/** The windows in which plays are looked at: one for all of which nothing is settled yet, each of the others by itself. */
function windowsOf(asked: readonly { play: Pending; until: number }[]) {
  const whole = asked.filter(({ play }) => play.provedTo === play.at)
  const parts = asked.filter(({ play }) => play.provedTo !== play.at)
  const own = parts.map(({ play, until }) => ({ window: { from: play.provedTo, until }, plays: [play] }))
  if (whole.length === 0) return own
  const from = Math.min(...whole.map(({ play }) => play.at))
  const until = Math.max(...whole.map((one) => one.until))
  return [...own, { window: { from, until }, plays: whole.map(({ play }) => play) }]
}

function put(sums: Sums, slotId: string, brandId: number, more: BrandSeen): void {
  const ofSlot = sums[slotId] ?? {}
  sums[slotId] = { ...ofSlot, [brandId]: plus(ofSlot[brandId], more) }
}

const plus = (sum: BrandSeen = { paintedMs: 0, shownAt: 0 }, more: BrandSeen): BrandSeen => ({
  paintedMs: sum.paintedMs + more.paintedMs,
  shownAt: Math.max(sum.shownAt, more.shownAt),
})
