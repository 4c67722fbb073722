import { createHash } from 'node:crypto'
import { type Logger, pino } from 'pino'
import type { Context } from '../../src/context.ts'
import type { ApiKey } from '../../src/http/auth.ts'
import type { IdempotencyStore } from '../../src/http/idempotency.ts'
import type { HttpReply, HttpRequest } from '../../src/http/message.ts'
import { createLimiter } from '../../src/http/rate-limit.ts'
import { createRouter, type RouterParts } from '../../src/http/router.ts'
import { testContext } from './context.ts'

export type Sent = { headers?: Record<string, string>; body?: string | Buffer }

/** A request as the server would hand it over. `url` is the path with its query. */
export function httpRequest(method: string, url: string, { headers = {}, body = '' }: Sent = {}): HttpRequest {
  const [path = '', query = ''] = url.split('?')
  return {
    method,
    path,
    query,
    header: (name) => headers[name] ?? '',
    has: (name) => name in headers,
    remoteAddress: '127.0.0.1',
    body: async () => Buffer.from(body),
    chunks: async function* () {
      yield Buffer.from(body)
    },
  }
}

export const TEST_KEY = `service_${'k'.repeat(43)}`

/** A row of TEST_KEY, or of another key. */
export const apiKey = (parts: Partial<ApiKey> = {}, key = TEST_KEY): ApiKey => ({
  id: 1,
  organizationId: 1,
  name: 'test',
  hash: createHash('sha256').update(key).digest('hex'),
  scopes: ['teams:write', 'overlays:write', 'themes:read'],
  legacyAccess: null,
  expiresAt: null,
  ...parts,
})

/** Keeps the rows of Idempotency-Keys in memory. */
export function memoryIdempotency(): IdempotencyStore & {
  rows: Map<string, Awaited<ReturnType<IdempotencyStore['find']>>>
} {
  const rows = new Map<string, Awaited<ReturnType<IdempotencyStore['find']>>>()
  return {
    rows,
    find: async (organizationId, key) => rows.get(`${organizationId}:${key}`),
    store: async (organizationId, key, row) => void rows.set(`${organizationId}:${key}`, row),
  }
}

export type Told = { method: string; route: string; status: number }

/** A router on its own: TEST_KEY is the only key, the limiter is off; anything may be replaced. */
export function testRouter(parts: Partial<RouterParts> = {}) {
  const told: Told[] = []
  const key = apiKey()
  const router = createRouter({
    routes: [],
    pages: [],
    keyStore: { find: (hash) => (hash === key.hash ? key : undefined), used: () => {} },
    limiter: createLimiter({ enforced: false, perSecond: 100, burst: 300 }),
    idempotency: memoryIdempotency(),
    makeContext: (principal, requestId, idempotency): Context =>
      testContext(principal.organizationId, {
        requestId,
        scopes: principal.scopes,
        ...(idempotency && { idempotency }),
      }),
    isOutOfReach: () => false,
    publicUrl: () => 'http://localhost:8080',
    maxBodyBytes: 1_048_576,
    log: pino({ level: 'silent' }),
    metrics: {
      request: (method, route, status) => void told.push({ method, route, status }),
      authFailure: () => {},
      rateLimited: () => {},
    },
    ...parts,
  })
  const call = async (method: string, url: string, sent: Sent = {}): Promise<Answered> => {
    const reply = await router(
      httpRequest(method, url, { ...sent, headers: { authorization: `Bearer ${TEST_KEY}`, ...sent.headers } }),
    )
    return { ...reply, json: parsed(reply) }
  }
  return { router, call, told }
}

export type Answered = HttpReply & { json: Record<string, unknown> }

const parsed = ({ body }: HttpReply): Record<string, unknown> => {
  const text = String(body)
  return text.startsWith('{') ? JSON.parse(text) : { text }
}

/** A logger that keeps its lines. */
export function recordingLog(): { log: Logger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  return { log, lines }
}
