import { idempotencyConflict, invalid, unavailable } from '../errors.ts'
import type { IdempotencyClaim } from '../principal.ts'
import type { HttpRequest } from './message.ts'

const MAX_KEY_CHARACTERS = 255
const WAIT_MS = 10_000

/** What decides whether two requests under one key are the same request. */
export type RequestPrint = { method: string; path: string; bodyHash: string }
export type StoredAnswer = { status: number; body: string }

export interface IdempotencyStore {
  /** The row of a key; rows older than 24 h count as absent. */
  find(organizationId: number, key: string): Promise<(RequestPrint & StoredAnswer) | undefined>
  /** Adds the row, or replaces the answer of the row that is there. */
  store(organizationId: number, key: string, row: RequestPrint & StoredAnswer): Promise<void>
}

/** A request under a key. */
export type Keyed = {
  organizationId: number
  key: string
  print: RequestPrint
  /** See Route.live. */
  live: boolean
  /** The bytes that answer a result. */
  encode(result: unknown): StoredAnswer
  /** Limits how long the caller waits for this run, instead of the limit of all; see Route.unhurried. */
  within?: (<T>(run: Promise<T>) => Promise<T>) | undefined
}

/** What one run came to: an answer to keep, or something else, which is not kept. */
export type Run<Other> = { answer: StoredAnswer } | { other: Other }
/** `replayed`: the answer is that of an earlier run. */
export type Settled<Other> = Run<Other> & { replayed: boolean }

/** The key of a request; undefined without one. Throws invalid. */
export function idempotencyKey(request: Pick<HttpRequest, 'header' | 'has' | 'method'>): string | undefined {
  if (!request.has('idempotency-key')) return undefined
  if (request.method !== 'POST' && request.method !== 'PUT' && request.method !== 'PATCH') return undefined
  const key = request.header('idempotency-key')
  if (key !== '' && key.length <= MAX_KEY_CHARACTERS) return key
  throw invalid({ 'header.Idempotency-Key': { message: `1 to ${MAX_KEY_CHARACTERS} characters` } })
}

/** The claim that travels in the context; see IdempotencyClaim. */
export class Claim implements IdempotencyClaim {
  readonly key: string
  readonly method: string
  readonly path: string
  readonly bodyHash: string
  readonly plain: boolean
  taken = false
  /** What was encoded last, and into what. */
  #encoded: { result: unknown; answer: StoredAnswer } | undefined
  #committed: StoredAnswer | undefined
  readonly #encode: (result: unknown) => StoredAnswer

  constructor({ key, print, live, encode }: Keyed) {
    this.key = key
    this.method = print.method
    this.path = print.path
    this.bodyHash = print.bodyHash
    this.plain = live
    this.#encode = encode
  }

  get stored(): boolean {
    return this.#committed !== undefined
  }

  set stored(stored: boolean) {
    this.#committed = stored ? this.#encoded?.answer : undefined
  }

  /** Whether the row in the database answers exactly this. */
  holds({ status, body }: StoredAnswer): boolean {
    return this.#committed?.status === status && this.#committed.body === body
  }

  encode(result: unknown): StoredAnswer {
    if (this.#encoded && this.#encoded.result === result) return this.#encoded.answer
    const answer = this.#encode(result)
    this.#encoded = { result, answer }
    return answer
  }
}

const same = (a: RequestPrint, b: RequestPrint) =>
  a.method === b.method && a.path === b.path && a.bodyHash === b.bodyHash

/** A run under way, and who is to be told its answer; undefined: it has none to give, so that the next one runs. */
type Running = { print: RequestPrint; waiting: ((answer: StoredAnswer | undefined) => void)[] | undefined }

/** A row that was found by a commit and is too old to count is away when the command runs again. */
const MAX_RUNS = 3

/** Lets each key run once per organization. Contract: Idempotency-Key; live-path 7 */
export class Idempotency {
  readonly #store: IdempotencyStore
  readonly #within: <T>(run: Promise<T>) => Promise<T>
  readonly #waitMs: number
  readonly #running = new Map<string, Running>()

