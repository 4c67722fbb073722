import { type MatchCreated, replayMatch } from '../../../machines/match.ts'
import type { Match, MatchEvent } from '../../../machines/match-model.ts'
import { fold } from '../../../machines/overlay/events.ts'
import type { OnAir, Overlay } from '../../../machines/overlay/model.ts'
import { limitedClock } from '../../../machines/play/clock.ts'
import { sportOf } from '../../../machines/sports.ts'
import type { JournalPrincipal } from '../../principal.ts'
import { causedBy } from '../caused-by.ts'
import { type Composed, composeSportData } from '../matches/compose-sport-data.ts'
import type { SportData } from '../matches/sport-data.schema.ts'
import type { CommandRow } from '../overlays/recorded-commands.queries.ts'
import type { Dresser } from './dress.ts'
import { labelOfCommand, labelOfMatch } from './labels.ts'
import type { ReplayStep } from './schema.ts'

/** One row of the journal of a match; `at` in ms since 1970. */
export type MatchRow = {
  seq: number
  at: number
  principal: JournalPrincipal
  events: readonly (MatchEvent | MatchCreated)[]
}
/** A row of either journal. */
export type Happened = { at: number } & ({ command: CommandRow } | { match: MatchRow })

export const iso = (at: number) => new Date(at).toISOString()

/** The overlay and its match as they are folded, and the changes of each step on screen. */
export class Play {
  readonly #parts: Composed
  readonly #dresser: Dresser
  #overlay: Overlay
  match: Match | undefined
  #data: SportData | undefined

  constructor(parts: Composed, overlay: Overlay, dresser: Dresser) {
    this.#parts = parts
    this.#overlay = overlay
    this.#dresser = dresser
  }

  get name(): string {
    const { competitors, match } = this.#current()
    return match.name ?? competitors.map(({ shortName }) => shortName).join(' – ')
  }

  /** Nothing is on air. */
  get empty(): boolean {
    return Object.keys(this.#overlay.graphics).length === 0
  }

  fold(one: Happened): void {
    if ('command' in one) this.#overlay = one.command.events.reduce(fold, this.#overlay)
    else {
      this.match = replayMatch(one.match.events, this.match)
      this.#data = undefined
    }
  }

  start(at: number): ReplayStep {
    this.#current()
    const changes = this.#onAir().map((graphic) => this.#dresser.load(graphic, this.#sport))
    const label = changes.map((change) => ('graphicName' in change ? change.graphicName : '')).join(', ')
    return {
      at: iso(at),
      seq: null,
      kind: 'start',
      label: label || 'Nothing on air',
      by: null,
      match: this.#situation(),
      changes,
    }
  }

  step(one: Happened): ReplayStep {
    this.fold(one)
    const data = this.#current()
    if ('match' in one) {
      const changes = this.#onAir().flatMap((graphic) => this.#dresser.refresh(graphic) ?? [])
      const label = labelOfMatch(one.match.events, data)
      return {
        at: iso(one.at),
        seq: null,
        kind: 'match',
        label,
        by: causedBy(one.match.principal),
        match: this.#situation(),
        changes,
      }
    }
    const { seq, action, principal, events } = one.command
    const changes = events.flatMap((event): ReplayStep['changes'] => {
      if (event.type === 'graphic.shown') return [this.#dresser.load(event.graphic, this.#sport)]
      if (event.type === 'graphic.updated') return [this.#dresser.update(event.graphic, event.customAction)]
      return event.type === 'graphic.hidden' ? [{ action: 'hide', graphicId: event.graphicId }] : []
    })
    const does = (one: string) => changes.some((change) => change.action === one)
    const kind = does('load') ? 'show' : does('update') ? 'update' : 'hide'
    return {
      at: iso(one.at),
      seq,
      kind,
      label: labelOfCommand(action, events, (id) => this.#dresser.nameOfBrand(id)),
      by: causedBy(principal),
      match: null,
      changes,
    }
  }

  get #sport(): string {
    return this.#parts.match.sport
  }

  #onAir(): OnAir[] {
    return Object.values(this.#overlay.graphics).sort((a, b) => a.seq - b.seq)
  }

  #current(): SportData {
    if (!this.#data) {
      this.#data = composeSportData({ ...this.#parts, match: this.match ?? this.#parts.match })
      this.#dresser.data = this.#data
    }
    return this.#data
  }

  #situation(): ReplayStep['match'] {
    const { match, period, score, clock } = this.#current()
    return {
      state: match.state,
      period: period?.name ?? null,
      score: { home: score.home, away: score.away },
      clock: limitedClock(sportOf(this.#sport), { config: match.config, clock, period }),
    }
  }
}
