import type { DeskCommand, FactSaid, Press, Target } from './press.ts'

/** Where presses are kept. Each call is durable once it resolves. */
export interface PressStore {
  /** In their order. */
  all(): Promise<Press[]>
  put(press: Press): Promise<void>
  remove(id: string): Promise<void>
}

type Answered = { is: 'taken' } | { is: 'refused'; refusal: NonNullable<Press['refusal']> }
type Unanswered = { is: 'lost' } | { is: 'gone' }

/** What became of sending one. `lost`: nobody knows, or the server is out of reach. `gone`: there is no such desk any more. */
export type Outcome = Answered | Unanswered

export type OutboxParts = {
  store: PressStore
  /** Sends one press with its id as Idempotency-Key. Never rejects. */
  send(press: Press): Promise<Outcome>
  /** ms since 1970 by the telephone, which no person can turn back within a run. */
  now(): number
  /** Added to `now` it is the server's time. `measured`: in this run; else it is from an earlier one. */
  offset(): { ms: number; measured: boolean }
  newId(): string
  /** The presses are now these. */
  changed(presses: readonly Press[]): void
  /** How sending goes. */
  line(state: 'idle' | 'sending' | 'lost' | 'gone'): void
  /** Whether the server is in reach, as far as is known. */
  isUp(): boolean
  /** Runs one sender at a time among all pages of this telephone. */
  alone<T>(work: () => Promise<T>): Promise<T>
  /** Of this run of the page. */
  run: string
}

type Recording = Extract<DeskCommand, { type: 'record' }>

const corrected = (command: Recording, fact: FactSaid): Recording => ({
  ...command,
  fact: { ...command.fact, ...fact },
})

/**
 * What was pressed and has to reach the server: kept before anybody is told that it waits, sent in order, each until it is answered.
 * A press that was sent and not answered is sent again as it was, so that the server does it once. show-control: Match desk
 */
export class Outbox {
  readonly #parts: OutboxParts
  #presses: readonly Press[] = []
  #turn: Promise<unknown> = Promise.resolve()
  #flushing: Promise<void> | undefined
  #again = false
  #latest = { order: 0, at: 0 }

  constructor(parts: OutboxParts) {
    this.#parts = parts
  }

  get presses(): readonly Press[] {
    return this.#presses
  }

  /** Reads what is kept, at the start and when another page of this telephone has changed it. */
  async load(): Promise<void> {
    await this.#inTurn(async () => this.#know(await this.#parts.store.all()))
  }

  /**
   * Keeps a press; resolves with it once it is durable. With the line there and nothing before it, it is on its way meanwhile: what is
   * on air waits for no disk of a telephone. Rejects when it can neither be kept nor sent.
   */
  async press(command: DeskCommand): Promise<Press> {
    const { now, offset, newId, run, store, send, isUp } = this.#parts
    const local = now()
    const press = await this.#inTurn(async () => {
      const order = Math.max(this.#latest.order, ...this.#presses.map((one) => one.order)) + 1
      // two presses of one moment keep their order
      const at = Math.max(Math.round(local + offset().ms), this.#latest.at + 1)
      this.#latest = { order, at }
      const isFirst = isUp() && offset().measured && !this.#flushing && !this.#presses.some(({ refusal }) => !refusal)
      const made: Press = { id: newId(), order, at, local, run, command, tried: isFirst }
      const answer = isFirst ? send(made) : undefined
      try {
        await store.put(made)
      } catch (error) {
        if ((await answer)?.is !== 'taken') throw error
        return made
      }
      this.#know([...this.#presses, made])
      if (answer) void this.#sending(async () => void (await this.#answered(made, answer)))
      return made
    })
    void this.flush()
    return press
  }

