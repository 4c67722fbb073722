import { spawn } from 'node:child_process'
import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createServer, type Server } from '../../src/http/uws.ts'

/** As swagger.json, for a client that takes no compressed one. */
const document = Buffer.alloc(1_000_000, '{"tally":1}')
let documents = 0

let server: Server
let port: number
beforeAll(async () => {
  server = createServer({
    async handle({ path }) {
      if (path !== '/document') return { status: 200, headers: {}, body: '{}' }
      documents++
      return { status: 200, headers: {}, body: document }
    },
    sockets: [],
    log: pino({ level: 'silent' }),
  })
  port = await server.listen('127.0.0.1', 0)
})
afterAll(() => server.close())

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const probe = () =>
  new Promise<number>((resolve, reject) => {
    const since = performance.now()
    get({ port, host: '127.0.0.1', path: '/', agent }, (answer) =>
      answer.resume().on('end', () => resolve(performance.now() - since)),
    ).on('error', reject)
  })

const p99 = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN

/** slowhttptest: Node cannot be given a receive window of half a kilobyte, and it is that which costs the kernel time. */
const attack = () => [
  ...['-X', '-u', `http://127.0.0.1:${port}/document`],
  ...['-c', '500', '-r', '250', '-l', '4', '-k', '3', '-w', '512', '-y', '1024', '-n', '5', '-z', '32'],
]

test('hundreds who ask for a megabyte and read it a few bytes at a time hold up nobody', async () => {
  const child = spawn('slowhttptest', attack(), { stdio: 'ignore' })
  let ended = false
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('exit', (code) => {
      ended = true
      resolve(code)
    })
  })
  onTestFinished(() => {
    agent.destroy()
    child.kill('SIGKILL')
  })
  const waits: number[] = []
  while (!ended && child.pid !== undefined) {
    waits.push(await probe())
    // who asks again and again tells of many good moments and one bad one
    await pause(10)
  }
  expect(await exit).toBe(0)
  // the attack took place, on a busy machine too
  expect(documents).toBeGreaterThan(200)
  expect(p99(waits)).toBeLessThan(100)
  expect(Math.max(...waits)).toBeLessThan(300)
})
