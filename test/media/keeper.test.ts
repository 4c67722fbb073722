import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createKeeper } from '../../src/media/keeper.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { tcpServer } from '../support/media.ts'
import { type Running, start } from '../support/process.ts'

const LEASE_MS = 1_500
/** What the next owner waits after the lease. */
const ENDED_AFTER_MS = 1_000

const lives = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** A node that renews its lease of input/1 for as long as it runs, and that never had the one of input/2. */
async function node(farPort: number): Promise<{ server: Running; pid: number; stranger: number; near: number }> {
  const module = (name: string) => JSON.stringify(String(new URL(`../../dist/src/media/${name}.js`, import.meta.url)))
  const program = `
    const { openProcesses } = await import(${module('process')})
    const { createKeeper } = await import(${module('keeper')})
    const { connect } = await import('node:net')
    const log = { debug() {}, info() {}, warn() {} }
    let until = 0
    const renew = () => { until = performance.now() + ${LEASE_MS} }
    renew()
    setInterval(renew, 300)
    const keeper = createKeeper({ lease: (ref) => (ref === 'input/1' ? { since: 0, until } : undefined) }, log)
    const processes = await openProcesses(${JSON.stringify(temporaryDirectory())}, log, keeper)
    const sleep = (lease) => processes.start({ kind: 'relay', of: lease, command: '/bin/sleep', args: ['60'], lease }).pid
    const to = { end: 'destination', addresses: [{ address: '127.0.0.1', family: 4 }], port: ${farPort}, tls: null }
    const passage = await keeper.openPassage(to, 'input/1')
    connect(passage.port, '127.0.0.1').on('error', () => {}).write('video')
    console.log(JSON.stringify({ pid: sleep('input/1'), stranger: sleep('input/2'), near: passage.port }))`
  const server = start(['--input-type=module', '-e', program])
  const told = await server.line((line) => (line.startsWith('{') ? JSON.parse(line) : undefined))
  onTestFinished(() => {
    for (const pid of [told.pid, told.stranger]) if (lives(pid)) process.kill(pid, 'SIGKILL')
  })
  return { server, ...told }
}

/** When it was so, in ms after now. */
async function after(isSo: () => boolean): Promise<number> {
  const since = performance.now()
  await expect.poll(isSo, { timeout: 20_000, interval: 10 }).toBe(true)
  return performance.now() - since
}

describe.skipIf(process.platform !== 'linux' && 'no /proc here')('a media process under a lease', () => {
  test('[issue 17.3] goes on while the lease is renewed, and one whose lease is another one’s is ended at once', async () => {
    const { pid, stranger } = await node(await tcpServer(() => {}))
    expect(await after(() => !lives(stranger))).toBeLessThan(ENDED_AFTER_MS)
    await new Promise((resolve) => setTimeout(resolve, 2 * LEASE_MS))
    expect(lives(pid)).toBe(true)
  })

  test('[issue 17.3] ends with the lease of a frozen node, and so do its connections to the far end', async () => {
    let open = 0
    const farPort = await tcpServer((socket) => {
      open += 1
      socket.resume().on('close', () => {
        open -= 1
      })
    })
    const { server, pid } = await node(farPort)
    await expect.poll(() => open).toBe(1)
    server.kill('SIGSTOP')
    const [endedMs, cutMs] = await Promise.all([after(() => !lives(pid)), after(() => open === 0)])
    // not before the lease, whose time may have begun up to one renewal and one message ago
    for (const ms of [endedMs, cutMs]) expect(ms).toBeGreaterThan(LEASE_MS - 300 - 250)
    for (const ms of [endedMs, cutMs]) expect(ms).toBeLessThan(LEASE_MS + ENDED_AFTER_MS)
    server.kill('SIGCONT')
  })

  test('[issue 17.3] ends with its node when that is killed', async () => {
    const { server, pid } = await node(await tcpServer(() => {}))
    server.kill('SIGKILL')
    expect(await after(() => !lives(pid))).toBeLessThan(ENDED_AFTER_MS)
  })

  test('[issue 17.3] is kept again by another keeper when the keeper ends', async () => {
    const { server, pid } = await node(await tcpServer(() => {}))
    const keeper = keeperOf(server.child.pid ?? 0)
    process.kill(keeper, 'SIGKILL')
    const another = () => ![0, keeper].includes(keeperOf(server.child.pid ?? 0))
    await expect.poll(another, { timeout: 10_000 }).toBe(true)
    // it has read what it is to keep
    await new Promise((resolve) => setTimeout(resolve, 700))
    expect(lives(pid)).toBe(true)
    server.kill('SIGSTOP')
    expect(await after(() => !lives(pid))).toBeLessThan(LEASE_MS + ENDED_AFTER_MS)
  })

  test('[issue 17.3] a keeper that cannot be started is tried again, and ends what it must; a passage is refused meanwhile', async () => {
    const program = process.execPath
    process.execPath = '/nowhere'
    onTestFinished(() => {
      process.execPath = program
    })
    const keeper = createKeeper({ lease: () => undefined }, { warn() {} })
    onTestFinished(() => keeper.close())
    const { pid } = spawn('/bin/sleep', ['60'], { detached: true, stdio: 'ignore' })
    if (pid === undefined) throw new Error('no sleep')
    keeper.keep(pid, 'input/1')
    const to = { end: 'destination', addresses: [], port: 1, tls: null } as const
    await expect(keeper.openPassage(to, 'input/1')).rejects.toThrow('the keeper ended')
    expect(lives(pid)).toBe(true)
    process.execPath = program
    await after(() => !lives(pid))
  })
})

/** The keeper that this process has started; 0: none now. */
function keeperOf(parent: number): number {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ').map(Number)
  return children.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('keeper/child')) ?? 0
}
