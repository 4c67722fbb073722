import { createHash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { HttpReply, Page } from './message.ts'

/** The question of an ingest server before it lets a client publish or read. */
const AccessQuestion = z.object({
  action: z.string(),
  path: z.string().default(''),
  protocol: z.string().default(''),
  password: z.string().default(''),
  ip: z.string().default(''),
  id: z.string().nullable().default(null),
})

const MAX_BYTES = 16_384
const HEADERS = { 'Cache-Control': 'no-store' }
const yes: HttpReply = { status: 204, headers: HEADERS, body: '' }
const no: HttpReply = { status: 403, headers: HEADERS, body: '' }
const notFound: HttpReply = { status: 404, headers: HEADERS, body: '' }

const digest = (text: string) => createHash('sha256').update(text).digest()

/**
 * Where an ingest server beside this one asks whether a client may publish or read: 204 or 403. The URL ends with a secret that
 * both share; without one there is no such page.
 */
export function ingestAccessPage(
  secret: string,
  permits: (question: z.output<typeof AccessQuestion>) => boolean,
): Page {
  const expected = digest(secret)
  return {
    path: '/internal/ingest/{secret}',
    methods: ['POST'],
    async handle(request, { secret: given = '' }) {
      if (!timingSafeEqual(digest(given), expected)) return notFound
      const body = await request.body(MAX_BYTES)
      const question = AccessQuestion.safeParse(parsed(body?.toString() ?? ''))
      return question.success && permits(question.data) ? yes : no
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
