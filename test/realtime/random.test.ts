import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Picture } from '../support/picture.ts'
import { type FakeRenderer, held, Studio, settle } from '../support/studio.ts'

const graphicId = fc.constantFrom('a', 'b', 'c', 'd')
const overlayId = fc.constantFrom(1, 2)
const who = fc.nat(3)

/** What can happen to a production, in any order. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('show' as const), overlayId, graphicId, value: fc.nat(9) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('update' as const), overlayId, graphicId, value: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('hide' as const), overlayId, graphicId }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hideAll' as const), overlayId }) },
  { weight: 2, arbitrary: fc.constant({ do: 'refresh' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'data changes' as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('announce' as const), overlayId }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('lost publish' as const), overlayId, graphicId }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('reconnect' as const), who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reconnect by a slow line' as const), who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('the line has room' as const), who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('disconnect' as const), who }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('slow' as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('ready again' as const), who }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('delay' as const), overlayId, seconds: fc.constantFrom(0, 0, 1, 3) }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'database stalls' as const }) },
  { weight: 2, arbitrary: fc.constant({ do: 'database answers' as const }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('time' as const), ms: fc.nat(1500) }) },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** A picture that notes when a frame of a graphic is older than one that it had, over reconnects and restarts too. */
class StrictPicture extends Picture {
  readonly faults: unknown[] = []
  readonly #seqs = new Map<string, number>()

  override apply(text: string): { graphicId: string; seq: number } | undefined {
    try {
      const applied = super.apply(text)
      if (applied && applied.seq < (this.#seqs.get(applied.graphicId) ?? 0)) this.faults.push(`fell: ${text}`)
      if (applied) this.#seqs.set(applied.graphicId, applied.seq)
      return applied
    } catch (error) {
      this.faults.push(error)
      return undefined
    }
  }
}

/** Four renderers, two per overlay, over everything that happens to them. */
class Run {
  readonly studio = new Studio()
  readonly pictures = [new StrictPicture(), new StrictPicture(), new StrictPicture(), new StrictPicture()]
  readonly renderers: (FakeRenderer | undefined)[] = []
  #stall = held()
  #stalled = false
  readonly #restarts: boolean

  /** `restarts`: the server restarts too; then live data is always at hand, as what was shown without it is forgotten. */
  constructor(restarts: boolean) {
    this.#restarts = restarts
    // two loads fill a slow line
    this.studio.padding = 'x'.repeat(33_000)
    this.studio.beforeRead = () => (this.#stalled ? this.#stall.promise : Promise.resolve())
    this.studio.live = async () => {
      if (this.#stalled && !restarts) await this.#stall.promise
      return this.studio.liveNow()
    }
  }

  async take(now: Step): Promise<void> {
    const { studio } = this
    if (now.do === 'show') studio.show(now.overlayId, now.graphicId, { value: now.value })
    else if (now.do === 'update') studio.update(now.overlayId, now.graphicId, { value: now.value })
    else if (now.do === 'hide') studio.command(now.overlayId, { type: 'hide', graphicId: now.graphicId })
    else if (now.do === 'hideAll') studio.command(now.overlayId, { type: 'hideAll' })
    else if (now.do === 'refresh') {
      studio.data++
      for (const id of [1, 2]) this.announce(id)
    } else if (now.do === 'data changes') studio.data++
    else if (now.do === 'announce') this.announce(now.overlayId)
    else if (now.do === 'lost publish') studio.commitSilently(now.overlayId, { type: 'hide', graphicId: now.graphicId })
    else if (now.do === 'reconnect') await this.reconnect(now.who)
    else if (now.do === 'reconnect by a slow line') await this.reconnect(now.who, true)
    else if (now.do === 'the line has room') this.makeRoom(now.who)
    else if (now.do === 'disconnect') this.renderers[now.who]?.socket.end(1006, 'lost')
    else if (now.do === 'slow') this.#slow(now.who)
    else if (now.do === 'ready again') this.#readyAgain(now.who)
    else if (now.do === 'delay') studio.setDelay(now.overlayId, now.seconds)
    else if (now.do === 'restart') this.#restart()
    else if (now.do === 'database stalls') this.#stalled = true
    else if (now.do === 'database answers') this.answer()
    else studio.clock.advance(now.ms)
    await settle()
  }

  /** Tells an overlay that data changed, perhaps long after it did, perhaps once more. */
  announce(id: number): void {
    this.studio.command(id, { type: 'refresh', revisions: { match: this.studio.data } })
  }

  answer(): void {
    this.#stalled = false
    this.#stall.release()
    this.#stall = held()
  }

  async reconnect(who: number, slow = false): Promise<void> {
    this.renderers[who]?.socket.end(1006, 'lost')
    this.renderers[who] = await this.studio.render(1 + (who % 2), this.pictures[who], '', slow)
  }

  makeRoom(who: number): void {
    const socket = this.renderers[who]?.socket
    if (socket) socket.buffered = 0
  }

  #restart(): void {
    if (this.#restarts) this.studio.restart()
  }

  #slow(who: number): void {
    const socket = this.renderers[who]?.socket
    if (socket) socket.buffered = 300_000
  }

  #readyAgain(who: number): void {
    const renderer = this.renderers[who]
    renderer?.socket.ready(renderer.picture.showing())
  }
}

describe('random productions', () => {
  test.each([
    ['with restarts', true],
    ['with live data that stalls', false],
  ])(
    '[live-path 8, 16, 17, 18, 22] %s, whatever happens, every renderer ends with the state of the server, and no seq of a graphic falls',
    async (_what, restarts) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 80 }), async (steps) => {
          const run = new Run(restarts)
          for (let who = 0; who < 4; who++) await run.reconnect(who)
          for (const now of steps) await run.take(now)
          run.answer()
          // every change is announced in the end
          for (const id of [1, 2]) run.announce(id)
          // a publish that got lost shows at the next commit; here is one for each overlay
          for (const id of [1, 2]) run.studio.show(id, 'last', { value: 1 })
          for (let i = 0; i < 10; i++) {
            for (let who = 0; who < 4; who++) run.makeRoom(who)
            run.studio.clock.advance(500)
            await settle()
          }
          for (let who = 0; who < 4; who++) if (run.renderers[who]?.socket.closedWith) await run.reconnect(who)
          for (const [who, picture] of run.pictures.entries()) {
            const { context } = run.studio.state(1 + (who % 2))
            const onAir = Object.values(context.graphics).map(({ graphicId, seq, presetId, values }) => {
              const data = { score: run.studio.data }
              return [graphicId, { seq, presetId, variableValues: values, data }] as const
            })
            expect(picture.graphics).toEqual(new Map(onAir))
            expect(picture.faults).toEqual([])
            expect(picture.dropped).toBe(0)
          }
          run.studio.hub.close()
        }),
        { numRuns: 400, seed: 20_261_120 },
      )
    },
  )
})
