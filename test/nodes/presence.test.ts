import pino from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openPresence, type Presence } from '../../src/elsewhere/presence.ts'
import type { JoinedNode } from '../../src/nodes/joined.ts'
import type { LinkHandler } from '../../src/nodes/links/answering.ts'
import { systemClock } from '../../src/realtime/clock.ts'
import { Hub } from '../../src/realtime/hub.ts'
import { last, follow as pageOf, payloads, told } from '../support/follow.ts'
import { type LinkedNode, linkedNode } from '../support/links.ts'
import { type FakeSocket, Studio, shown } from '../support/studio.ts'

const log = pino({ enabled: false })
const OVERLAY = 1

type Node = { id: string; studio: Studio; presence: Presence; linked: LinkedNode }

/** Nodes with hubs and links of their own, on the journal of the first. `gone` are dead to the others. */
async function service(...ids: string[]) {
  const nodes: Node[] = []
  const gone = new Set<string>()
  const journal = new Studio()
  const add = async (id: string): Promise<Node> => {
    const handlers: Record<string, LinkHandler> = {}
    const living = () => nodes.filter((node) => !gone.has(node.id)).map(({ linked }) => linked.address)
    const joined = {
      id,
      nodes: living,
      others: () => living().filter((node) => node.id !== id),
      ask: (...asked) => linked.links.ask(...asked),
      note: (...noted) => linked.links.note(...noted),
      answer: (kind, handler) => void Object.assign(handlers, { [kind]: handler }),
    } satisfies Partial<JoinedNode>
    const studio = new Studio()
    const presence = openPresence({ node: joined as unknown as JoinedNode, log, hub: () => studio.hub })
    const { commitTimes, commitsFrom, read } = journal.ports()
    const common = {
      clock: systemClock,
      commitTimes,
      commitsFrom,
      read,
      elsewhere: presence.elsewhere,
      maxFollowers: 6,
    }
    studio.hub = new Hub({ ...studio.ports(), ...common })
    const linked = await linkedNode(id, handlers)
    const node = { id, studio, presence, linked }
    nodes.push(node)
    onTestFinished(() => {
      presence.close()
      studio.hub.close()
    })
    return node
  }
  for (const id of ids) await add(id)
  const publish = (row: NonNullable<ReturnType<Studio['commitSilently']>>, to = nodes) => {
    // database time is that of this machine
    row.committedAt += Date.now() - systemStart
    for (const { studio } of to) studio.publish(OVERLAY, row)
    return row.seq
  }
  const systemStart = 1_700_000_000_000
  const commit = (graphicId = 'a', value: string | number = 1) => {
    const row = journal.commitSilently(OVERLAY, { type: 'show', graphic: shown(graphicId, { value }) })
    if (!row) throw new Error('it changed nothing')
    return row
  }
  return { nodes: nodes as [Node, Node, ...Node[]], gone, add, commit, publish, show: () => publish(commit()) }
}

const render = async ({ studio }: Node, query = '') => (await studio.render(OVERLAY, undefined, query)).socket
const follow = async ({ studio }: Node, query = '', path = '/control/{token}/socket') => {
  const socket = await pageOf(studio, path, query)
  await vi.waitFor(() => expect(socket.frames.length).toBeGreaterThan(0), { interval: 5 })
  return socket
}

/** `painted` of graphic `a` as last told, whichever message told it. */
const lamp = (socket: FakeSocket) => {
  const lamps = told(socket).flatMap(({ type, payload }) => {
    if (type === 'SNAPSHOT') return payload.onAir
    if (type === 'CHANGE') return payload.shown
    return type === 'PAINTED' ? payload.graphics : []
  })
  const found = lamps.findLast(({ graphicId }) => graphicId === 'a')
  return found && { seq: found.seq, painted: [found.painted.renderers, found.painted.of, found.painted.outOfView] }
}
const rows = (socket: FakeSocket) => {
  const lists = told(socket).flatMap(({ type, payload }) =>
    type === 'SNAPSHOT' || type === 'RENDERERS' ? [payload.renderers] : [],
  )
  return lists.at(-1) ?? []
}
/** Waits for what `look` expects, however slow the machine is, and judges the time by itself. */
async function within<T>(ms: number, look: () => T): Promise<void> {
  const since = performance.now()
  await vi.waitFor(look, { timeout: 30_000, interval: 5 })
  expect(performance.now() - since, 'ms until it was so').toBeLessThan(ms)
}

