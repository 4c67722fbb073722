import type { Sql, TransactionSql } from 'postgres'
import { invalid, notFound, uploadExpired, uploadReceived } from '../errors.ts'
import type { HttpRequest, Page } from '../http/message.ts'
import { createSeats } from '../waiting/seats.ts'
import { serviceTime } from '../waiting/service-time.ts'
import { hashUploadToken, uploadHeaders } from './uploads.ts'

/** Opened, and maybe received by now. */
export type OpenUpload = { id: number; owner: string; contentType: string; size: number; sha256: string }

export type UploadParts = {
  sql: Sql
  /** Stores the bytes; answers their size, undefined when they have another hash. Throws errors of `bytes`. */
  store(
    bytes: AsyncIterable<Uint8Array>,
    expected: { hash: string; maxBytes: number },
  ): Promise<{ size: number } | undefined>
  /** Looks at the file before it is used, by the kind of its owner. */
  inspect: Readonly<Record<string, (upload: OpenUpload) => Promise<void>>>
  /** Writes in the commit that receives the file, by the kind of its owner. */
  received: Readonly<Record<string, (tx: TransactionSql, upload: OpenUpload) => Promise<void>>>
  /** Called after a commit that noted something. */
  noted(): void
  /** Gives up a wait for the database. */
  within<T>(work: Promise<T>): Promise<T>
}

/** How many may be under way on one node. A client may send all files of a bundle at once: the others wait. */
const AT_ONCE = { seats: 64, waiting: 2_000, waitMs: 8_000 }

type Row = OpenUpload & { state: string; expiresAt: Date }

/**
 * Takes the one file of each upload at its signed address, exactly the bytes that were declared. A PUT that fails leaves
 * the upload open; of several at once, one is received. spec: Teams 4
 */
export function uploadPages({ sql, store, inspect, received, noted, within }: UploadParts): Page[] {
  const underWay = new Set<number>()
  const admitted = createSeats(AT_ONCE)

  const find = async (token: string): Promise<Row> => {
    const [row] = await within(
      sql<Row[]>`
        select id, owner, content_type as "contentType", size, sha256, state, expires_at as "expiresAt"
        from upload where token_hash = ${hashUploadToken(token)}`.execute(),
    )
    if (!row) throw notFound()
    return row
  }

  const receive = async (request: HttpRequest, upload: Row) => {
    const { id, size, sha256, owner } = upload
    const bytes = untilExpired(request.chunks(size), upload)
    const stored = await store(bytes, { hash: sha256, maxBytes: size })
    if (stored?.size !== size) throw invalid({ body: { message: `expected ${size} bytes with the SHA-256 ${sha256}` } })
    const kind = owner.split('/')[0] ?? ''
    await inspect[kind]?.(upload)
    const note = received[kind]
    await within(
      sql.begin(async (tx) => {
        const rows = await tx`
          update upload set state = 'received'
          where id = ${id} and sha256 = ${sha256} and state = 'opened' and expires_at > clock_timestamp()
          returning id`
        if (rows.length === 0) throw uploadReceived()
        await note?.(tx, upload)
      }),
    )
    if (note) noted()
  }

  const take = async (request: HttpRequest, token: string) => {
    const upload = await find(token)
    if (upload.state !== 'opened') throw uploadReceived()
    if (upload.expiresAt.getTime() <= serviceTime()) throw uploadExpired()
    checkHeaders(request, upload)
    if (underWay.has(upload.id)) throw uploadReceived()
    underWay.add(upload.id)
    try {
      await receive(request, upload)
    } finally {
      underWay.delete(upload.id)
    }
    return upload
  }

  return [
    {
      path: '/rest/v1/uploads/{token}',
      methods: ['PUT'],
      unhurried: true,
      async handle(request, { token = '' }) {
        const upload = await admitted(() => take(request, token))
        return {
          status: 200,
          headers: {
            'Content-Type': 'application/json',
            'Cache-Control': 'no-store',
            'Access-Control-Allow-Origin': '*',
          },
          body: JSON.stringify({ uploadId: upload.id, size: upload.size, sha256: upload.sha256 }),
        }
      },
    },
  ]
}

/** A client that sends one byte now and then holds its place no longer than the upload is open. */
async function* untilExpired(chunks: AsyncIterable<Buffer>, { expiresAt }: Row) {
  for await (const chunk of chunks) {
    if (expiresAt.getTime() <= serviceTime()) throw uploadExpired()
    yield chunk
  }
}

/** Without parameters, which some clients add to a type. */
const essence = (value: string) => value.split(';')[0]?.trim().toLowerCase()

function checkHeaders(request: HttpRequest, upload: Row) {
  // a file of no particular type may be said to be of any
  const wrong = Object.entries(uploadHeaders(upload)).filter(
    ([name, value]) => value !== '' && essence(request.header(name)) !== essence(value),
  )
  if (wrong.length > 0)
    throw invalid(
      Object.fromEntries(wrong.map(([name, value]) => [`header.${name}`, { message: `expected ${value}` }])),
    )
}
