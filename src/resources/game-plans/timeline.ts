import type { z } from 'zod'
import type { PlanEvent } from '../../../machines/game-plan/events.ts'
import type { Play } from '../../../machines/game-plan/model.ts'
import type { BrandShown } from './brand-shown.ts'
import type { SimulationAnswer } from './simulation.schema.ts'

type Answer = z.output<typeof SimulationAnswer>
type Line = Answer['timeline'][number]

type TimelineParts = {
  /** Where `matchMs` counts from, ms since 1970. */
  startsAt: number
  /** The graphic of a rule that showed none. */
  graphicOf(ruleId: string): string | null
  /** The brands that a play shows from now on; `before`: those that it showed. */
  brandsOf(play: Play, at: number, before: readonly BrandShown[]): readonly BrandShown[]
  /** Counts how long a brand was on air. */
  seen(brand: BrandShown, ms: number): void
}

type Showing = { play: Play; since: number; until: number | null; brands: readonly BrandShown[] }

/** The facts of a plan as lines of a time line, and how long graphics and brands are seen. Times are ms since 1970. */
export class Timeline {
  readonly lines: Line[] = []
  readonly #parts: TimelineParts
  readonly #onAir = new Map<string, Showing>()
  readonly #graphics = new Map<string, number>()
  readonly #brands = new Map<string, number>()

  constructor(parts: TimelineParts) {
    this.#parts = parts
  }

  tell(event: PlanEvent, at: number): void {
    switch (event.type) {
      case 'play.begun':
        this.#show(event.play, event.until, at)
        break
      case 'play.updated':
        if (event.n !== null) this.#update(event.id, event.values, at)
        break
      case 'play.ended':
        this.#end(event.id, event.n !== null, at)
        break
      case 'rule.suppressed':
      case 'rule.withdrawn': {
        const { type, ruleId, reason } = event
        const outcome = type === 'rule.suppressed' ? 'suppressed' : 'withdrawn'
        this.#line(event, at, { outcome, reason, graphicName: this.#parts.graphicOf(ruleId) })
        break
      }
      default:
    }
  }

  /** Counts the seconds of graphics on air until then. */
  answer(at: number): Answer {
    for (const showing of this.#onAir.values()) this.#count(showing, at)
    return { timeline: this.lines, seconds: inSeconds(this.#graphics), brands: inSeconds(this.#brands) }
  }

  #show(play: Play, until: number | null, at: number): void {
    const before = this.#onAir.get(play.graphicId)
    if (before) this.#count(before, at)
    this.#onAir.set(play.graphicId, { play, since: at, until, brands: this.#parts.brandsOf(play, at, []) })
    const outcome = play.begun ? null : 'fired'
    this.#line(play, at, { outcome, graphicName: play.graphicName, action: 'show', variableValues: play.values })
  }

  #update(id: number, values: Play['values'], at: number): void {
    const showing = this.#showing(id)
    if (!showing) return
    this.#count(showing, at)
    const play = { ...showing.play, values }
    this.#onAir.set(play.graphicId, {
      ...showing,
      play,
      since: at,
      brands: this.#parts.brandsOf(play, at, showing.brands),
    })
    this.#line(play, at, { graphicName: play.graphicName, action: 'update', variableValues: values })
  }

  /** The plan takes the graphic off, or the overlay does when its time is up; otherwise another play has the graphic now. */
  #end(id: number, hide: boolean, at: number): void {
    const showing = this.#showing(id)
    if (!showing || !(hide || showing.until === at)) return
    this.#count(showing, at)
    this.#onAir.delete(showing.play.graphicId)
    this.#line(showing.play, at, { graphicName: showing.play.graphicName, action: 'hide' })
  }

  #showing(id: number): Showing | undefined {
    for (const showing of this.#onAir.values()) if (showing.play.id === id) return showing
    return undefined
  }

  #count({ play, since, brands }: Showing, at: number): void {
    add(this.#graphics, play.graphicName, at - since)
    // one that a graphic shows twice was not seen for twice as long
    for (const name of new Set(brands.map((brand) => brand.name))) add(this.#brands, name, at - since)
    for (const brand of brands) this.#parts.seen(brand, at - since)
  }

  #line({ ruleId, name }: { ruleId: string; name: string }, at: number, more: Partial<Line>): void {
    const matchMs = at - this.#parts.startsAt
    const blank = { outcome: null, reason: null, graphicName: null, action: null, variableValues: null }
    this.lines.push({ matchMs, at: new Date(at).toISOString(), ruleId, name, ...blank, ...more })
  }
}

const add = (sums: Map<string, number>, name: string, ms: number) => sums.set(name, (sums.get(name) ?? 0) + ms)

const inSeconds = (sums: ReadonlyMap<string, number>) =>
  Object.fromEntries([...sums].map(([name, ms]) => [name, Math.round(ms) / 1000]))
