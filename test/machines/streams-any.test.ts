import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { same } from '../support/same.ts'
import { iso, LoneActor } from './lone-actor.ts'

const MINUTE = 60_000
const RUNS = { numRuns: 300, seed: 20_261_120 }

type Live = 'stream' | 'input' | 'destination'
type Act<K extends Live> = (actor: LoneActor<K>) => void

/** Anything that happens to every actor: time goes by, nobody is there for a while, it is loaded again. */
const fate = <K extends Live>(): fc.Arbitrary<Act<K>> =>
  fc.oneof(
    fc.nat({ max: 90_000 }).map(
      (ms): Act<K> =>
        (actor) =>
          void actor.pass(ms),
    ),
    fc.nat({ max: 40 * MINUTE }).map(
      (ms): Act<K> =>
        (actor) =>
          void actor.away(ms),
    ),
    fc.constant<Act<K>>((actor) => void actor.restart()),
  )

/** Always so: the state is what the journal says, and names itself. */
function sound<K extends Live>(actor: LoneActor<K>): void {
  const { replayed, snapshot } = actor.stored
  same(replayed, snapshot)
  same(actor.value, snapshot.context.phase)
}

const minutes = fc.integer({ min: -30, max: 90 })
const ids = fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { minLength: 1 })
const instant = fc.option(minutes, { freq: 6 })

const streamAct: fc.Arbitrary<Act<'stream'>> = fc.oneof(
  { weight: 4, arbitrary: fate<'stream'>() },
  {
    weight: 3,
    arbitrary: fc.tuple(instant, instant).map(
      ([start, stop]): Act<'stream'> =>
        (actor) => {
          const inMs = (minute: number | null) => (minute === null ? null : minute * MINUTE)
          const at = (minute: number | null) => (minute === null ? null : actor.now + minute * MINUTE)
          const schedule = { startAt: at(start), stopAt: at(stop), startHidden: false, cannotStart: null }
          actor.ask({ type: 'automate', schedule, startInMs: inMs(start), stopInMs: inMs(stop) })
        },
    ),
  },
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.constantFrom('start', 'stop', 'goLive', 'publish', 'unpublish', 'setOverlayHidden'), ids, fc.boolean())
      .map(
        ([type, destinationIds, hidden]): Act<'stream'> =>
          (actor) => {
            actor.ask({ type, at: iso(actor.now), destinationIds, hidden })
          },
      ),
  },
  {
    weight: 8,
    // of this run or an earlier one
    arbitrary: fc
      .tuple(fc.constantFrom('started', 'failed', 'troubled', 'stopped'), ids, fc.constantFrom(0, 0, 0, 1))
      .map(
        ([type, linked, ago]): Act<'stream'> =>
          (actor) => {
            actor.ask({ type, at: iso(actor.now), linked, error: 'gone', run: actor.context.run - ago })
          },
      ),
  },
  {
    weight: 6,
    // what a plane sees that works
    arbitrary: fc.constant<Act<'stream'>>((actor) => {
      const { phase, run } = actor.context
      actor.ask({ type: phase === 'stopping' ? 'stopped' : 'started', run, at: iso(actor.now), linked: [1, 2] })
    }),
  },
  { weight: 1, arbitrary: fc.constant<Act<'stream'>>((actor) => void actor.ask({ type: 'stopAutomating' })) },
)

