import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { Webhook } from 'standardwebhooks'
import { vi } from 'vitest'
import { webhookSchemas } from '../../src/resources/webhooks/events.schema.ts'

export type Received = {
  id: string
  type: string
  timestamp: string
  data: Record<string, unknown> & { sequence: number }
  headers: IncomingMessage['headers']
  raw: string
  /** When it was here, ms since 1970. */
  at: number
}

const ajv = new Ajv2020({ strict: false, validateFormats: false })
const validators = new Map(Object.entries(webhookSchemas()).map(([type, schema]) => [type, ajv.compile(schema)]))

/** Throws unless a body is as the served schema of its type says. */
export function checkBody(body: { readonly type: string }): void {
  const valid = validators.get(body.type)
  if (!valid) throw new Error(`no schema of ${body.type}`)
  const { type } = body
  if (!valid(body)) throw new Error(`${type}: ${ajv.errorsText(valid.errors)} ${JSON.stringify(body)}`)
}

export type Receiver = {
  readonly url: string
  /** Requests that were verified and taken, in the order in which they came. */
  readonly received: Received[]
  /** What was wrong with others. */
  readonly faults: string[]
  /** All requests, those that were not taken as well. */
  requests: number
  /** Verifies with this secret from now on. */
  trust(secret: string): void
  /** How requests are answered from now on; 204 unless said. */
  answer: (request: IncomingMessage, response: ServerResponse) => void
  /** Waits until this is true of what was received. */
  until(test: (received: readonly Received[]) => boolean, what?: string): Promise<void>
  close(): Promise<void>
}

/** Somebody's server, which verifies each delivery with the library of Standard Webhooks and with the served JSON Schemas. */
export async function webhookReceiver(): Promise<Receiver> {
  let verifier: Webhook | undefined
  const took = (response: ServerResponse) => response.writeHead(204).end()
  const receiver: Receiver = {
    url: '',
    received: [],
    faults: [],
    requests: 0,
    trust(secret) {
      verifier = new Webhook(secret)
    },
    answer: (_, response) => took(response),
    until: (test, what = 'deliveries') =>
      vi.waitFor(() => {
        if (!test(receiver.received)) throw new Error(`${what}: ${told(receiver)}`)
      }),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const server = createServer(async (request, response) => {
    receiver.requests++
    const at = Date.now()
    const raw = await text(request)
    try {
      const body = verifier?.verify(raw, {
        'webhook-id': String(request.headers['webhook-id']),
        'webhook-timestamp': String(request.headers['webhook-timestamp']),
        'webhook-signature': String(request.headers['webhook-signature']),
      }) as Received | undefined
      if (body) {
        checkBody(body)
        if (Buffer.byteLength(raw) >= 20_000) throw new Error('a body of 20 kB or more')
        const id = String(request.headers['webhook-id'])
        receiver.received.push({ ...body, id, headers: request.headers, raw, at })
      }
    } catch (error) {
      receiver.faults.push(String(error))
    }
    receiver.answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  Object.assign(receiver, { url: `http://127.0.0.1:${port}/hook` })
  return receiver
}

const told = ({ received, faults }: Receiver) =>
  JSON.stringify({ received: received.map(({ type, data }) => [type, data]), faults })
