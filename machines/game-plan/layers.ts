import { nextFirst, PlanDraft, type PlanEvent } from './events.ts'
import { EMPTY_LAYER, type Plan, type Play, type Reason, type Running } from './model.ts'

/** Plays in line for one layer; those beyond would come so late that they mean nothing any more. */
const MOST_IN_LINE = 20

/**
 * The layers of a plan while a command is on its way: which play has one, which is in line for it, and the facts that it has come to.
 */
export class Layers {
  readonly events: PlanEvent[] = []
  protected readonly at: number
  readonly #draft: PlanDraft
  /** The layer on which each graphic runs. */
  #layers: Map<string, string> | undefined
  #numbered: number

  constructor(plan: Plan, at: number) {
    this.#draft = new PlanDraft(plan)
    this.#numbered = plan.numbered
    this.at = at
  }

  /** As it is after what was told. */
  get plan(): Plan {
    return this.#draft.plan
  }

  tell(event: PlanEvent): void {
    this.events.push(event)
    this.#draft.fold(event)
  }

  hold(layer: string, by: string): void {
    if (this.layer(layer).heldBy === by) return
    this.tell({ type: 'layer.held', layer, by, at: this.at })
    for (const play of this.layer(layer).queue) this.drop(play, 'held')
    for (const play of this.plan.waiting) if (play.layer === layer) this.drop(play, 'held')
  }

  /** The first play in line for a layer takes it; plays that waited too long are dropped. */
  fill(name: string): void {
    for (const play of this.layer(name).queue) {
      const { heldBy, running } = this.layer(name)
      if (this.plan.paused || heldBy !== null || running) return
      if (this.#isTooOld(play)) {
        this.drop(play, 'tooOld')
        continue
      }
      this.tell({ type: 'play.dropped', id: play.id, layer: name })
      this.begin(play)
    }
  }

  /** The play is over; `hide`: and its graphic goes off air; `leftOut`: why it never came there, if the overlay has not shown it yet. */
  end(layer: string, hide: boolean, leftOut?: Reason | null): void {
    const { running } = this.layer(layer)
    if (!running) return
    const why = leftOut !== undefined && { leftOut }
    this.tell({ type: 'play.ended', id: running.id, layer, at: this.at, n: hide ? this.number() : null, ...why })
  }

  /** A play that is ready: takes its layer, waits for it, or loses. */
  place(play: Play): void {
    const { heldBy, running } = this.layer(play.layer)
    if (this.#isTooOld(play)) this.refused(play, 'tooOld')
    else if (this.plan.paused) this.refused(play, 'paused')
    else if (heldBy !== null) this.refused(play, 'held')
    else if (!running || yieldsTo(running, play)) this.begin(play)
    else if (play.onInterrupt === 'drop') this.refused(play, 'priority')
    else this.#queue(play)
  }

  protected begin(play: Play): void {
    const { running } = this.layer(play.layer)
    if (running) this.#interrupt(running, play)
    // a graphic is on air once: whichever layer had it has it no more
    const other = this.#layerOf(play.graphicId)
    if (other !== undefined && other !== play.layer) this.end(other, false, 'priority')
    const lasts = play.leftMs ?? ('afterSeconds' in play.end ? play.end.afterSeconds * 1000 : null)
    const until = lasts === null ? null : this.at + lasts
    const unsure = play.sponsored === true
    this.tell({ type: 'play.begun', play, at: this.at, until, n: this.number(), ...(unsure && { unsure }) })
    this.#layers?.set(play.graphicId, play.layer)
    if (!play.begun && !unsure) this.tell({ type: 'rule.fired', ...ofRule(play, this.at) })
  }

  /** The layer on which a graphic runs. */
  #layerOf(graphicId: string): string | undefined {
    this.#layers ??= new Map(
      Object.entries(this.plan.layers).flatMap(([name, { running }]) => (running ? [[running.graphicId, name]] : [])),
    )
    const layer = this.#layers.get(graphicId)
    return layer !== undefined && this.layer(layer).running?.graphicId === graphicId ? layer : undefined
  }

  #interrupt(running: Running, by: Play): void {
    const { since: _since, until, ...play } = running
    const leftMs = until === null ? null : until - this.at
    const comesAgain = running.onInterrupt === 'queue' || (running.onInterrupt === 'resume' && leftMs !== 0)
    this.end(running.layer, running.graphicId !== by.graphicId, comesAgain ? undefined : 'priority')
    if (!comesAgain) return
    if (running.onInterrupt === 'queue') this.#queue({ ...play, readyAt: this.at })
    // one without a time of its own goes on as long as it would have
    else this.#queue({ ...play, leftMs, resumes: true })
  }

  /** Puts a play into the line of its layer; where the line is full, the play whose turn would come last goes. */
  #queue(play: Play): void {
    const last = this.layer(play.layer).queue[MOST_IN_LINE - 1]
    if (last && nextFirst(last, play) < 0) {
      this.refused(play, 'priority')
      return
    }
    this.tell({ type: 'play.queued', play })
    if (last) this.drop(last, 'priority')
  }

  #isTooOld({ resumes, readyAt, maxAgeSeconds }: Play): boolean {
    return !resumes && this.at - readyAt > maxAgeSeconds * 1000
  }

  protected drop(play: Play, reason: Reason | null): void {
    this.tell({ type: 'play.dropped', id: play.id, layer: play.layer })
    this.refused(play, reason)
  }

  /** `reason` null: what the play waited for is over. */
  protected refused(play: Play, reason: Reason | null): void {
    if (reason === null) this.tell({ type: 'rule.withdrawn', ...ofRule(play, this.at), reason })
    else this.tell({ type: 'rule.suppressed', ...ofRule(play, this.at), reason })
  }

  protected layer(name: string) {
    return this.plan.layers[name] ?? EMPTY_LAYER
  }

  /** The next number for a play or an effect, in order over all commands of the plan. */
  protected number(): number {
    this.#numbered += 1
    return this.#numbered
  }
}

export const ofRule = ({ ruleId, name, factId }: Play, at: number) => ({ ruleId, name, factId, at })

/** Whether a play yields its layer: to a higher priority only; one that lasts until it is replaced, to an equal one, too. */
const yieldsTo = ({ priority, end }: Running, play: Play) =>
  play.priority > priority || (play.priority === priority && 'until' in end && end.until === 'replaced')