describe('[issue 5.1] whatever happens, in any order', () => {
  it('a stream publishes only while it runs, has the limits of its phase, and no manual stop is undone', () => {
    let autoStarts = 0
    let undone = 0
    fc.assert(
      fc.property(fc.array(streamAct, { maxLength: 60, size: 'max' }), (acts) => {
        const stream = new LoneActor('stream')
        /** When somebody stopped what was to be on air. */
        let stoppedAt = Number.NEGATIVE_INFINITY
        for (const act of acts) {
          const { context, facts, now } = stream
          const before = facts.length
          act(stream)
          const latest = stream.facts.slice(before)
          for (const fact of latest) {
            if (fact.type === 'stream.stopping' && !fact.auto) {
              const { liveAt, automation } = context
              const due = automation?.startAt !== undefined && automation.startAt !== null && automation.startAt <= now
              if (automation && (liveAt !== null || due)) {
                stoppedAt = now
                undone++
              }
            }
            if (fact.type === 'stream.automated' && !fact.automation) stoppedAt = Number.NEGATIVE_INFINITY
            if (fact.type === 'stream.starting' && fact.auto) {
              expect(stream.context.automation?.startAt ?? 0).toBeGreaterThan(stoppedAt)
              autoStarts++
            }
          }
          const { phase, publishing, startedAt, liveAt, liveOnceRunning, run, automation } = stream.context
          if (phase !== 'running') same(publishing, [])
          if (phase === 'stopped') same([startedAt, liveAt, liveOnceRunning], [null, null, false])
          same(
            publishing,
            [...new Set(publishing)].sort((a, b) => a - b),
          )
          expect(run).toBeGreaterThanOrEqual(context.run)
          same(stream.timers.has('startOverdue'), phase === 'starting')
          same(stream.timers.has('stopOverdue'), phase === 'stopping')
          if (!automation) same(stream.timers.has('autoStart') || stream.timers.has('autoStop'), false)
          sound(stream)
        }
      }),
      RUNS,
    )
    // what is asserted must have happened
    expect(autoStarts).toBeGreaterThan(25)
    expect(undone).toBeGreaterThan(25)
  })

  it('a destination tries only while it is wanted by the newest wish, and waits only for a next try', () => {
    const wish = fc.tuple(fc.boolean(), fc.integer({ min: -2, max: 3 }), fc.boolean())
    const act: fc.Arbitrary<Act<'destination'>> = fc.oneof(
      fate<'destination'>(),
      wish.map(
        ([wanted, ahead, now]): Act<'destination'> =>
          (actor) => {
            actor.ask({ type: 'wish', wanted, wish: Math.max(1, actor.context.wish + ahead), now })
          },
      ),
      fc
        .tuple(
          fc.constantFrom('connected', 'failed', 'inputDown', 'inputUp', 'lost'),
          fc.constantFrom(0, 0, 1),
          fc.nat(30_000),
        )
        .map(
          ([type, ago, retryInMs]): Act<'destination'> =>
            (actor) => {
              const { now, context } = actor
              const attempt = context.attempt - ago
              actor.ask({
                type,
                at: iso(now),
                attempt,
                error: 'refused',
                retryInMs,
                nextRetryDate: iso(now + retryInMs),
              })
            },
        ),
    )
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60, size: 'max' }), (acts) => {
        const destination = new LoneActor('destination')
        for (const one of acts) {
          const { wish: newest, attempt: tried, phase: was } = destination.context
          one(destination)
          const { phase, wish, attempt, nextRetryDate, connectedAt, failures } = destination.context
          expect(wish).toBeGreaterThanOrEqual(newest)
          expect(attempt).toBeGreaterThanOrEqual(tried)
          if (was === 'stopped' && phase !== 'stopped') same(attempt, tried + 1)
          same(nextRetryDate !== null, phase === 'retrying')
          same(connectedAt !== null, phase === 'connected')
          same(destination.timers.size, phase === 'retrying' ? 1 : 0)
          if (phase === 'connected') same(failures, 0)
          sound(destination)
        }
      }),
      RUNS,
    )
  })

  it('an input knows its connection while it is live or awaited, and awaits none for ever', () => {
    const act: fc.Arbitrary<Act<'input'>> = fc.oneof(
      fate<'input'>(),
      fc
        .tuple(
          fc.constantFrom('open', 'open', 'close', 'connected', 'connected', 'dropped', 'ended', 'failed', 'lost'),
          fc.constantFrom('a', 'b'),
          fc.nat(30_000),
        )
        .map(
          ([type, session, graceMs]): Act<'input'> =>
            (actor) => {
              actor.ask({ type, session, graceMs, protocol: 'srt', at: iso(actor.now), error: 'wrong key' })
            },
        ),
    )
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60, size: 'max' }), (acts) => {
        const input = new LoneActor('input')
        for (const one of acts) {
          one(input)
          const { phase, session, liveAt, error } = input.context
          same(session !== null, phase === 'live' || phase === 'reconnecting')
          same(liveAt !== null, session !== null)
          same(input.timers.size, phase === 'reconnecting' ? 1 : 0)
          if (phase === 'live' || phase === 'idle') expect(error).toBeNull()
          sound(input)
        }
      }),
      RUNS,
    )
  })
})
