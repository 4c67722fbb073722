import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import type { LookupFunction } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createNames } from '../../src/store/names.ts'
import { temporaryDirectory } from '../support/directory.ts'

type Answer = { code: number; addresses: string[] }

/** Answers a question for the addresses of IPv4 with these; undefined: with silence. */
async function nameServer(answerFor: (hostname: string) => Answer | undefined | Promise<Answer>) {
  const server = createSocket('udp4')
  const asked: string[] = []
  server.on('message', async (question, { address, port }) => {
    const labels: string[] = []
    let at = 12
    for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
      labels.push(question.toString('latin1', at + 1, at + 1 + length))
      at += length + 1
    }
    const hostname = labels.join('.').toLowerCase()
    asked.push(hostname)
    const answer = await answerFor(hostname)
    if (!answer) return
    const isV4 = question.readUInt16BE(at + 1) === 1
    const addresses = isV4 ? answer.addresses : []
    const head = Buffer.from(question.subarray(0, 12))
    head.writeUInt16BE(0x8180 | answer.code, 2)
    head.writeUInt16BE(addresses.length, 6)
    head.writeUInt32BE(0, 8)
    const records = addresses.map((one) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...one.split('.').map(Number)]),
    )
    server.send(Buffer.concat([head, question.subarray(12, at + 5), ...records]), port, address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { asked, servers: [`127.0.0.1:${server.address().port}`] }
}

const ask = (lookup: LookupFunction, hostname: string) =>
  new Promise<{ code: string | undefined; found: unknown }>((resolve) =>
    lookup(hostname, { all: true }, (error, found) => resolve({ code: error?.code, found })),
  )
const noSystem: LookupFunction = () => {
  throw new Error('the system was asked')
}

describe('[issue 20.3] names of hosts', () => {
  test('a dozen whose name server is silent hold up neither others nor files', async () => {
    let speak: (answer: Answer) => void = () => {}
    const atLast = new Promise<Answer>((resolve) => {
      speak = resolve
    })
    const { servers, asked } = await nameServer((hostname) =>
      hostname.startsWith('dead') ? atLast : { code: 0, addresses: ['203.0.113.7'] },
    )
    const lookup = createNames({ servers, withinMs: 60_000, system: noSystem })
    let over = 0
    const dead = Array.from({ length: 12 }, (_, nth) => ask(lookup, `dead${nth}.example`).finally(() => over++))
    expect(await ask(lookup, 'alive.example')).toEqual({
      code: undefined,
      found: [{ address: '203.0.113.7', family: 4 }],
    })
    await readFile(import.meta.filename)
    expect(over).toBe(0)
    expect(asked).toContain('alive.example')
    speak({ code: 0, addresses: ['203.0.113.8'] })
    for (const one of dead) expect((await one).found).toEqual([{ address: '203.0.113.8', family: 4 }])
  })

  test('one whose name server stays silent is given up', async () => {
    const { servers } = await nameServer(() => undefined)
    expect((await ask(createNames({ servers, withinMs: 50, system: noSystem }), 'dead.example')).code).toBe('ETIMEOUT')
  })

  test('one that no name server knows is left to the system, as are those of the network at hand', async () => {
    const { servers, asked } = await nameServer(() => ({ code: 3, addresses: [] }))
    const left: string[] = []
    const system: LookupFunction = (hostname, _options, callback) => {
      left.push(hostname)
      callback(null, [{ address: '10.0.0.7', family: 4 }])
    }
    const lookup = createNames({ servers, system })
    for (const hostname of ['tally.lan.example', 'localhost', 'studio', 'studio.local'])
      expect((await ask(lookup, hostname)).found).toEqual([{ address: '10.0.0.7', family: 4 }])
    expect(left).toEqual(['tally.lan.example', 'localhost', 'studio', 'studio.local'])
    expect(new Set(asked)).toEqual(new Set(['tally.lan.example']))
  })

  test('one in the list of hosts of this machine is left to the system, whatever name servers say', async () => {
    const { servers, asked } = await nameServer(() => ({ code: 0, addresses: ['203.0.113.7'] }))
    const hosts = join(temporaryDirectory(), 'hosts')
    await writeFile(hosts, '127.0.0.1\tlocalhost\n# 10.0.0.8 other.example\n10.0.0.7  Hooks.Example hooks # pinned\n')
    const system: LookupFunction = (_hostname, _options, callback) =>
      callback(null, [{ address: '10.0.0.7', family: 4 }])
    const lookup = createNames({ servers, system, hosts })
    for (const hostname of ['hooks.example', 'HOOKS.example.'])
      expect((await ask(lookup, hostname)).found).toEqual([{ address: '10.0.0.7', family: 4 }])
    expect((await ask(lookup, 'other.example')).found).toEqual([{ address: '203.0.113.7', family: 4 }])
    expect(new Set(asked)).toEqual(new Set(['other.example']))
  })

  test('a name server that fails is told as that', async () => {
    const { servers } = await nameServer(() => ({ code: 2, addresses: [] }))
    expect((await ask(createNames({ servers, withinMs: 300, system: noSystem }), 'broken.example')).code).toBe(
      'ESERVFAIL',
    )
  })
})
