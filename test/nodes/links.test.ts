import { connect } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import { LinkRefused } from '../../src/nodes/links/errors.ts'
import { fate, linkedNode, recorderOf } from '../support/links.ts'

/** Long enough for a busy machine; nothing here waits for it. */
const WITHIN_MS = 20_000

describe('what nodes say to each other', () => {
  test('is answered, in both directions, with who asks', async () => {
    const [one, two, three] = await Promise.all(['one', 'two', 'three'].map((id) => linkedNode(id)))
    if (!one || !two || !three) throw new Error('three nodes')
    const pairs = [one, two, three].flatMap((from) =>
      [one, two, three].filter((to) => to !== from).map((to) => ({ from, to })),
    )
    const answers = pairs.map(({ from, to }) => from.links.ask(to.address, 'who', undefined, undefined, WITHIN_MS))
    expect((await Promise.all(answers)).map(({ head }) => head)).toEqual(pairs.map(({ from }) => from.address.id))
    const said = { head: { list: [1, null, 'é'] }, body: Buffer.from([0, 255]) }
    expect(await one.links.ask(two.address, 'echo', said.head, said.body, WITHIN_MS)).toEqual(said)
  })

  test('comes in the order it was said, asks and notes', async () => {
    const [one, two] = [await linkedNode('one'), await linkedNode('two')]
    const heads = Array.from({ length: 500 }, (_, head) => head)
    const asks = heads.map((head) => {
      if (head % 3 !== 0) return one.links.ask(two.address, 'echo', head, undefined, WITHIN_MS)
      one.links.note(two.address, 'echo', head)
      return undefined
    })
    await Promise.all(asks)
    expect(two.ran.map(([, head]) => head)).toEqual(heads)
  })

  test('may be large, both ways, while small things go on', async () => {
    const [one, two] = [await linkedNode('one'), await linkedNode('two')]
    const body = Buffer.alloc(16_000_000, 'tally')
    const large = Promise.all([1, 2, 3].map(() => one.links.ask(two.address, 'echo', null, body, WITHIN_MS)))
    const small = one.links.ask(two.address, 'echo', 'small', undefined, WITHIN_MS)
    expect((await small).head).toBe('small')
    for (const answer of await large) expect(answer.body.equals(body)).toBe(true)
  })

  test('may be much at once, and each answer finds its ask', async () => {
    const slowly = (head: unknown) => new Promise<{ head: unknown }>((resolve) => setImmediate(resolve, { head }))
    const [one, two] = [await linkedNode('one'), await linkedNode('two', { slowly })]
    for (let round = 0; round < 5; round++) {
      const heads = Array.from({ length: 4_000 }, (_, index) => round * 4_000 + index)
      const answers = heads.map((head) =>
        one.links.ask(two.address, head % 2 ? 'echo' : 'slowly', head, Buffer.from(String(head)), WITHIN_MS),
      )
      expect((await Promise.all(answers)).map(({ head }) => head)).toEqual(heads)
    }
  })

  test('is refused by the name and with the data that the other side tells', async () => {
    const data = { owner: 'three' }
    const handlers = {
      notMine: async () => Promise.reject(new LinkRefused('notMine', 'of another node', data)),
      broken: async () => Promise.reject(new TypeError('a fault of ours')),
      huge: async () => ({ head: null, body: Buffer.alloc(17 * 1024 * 1024) }),
      endless: async () => ({ head: 1n }),
    }
    const [one, two] = [await linkedNode('one'), await linkedNode('two', handlers)]
    const ask = (kind: string, body?: Buffer) => one.links.ask(two.address, kind, null, body, WITHIN_MS)
    await expect(ask('notMine')).rejects.toMatchObject({ name: 'notMine', message: 'of another node', data })
    expect(two.logged).toEqual([])
    await expect(ask('broken')).rejects.toMatchObject({ name: 'TypeError', message: 'a fault of ours' })
    expect(two.logged).toMatchObject([{ msg: 'an ask failed', kind: 'broken', node: 'one' }])
    expect(await fate(ask('huge'))).toBe('refused: tooLarge')
    expect(await fate(ask('endless'))).toBe('refused: TypeError')
    expect(await fate(ask('echo', Buffer.alloc(17 * 1024 * 1024)))).toBe('refused: tooLarge')
    expect(await fate(ask('toString'))).toBe('refused: unknownKind')
    expect(await fate(ask('echo'))).toBe('answered')
  })

  test('is refused as busy where too much is under way, here or there, and goes on when it is less', async () => {
    const open: (() => void)[] = []
    const hold = () => new Promise<undefined>((resolve) => open.push(() => resolve(undefined)))
    const two = await linkedNode('two', { hold }, { limits: { maxInFlight: 5 } })
    const careful = await linkedNode('careful', {}, { limits: { maxInFlight: 3 } })
    const careless = await linkedNode('careless')
    for (const [{ links }, atMost] of [
      [careful, 3],
      [careless, 5],
    ] as const) {
      const fates = Array.from({ length: 8 }, () => fate(links.ask(two.address, 'hold', null, undefined, WITHIN_MS)))
      await vi.waitFor(() => expect(open.length).toBe(atMost))
      await Promise.all(fates.slice(atMost))
      for (const answer of open.splice(0)) answer()
      expect(await Promise.all(fates)).toEqual([
        ...Array(atMost).fill('answered'),
        ...Array(8 - atMost).fill('refused: busy'),
      ])
      expect(await fate(links.ask(two.address, 'echo', null, undefined, WITHIN_MS))).toBe('answered')
    }
  })

  test('that is not answered in time says so, and a late answer harms nobody', async () => {
    let answer = () => {}
    const late = () => new Promise<undefined>((resolve) => (answer = () => resolve(undefined)))
    const [one, two] = [await linkedNode('one'), await linkedNode('two', { late })]
    expect(await fate(one.links.ask(two.address, 'late', null, undefined, 300))).toBe('late')
    expect(two.ran).toEqual([['late', null]])
    answer()
    expect(await fate(one.links.ask(two.address, 'echo', null, undefined, WITHIN_MS))).toBe('answered')
    expect(one.logged).toEqual([])
  })

  test('goes over one connection, however often and however much', async () => {
    const [one, two] = [await linkedNode('one'), await linkedNode('two')]
    const { port, said } = await recorderOf(two.port)
    const ask = () => one.links.ask({ id: 'two', url: `127.0.0.1:${port}` }, 'echo', null, undefined, WITHIN_MS)
    await Promise.all([ask(), ask(), ask()])
    await ask()
    await Promise.all(Array.from({ length: 1_000 }, ask))
    expect(said.length).toBe(1)
    // what comes in one turn of the loop leaves in few pieces
    expect(said[0]?.length).toBeLessThan(100)
  })
})