  /** `within` limits how long the caller waits for a run. */
  constructor(store: IdempotencyStore, within: <T>(run: Promise<T>) => Promise<T>, waitMs = WAIT_MS) {
    this.#store = store
    this.#within = within
    this.#waitMs = waitMs
  }

  /**
   * Waits for a run under way, then runs or answers as the first run did.
   * Throws idempotencyConflict for another request under the key, unavailable() after 10 s of waiting, and what `run` throws.
   */
  async once<Other>(keyed: Keyed, run: (claim: Claim) => Promise<Run<Other>>): Promise<Settled<Other>> {
    const { organizationId, key, print } = keyed
    const id = `${organizationId}:${key}`
    for (let running = this.#running.get(id); running; running = this.#running.get(id)) {
      if (!same(running.print, print)) throw idempotencyConflict()
      const answer = await this.#wait(running)
      if (answer) return { answer, replayed: true }
    }
    const within = keyed.within ?? this.#within
    return within(this.#first(id, keyed, run))
  }

  /** A request with the same key waits meanwhile for the end of this run, also when the caller is told 503 before. */
  async #first<Other>(id: string, keyed: Keyed, run: (claim: Claim) => Promise<Run<Other>>): Promise<Settled<Other>> {
    const running: Running = { print: keyed.print, waiting: undefined }
    this.#running.set(id, running)
    let kept: StoredAnswer | undefined
    try {
      const first = keyed.live ? undefined : await this.#find(keyed)
      if (first) {
        kept = first
        return { answer: first, replayed: true }
      }
      for (let runs = 1; ; runs++) {
        const claim = new Claim(keyed)
        let ran: Run<Other>
        try {
          ran = await run(claim)
        } catch (error) {
          kept = await this.#doneBefore(keyed, claim, error, runs)
          if (kept) return { answer: kept, replayed: true }
          continue
        }
        if (!('answer' in ran)) return { ...ran, replayed: false }
        // the commit of most requests has written their answer
        const outcome = claim.holds(ran.answer)
          ? { ...ran, replayed: false }
          : await this.#keep(keyed, claim, ran.answer)
        kept = outcome.answer
        return outcome
      }
    } finally {
      this.#running.delete(id)
      if (running.waiting) for (const tell of running.waiting) tell(kept)
    }
  }

  /** What is refused now may have been accepted the first time. Undefined when the command is to run again; throws the refusal otherwise. */
  async #doneBefore(keyed: Keyed, { taken }: Claim, error: unknown, runs: number): Promise<StoredAnswer | undefined> {
    const first = keyed.live || taken ? await this.#find(keyed) : undefined
    if (!first && (!keyed.live || !taken || runs === MAX_RUNS)) throw error
    return first
  }

  /** Writes the answer of a request that changed nothing; it may have changed something the first time. */
  async #keep(keyed: Keyed, claim: Claim, answer: StoredAnswer): Promise<{ answer: StoredAnswer; replayed: boolean }> {
    const first = keyed.live && !claim.stored ? await this.#find(keyed) : undefined
    if (first) return { answer: first, replayed: true }
    await this.#store.store(keyed.organizationId, keyed.key, { ...keyed.print, ...answer })
    return { answer, replayed: false }
  }

  /** The answer of the first run. Throws idempotencyConflict when that was another request. */
  async #find({ organizationId, key, print }: Keyed): Promise<StoredAnswer | undefined> {
    const row = await this.#store.find(organizationId, key)
    if (row && !same(row, print)) throw idempotencyConflict()
    return row
  }

  #wait(running: Running): Promise<StoredAnswer | undefined> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(unavailable()), this.#waitMs)
      running.waiting ??= []
      running.waiting.push((answer) => {
        clearTimeout(timer)
        resolve(answer)
      })
    })
  }
}