test.each([
  ['control room', '/control/{token}/socket'],
  ['monitoring page', '/monitor/{token}/socket'],
])(
  '[cluster 5] a %s sees the renderers of all nodes, their paints within a moment, and what is wrong with them',
  async (_, path) => {
    const { nodes, show } = await service('one', 'two')
    const [one, two] = nodes
    const here = await render(one, 'renderer=main')
    const there = await render(two, 'renderer=main&problems=1')
    const other = await render(two, 'renderer=other&layers=nothing')
    const page = await follow(one, '', path)
    const snapshot = last(page, 'SNAPSHOT')
    // the first thing that it is told is of all of them already; names may repeat
    expect(snapshot.renderers.map(({ name, state }) => [name, state])).toEqual([
      ['main', 'current'],
      ['main', 'current'],
      ['other', 'current'],
    ])
    expect(new Set(snapshot.renderers.map(({ id }) => id)).size).toBe(3)

    const seq = show()
    expect(lamp(page)).toEqual({ seq, painted: [0, 2, 0] })
    const paintedAt = Date.now()
    there.painted('a', seq)
    await within(1_000, () => expect(lamp(page)).toEqual({ seq, painted: [1, 2, 0] }))
    const { at } = last(page, 'PAINTED').graphics[0]?.painted ?? {}
    expect(Math.abs(Date.parse(at ?? '') - paintedAt)).toBeLessThan(100)
    here.painted('a', seq)
    await within(1_000, () => expect(lamp(page)).toEqual({ seq, painted: [2, 2, 0] }))
    // the first paint stays the first
    expect(last(page, 'PAINTED').graphics[0]?.painted.at).toBe(at)

    there.problems({ graphicId: 'a', graphicName: 'Graphic a', message: 'a picture is missing' })
    await within(3_000, () => {
      const row = rows(page).find(({ problems }) => problems.length > 0)
      expect(row).toMatchObject({ name: 'main', lastSeq: seq, problems: [{ message: 'a picture is missing' }] })
      expect(row?.latency).toMatchObject({ count: 1 })
    })
    there.outOfView()
    const next = show()
    await within(1_000, () => expect(lamp(page)).toEqual({ seq: next, painted: [0, 2, 1] }))
    other.end(1000, '')
    there.end(1000, '')
    await within(3_000, () => expect(rows(page)).toHaveLength(1))
    expect(lamp(page)).toEqual({ seq: next, painted: [0, 1, 0] })
    // nothing of it is told by the hub that the page is not connected to
    expect(two.studio.hub.count()).toMatchObject({ renderers: 0, followers: 0 })
  },
)

test('[cluster 5] a paint on another node is told within 150 ms, most of the time at once', async () => {
  const { nodes, show } = await service('one', 'two')
  const [one, two] = nodes
  const there = await render(two)
  const page = await follow(one)
  const lates: number[] = []
  for (let i = 0; i < 20; i++) {
    const seq = show()
    const since = performance.now()
    there.painted('a', seq)
    await within(1_000, () => expect(lamp(page)).toEqual({ seq, painted: [1, 1, 0] }))
    lates.push(performance.now() - since)
    await new Promise((resolve) => setTimeout(resolve, 110))
  }
  lates.sort((a, b) => a - b)
  expect(lates[10]).toBeLessThan(75)
  expect(lates[18]).toBeLessThan(300)
})

test('[cluster 5] a paint that is told before its commit came here counts as soon as that is there', async () => {
  const { nodes, commit, publish, show } = await service('one', 'two')
  const [one, two] = nodes
  const there = await render(two)
  const page = await follow(one)
  show()
  const row = commit('a', 2)
  publish(row, [two])
  const notes = () => one.linked.ran.filter(([, head]) => !('asked' in (head as object)))
  there.painted('a', row.seq)
  await vi.waitFor(() => expect(JSON.stringify(notes())).toContain(`["a",${row.seq}`))
  // from here on nothing is heard of it again
  await two.linked.links.close()
  row.committedAt -= Date.now() - 1_700_000_000_000
  publish(row, [one])
  await vi.waitFor(() => expect(lamp(page)).toEqual({ seq: row.seq, painted: [1, 1, 0] }))
})

test('[cluster 5] a node that dies takes its renderers with it, one that cannot be reached does not, and one that joins brings its own', async () => {
  const { nodes, gone, add, show } = await service('one', 'two')
  const [one, two] = nodes
  await render(one)
  await render(two)
  const page = await follow(one)
  const seq = show()
  await vi.waitFor(() => expect(lamp(page)).toEqual({ seq, painted: [0, 2, 0] }))
  const three = await add('three')
  const there = await render(three)
  await within(2_000, () => expect(lamp(page)).toEqual({ seq, painted: [0, 3, 0] }))
  await within(2_000, () => expect(one.studio.hub.renderers(OVERLAY)).toBe(3))
  await two.linked.links.close()
  two.presence.close()
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  expect(lamp(page)).toEqual({ seq, painted: [0, 3, 0] })
  expect(one.studio.hub.renderers(OVERLAY)).toBe(3)
  gone.add('two')
  await within(1_000, () => expect(lamp(page)).toEqual({ seq, painted: [0, 2, 0] }))
  expect(one.studio.hub.renderers(OVERLAY)).toBe(2)
  expect(rows(page).length).toBeGreaterThan(1)
  await within(2_000, () => expect(rows(page)).toHaveLength(2))
  there.end(1000, '')
  await within(1_000, () => expect(one.studio.hub.renderers(OVERLAY)).toBe(1))
})

