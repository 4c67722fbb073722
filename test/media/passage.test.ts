import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../bench/free-port.ts'
import { openPassage, type PassageTo } from '../../src/media/passage.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { tcpServer } from '../support/media.ts'

const HERE = { address: '127.0.0.1', family: 4 }
/** Of this machine, too; nobody listens there. */
const ELSEWHERE = { address: '127.0.0.3', family: 4 }

async function passage(to: Partial<PassageTo> & { port: number }) {
  const opened = await openPassage({ end: 'destination', addresses: [HERE], tls: null, ...to })
  onTestFinished(() => opened.close())
  return {
    ...opened,
    /** What comes back through it until it ends. */
    async through(text: string): Promise<string> {
      const near = connect(opened.port, '127.0.0.1')
      onTestFinished(() => void near.destroy())
      near.on('error', () => {})
      near.write(text)
      let answer = ''
      near.on('data', (chunk: Buffer) => {
        answer += chunk
      })
      await once(near, 'close')
      return answer
    },
  }
}

test('[issue 15.7] every connection leads to the checked addresses, the next one where one is down', async () => {
  const port = await tcpServer((socket) => socket.once('data', (data) => socket.end(`heard ${data}`)))
  const { through, fault, farPorts } = await passage({ port, addresses: [ELSEWHERE, HERE] })
  expect(await through('one')).toBe('heard one')
  expect(await through('two')).toBe('heard two')
  expect([fault(), farPorts()]).toEqual([undefined, []])
})

test('[issue 15.7] it says why nobody was reached', async () => {
  const closed = await passage({ port: await freePort() })
  expect(await closed.through('hello')).toBe('')
  expect(closed.fault()).toBe('The destination refused the connection')
  const port = await tcpServer((socket) => socket.end('no TLS is spoken here'))
  const plain = await passage({ port, tls: 'live.example', end: 'source' })
  expect(await plain.through('hello')).toBe('')
  expect(plain.fault()).toBe('The source speaks no TLS, or none that is understood here')
})

test.each([
  ['live.example', 'live.example'],
  ['127.0.0.1', false],
])('[issue 15.7] TLS to %s is told its name: %s', async (tls, told) => {
  const folder = temporaryDirectory()
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost', '-days', '2']
  expect(spawnSync('openssl', [...made, '-keyout', key, '-out', cert]).status).toBe(0)
  const names: (string | false | null)[] = []
  const server = createTlsServer({ key: readFileSync(key), cert: readFileSync(cert) }, (socket) => {
    names.push(socket.servername)
    socket.once('data', (data) => socket.end(`heard ${data}`))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { through } = await passage({ port: (server.address() as AddressInfo).port, tls })
  expect(await through('in secret')).toBe('heard in secret')
  expect(names).toEqual([told])
})

test('a far end that takes nothing holds a passage that is closed no longer than a moment', async () => {
  const server = createServer((socket) => void socket.pause())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port, farPorts, close } = await passage({ port: (server.address() as AddressInfo).port })
  const near = connect(port, '127.0.0.1')
  near.on('error', () => {})
  near.write(Buffer.alloc(20_000_000))
  await expect.poll(farPorts).toHaveLength(1)
  near.destroy()
  close()
  await expect.poll(farPorts).toEqual([])
})
