import { platform } from 'node:process'
import { describe, expect, test } from 'vitest'
import { fate, type LinkedNode, linkedNode, SERVICE } from '../support/links.ts'
import { start } from '../support/process.ts'

const WITHIN_MS = 20_000
const ATTACK_MS = 4_000

/** Opens as many connections as it can, from many addresses of this machine, and tells how many. */
const OPENING = (from: number, each: string) => `
  import { connect as connectTcp } from 'node:net'
  import { connect as connectTls } from 'node:tls'
  import { randomBytes } from 'node:crypto'
  let begun = 0
  const open = new Set()
  const again = () => {
    if (open.size > 1500) return
    for (let n = 0; n < 10; n++) {
      const localAddress = '127.0.0.' + (${from} + begun++ % 20)
      const socket = connectTcp({ host: '127.0.0.1', port: Number(process.env.PORT), localAddress })
      open.add(socket)
      socket.on('error', () => {}).on('close', () => open.delete(socket))
      ;(${each})(socket)
    }
  }
  setInterval(again, 5)
  setInterval(() => console.log('begun ' + begun), 100)
`

/** Says that a hello of TLS comes, and then a byte now and then. */
const SLOW = `(socket) => {
  socket.write(Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 252]))
  const timer = setInterval(() => socket.write('a'), 100)
  socket.on('close', () => clearInterval(timer))
}`

/** Says all that the one who knows the secret would, and does not know it. */
const GUESSING = `(socket) => {
  const identity = 'tally-link/1 ${SERVICE} friend'
  connectTls({ socket, ciphers: 'ECDHE-PSK-CHACHA20-POLY1305', maxVersion: 'TLSv1.2', checkServerIdentity: () => undefined,
    pskCallback: () => ({ identity, psk: randomBytes(32) }) }).on('error', () => socket.destroy())
}`

/** Waits of a link that is open, one ask at a time. */
async function waitsOf(from: LinkedNode, to: LinkedNode, forMs: number): Promise<number[]> {
  const waits: number[] = []
  for (const until = performance.now() + forMs; performance.now() < until; ) {
    const since = performance.now()
    expect(await fate(from.links.ask(to.address, 'who', 'friend', undefined, WITHIN_MS))).toBe('answered')
    waits.push(performance.now() - since)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  return waits.sort((one, other) => one - other)
}

async function joins(id: string, node: LinkedNode): Promise<number> {
  const since = performance.now()
  const newcomer = await linkedNode(id)
  while ((await fate(newcomer.links.ask(node.address, 'who', 'friend', undefined, WITHIN_MS))) !== 'answered')
    await new Promise((resolve) => setTimeout(resolve, 20))
  return performance.now() - since
}

// other systems have one address for themselves
describe.skipIf(platform !== 'linux')('strangers by the thousand', () => {
  test.each([
    ['who say nothing', '() => {}'],
    ['who say a byte now and then', SLOW],
    ['who guess the secret', GUESSING],
  ])('%s hold up no link, keep no new one out, and fill no memory', async (_, each) => {
    const [node, friend] = [await linkedNode('node'), await linkedNode('friend')]
    await waitsOf(friend, node, 500)
    const before = process.memoryUsage().rss
    const attacker = start(['--input-type=module', '-e', OPENING(2, each)], { PORT: String(node.port) })
    const begun = () => Number(/begun (\d+)\n$/.exec(attacker.stdout())?.[1] ?? 0)
    await attacker.line((line) => (line.startsWith('begun') && begun() > 200 ? line : undefined))
    const waits = await waitsOf(friend, node, ATTACK_MS)
    const joinedMs = await joins('newcomer', node)
    // how many come in that time is the machine's
    expect(begun()).toBeGreaterThan(300)
    expect(waits[Math.floor(waits.length / 2)]).toBeLessThan(20)
    expect(waits.at(-1)).toBeLessThan(1_000)
    expect(joinedMs).toBeLessThan(5_000)
    expect((process.memoryUsage().rss - before) / 1_000_000).toBeLessThan(100)
    // a line of each kind in ten seconds
    expect(node.logged.length).toBeLessThan(5)
    expect(node.ran.filter(([, head]) => head !== 'friend')).toEqual([])
    attacker.kill('SIGKILL')
    await attacker.ended
  })
})