test('[cluster 5] what a link lost is told within seconds', async () => {
  const { nodes, show } = await service('one', 'two')
  const [one, two] = nodes
  const there = await render(two)
  const page = await follow(one)
  // its notes are lost from now on
  two.linked.links.note = () => {}
  const seq = show()
  there.painted('a', seq)
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(lamp(page)).toEqual({ seq, painted: [0, 1, 0] })
  await within(4_000, () => expect(lamp(page)).toEqual({ seq, painted: [1, 1, 0] }))
})

test('[cluster 5] a follower that comes back to another node by its cursor gets exactly what it missed', async () => {
  const { nodes, show } = await service('one', 'two')
  const [one, two] = nodes
  await render(one)
  show()
  const first = await follow(one)
  show()
  const { cursor, seq } = last(first, 'CHANGE')
  first.end(1006, '')
  const missed = [show(), show(), show()]
  const back = await follow(two, `cursor=${cursor}`)
  await within(1_000, () => expect(payloads(back, 'RENDERERS')).toHaveLength(1))
  expect(payloads(back, 'SNAPSHOT')).toEqual([])
  expect(payloads(back, 'CHANGE').map((change) => change.seq)).toEqual(missed)
  expect(missed[0]).toBe(seq + 1)
  expect(rows(back)).toHaveLength(1)
  missed.push(show())
  expect(payloads(back, 'CHANGE').map((change) => change.seq)).toEqual(missed)
})

test('[cluster 5] nodes tell nothing of overlays that nobody follows', async () => {
  const { nodes, show } = await service('one', 'two')
  const [one, two] = nodes
  const there = await render(two)
  await within(2_000, () => expect(one.studio.hub.renderers(OVERLAY)).toBe(1))
  const told = () => one.linked.ran.filter(([, head]) => !('asked' in (head as object))).length
  const before = told()
  for (let i = 0; i < 5; i++) {
    there.painted('a', show())
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
  expect(told()).toBe(before)
})

test('[cluster 8] as many may follow an overlay as over one node, whichever they come to; each way in has places of its own', async () => {
  const { nodes } = await service('one', 'two')
  const [one, two] = nodes
  const follow = (node: Node, path = '/control/{token}/socket') => pageOf(node.studio, path)
  const refused = async (node: Node, path?: string) => {
    const error = await follow(node, path).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ status: 429, headers: { 'Retry-After': '5' } })
  }
  const open = (sockets: readonly FakeSocket[]) => sockets.filter(({ closedWith }) => !closedWith).length
  const first = [await follow(one), await follow(one), await follow(one), await follow(one)]
  await within(2_000, () => expect(two.studio.hub.places.taken(OVERLAY, 'control')).toBe(4))
  const second = [await follow(two), await follow(two)]
  await refused(two)
  await within(2_000, () => expect(one.studio.hub.places.taken(OVERLAY, 'control')).toBe(6))
  await refused(one)
  // who found the address of another page shuts out nobody, nor do pictures or renderers
  await follow(one, '/monitor/{token}/socket')
  await follow(one, '/control/{token}/picture/socket')
  for (let i = 0; i < 10; i++) await render(one)
  first.pop()?.end(1000, '')
  await follow(one)
  await refused(one)
  expect([open(first), open(second)]).toEqual([3, 2])
})

test('[cluster 8] what came to all nodes at once is too many for a moment only, and those who were there stay', async () => {
  const { nodes } = await service('one', 'two', 'three')
  const [one, two, three] = nodes
  if (!three) throw new Error('three nodes')
  const follow = async (node: Node, count: number) => {
    const sockets: FakeSocket[] = []
    for (let i = 0; i < count; i++) sockets.push(await pageOf(node.studio, '/monitor/{token}/socket'))
    return sockets
  }
  const open = (sockets: readonly FakeSocket[]) => sockets.map(({ closedWith }) => closedWith?.code ?? 'open')
  // none hears of the others meanwhile
  const notes = [one, two, three].map(({ linked }) => linked.links.note)
  for (const { linked } of [one, two, three]) linked.links.note = () => {}
  const all = await Promise.all([follow(one, 6), follow(two, 5), follow(three, 1)])
  for (const [index, node] of [one, two, three].entries()) {
    node.linked.links.note = notes[index] ?? node.linked.links.note
    const passing = await pageOf(node.studio, '/control/{token}/socket')
    passing.end(1000, '')
  }
  const left = () => all.flatMap(open).filter((state) => state === 'open').length
  await within(5_000, () => expect(left() <= 6).toBe(true))
  // no node gives up more than its share, of what came last
  expect(left()).toBeGreaterThanOrEqual(5)
  expect(all.map((sockets) => open(sockets.slice(0, 2)))).toEqual([['open', 'open'], ['open', 'open'], ['open']])
  for (const sockets of all) expect(open(sockets).join()).toMatch(/^(open,?)+(1013,?)*$/)
  await within(3_000, () => expect(two.studio.hub.places.taken(OVERLAY, 'monitoring')).toBe(left()))
})