  /** Says something else of a fact. One that was never sent is sent as corrected; one that was refused waits on as corrected. */
  correct(target: Target, fact: FactSaid): Promise<void> {
    return this.#onTarget(target, fact, async (press, command) => {
      await this.#replace(press.id, { ...press, command: corrected(command, fact) })
    })
  }

  /** Takes a fact back. One that was never sent is never sent, and one that was refused not again. */
  erase(target: Target): Promise<void> {
    return this.#onTarget(target, undefined, (press) => this.#forget(press.id))
  }

  /** Forgets a press that the server refused, because a person said so. */
  async discard(id: string): Promise<void> {
    await this.#inTurn(async () => {
      if (this.#known(id)?.refusal) await this.#forget(id)
    })
  }

  /**
   * Sends a refused press once more, as it is or with another command: under a new key, which it answers, since the old one has its
   * answer. Undefined: it was not there any more.
   */
  async retry(id: string, command?: DeskCommand): Promise<string | undefined> {
    const again = await this.#inTurn(async () => {
      const press = this.#known(id)
      if (!press?.refusal) return undefined
      const { refusal: _, ...waiting } = press
      const renewed = { ...waiting, id: this.#parts.newId(), tried: false, command: command ?? press.command }
      await this.#replace(id, renewed)
      return renewed.id
    })
    void this.flush()
    return again
  }

  /** Sends what waits until nothing does or the line is gone. Calls meanwhile make it look once more. */
  flush(): Promise<void> {
    this.#again = true
    return this.#flushing ?? this.#sending(() => this.#parts.alone(() => this.#flush()))
  }

  #sending(work: () => Promise<void>): Promise<void> {
    this.#flushing = work().finally(() => {
      this.#flushing = undefined
      // pressed while the last look was over
      if (this.#again) void this.flush()
    })
    return this.#flushing
  }

  async #flush(): Promise<void> {
    while (this.#again) {
      this.#again = false
      for (let next = await this.#next(); next; next = await this.#next()) {
        if (await this.#answered(next, this.#parts.send(next))) continue
        return
      }
    }
    this.#parts.line('idle')
  }

  /** Takes the answer to a press that was sent; false: there was none, and nothing more is sent for now. */
  async #answered(press: Press, answer: Promise<Outcome>): Promise<boolean> {
    this.#parts.line('sending')
    const outcome = await answer
    if (outcome.is === 'lost' || outcome.is === 'gone') {
      this.#again = false
      this.#parts.line(outcome.is)
      return false
    }
    await this.#inTurn(async () => {
      const kept = this.#known(press.id)
      if (outcome.is === 'taken') await this.#forget(press.id)
      else if (kept) await this.#refused({ ...kept, refusal: outcome.refusal })
    })
    return true
  }

  /** What was said of it since it was sent cannot be sent, either: it becomes part of the press that waits for a person. */
  async #refused(press: Press): Promise<void> {
    const since = this.#presses.filter(
      ({ command }) => 'target' in command && 'press' in command.target && command.target.press === press.id,
    )
    let { command } = press
    for (const later of since)
      if (command.type === 'record' && later.command.type === 'correct')
        command = corrected(command, later.command.fact)
    if (since.some((later) => later.command.type === 'erase')) await this.#forget(press.id)
    else await this.#replace(press.id, { ...press, command })
    for (const later of since) await this.#forget(later.id)
  }

  /** The first that waits, marked as sent before it is. */
  #next(): Promise<Press | undefined> {
    return this.#inTurn(async () => {
      const press = this.#presses.find(({ refusal }) => !refusal)
      if (!press || press.tried) return press
      const { run, offset } = this.#parts
      const { ms, measured } = offset()
      // what it was pressed at is known better by now
      const at = press.run === run && measured ? Math.max(Math.round(press.local + ms), 0) : press.at
      const tried = { ...press, at, tried: true }
      await this.#replace(press.id, tried)
      return tried
    })
  }

  async #onTarget(
    target: Target,
    fact: FactSaid | undefined,
    here: (press: Press, command: Recording) => Promise<void>,
  ): Promise<void> {
    const done = await this.#inTurn(async () => {
      const press = 'press' in target && this.#known(target.press)
      if (!press || (press.tried && !press.refusal) || press.command.type !== 'record') return false
      await here(press, press.command)
      return true
    })
    if (done) void this.flush()
    else await this.press(fact ? { type: 'correct', target, fact } : { type: 'erase', target })
  }

  #known(id: string): Press | undefined {
    return this.#presses.find((one) => one.id === id)
  }

  /** On disk first, then told. A press with another id takes the place of the old one. */
  async #replace(id: string, press: Press): Promise<void> {
    await this.#parts.store.put(press)
    if (press.id !== id) await this.#parts.store.remove(id)
    this.#know(this.#presses.map((one) => (one.id === id ? press : one)))
  }

  async #forget(id: string): Promise<void> {
    await this.#parts.store.remove(id)
    this.#know(this.#presses.filter((one) => one.id !== id))
  }

  #know(presses: readonly Press[]): void {
    this.#presses = presses
    this.#parts.changed(presses)
  }

  /** One after the other: what is read is still so when it is written. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work)
    this.#turn = turn.catch(() => undefined)
    return turn
  }
}
