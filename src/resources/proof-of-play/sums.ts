import type { ProvedPlay } from './queries.ts'
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

type Newest = Pick<ProvedPlay, 'graphicId' | 'graphicName' | 'brand' | 'adType'>
type Group = { newest: Newest; plays: number; times: Times; firstAt: number; lastAt: number }

/** Sums of plays as they come, by graphic, by brand and of all: of the plays themselves it keeps none. */
export class Sums {
  plays = 0
  readonly times = nothing()
  readonly #graphics = new Map<string, Group>()
  readonly #brands = new Map<string, Group>()

  add(play: ProvedPlay): void {
    this.plays++
    add(this.times, play)
    put(this.#graphics, play.graphicId, play)
    put(this.#brands, JSON.stringify([play.brand, play.adType]), play)
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
      adType: group.newest.adType,
      ...summary(group),
    }))
  }
}

function put(groups: Map<string, Group>, key: string, play: ProvedPlay): void {
  const until = play.until ?? Number.POSITIVE_INFINITY
  const { graphicId, graphicName, brand, adType } = play
  const newest = { graphicId, graphicName, brand, adType }
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