test('[show-control: Pictures] what is wrong on preview is told on all nodes', async () => {
  const { nodes } = await service('one', 'two')
  const [one, two] = nodes
  const preview = await render(two, 'bus=preview&problems=1')
  const page = await follow(one)
  const problem = { graphicId: 'a', graphicName: 'Bug', message: 'no READY in 3 s' }
  preview.problems(problem)
  const problems = () => payloads(page, 'PICTURES').at(-1)?.problems
  await vi.waitFor(() => expect(problems()).toMatchObject([{ bus: 'preview', ...problem }]), { timeout: 30_000 })
  preview.end(1001, '')
  await vi.waitFor(() => expect(problems()).toEqual([]), { timeout: 30_000 })
})

test('[integrations: OGraf Server API] what renderers of other nodes answer is known to the node that waits, of those that were asked', async () => {
  const { nodes } = await service('one', 'two', 'three')
  const [one, two, three] = nodes
  const here = await render(one, 'answers=1')
  const there = await render(two, 'answers=1')
  await render(two, 'answers=1&layers=other')
  await render(two)
  let calls = 0
  const call = (node: Node = one) => {
    const id = `c${++calls}`
    const told: { ended?: unknown } = {}
    void node.studio.hub.calls
      .expect({ overlayId: OVERLAY, id, graphicId: 'a', graphicName: 'Graphic a' }, 5_000)
      .then((answer) => Object.assign(told, { ended: answer ?? 'nothing' }))
    const answer = (socket: FakeSocket, more: object) => socket.says({ type: 'ANSWER', payload: { call: id, ...more } })
    return { told, answer, is: (ended: unknown) => vi.waitFor(() => expect(told.ended).toEqual(ended)), id }
  }
  // the answer comes before the question, or after it
  const first = call()
  first.answer(there, { statusCode: 201 })
  first.answer(here, { statusCode: 200 })
  await first.is({ call: first.id, statusCode: 201 })
  const asked = () => two.linked.ran.filter(([kind]) => kind === 'calls').length
  const second = call()
  await vi.waitFor(() => expect(asked()).toBe(2))
  second.answer(there, { error: 'playAction: broken tween' })
  await second.is({ call: second.id, error: 'playAction: broken tween' })
  // a node without a renderer of it hears the others
  const third = call(three)
  third.answer(here, { statusCode: 200 })
  await vi.waitFor(() => expect(asked()).toBe(3))
  expect(third.told).toEqual({})
  third.answer(there, { statusCode: 202, statusMessage: 'there' })
  await third.is({ call: third.id, statusCode: 202, statusMessage: 'there' })
  // one that went away is not waited for, nor a node that cannot be asked
  const fourth = call()
  fourth.answer(here, { statusCode: 203 })
  await vi.waitFor(() => expect(asked()).toBe(4))
  there.end(1001, '')
  await fourth.is({ call: fourth.id, statusCode: 203 })
  await two.linked.links.close()
  const fifth = call()
  fifth.answer(here, { statusCode: 204 })
  await fifth.is({ call: fifth.id, statusCode: 204 })
  here.end(1001, '')
  await call().is('nothing')
})

test('[integrations: OGraf import] what renderers say that they are is known on all nodes, followed or not', async () => {
  const { nodes } = await service('one', 'two')
  const [one, two] = nodes
  const named = async (node: Node) => (await node.studio.hub.engines(OVERLAY)).map(({ name }) => name).sort()
  await render(one, 'renderer=here')
  await render(two, 'renderer=there')
  await render(two, 'renderer=look&bus=preview')
  await vi.waitFor(async () => expect(await named(one)).toEqual(['here', 'there']))
  expect(await two.studio.hub.engines(OVERLAY)).toContainEqual({ name: 'there', engine: 'unknown' })
  await two.linked.links.close()
  expect(await named(one)).toEqual(['here'])
})
