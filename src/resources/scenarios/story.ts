import { decideMatch, foldMatch, judgeMatch, newMatch, UNSAID } from '../../../machines/match.ts'
import type { FactAsked, Match, MatchConfig, MatchState } from '../../../machines/match-model.ts'
import { complete } from '../../../machines/play/complete.ts'
import type { Course } from '../../../machines/play/course.ts'
import { isRefusal } from '../../../machines/play/refusal.ts'
import { courseOf, play } from '../../../machines/play.ts'
import type { SportKey } from '../../schema/sport.ts'
import { type Composed, composeSportData } from '../matches/compose-sport-data.ts'
import type { SportData } from '../matches/sport-data.schema.ts'
import { type Cast, type Production, produce, type Side } from './cast.ts'

/** One of the line-up by place from 1; left out, the side as a whole. */
export type Who = { side: Side; place?: number }
export const home = (place?: number): Who => (place === undefined ? { side: 'home' } : { side: 'home', place })
export const away = (place?: number): Who => (place === undefined ? { side: 'away' } : { side: 'away', place })

/** Beside type and player: the assist, fielder or player off by place of the same side, unless it says which. */
export type More = Pick<FactAsked, 'points' | 'value' | 'details' | 'clockMs'> & { with?: number | Who }

/** A moment of a match: the data that graphics are given then, and the match as it has been played so far. */
export type Moment = { at: string; data: SportData; parts: Composed }

/** How many facts of each type fall to a side. */
export type Counts = Readonly<Record<string, number>>

/**
 * A match as it is told: facts one after another, each completed and played by the machines as one over REST is. Time passes only when
 * the story says so.
 */
export class Story {
  readonly #production: Production
  readonly #cast: Cast
  readonly #tell: (scene: string, told: Moment) => void
  readonly #random: () => number
  readonly #course: Course
  #match: Match
  #now: number
  /** Play time of the period so far, ms. */
  #elapsed = 0

  constructor(
    sport: SportKey,
    cast: Cast,
    { number, config }: { number: number; config: Partial<MatchConfig> },
    tell: (scene: string, told: Moment) => void,
  ) {
    this.#production = produce(sport, cast, number)
    const { row, competitors, createdAt } = this.#production
    const settings = { ...UNSAID, competitorsType: row.competitorsType, date: cast.date, round: cast.round }
    this.#match = newMatch({ sport, settings, config, competitors, at: createdAt })
    this.#course = courseOf(this.#match)
    this.#cast = cast
    this.#tell = tell
    this.#random = randomFrom(row.id)
    this.#now = Date.parse(cast.date) - 30 * 60_000
  }

  /** The match starts; with `who`, that side serves or bats. */
  start(who?: Who, more: More = {}): void {
    this.#now = Date.parse(this.#cast.date)
    this.#elapsed = 0
    this.fact('matchStart', who, more)
  }

  /** The break is over: the next period. */
  period(who?: Who, more: More = {}): void {
    this.#now += this.#course.config.breakLength * 60_000
    this.#elapsed = 0
    this.fact('periodStart', who, more)
  }

  /** To this time of play in the period; the clock runs. */
  at(minute: number, second = 0): void {
    const target = (minute * 60 + second) * 1_000
    if (target < this.#elapsed) throw new Error(`${minute}:${second} has passed`)
    this.#now += target - this.#elapsed
    this.#elapsed = target
  }

  wait(seconds: number): void {
    this.#now += seconds * 1_000
    if (this.#course.clock.running) this.#elapsed += seconds * 1_000
  }

  fact(type: string, who?: Who, { with: second, ...more }: More = {}): void {
    const timestamp = new Date(this.#now).toISOString()
    const other = typeof second === 'number' ? { side: who?.side ?? 'home', place: second } : second
    const { row, players, competitors } = this.#production
    const idOf = ({ side, place }: Who) => (place === undefined ? null : (players[side][place - 1]?.id ?? null))
    const asked: FactAsked = {
      type,
      timestamp,
      ...(who && {
        teamId: competitors.find(({ isHome }) => isHome === (who.side === 'home'))?.teamId ?? null,
        playerId: idOf(row.competitorsType === 'teams' ? who : { place: 1, ...who }),
      }),
      ...(other && { secondaryPlayerId: idOf(other) }),
      ...more,
    }
    const draft = { id: this.#match.facts.length + 1, at: timestamp, asked, base: undefined, stood: null }
    const fact = complete(this.#course, draft, timestamp)
    const refusal = isRefusal(fact) ? fact : this.#course.take(fact)
    if (isRefusal(fact) || refusal) throw new Error(`${row.sport}, ${type} at ${timestamp}: ${refusal?.message}`)
    this.#match = { ...this.#match, facts: [...this.#match.facts, fact] }
  }

  /** These facts in some order between now and this time of the period, by players who usually do such things. */
  spread(minute: number, counts: Readonly<Partial<Record<Side, Counts>>>): void {
    const all = (['home', 'away'] as const).flatMap((side) =>
      Object.entries(counts[side] ?? {}).flatMap(([type, count]) =>
        Array.from({ length: count }, () => ({ type, side })),
      ),
    )
    const from = this.#elapsed
    const step = (minute * 60_000 - from) / (all.length + 1)
    for (const [index, { type, side }] of this.shuffled(all).entries()) {
      this.#until(Math.round((from + step * (index + 1)) / 1_000) * 1_000)
      this.fact(type, { side, place: this.placeFor(type) })
    }
    this.#until(minute * 60_000)
  }

  #until(elapsed: number): void {
    this.#now += elapsed - this.#elapsed
    this.#elapsed = elapsed
  }

  /** A player who usually does such things. */
  placeFor(type: string): number {
    const places = this.#cast.by?.[type]
    if (places) return places[Math.floor(this.#random() * places.length)] ?? 1
    const { startingSize } = this.#course.config
    return 2 + Math.floor(this.#random() * (startingSize - 1))
  }

  /** The same order each time the story is told. */
  shuffled<T>(all: readonly T[]): T[] {
    const keyed = all.map((one) => ({ one, key: this.#random() }))
    return keyed.sort((a, b) => a.key - b.key).map(({ one }) => one)
  }

  endPeriod(): void {
    this.fact('periodEnd')
  }

  finish(): void {
    this.fact('matchEnd')
  }

  /** This is how it stands now, for graphics; with `state`, once somebody has said so by hand. */
  scene(name: string, state?: MatchState): void {
    const played = play(this.#match)
    if (isRefusal(played)) throw new Error(played.message)
    const at = new Date(this.#now).toISOString()
    const match = said({ ...this.#match, play: played }, state, at)
    const { clock } = match.play
    const valueMs = clock.running ? this.#course.clock.at(at, this.#course.period) : clock.valueMs
    const shown = { ...match, play: { ...match.play, clock: { ...clock, valueMs, asOf: at } } }
    const parts = { ...this.#production, match: shown }
    this.#tell(name, { at, data: composeSportData(parts), parts })
  }
}

function said(match: Match, state: MatchState | undefined, at: string): Match {
  if (state === undefined) return match
  const command = { type: 'update', seq: 1, at, state } as const
  const refusal = judgeMatch(match, command)
  if (refusal) throw new Error(refusal.message)
  return decideMatch(match, command).reduce(foldMatch, match)
}

/** Numbers from 0 to 1 that look random and are the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed * 2_654_435_761
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
