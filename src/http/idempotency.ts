import { idempotencyConflict, invalid, unavailable } from '../errors.ts'
import type { IdempotencyClaim } from '../principal.ts'
import type { HttpRequest } from './message.ts'

const MAX_KEY_CHARACTERS = 255
const WAIT_MS = 10_000

/** What decides whether two requests under one key are the same request. */
export type RequestPrint = { method: string; path: string; bodyHash: Buffer }
export type StoredAnswer = { status: number; body: string }

export interface IdempotencyStore {
  /** The row of a key; rows older than 24 h count as absent. */
  find(organizationId: number, key: string): Promise<(RequestPrint & StoredAnswer) | undefined>
  /** Adds the row, or replaces the answer of the row that is there. */
  store(organizationId: number, key: string, row: RequestPrint & StoredAnswer): Promise<void>
}

/** One request under a key: either the answer of its first run, or the right to run. */
export type Turn = { replay: StoredAnswer } | { claim: Claim; done(answer: StoredAnswer | undefined): void }

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
  readonly bodyHash: Buffer
  /** What was encoded last, and into what. */
  #encoded: { result: unknown; answer: StoredAnswer } | undefined
  #committed: StoredAnswer | undefined
  readonly #encode: (result: unknown) => StoredAnswer

  constructor(key: string, print: RequestPrint, encode: (result: unknown) => StoredAnswer) {
    this.key = key
    this.method = print.method
    this.path = print.path
    this.bodyHash = print.bodyHash
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
  a.method === b.method && a.path === b.path && a.bodyHash.equals(b.bodyHash)

type Running = { print: RequestPrint; answer: Promise<StoredAnswer | undefined> }

/** Lets each key run once per organization. Contract: Idempotency-Key; live-path 7 */
export class Idempotency {
  readonly #store: IdempotencyStore
  readonly #waitMs: number
  readonly #running = new Map<string, Running>()

  constructor(store: IdempotencyStore, waitMs = WAIT_MS) {
    this.#store = store
    this.#waitMs = waitMs
  }

  /**
   * Waits for a run under way, then replays or grants the turn, which must be ended with `done`.
   * Throws idempotencyConflict for another request under the key, unavailable() after 10 s of waiting.
   */
  async begin(
    organizationId: number,
    key: string,
    print: RequestPrint,
    encode: (result: unknown) => StoredAnswer,
  ): Promise<Turn> {
    const id = `${organizationId}:${key}`
    for (;;) {
      const running = this.#running.get(id)
      if (!running) break
      if (!same(running.print, print)) throw idempotencyConflict()
      const answer = await this.#wait(running.answer)
      if (answer) return { replay: answer }
    }
    const done = this.#enter(id, print)
    try {
      const row = await this.#store.find(organizationId, key)
      if (row && !same(row, print)) throw idempotencyConflict()
      if (row) {
        done(row)
        return { replay: row }
      }
    } catch (error) {
      done(undefined)
      throw error
    }
    return { claim: new Claim(key, print, encode), done }
  }

  /** Writes the answer unless the commit of the request has done so already. */
  async keep(organizationId: number, claim: Claim, answer: StoredAnswer): Promise<void> {
    if (claim.holds(answer)) return
    const { key, method, path, bodyHash } = claim
    await this.#store.store(organizationId, key, { method, path, bodyHash, ...answer })
  }

  #enter(id: string, print: RequestPrint): (answer: StoredAnswer | undefined) => void {
    let settle: (answer: StoredAnswer | undefined) => void = () => {}
    const answer = new Promise<StoredAnswer | undefined>((resolve) => {
      settle = resolve
    })
    this.#running.set(id, { print, answer })
    return (answer) => {
      this.#running.delete(id)
      settle(answer)
    }
  }

  #wait(answer: Promise<StoredAnswer | undefined>): Promise<StoredAnswer | undefined> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(unavailable()), this.#waitMs)
      answer.then((settled) => {
        clearTimeout(timer)
        resolve(settled)
      })
    })
  }
}
