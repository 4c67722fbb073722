import { describe, expect, test } from 'vitest'
import { follow, last, payloads } from '../support/follow.ts'
import { type FakeSocket, Studio, settle } from '../support/studio.ts'

const broken = (graphicId: string, message = 'no READY in 3 s') => ({ graphicId, graphicName: 'Bug', message })

/** A renderer that asked to tell what is wrong, and said READY. */
const teller = async (studio: Studio, query = 'problems=1') => (await studio.render(1, undefined, query)).socket

const toldOf = (socket: FakeSocket) => last(socket, 'RENDERERS').renderers.map(({ problems }) => problems)

describe('a renderer that says what is wrong', () => {
  test('followers are told within a second what, of which graphic and since when, also those who come later', async () => {
    const studio = new Studio()
    const follower = await follow(studio)
    const renderer = await teller(studio, 'renderer=cam&problems=1')
    studio.clock.advance(1_100)
    const at = new Date(studio.clock.wall()).toISOString()
    renderer.problems(broken('a'))
    studio.clock.advance(1_100)
    expect(toldOf(follower)).toEqual([[{ ...broken('a'), at }]])
    renderer.problems(broken('b'), broken('a'))
    studio.clock.advance(1_100)
    const snapshot = last(await follow(studio), 'SNAPSHOT')
    expect(snapshot.renderers[0]?.problems).toMatchObject([{ graphicId: 'b' }, { graphicId: 'a', at }])
    expect(studio.troubles).toBe(2)
    renderer.problems()
    studio.clock.advance(1_100)
    expect(toldOf(follower)).toEqual([[]])
    expect(renderer.closedWith).toBeUndefined()
  })

  test('what did not change is told once', async () => {
    const studio = new Studio()
    const follower = await follow(studio)
    const renderer = await teller(studio)
    renderer.problems(broken('a'))
    studio.clock.advance(1_100)
    const before = payloads(follower, 'RENDERERS').length
    renderer.problems(broken('a'))
    studio.clock.advance(5_000)
    expect([payloads(follower, 'RENDERERS').length, studio.troubles]).toEqual([before, 1])
  })

  test('it is forgotten with its socket', async () => {
    const studio = new Studio()
    const follower = await follow(studio)
    const renderer = await teller(studio)
    renderer.problems(broken('a'))
    renderer.end(1001, '')
    await teller(studio)
    studio.clock.advance(1_100)
    expect(toldOf(follower)).toEqual([[]])
  })

  test('one that did not ask for it is closed with 1008, as for any unknown message', async () => {
    for (const query of ['', 'problems=0', 'problems=true', 'problems=']) {
      const renderer = await teller(new Studio(), query)
      renderer.problems(broken('a'))
      expect([query, renderer.closedWith]).toEqual([query, { code: 1008, reason: 'not a message of this protocol' }])
    }
  })

  test('before READY it is closed with 1008', async () => {
    const socket = await new Studio().connect(1, 'problems=1')
    socket.problems(broken('a'))
    expect(socket.closedWith?.code).toBe(1008)
  })

  const told = (problem: object) => ({ type: 'PROBLEMS', payload: { problems: [problem] } })
  test.each([
    ['no list', { type: 'PROBLEMS', payload: {} }],
    ['an extra member', { type: 'PROBLEMS', payload: { problems: [], more: 1 } }],
    ['an extra member of a problem', told({ ...broken('a'), seq: 1 })],
    ['more than 20', { type: 'PROBLEMS', payload: { problems: Array(21).fill(broken('a')) } }],
    ['no message', told({ graphicId: 'a', graphicName: 'A' })],
    ['an empty message', told(broken('a', ''))],
    ['a message of 301 characters', told(broken('a', 'x'.repeat(301)))],
    ['a message with a line break', told(broken('a', 'one\ntwo'))],
    ['a message with half a surrogate pair', told(broken('a', 'half \ud83d'))],
    ['a name with NUL', told({ ...broken('a'), graphicName: 'A\u0000' })],
    ['an empty graphic id', told(broken(''))],
    ['a graphic id of 201 characters', told(broken('a'.repeat(201)))],
    ['depth', `{"type":"PROBLEMS","payload":{"problems":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`],
  ])('%s closes with 1008', async (_, message) => {
    const renderer = await teller(new Studio())
    renderer.says(message)
    expect(renderer.closedWith?.code).toBe(1008)
  })

  test('as much as is allowed is taken: 20 problems, 300 characters of any plane', async () => {
    const studio = new Studio()
    const follower = await follow(studio)
    const renderer = await teller(studio)
    const most = Array.from({ length: 20 }, (_, index) => broken(`g${index}`, '😀'.repeat(300)))
    renderer.problems(...most)
    studio.clock.advance(1_100)
    expect(toldOf(follower)[0]).toMatchObject(most)
  })

  test('more than ten times a second closes with 1008, ten times a second for long does not', async () => {
    const studio = new Studio()
    const follower = await follow(studio)
    const renderer = await teller(studio)
    for (let second = 0; second < 5; second++) {
      for (let i = 0; i < 10; i++) renderer.problems(broken('a', `${second}.${i}`))
      studio.clock.advance(1_100)
    }
    expect(renderer.closedWith).toBeUndefined()
    expect(payloads(follower, 'RENDERERS').length).toBeLessThanOrEqual(7)
    for (let i = 0; i < 11; i++) renderer.problems()
    expect(renderer.closedWith).toEqual({ code: 1008, reason: 'too many PROBLEMS' })
  })

  test('telling them takes nothing from the limit of paint reports', async () => {
    const studio = new Studio()
    const renderer = await teller(studio)
    const seqs = Array.from({ length: 10 }, () => studio.show(1, 'a') ?? 0)
    for (const seq of seqs) {
      renderer.problems(broken('a', `${seq}`))
      renderer.painted('a', seq)
    }
    expect(studio.paints.map(({ seq }) => seq)).toEqual(seqs)
  })

  test('a graphic that is broken on hundreds of renderers makes no list that followers cannot be told', async () => {
    const studio = new Studio()
    const follower = await follow(studio)
    const twenty = Array.from({ length: 20 }, (_, index) => broken(`g${index}`, 'x'.repeat(300)))
    for (let i = 0; i < 30; i++) (await teller(studio)).problems(...twenty)
    studio.clock.advance(1_100)
    expect(toldOf(follower).map(({ length }) => length)).toEqual(Array(30).fill(3))
    for (let i = 0; i < 170; i++) (await teller(studio)).problems(...twenty)
    studio.clock.advance(1_100)
    expect(toldOf(follower).flat()).toHaveLength(100)
    expect(follower.frames.at(-1)?.length).toBeLessThan(150_000)
  })

  test('[show-control: Pictures] followers are told what is wrong on preview apart, once, and those who come later, too', async () => {
    const studio = new Studio()
    const follower = await follow(studio)
    const [desk, wall] = [
      await teller(studio, 'bus=preview&problems=1'),
      await teller(studio, 'bus=preview&problems=1'),
    ]
    const at = new Date(studio.clock.wall()).toISOString()
    desk.problems(broken('a'))
    studio.clock.advance(1_100)
    wall.problems(broken('a'), broken('b', 'it hangs'))
    studio.clock.advance(1_100)
    const problems = [
      { bus: 'preview', ...broken('a'), at },
      { bus: 'preview', ...broken('b', 'it hangs'), at: expect.any(String) },
    ]
    expect(last(follower, 'PICTURES')).toEqual({ problems })
    expect(payloads(follower, 'PICTURES')).toHaveLength(2)
    const later = await follow(studio)
    expect(last(later, 'PICTURES')).toEqual({ problems })
    // no renderer: nothing of it counts as wrong on air
    expect([studio.troubles, last(later, 'SNAPSHOT').renderers]).toEqual([0, []])
    wall.end(1001, '')
    desk.problems()
    studio.clock.advance(1_100)
    expect(last(follower, 'PICTURES')).toEqual({ problems: [] })
    expect(payloads(await follow(studio), 'PICTURES')).toEqual([])
  })

  test('[show-control: rehearsal] in rehearsal the picture inside a page tells what is wrong with what it shows', async () => {
    const studio = new Studio()
    const follower = await follow(studio)
    studio.command(1, { type: 'rehearse', on: true })
    const path = '/control/{token}/picture/socket'
    const picture = await studio.upgrade(path, { token: 'control-1' }, 'problems=1')
    picture?.ready()
    await settle()
    picture?.problems(broken('a'))
    studio.clock.advance(1_100)
    expect(last(follower, 'PICTURES').problems).toMatchObject([{ bus: 'program', ...broken('a') }])
    studio.command(1, { type: 'rehearse', on: false })
    studio.clock.advance(1_100)
    expect(last(follower, 'PICTURES')).toEqual({ problems: [] })
  })

  test('the picture inside a page of ours says them to nobody', async () => {
    const studio = new Studio()
    const follower = await follow(studio)
    const path = '/monitor/{token}/picture/socket'
    const picture = await studio.upgrade(path, { token: 'monitoring-1' }, 'problems=1')
    picture?.ready()
    picture?.problems(broken('a'))
    await settle()
    studio.clock.advance(1_100)
    const told = [payloads(follower, 'RENDERERS'), payloads(follower, 'PICTURES')]
    expect([picture?.closedWith, studio.troubles, told]).toEqual([undefined, 0, [[], []]])
  })
})
