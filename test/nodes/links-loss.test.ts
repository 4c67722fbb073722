import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { fate, linkedNode, SECRET, SERVICE } from '../support/links.ts'
import { built, start } from '../support/process.ts'
import { proxyTo } from '../support/proxy.ts'
import { seeded } from '../support/random.ts'

/** Long enough for a busy machine; what ends sooner is told sooner. */
const WITHIN_MS = 20_000
/** Three seconds of silence, and what a busy machine takes. */
const SILENT_MS = 5_500

const fatesOf = (count: number, ask: (head: number) => Promise<unknown>) =>
  Array.from({ length: count }, (_, head) => fate(ask(head)))

describe('a node that is not there', () => {
  test('was sent nothing, is logged once, and is found when it comes', async () => {
    const one = await linkedNode('one')
    const { port, links } = await linkedNode('gone')
    await links.close()
    const address = { id: 'two', url: `tls://127.0.0.1:${port}` }
    const ask = () => fate(one.links.ask(address, 'echo', null, undefined, WITHIN_MS))
    expect(await ask()).toBe('not sent')
    // it is told at once, also while nothing is tried
    const since = performance.now()
    for (let n = 0; n < 100; n++) expect(await ask()).toBe('not sent')
    expect(performance.now() - since).toBeLessThan(2_000)
    expect(one.logged).toMatchObject([{ msg: 'no link to a node', node: 'two', why: 'ECONNREFUSED' }])
    const two = await linkedNode('two', {}, { port })
    await vi.waitFor(async () => expect(await ask()).toBe('answered'), { timeout: WITHIN_MS, interval: 20 })
    expect(two.ran.length).toBe(1)
    expect(one.logged.slice(1)).toMatchObject([{ msg: 'the link to a node is back', node: 'two' }])
  })

  test('that accepts and says nothing is given up in two seconds', async () => {
    const [one, two] = [await linkedNode('one'), await linkedNode('two')]
    const proxy = await proxyTo(two.address.url)
    proxy.freeze()
    const since = performance.now()
    const asked = one.links.ask({ id: 'two', url: proxy.url }, 'echo', null, undefined, WITHIN_MS)
    expect(await fate(asked)).toBe('not sent')
    expect(performance.now() - since).toBeLessThan(4_000)
    const soon = one.links.ask({ id: 'two', url: proxy.url }, 'echo', null, undefined, 100)
    expect(await fate(soon)).toBe('not sent')
  })

  test('whose address is no address was sent nothing', async () => {
    const one = await linkedNode('one')
    for (const url of ['', 'nowhere', 'http://nowhere.invalid:1', 'tls://[::1]:99999'])
      expect(await fate(one.links.ask({ id: url, url }, 'echo', null, undefined, WITHIN_MS))).toBe('not sent')
  })

  test('is found where it is now', async () => {
    const [one, two] = [await linkedNode('one'), await linkedNode('two')]
    const ask = (url: string) => fate(one.links.ask({ id: 'two', url }, 'echo', null, undefined, WITHIN_MS))
    const proxy = await proxyTo(two.address.url)
    expect(await ask(proxy.url)).toBe('answered')
    proxy.freeze()
    expect(await ask(two.address.url)).toBe('answered')
  })
})

describe('a link that is lost', () => {
  test('tells all that wait at once, and is there again', async () => {
    const [one, two] = [await linkedNode('one'), await linkedNode('two')]
    const proxy = await proxyTo(two.address.url)
    const address = { id: 'two', url: proxy.url }
    const fates = fatesOf(100, (head) => one.links.ask(address, 'never', head, undefined, WITHIN_MS))
    await vi.waitFor(() => expect(two.ran.length).toBe(100))
    const since = performance.now()
    proxy.cut()
    expect(new Set(await Promise.all(fates))).toEqual(new Set(['lost']))
    expect(performance.now() - since).toBeLessThan(1_000)
    const again = () => fate(one.links.ask(address, 'echo', 'again', undefined, WITHIN_MS))
    await vi.waitFor(async () => expect(await again()).toBe('answered'), { timeout: WITHIN_MS, interval: 20 })
    expect(one.logged.map(({ msg }) => msg)).toEqual(['no link to a node', 'the link to a node is back'])
  })

  test.each([1, 2, 3, 4])(
    'says of no ask that ran that it was not sent, whenever it is cut (seed %i)',
    async (seed) => {
      const random = seeded(seed)
      const [one, two] = [await linkedNode('one'), await linkedNode('two')]
      const proxy = await proxyTo(two.address.url)
      const fates = new Map<number, Promise<string>>()
      for (let round = 0; round < 60; round++) {
        for (let n = random.below(30); n > 0; n--) {
          const body = Buffer.alloc(random.pick([0, 10, 100_000, 700_000]))
          const head = fates.size
          fates.set(head, fate(one.links.ask({ id: 'two', url: proxy.url }, 'echo', head, body, WITHIN_MS)))
        }
        await new Promise((resolve) => setTimeout(resolve, random.below(40)))
        if (random.chance(0.4)) proxy.cut()
      }
      const ran = new Set(two.ran.map(([, head]) => head))
      const told = new Set<string>()
      for (const [head, became] of fates) {
        told.add(await became)
        if ((await became) === 'not sent') expect(ran).not.toContain(head)
        if ((await became) === 'answered') expect(two.ran.filter(([, other]) => other === head).length).toBe(1)
      }
      expect([...told].sort()).toEqual(['answered', 'lost', 'not sent'])
    },
  )
})

