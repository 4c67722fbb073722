import { describe, expect, test } from 'vitest'
import type { GamePlanState } from '../../../src/schema/game-plan-state.ts'
import { follow, keyPath, last, payloads, told } from '../../support/follow.ts'
import { Studio, settle } from '../../support/studio.ts'

const doing = (more: Partial<GamePlanState> = {}): GamePlanState => ({
  ...{ overlayId: 1, autoMode: true, paused: false, layers: [], next: [], recent: [], ...more },
})
const fired = (factId: number): GamePlanState['recent'][number] => ({
  ...{ at: '2026-05-02T15:00:00.000Z', ruleId: 'goal', name: 'Goal', outcome: 'fired', reason: null, factId },
})
const planned = () => Object.assign(new Studio(), { plan: doing() })
/** The sweep looks, and what it reads is there. */
const sweep = async (studio: Studio, ms: number) => {
  for (let passed = 0; passed < ms; passed += 50) {
    studio.clock.advance(50)
    await settle()
  }
}

describe('[issue 18.4] PLAN', () => {
  test.each(['/monitor/{token}/socket', '/control/{token}/socket', keyPath])(
    '%s tells it behind the state, and then what changed',
    async (path) => {
      const studio = planned()
      const socket = await follow(studio, path)
      expect(told(socket).map(({ type }) => type)).toEqual(['SNAPSHOT', 'PLAN'])
      expect(last(socket, 'PLAN')).toEqual(doing())
      await sweep(studio, 500)
      studio.plan = doing({ paused: true })
      studio.hub.followings.recordChanged('game-plan/2')
      await sweep(studio, 500)
      expect(payloads(socket, 'PLAN')).toHaveLength(1)
      studio.hub.followings.recordChanged('game-plan/1')
      await sweep(studio, 150)
      expect(last(socket, 'PLAN')).toEqual(doing({ paused: true }))
    },
  )

  test('a burst is told as one state, the last one, with one text for all followers', async () => {
    const studio = planned()
    const sockets = [await follow(studio), await follow(studio, keyPath)]
    await sweep(studio, 500)
    const reads = studio.planReads
    const published = studio.published.length
    for (let fact = 1; fact <= 10; fact++) {
      studio.plan = doing({ recent: [fired(fact)] })
      studio.hub.followings.recordChanged('match/1')
      studio.hub.followings.recordChanged('game-plan/1')
    }
    await sweep(studio, 500)
    expect(studio.planReads - reads).toBe(1)
    expect(studio.published.slice(published).filter(({ text }) => text.includes('PLAN'))).toHaveLength(1)
    for (const socket of sockets)
      expect(payloads(socket, 'PLAN').map(({ recent }) => recent[0]?.factId)).toEqual([undefined, 10])
  })

  test('changes without an end are told four times a second, and one that changes nothing is not', async () => {
    const studio = planned()
    const socket = await follow(studio)
    await sweep(studio, 500)
    const before = payloads(socket, 'PLAN').length
    for (let tenth = 1; tenth <= 20; tenth++) {
      studio.plan = doing({ recent: [fired(tenth)] })
      studio.hub.followings.recordChanged('game-plan/1')
      await sweep(studio, 100)
    }
    await sweep(studio, 500)
    const told = payloads(socket, 'PLAN').slice(before)
    expect(told.length).toBeLessThanOrEqual(9)
    expect(told.at(-1)?.recent[0]?.factId).toBe(20)
    studio.hub.followings.recordChanged('game-plan/1')
    await sweep(studio, 500)
    expect(payloads(socket, 'PLAN').length).toBe(before + told.length)
  })

  test('a follower that comes back hears it, and so does everybody when the state was read anew', async () => {
    const studio = planned()
    const first = await follow(studio)
    const { cursor } = last(first, 'SNAPSHOT')
    const second = await follow(studio, keyPath, `cursor=${cursor}`)
    await settle()
    expect(payloads(second, 'SNAPSHOT')).toEqual([])
    expect(last(second, 'PLAN')).toEqual(doing())
    studio.plan = doing({ paused: true })
    studio.commitSilently(1, { type: 'hideAll' })
    studio.show(1, 'a')
    studio.hub.reload(1)
    await sweep(studio, 500)
    for (const socket of [first, second]) expect(last(socket, 'PLAN').paused).toBe(true)
  })

  test('other rules are a changed room for the overlays that play them', async () => {
    const studio = planned()
    const socket = await follow(studio)
    studio.hub.followings.rulesChanged(2)
    await sweep(studio, 150)
    expect(payloads(socket, 'ROOM')).toEqual([])
    studio.hub.followings.rulesChanged(1)
    await sweep(studio, 150)
    expect(payloads(socket, 'ROOM')).toHaveLength(1)
  })

  test('the match moves the known times of an automatic overlay; nobody asks for the plan of another', async () => {
    const studio = planned()
    await follow(studio)
    await sweep(studio, 500)
    const reads = studio.planReads
    studio.hub.followings.recordChanged('match/1')
    await sweep(studio, 500)
    expect(studio.planReads).toBe(reads + 1)
    studio.hub.changed({ ...studio.cardOf(1), autoMode: false })
    await sweep(studio, 500)
    const switched = studio.planReads
    studio.hub.followings.recordChanged('match/1')
    await sweep(studio, 500)
    expect(studio.planReads).toBe(switched)
  })
})
