import { describe, expect, test } from 'vitest'
import type { Answered } from '../../src/realtime/renderers/protocol.ts'
import { seeded } from '../support/random.ts'
import { type FakeSocket, Studio, settle } from '../support/studio.ts'

const OVERLAY = 1
const GRAPHIC = { graphicId: 'a', graphicName: 'Bug' }
const WITHIN_MS = 1_000

/** A renderer that says how calls end, and said READY. */
const answering = async (studio: Studio, query = 'answers=1', overlayId = OVERLAY) =>
  (await studio.render(overlayId, undefined, query)).socket
const say = (socket: FakeSocket, call: string, more: object = {}) =>
  socket.says({ type: 'ANSWER', payload: { call, ...more } })

/** A call that goes out, and how its wait stands. */
function expectCall(studio: Studio, id = 'c') {
  const told: { ended?: Answered | 'nothing' } = {}
  void studio.hub.calls.expect({ overlayId: OVERLAY, id, ...GRAPHIC }, WITHIN_MS).then((answer) => {
    told.ended = answer ?? 'nothing'
  })
  return async () => {
    await settle()
    return told.ended
  }
}

describe('[integrations: OGraf Server API] what renderers answer', () => {
  test('the wait ends when all have answered, with the last answer', async () => {
    const studio = new Studio()
    const [one, two] = [await answering(studio), await answering(studio)]
    const ended = expectCall(studio)
    say(one, 'c', { statusCode: 200 })
    expect(await ended()).toBeUndefined()
    say(two, 'c', { statusCode: 201, statusMessage: 'Playing!' })
    expect(await ended()).toEqual({ call: 'c', statusCode: 201, statusMessage: 'Playing!' })
  })

  test('the first that failed ends it', async () => {
    const studio = new Studio()
    const [one] = [await answering(studio), await answering(studio)]
    const ended = expectCall(studio)
    say(one, 'c', { error: 'load: no font' })
    expect(await ended()).toEqual({ call: 'c', error: 'load: no font' })
  })

  test('who answers twice is heard once', async () => {
    const studio = new Studio()
    const [one, two] = [await answering(studio), await answering(studio)]
    const ended = expectCall(studio)
    say(one, 'c', { statusCode: 200 })
    for (const more of [{ statusCode: 202 }, { error: 'no more' }, {}]) say(one, 'c', more)
    expect(await ended()).toBeUndefined()
    say(two, 'c', { statusCode: 201 })
    expect(await ended()).toEqual({ call: 'c', statusCode: 201 })
  })

  test('who was not asked ends no wait: of another overlay, a picture, one that shows other graphics, or came later', async () => {
    const studio = new Studio()
    const one = await answering(studio)
    const strangers = [
      await answering(studio, 'answers=1', 2),
      await answering(studio, 'answers=1&bus=preview'),
      await answering(studio, 'answers=1&layers=other'),
    ]
    const ended = expectCall(studio)
    strangers.push(await answering(studio))
    for (const socket of strangers) say(socket, 'c', { error: 'broken' })
    expect(await ended()).toBeUndefined()
    say(one, 'c', { statusCode: 200 })
    expect(await ended()).toEqual({ call: 'c', statusCode: 200 })
    expect(strangers.map(({ closedWith }) => closedWith)).toEqual([undefined, undefined, undefined, undefined])
  })

  test('other calls are other calls, and an answer before the question counts for its call alone', async () => {
    const studio = new Studio()
    const one = await answering(studio)
    const ended = expectCall(studio)
    say(one, 'other', { error: 'broken' })
    expect(await ended()).toBeUndefined()
    expect(await expectCall(studio, 'other')()).toEqual({ call: 'other', error: 'broken' })
    say(one, 'c')
    expect(await ended()).toEqual({ call: 'c' })
  })

  test('who is gone is not waited for, and who says nothing no longer than asked', async () => {
    const studio = new Studio()
    const [one, two] = [await answering(studio), await answering(studio)]
    const ended = expectCall(studio)
    say(one, 'c', { statusCode: 200 })
    two.end(1001, '')
    expect(await ended()).toEqual({ call: 'c', statusCode: 200 })
    const silent = expectCall(studio, 'd')
    studio.clock.advance(WITHIN_MS - 1)
    expect(await silent()).toBeUndefined()
    studio.clock.advance(1)
    expect(await silent()).toBe('nothing')
    // nothing is left behind
    say(one, 'd', { error: 'late' })
    expect(await expectCall(studio, 'e')()).toBeUndefined()
  })

  test('nobody is waited for where nobody answers: without a renderer, before READY, and under a delay', async () => {
    const studio = new Studio()
    expect(await expectCall(studio)()).toBe('nothing')
    await studio.connect(OVERLAY, 'answers=1')
    await answering(studio, '')
    expect(await expectCall(studio)()).toBe('nothing')
    await answering(studio)
    studio.setDelay(OVERLAY, 5)
    expect(await expectCall(studio)()).toBe('nothing')
  })

  test.each([
    ['without ?answers=1', ''],
    ['with another value of it', 'answers=true'],
  ])('%s it is closed with 1008, as for any unknown message', async (_, query) => {
    const socket = await answering(new Studio(), query)
    say(socket, 'c')
    expect(socket.closedWith).toEqual({ code: 1008, reason: 'not a message of this protocol' })
  })

  test('before READY it is closed with 1008', async () => {
    const socket = await new Studio().connect(OVERLAY, 'answers=1')
    say(socket, 'c')
    expect(socket.closedWith?.code).toBe(1008)
  })

  test.each([
    ['no call', {}],
    ['an empty call', { call: '' }],
    ['a call of 101 characters', { call: 'x'.repeat(101) }],
    ['a call that is none', { call: { id: 'c' } }],
    ['an extra member', { call: 'c', result: {} }],
    ['a status that is no number', { call: 'c', statusCode: '200' }],
    ['a message of 301 characters', { call: 'c', statusMessage: 'x'.repeat(301) }],
    ['an error with a line break', { call: 'c', error: 'one\ntwo' }],
    ['an error with half a surrogate pair', { call: 'c', error: 'half \ud83d' }],
    ['a message with NUL', { call: 'c', statusMessage: 'A\u0000' }],
    ['a step that is none', { call: 'c', currentStep: -1 }],
    ['a step between steps', { call: 'c', currentStep: 1.5 }],
  ])('%s closes with 1008, and ends no wait', async (_, payload) => {
    const studio = new Studio()
    const [one, two] = [await answering(studio), await answering(studio)]
    const ended = expectCall(studio)
    one.says({ type: 'ANSWER', payload })
    expect(one.closedWith?.code).toBe(1008)
    expect(await ended()).toBeUndefined()
    say(two, 'c', { statusCode: 200 })
    expect(await ended()).toEqual({ call: 'c', statusCode: 200 })
  })

  test.each(Array.from({ length: 40 }, (_, seed) => seed))('whatever strangers say (seed %i)', async (seed) => {
    const random = seeded(seed)
    const studio = new Studio()
    const some = <T>(most: number, make: () => T) => Array.from({ length: 1 + random.below(most) }, make)
    const honest = await Promise.all(some(3, () => answering(studio)))
    const strangers = await Promise.all(
      some(4, () => {
        const query = random.pick(['answers=1&layers=other', 'answers=1&bus=preview', 'answers=1'])
        return answering(studio, query, 1 + random.below(2))
      }),
    )
    const one = (of: readonly FakeSocket[]) => of[random.below(of.length)] as FakeSocket
    for (const id of ['c', 'd', 'e']) {
      const ended = expectCall(studio, id)
      const left = [...honest]
      for (let turn = 0; turn < 30 && left.length > 0; turn++) {
        const babble = random.pick([
          () => say(one(strangers), id, { statusCode: 200 + random.below(50) }),
          () => say(one(strangers), random.pick(['c', 'd', 'e', 'f'])),
          () => say(one(honest), `${id}x`, { error: 'another' }),
          () => studio.clock.advance(10),
        ])
        babble()
        // an honest one that has not answered holds the wait
        expect([turn, id, await ended()]).toEqual([turn, id, undefined])
        if (random.below(3) === 0) say(left.pop() as FakeSocket, id, { statusCode: 299 })
      }
      for (const socket of left) say(socket, id, { statusCode: 299 })
      studio.clock.advance(WITHIN_MS)
      expect(await ended()).toBeTypeOf('object')
    }
    for (const socket of honest) expect(socket.closedWith).toBeUndefined()
  })
})
