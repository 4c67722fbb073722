import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createThreadSender } from '../../src/webhooks/sender.ts'
import { webhookReceiver } from '../support/webhook-receiver.ts'

const secretOf = (nth: number) => `whsec_${Buffer.alloc(32, nth).toString('base64')}`
const endpoint = (url: string, nth = 7) => ({
  ...{ id: nth, organizationId: 1, url, isFailing: false },
  keys: [{ secret: secretOf(nth), until: Number.POSITIVE_INFINITY }],
})
const message = { eventId: 'msg_1', body: '{"type":"webhook.test","timestamp":"2026-11-27T00:00:00.000Z","data":{}}' }

function senderBy(code?: string) {
  const failures: object[] = []
  const sender = createThreadSender({
    isPrivateAllowed: true,
    ...(code !== undefined && { module: new URL(`data:text/javascript,${encodeURIComponent(code)}`) }),
    log: { error: (found: object) => void failures.push(found) },
  })
  onTestFinished(() => sender.close())
  return { sender, failures }
}

describe('[issue 20.3] the thread that sends', () => {
  test('signs for each endpoint with its own secret, and says how each attempt went', async () => {
    const receiver = await webhookReceiver()
    onTestFinished(() => receiver.close())
    const verified: string[] = []
    receiver.answer = (request, response) => {
      const nth = Number(request.url?.split('/').at(-1))
      new Webhook(secretOf(nth)).verify(message.body, request.headers as Record<string, string>)
      verified.push(String(nth))
      response.writeHead(nth % 2 === 0 ? 204 : 500).end()
    }
    const { sender } = senderBy()
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, nth) => sender.send(endpoint(`${receiver.url}/${nth + 1}`, nth + 1), message)),
    )
    expect(made.map((attempt) => attempt?.status)).toEqual(made.map((_, nth) => (nth % 2 === 0 ? 500 : 204)))
    expect(made.map((attempt) => attempt?.error)).toEqual(made.map((_, nth) => (nth % 2 === 0 ? 'answered 500' : null)))
    expect(new Set(verified).size).toBe(40)
  })

  test('is started again when it ends, and sends what it had', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tally-sender-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const { sender } = senderBy(`
      import { mkdirSync } from 'node:fs'
      import { parentPort } from 'node:worker_threads'
      const taken = { at: 1, status: 204, ms: 1, error: null, retryAfterMs: 0 }
      parentPort.on('message', ({ sends }) => {
        try { mkdirSync(${JSON.stringify(join(folder, 'first'))}) } catch {
          return parentPort.postMessage(sends.map(({ nth }) => [nth, taken]))
        }
        process.exit(1)
      })`)
    const made = await Promise.all([1, 2, 3].map((nth) => sender.send(endpoint('http://127.0.0.1:1/', nth), message)))
    expect(made.map((attempt) => attempt?.status)).toEqual([204, 204, 204])
  })

  test('gives up an attempt under which thread after thread ends, and what is under way when it is closed', async () => {
    const { sender, failures } = senderBy(`
      import { parentPort } from 'node:worker_threads'
      parentPort.on('message', () => { throw new Error('broken') })`)
    expect(await sender.send(endpoint('http://127.0.0.1:1/'), message)).toMatchObject({
      status: null,
      error: 'could not be sent',
    })
    expect(failures.length).toBeGreaterThan(1)
    const silent = senderBy(`import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => {})`)
    const waiting = silent.sender.send(endpoint('http://127.0.0.1:1/'), message)
    await silent.sender.close()
    expect(await waiting).toBeUndefined()
    expect(await silent.sender.send(endpoint('http://127.0.0.1:1/'), message)).toBeUndefined()
  })
})
