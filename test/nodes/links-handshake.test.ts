import { randomBytes } from 'node:crypto'
import { connect as connectTcp, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { encode, FrameType } from '../../src/nodes/links/frames.ts'
import { fate, knock, linkedNode, recorderOf, SERVICE } from '../support/links.ts'
import { proxyTo } from '../support/proxy.ts'

const WITHIN_MS = 20_000
const OTHER = '0199d1f4-7a55-7000-8000-00000000000f'
const text = (node: { logged: Record<string, unknown>[] }) => node.logged.map((line) => JSON.stringify(line))

/** Resolves when the other side has ended it, however. */
const closed = (socket: Socket) =>
  new Promise((resolve) =>
    socket
      .on('error', () => {})
      .on('close', resolve)
      .resume(),
  )

test('a node of another database is refused, with one clear line in both logs', async () => {
  const two = await linkedNode('two')
  const stranger = await linkedNode('stranger', {}, { service: OTHER, secret: () => randomBytes(32) })
  const ask = () => fate(stranger.links.ask(two.address, 'echo', null, undefined, WITHIN_MS))
  expect(await ask()).toBe('not sent')
  await vi.waitFor(async () => {
    expect(await ask()).toBe('not sent')
    // several attempts, one line
    expect(two.logged.length).toBe(1)
  })
  const theirs = { msg: 'a node of another database was refused', node: 'stranger', theirs: OTHER, ours: SERVICE }
  expect(two.logged).toMatchObject([theirs])
  const why = `the node at ${two.address.url} is of another database (${SERVICE}, not ${OTHER})`
  expect(stranger.logged).toMatchObject([{ msg: 'no link to a node', node: 'two', why }])
  expect(two.ran).toEqual([])
})

test('a node of another database is refused even when it knows the secret', async () => {
  const two = await linkedNode('two')
  const stranger = await linkedNode('stranger', {}, { service: OTHER })
  expect(await fate(stranger.links.ask(two.address, 'echo', null, undefined, WITHIN_MS))).toBe('not sent')
  expect(await fate(two.links.ask(stranger.address, 'echo', null, undefined, WITHIN_MS))).toBe('not sent')
  expect([two.ran, stranger.ran]).toEqual([[], []])
})

test('a node that knows another secret is refused, in both directions', async () => {
  const [two, liar] = [await linkedNode('two'), await linkedNode('liar', {}, { secret: () => randomBytes(32) })]
  expect(await fate(liar.links.ask(two.address, 'echo', null, undefined, WITHIN_MS))).toBe('not sent')
  await vi.waitFor(() => expect(two.logged.length).toBe(1))
  expect(two.logged).toMatchObject([{ msg: 'a node that does not know the secret was refused', node: 'liar' }])
  expect(liar.logged).toMatchObject([{ msg: 'no link to a node', node: 'two', why: 'it knows another secret' }])
  expect(await fate(two.links.ask(liar.address, 'echo', null, undefined, WITHIN_MS))).toBe('not sent')
  expect([two.ran, liar.ran]).toEqual([[], []])
})

test('another node at the address of the one that is meant is asked nothing', async () => {
  const [one, two, three] = [await linkedNode('one'), await linkedNode('two'), await linkedNode('three')]
  const address = { id: 'two', url: three.address.url }
  expect(await fate(one.links.ask(address, 'echo', null, undefined, WITHIN_MS))).toBe('not sent')
  expect(one.logged).toMatchObject([{ why: `the node at ${three.address.url} is three now` }])
  // nor is who asks itself, when somebody between them turns its words back to it
  const mirror = { id: 'two', url: one.address.url }
  expect(await fate(three.links.ask(mirror, 'echo', null, undefined, WITHIN_MS))).toBe('not sent')
  expect([one.ran, two.ran, three.ran]).toEqual([[], [], []])
})

test('an ask that is meant for the node that had this address before ends no link', async () => {
  const [one, three] = [await linkedNode('one'), await linkedNode('three', { wait: () => pause(1_000) })]
  expect(await fate(one.links.ask(three.address, 'echo', null, undefined, WITHIN_MS))).toBe('answered')
  const waits = fate(one.links.ask(three.address, 'wait', null, undefined, WITHIN_MS))
  // tried again and again from now on
  const before = { id: 'two', url: three.address.url }
  expect(await fate(one.links.ask(before, 'echo', null, undefined, WITHIN_MS))).toBe('not sent')
  expect(await waits).toBe('answered')
})

test('a program that is no node of ours is asked nothing', async () => {
  const one = await linkedNode('one')
  const { createServer } = await import('node:http')
  const server = createServer((_request, response) => response.end('{}'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  expect(await fate(one.links.ask({ id: 'two', url: `127.0.0.1:${port}` }, 'echo', null, undefined, WITHIN_MS))).toBe(
    'not sent',
  )
  server.close()
})

test('who listens on the way reads nothing of what is said, and sees no secret', async () => {
  const secret = randomBytes(32)
  const [one, two] = [
    await linkedNode('one', {}, { secret: () => secret }),
    await linkedNode('two', {}, { secret: () => secret }),
  ]
  const { port, said } = await recorderOf(two.port)
  const head = { principal: 'owner-of-everything' }
  await one.links.ask({ id: 'two', url: `127.0.0.1:${port}` }, 'echo', head, Buffer.from('the body'), WITHIN_MS)
  const seen = Buffer.concat(said.flat())
  for (const hidden of ['owner-of-everything', 'the body', 'echo', secret]) expect(seen.includes(hidden)).toBe(false)
})

test('[issue 17] what was said to a node once, said again by somebody else, is nothing to it', async () => {
  const [one, two] = [await linkedNode('one'), await linkedNode('two')]
  const { port, said } = await recorderOf(two.port)
  await one.links.ask({ id: 'two', url: `127.0.0.1:${port}` }, 'echo', 'once', undefined, WITHIN_MS)
  one.links.note({ id: 'two', url: `127.0.0.1:${port}` }, 'echo', 'twice')
  await vi.waitFor(() => expect(two.ran.map(([, head]) => head)).toEqual(['once', 'twice']))
  for (const chunks of said) {
    const socket = connectTcp(two.port, '127.0.0.1')
    const ended = closed(socket)
    for (const chunk of chunks) socket.write(chunk)
    await ended
  }
  expect(two.ran).toHaveLength(2)
})

test('[issue 17] nothing is done for a principal that somebody made up who does not know the secret', async () => {
  const node = await linkedNode('node', { request: async () => ({ head: { status: 200, headers: {} } }) })
  const owner = { type: 'person', id: 1, name: 'owner@tally.example' }
  const head = {
    method: 'POST',
    path: '/rest/v1/overlays',
    principal: { organizationId: 1, actor: owner, scopes: ['*'] },
  }
  const ask = encode(FrameType.ask, 1, 'request', head)
  // with the secret it would be done
  const friend = knock(node.port)
  friend.write(ask)
  await vi.waitFor(() => expect(node.ran).toEqual([['request', head]]))
  friend.destroy()
  const guesser = knock(node.port, { psk: randomBytes(32) })
  const other = knock(node.port, { service: OTHER })
  const plain = connectTcp(node.port, '127.0.0.1')
  const ended = Promise.all([guesser, other, plain].map(closed))
  for (const socket of [guesser, other, plain]) socket.write(ask)
  await ended
  expect(node.ran).toHaveLength(1)
})

test('the secret is asked for anew at each link, and stands in no log', async () => {
  let secret = randomBytes(32)
  const two = await linkedNode('two', {}, { secret: () => secret })
  const one = await linkedNode('one', {}, { secret: () => secret })
  const proxy = await proxyTo(two.address.url)
  const ask = () => fate(one.links.ask({ id: 'two', url: proxy.url }, 'echo', null, undefined, WITHIN_MS))
  expect(await ask()).toBe('answered')
  const before = secret
  secret = randomBytes(32)
  proxy.cut()
  await vi.waitFor(async () => expect(await ask()).toBe('answered'))
  for (const line of [...text(one), ...text(two)]) {
    expect(line).not.toContain(before.toString('hex'))
    expect(line).not.toContain(secret.toString('hex'))
  }
})

test.each(['', 'a b', 'a\n', 'x'.repeat(51), 'é', '"'])('%j is no id of a node', async (id) => {
  await expect(linkedNode(id)).rejects.toThrow('no identity of a link')
})
