import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Trigger } from '../../../bench/samples.ts'
import type { NodesRig } from './rig.ts'

export type Attempt = {
  /** Travels as X-Request-Id and in a value, so that the journal tells what became of it. Repeats of one command share it. */
  number: number
  overlayId: number
  /** Whether the journal must hold one row of it once it was acknowledged; taking off what is off changes nothing. */
  changes: boolean
  /** Made to be refused: it names what is not there. */
  isBad: boolean
  /** 0: the connection broke or nothing came in time. */
  status: number
  /** That did the work. */
  node: string | undefined
  startedAt: number
  tookMs: number
}

type Answer = Pick<Attempt, 'status' | 'node'>

const agent = new Agent({ keepAlive: true, maxSockets: 200 })
const PATIENCE_MS = 5_000
const NO_PRESET = 999_999_999

let nextNumber = 1

export const requestIdOf = (number: number) => `nodes-${number}`

export function values({ variable, asText }: Trigger, number: number): Record<string, number | string> {
  return { [variable]: asText ? `n${number}` : number }
}

/** The number that a value of a trigger carries. */
export const numberIn = (value: unknown): number => Number(String(value).replace(/^n/, ''))

type Command = { overlayId: number; body: object; number: number; key?: string | undefined }

function send(origin: string, apiKey: string, { overlayId, body, number, key }: Command): Promise<Answer> {
  return new Promise((resolve) => {
    const text = JSON.stringify(body)
    const asked = request(
      `${origin}/rest/v2/overlays/${overlayId}/control-room/graphics`,
      {
        method: 'POST',
        agent,
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
          'x-request-id': requestIdOf(number),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
      },
      (answer) => {
        answer.resume()
        answer.once('end', () =>
          end({ status: answer.statusCode ?? 0, node: String(answer.headers['x-tally-node'] ?? '') }),
        )
        answer.once('error', () => end({ status: 0, node: undefined }))
      },
    )
    const timer = setTimeout(() => asked.destroy(new Error('no answer')), PATIENCE_MS)
    const end = (answer: Answer) => {
      clearTimeout(timer)
      resolve(answer)
    }
    asked.once('error', () => end({ status: 0, node: undefined }))
    asked.end(text)
  })
}

/**
 * Two operators per overlay who ask the balancer. One has no Idempotency-Key and never repeats anything; the other has, and sends a
 * command again under the same key until it is answered. Everything that they try is kept.
 */
export class Operators {
  readonly attempts: Attempt[] = []
  readonly #rig: NodesRig
  #pauseMs: number
  readonly #work: Promise<void>[]
  readonly #underWay = new Set<Promise<Answer>>()
  #stopping = false

  constructor(rig: NodesRig, { pauseMs, pairs = 1 }: { pauseMs: number; pairs?: number }) {
    this.#rig = rig
    this.#pauseMs = pauseMs
    this.#work = rig.production.overlays.flatMap(({ id }) =>
      Array.from({ length: pairs }, () => [this.#operate(id), this.#insist(id)]).flat(),
    )
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await Promise.all(this.#work)
  }

  /** Meanwhile they pause for so long on average: whatever a machine that is full makes wait says nothing of what happens on it. */
  async eased<T>(pauseMs: number, meanwhile: () => Promise<T>): Promise<T> {
    const before = this.#pauseMs
    this.#pauseMs = Math.max(before, pauseMs)
    try {
      return await meanwhile()
    } finally {
      this.#pauseMs = before
    }
  }

  /** Attempts that were begun from this time on and before now, once they have ended. */
  async since(from: number): Promise<Attempt[]> {
    const to = performance.now()
    await Promise.all(this.#underWay)
    const found: Attempt[] = []
    // they stand here in the order in which they ended
    for (let index = this.attempts.length - 1; index >= 0; index--) {
      const attempt = this.attempts[index] as Attempt
      if (attempt.startedAt + attempt.tookMs < from) break
      if (attempt.startedAt >= from && attempt.startedAt < to) found.push(attempt)
    }
    return found.reverse()
  }

  /** Asks these nodes in turn for a command on each overlay until each was done; answers after how long the last one was. */
  async probe(origins: readonly string[], overlayIds: readonly number[], withinMs: number): Promise<number> {
    const from = performance.now()
    const one = async (overlayId: number) => {
      for (let turn = 0; performance.now() - from < withinMs; turn++) {
        const { status } = await this.#try(origins[turn % origins.length] ?? '', overlayId, this.#show(0))
        if (status === 200) return performance.now() - from
        await pause(40)
      }
      throw new Error(`overlay ${overlayId} takes no command within ${withinMs} ms`)
    }
    return Math.max(0, ...(await Promise.all(overlayIds.map(one))))
  }

  #trigger(turn: number): Trigger {
    const { triggers } = this.#rig.production
    return triggers[turn % triggers.length] as Trigger
  }

  #show(turn: number) {
    const trigger = this.#trigger(turn)
    return (number: number) => ({
      action: 'show',
      presetId: trigger.presetId,
      variableValues: values(trigger, number),
    })
  }

  async #operate(overlayId: number): Promise<void> {
    await pause(Math.random() * this.#pauseMs)
    for (let turn = 0; !this.#stopping; turn++) {
      const { presetId } = this.#trigger(turn)
      const step = turn % 7
      if (step === 5) await this.#try(this.#rig.balancer, overlayId, () => ({ action: 'hide', presetId }), false)
      // refused: there is no such preset
      else if (step === 6)
        await this.#try(this.#rig.balancer, overlayId, () => ({ action: 'show', presetId: NO_PRESET }))
      else await this.#try(this.#rig.balancer, overlayId, this.#show(turn))
      await pause(this.#pauseMs * (0.5 + Math.random()))
    }
  }

  async #insist(overlayId: number): Promise<void> {
    await pause(Math.random() * this.#pauseMs)
    for (let turn = 0; !this.#stopping; turn++) {
      const number = nextNumber++
      const command = { overlayId, number, body: this.#show(turn)(number), key: `key-${number}` }
      while ((await this.#attempt(this.#rig.balancer, command, true)).status !== 200 && !this.#stopping) await pause(50)
      await pause(this.#pauseMs * (0.5 + Math.random()))
    }
  }

  #try(origin: string, overlayId: number, body: (number: number) => object, changes = true): Promise<Answer> {
    const number = nextNumber++
    return this.#attempt(origin, { overlayId, number, body: body(number) }, changes)
  }

  async #attempt(origin: string, command: Command, changes: boolean): Promise<Answer> {
    const startedAt = performance.now()
    const { number, overlayId } = command
    const sent = send(origin, this.#rig.production.apiKey, command).then((answer) => {
      const tookMs = performance.now() - startedAt
      const isBad = (command.body as { presetId?: number }).presetId === NO_PRESET
      this.attempts.push({ number, overlayId, changes, isBad, startedAt, tookMs, ...answer })
      this.#underWay.delete(sent)
      return answer
    })
    this.#underWay.add(sent)
    return sent
  }
}
