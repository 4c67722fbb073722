import { expect, onTestFinished, test, vi } from 'vitest'
import { mediaOfAll } from '../../src/elsewhere/media.ts'
import { shelfOfAll } from '../../src/elsewhere/shelf.ts'
import type { LiveFiles } from '../../src/http/live-pages.ts'
import { mediaOff } from '../../src/media/off.ts'
import type { Measured, Media } from '../../src/media/ports.ts'
import type { JoinedNode } from '../../src/nodes/joined.ts'
import type { LinkHandler } from '../../src/nodes/links/answering.ts'
import { linkedNode } from '../support/links.ts'

const rate = (bitrateKb: number): Measured => ({ bitrateKb, history: [{ at: 1_000, bitrateKb }] })
const NOTHING: Measured = { bitrateKb: null, history: [] }

/** Nodes with links; each runs what stands in its list, and measures its own number of kb/s. */
async function service(...ids: string[]) {
  const linked = new Map<string, Awaited<ReturnType<typeof linkedNode>>>()
  const nodes = ids.map((id, index) => {
    const handlers: Record<string, LinkHandler> = {}
    const runs = new Set<string>()
    const joined: Partial<JoinedNode> = {
      id,
      others: () => [...linked].filter(([other]) => other !== id).map(([, { address }]) => address),
      ask: (...asked) => linked.get(id)?.links.ask(...asked) ?? Promise.reject(new Error('no links')),
      answer: (kind, handler) => void Object.assign(handlers, { [kind]: handler }),
      ownership: { owns: () => true, ownerOf: () => undefined, lease: () => undefined, isLive: true, isCutOff: false },
    }
    const own: Media = {
      ...mediaOff('here', () => true),
      runs: (ref) => runs.has(ref),
      problems: () => [`of ${id}`],
      // every node sees the inputs of a shared ingest, and remembers what has moved
      input: () => rate(index + 1),
      destination: () => ({ ...rate(index + 1), activeClients: index + 1 }),
      program: (streamId) =>
        runs.has(`stream/${streamId}`) ? { ...rate(index + 1), cpuPercent: 50, rssBytes: 1 } : undefined,
    }
    const files = new Map<string, string>()
    const players = new Set<string>()
    const fetched: string[] = []
    const shelf: LiveFiles = {
      index: (token) => (files.has(token) ? `index of ${id}` : undefined),
      async playlist(token, client) {
        if (files.has(token)) players.add(client)
        return files.get(token)
      },
      async segment(token, file) {
        if (!files.has(token)) return undefined
        fetched.push(file)
        return Buffer.from(`${file} of ${id}`)
      },
    }
    const node = joined as JoinedNode
    return { id, handlers, runs, files, players, fetched, media: mediaOfAll(node, own), shelf: shelfOfAll(node, shelf) }
  })
  for (const { id, handlers } of nodes) linked.set(id, await linkedNode(id, handlers))
  return { nodes: nodes as [(typeof nodes)[0], (typeof nodes)[0], (typeof nodes)[0]], linked }
}

test('[cluster 5] what is measured of a stream is told by the node that runs it, whichever one is asked', async () => {
  const { nodes, linked } = await service('one', 'two', 'three')
  const [one, two, three] = nodes
  const refs = ['stream/1', 'input/2', 'destination/3']
  for (const ref of refs) two.runs.add(ref)
  const told = async ({ media }: typeof one) => {
    await media.hear(refs)
    return [media.program(1)?.bitrateKb, media.input(2).bitrateKb, media.destination(3), media.problems(1)]
  }
  const ofTwo = [2, 2, { ...rate(2), activeClients: 2 }, ['of two']]
  for (const node of nodes) expect(await told(node)).toEqual(ofTwo)
  // what is wrong with this node is its own
  expect(one.media.problems()).toEqual(['of one'])

  // it moves: at once for the node that has it, soon for the others
  for (const ref of refs) {
    two.runs.delete(ref)
    three.runs.add(ref)
  }
  for (const node of nodes) expect(await told(node)).toEqual([3, 3, { ...rate(3), activeClients: 3 }, ['of three']])

  // and its node is lost: nothing is told as of now that is not
  await linked.get('three')?.links.close()
  const now = performance.now.bind(performance)
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 3_500)
  onTestFinished(() => later.mockRestore())
  expect(await told(two)).toEqual([undefined, 2, { ...NOTHING, activeClients: null }, ['of two']])
})

test('[cluster 5] a node that runs it itself asks nobody', async () => {
  const { nodes, linked } = await service('one', 'two', 'three')
  const [one] = nodes
  one.runs.add('destination/3')
  await one.media.hear(['destination/3'])
  expect(one.media.destination(3).bitrateKb).toBe(1)
  for (const { ran } of linked.values()) expect(ran).toEqual([])
})

test('[cluster 7] players fetch a stream from any node, and are counted where it runs', async () => {
  const { nodes, linked } = await service('one', 'two', 'three')
  const [one, two, three] = nodes
  const token = 'token'
  expect(await one.shelf.index(token)).toBeUndefined()
  three.files.set(token, '#EXTM3U of three')
  for (const { shelf } of nodes) {
    expect(await shelf.index(token)).toBe('index of three')
    expect(await shelf.segment(token, '7.ts')).toEqual(Buffer.from('7.ts of three'))
  }
  expect(await one.shelf.playlist(token, 'a')).toBe('#EXTM3U of three')
  expect(await two.shelf.playlist(token, 'b')).toBe('#EXTM3U of three')
  expect([...three.players]).toEqual(['a', 'b'])

  // for any number of players a segment comes once
  three.fetched.length = 0
  await Promise.all(Array.from({ length: 20 }, () => one.shelf.segment(token, '8.ts')))
  expect(three.fetched).toEqual(['8.ts'])

  // it is known who has it: the other is not asked again
  const asked = (id: string) => linked.get(id)?.ran.length ?? 0
  const before = asked('two')
  await one.shelf.playlist(token, 'a')
  expect(asked('two')).toBe(before)

  // it moves
  three.files.delete(token)
  two.files.set(token, '#EXTM3U of two')
  expect(await one.shelf.playlist(token, 'a')).toBe('#EXTM3U of two')
  expect(await three.shelf.playlist(token, 'a')).toBe('#EXTM3U of two')
  two.files.delete(token)
  for (const { shelf } of nodes) expect(await shelf.playlist(token, 'a')).toBeUndefined()
  expect(await one.shelf.segment(token, '9.ts')).toBeUndefined()
})

test('[issue 17] who asks for made-up tokens keeps no link busy, and takes nothing from those who watch', async () => {
  const { nodes, linked } = await service('one', 'two', 'three')
  const [one, two] = nodes
  two.files.set('token', '#EXTM3U')
  expect(await one.shelf.playlist('token', 'a')).toBe('#EXTM3U')
  const asked = () => linked.get('three')?.ran.length ?? 0
  const before = asked()
  const made = Array.from({ length: 1_000 }, (_, index) => one.shelf.playlist(`made-up-${index}`, 'x'))
  expect(await one.shelf.playlist('token', 'a')).toBe('#EXTM3U')
  expect((await Promise.all(made)).filter((found) => found !== undefined)).toEqual([])
  expect(asked() - before <= 32).toBe(true)
})