describe('a node that ends', () => {
  test('answers what it was asked before, refuses the rest, and leaves nothing open', async () => {
    let answer = () => {}
    const hold = () => new Promise<{ head: string }>((resolve) => (answer = () => resolve({ head: 'done' })))
    const [one, two] = [await linkedNode('one'), await linkedNode('two', { hold })]
    const before = one.links.ask(two.address, 'hold', null, undefined, WITHIN_MS)
    await vi.waitFor(() => expect(two.ran.length).toBe(1))
    const closed = two.links.close()
    expect(await fate(one.links.ask(two.address, 'echo', null, undefined, WITHIN_MS))).toBe('refused: closing')
    answer()
    expect((await before).head).toBe('done')
    await closed
    expect(two.ran).toEqual([['hold', null]])
    expect(await refusesConnections(two.port)).toBe(true)
  })

  test('waits two seconds at most for what never ends', async () => {
    const [one, two] = [await linkedNode('one'), await linkedNode('two')]
    const asked = fate(one.links.ask(two.address, 'never', null, undefined, WITHIN_MS))
    await vi.waitFor(() => expect(two.ran.length).toBe(1))
    const since = performance.now()
    await two.links.close()
    expect(performance.now() - since).toBeLessThan(4_000)
    expect(await asked).toBe('lost')
  })

  test('tells its own asks that they are lost, and takes no more', async () => {
    const [one, two] = [await linkedNode('one'), await linkedNode('two')]
    const asked = fate(one.links.ask(two.address, 'never', null, undefined, WITHIN_MS))
    await vi.waitFor(() => expect(two.ran.length).toBe(1))
    await one.links.close()
    expect(await asked).toBe('lost')
    expect(await fate(one.links.ask(two.address, 'echo', null, undefined, WITHIN_MS))).toBe('not sent')
    one.links.note(two.address, 'echo', null)
    expect(one.logged).toEqual([])
  })
})

const refusesConnections = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(false)).on('error', () => resolve(true))
    socket.on('connect', () => socket.destroy())
  })
