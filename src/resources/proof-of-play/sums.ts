import type { NamedPlay, ProvedPlay } from './queries.ts'
import type { ProofOfPlay } from './schema.ts'

export const iso = (at: number) => new Date(at).toISOString()
export const seconds = (ms: number) => Math.round(ms) / 1000

type Times = Pick<
  ProvedPlay,
  | 'committedMs'
  | 'paintedMs'
  | 'delayMs'
  | 'noRendererMs'
  | 'lateMs'
  | 'unreportedMs'
  | 'outOfViewMs'
  | 'forgottenMs'
  | 'overrunMs'
>

const nothing = (): Times => ({
  committedMs: 0,
  paintedMs: 0,
  delayMs: 0,
  noRendererMs: 0,
  lateMs: 0,
  unreportedMs: 0,
  outOfViewMs: 0,
  forgottenMs: 0,
  overrunMs: 0,
})

function add(total: Times, play: Times): void {
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

/** Milliseconds as an answer has them, in seconds. */
export const inSeconds = (total: Times) => ({
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
})

type Newest = Pick<NamedPlay, 'graphicId' | 'graphicName' | 'brand' | 'adType'> & { brandId: number | null }
type Group = { newest: Newest; plays: number; times: Times; firstAt: number; lastAt: number }

/** Sums of plays as they come, by graphic, by brand and of all: of the plays themselves it keeps none. */
export class Sums {
  plays = 0
  readonly times = nothing()
  readonly #graphics = new Map<string, Group>()
  readonly #brands = new Map<string, Group>()
  /** Painted ms by slot, then by brand. */
  readonly slots = new Map<string, Map<number, number>>()

  add(play: NamedPlay): void {
    this.plays++
    add(this.times, play)
    const { graphicId, graphicName, brand, adType } = play
    put(this.#graphics, graphicId, play, { graphicId, graphicName, brand, adType, brandId: null })
    const named = play.ads.length > 0 ? play.ads.map(({ brandId, name }) => ({ brandId, brand: name })) : [NO_RECORD]
    for (const { brandId, brand: own = brand } of named) {
      const key = JSON.stringify([brandId ?? own, adType, brandId !== null])
      put(this.#brands, key, play, { graphicId, graphicName, brand: own, adType, brandId })
    }
    for (const { slotId, brandId } of play.ads) {
      if (slotId === null) continue
      const ofSlot = this.slots.get(slotId) ?? new Map<number, number>()
      this.slots.set(slotId, ofSlot)
      ofSlot.set(brandId, (ofSlot.get(brandId) ?? 0) + play.paintedMs)
    }
  }

  /** By graphic, those longest on air first, each by its newest name. */
  graphics(): ProofOfPlay['graphics'] {
    return ordered(this.#graphics).map((group) => ({
      graphicId: group.newest.graphicId,
      graphicName: group.newest.graphicName,
      ...summary(group),
    }))
  }

  brands(): ProofOfPlay['brands'] {
    return ordered(this.#brands).map((group) => ({
      brand: group.newest.brand,
      brandId: group.newest.brandId,
      adType: group.newest.adType,
      ...summary(group),
    }))
  }
}

const NO_RECORD: { brandId: null; brand?: string } = { brandId: null }

function put(groups: Map<string, Group>, key: string, play: ProvedPlay, newest: Newest): void {
  const until = play.until ?? Number.POSITIVE_INFINITY
  const group = groups.get(key) ?? { newest, plays: 0, times: nothing(), firstAt: play.at, lastAt: until }
  groups.set(key, group)
  group.newest = newest
  group.plays++
  add(group.times, play)
  group.firstAt = Math.min(group.firstAt, play.at)
  group.lastAt = Math.max(group.lastAt, until)
}

const ordered = (groups: ReadonlyMap<string, Group>) =>
  [...groups.values()].sort((a, b) => b.times.committedMs - a.times.committedMs)

const summary = ({ plays, times, firstAt, lastAt }: Group) => ({
  plays,
  ...inSeconds(times),
  firstAt: iso(firstAt),
  lastAt: lastAt === Number.POSITIVE_INFINITY ? null : iso(lastAt),
})