describe('a node that falls silent', () => {
  test('is given up after three seconds, and what did not fit into the connection was not sent', async () => {
    const [one, two] = [await linkedNode('one'), await linkedNode('two')]
    const proxy = await proxyTo(two.address.url)
    const address = { id: 'two', url: proxy.url }
    expect(await fate(one.links.ask(address, 'echo', 'before', undefined, WITHIN_MS))).toBe('answered')
    proxy.hang()
    const since = performance.now()
    const body = Buffer.alloc(1024 * 1024)
    const fates = await Promise.all(fatesOf(50, (head) => one.links.ask(address, 'echo', head, body, WITHIN_MS)))
    expect(performance.now() - since).toBeGreaterThan(2_400)
    expect(performance.now() - since).toBeLessThan(SILENT_MS)
    expect(fates[0]).toBe('lost')
    expect(fates.at(-1)).toBe('not sent')
    expect(one.logged).toMatchObject([{ msg: 'no link to a node', node: 'two', why: 'it fell silent' }])
  })

  test('a silent node that asks is given up, too', async () => {
    const hold = () => new Promise<undefined>(() => {})
    const [one, two] = [await linkedNode('one'), await linkedNode('two', { hold })]
    const proxy = await proxyTo(two.address.url)
    const asked = fate(one.links.ask({ id: 'two', url: proxy.url }, 'hold', null, undefined, WITHIN_MS))
    await vi.waitFor(() => expect(two.ran.length).toBe(1))
    proxy.hang()
    expect(await asked).toBe('lost')
    // with its link gone nothing is under way any more, and the node does not wait for it
    const since = performance.now()
    await two.links.close()
    expect(performance.now() - since).toBeLessThan(1_500)
  })

  test('a busy node that answers nothing for five seconds is not silent', async () => {
    let answer = () => {}
    const slow = () => new Promise<undefined>((resolve) => (answer = () => resolve(undefined)))
    const [one, two] = [await linkedNode('one'), await linkedNode('two', { slow })]
    const asked = fate(one.links.ask(two.address, 'slow', null, undefined, WITHIN_MS))
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    answer()
    expect(await asked).toBe('answered')
  })
})

/** A node in a process of its own that says each thing it is asked. */
const PROGRAM = `
  import { pino } from ${JSON.stringify('pino')}
  import { openLinks } from ${JSON.stringify(built('src/nodes/links/open.js'))}
  const tell = async (head) => { console.log('ran ' + head); return { head } }
  const links = openLinks({
    id: 'two', service: process.env.SERVICE, secret: () => Buffer.from(process.env.SECRET, 'hex'),
    host: '127.0.0.1', port: 0, log: pino({ level: 'silent' }), handlers: { tell, never: () => new Promise(() => {}) },
  })
  console.log('port ' + await links.listen())
`

test('a process that is stopped loses its link in three seconds, and does nothing of what came meanwhile', async () => {
  const one = await linkedNode('one')
  const environment = { SERVICE, SECRET: SECRET.toString('hex') }
  const child = start(['--input-type=module', '-e', PROGRAM], environment)
  onTestFinished(() => child.kill('SIGCONT'))
  const port = await child.line((line) => /^port (\d+)$/.exec(line)?.[1])
  const address = { id: 'two', url: `127.0.0.1:${port}` }
  const ask = (head: string) => one.links.ask(address, 'tell', head, undefined, WITHIN_MS)
  await ask('before')
  const never = fate(one.links.ask(address, 'never', null, undefined, WITHIN_MS))
  child.kill('SIGSTOP')
  const since = performance.now()
  const meanwhile = Array.from({ length: 20 }, (_, n) => fate(ask(`meanwhile ${n}`)))
  expect(new Set(await Promise.all([never, ...meanwhile]))).toEqual(new Set(['lost']))
  expect(performance.now() - since).toBeGreaterThan(2_400)
  expect(performance.now() - since).toBeLessThan(SILENT_MS)
  expect(await fate(ask('frozen'))).toBe('not sent')
  child.kill('SIGCONT')
  await vi.waitFor(async () => expect(await fate(ask('after'))).toBe('answered'), { timeout: WITHIN_MS, interval: 20 })
  // what a process has said comes by another way than its answer
  await expect.poll(() => child.stdout().split('\n').slice(1, -1)).toEqual(['ran before', 'ran after'])
})
