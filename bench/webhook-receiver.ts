import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { parentPort } from 'node:worker_threads'

/** Sent once: where it listens. Webhook n is `/n`; one under `/dead` is never answered. */
export type Listening = { port: number }
/** `secrets`: to verify with, by webhook. Without any it says what came since it was asked last. */
export type ReceiverAsk = { secrets: readonly string[] } | { seen: true }
/** ms from the time that each event says until it was here; `unverified`: deliveries with another signature than the one of their secret. */
export type ReceiverSeen = { arrivals: Float32Array; unverified: number }

/** Of so many deliveries one is verified: it runs beside what it measures. */
const VERIFY_EVERY = 20

const arrivals: number[] = []
const secrets: Buffer[] = []
let unverified = 0

const server = createServer(async (request, response) => {
  const at = Date.now()
  const body = await text(request)
  if (request.url?.startsWith('/dead')) return
  response.writeHead(204).end()
  arrivals.push(at - Date.parse(JSON.parse(body).timestamp))
  if (arrivals.length % VERIFY_EVERY > 0) return
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature } = request.headers
  const secret = secrets[Number(request.url?.slice(1))] ?? Buffer.alloc(32)
  const right = `v1,${createHmac('sha256', secret).update(`${id}.${time}.${body}`).digest('base64')}`
  if (signature !== right) unverified++
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  parentPort?.postMessage({ port } satisfies Listening)
})

parentPort?.on('message', (ask: ReceiverAsk) => {
  if ('secrets' in ask) {
    secrets.push(...ask.secrets.map((secret) => Buffer.from(secret.slice('whsec_'.length), 'base64')))
    return
  }
  parentPort?.postMessage({ arrivals: Float32Array.from(arrivals.splice(0)), unverified } satisfies ReceiverSeen)
})
