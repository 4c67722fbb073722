import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { Context, ReadContext } from '../../context.ts'
import { owned } from '../ownership.ts'
import { page } from '../page.ts'
import type { StreamInput, StreamInputFilter } from './inputs.schema.ts'
import { hostOnly } from './urls.ts'

type Shape = z.output<typeof StreamInput>
type InputRow = Pick<Shape, 'id' | 'name' | 'type' | 'latencyMs'> & {
  organizationId: number
  secrets: string
  createdAt: Date
  updatedAt: Date
}

const columns = (sql: ISql) => sql`
  i.id, i.organization_id as "organizationId", i.name, i.type, i.secrets, i.latency_ms as "latencyMs", i.created_at as "createdAt", i.updated_at as "updatedAt"`

const NOTHING = { host: '', applicationName: '', streamKey: '', rtmpUrl: '', srtUrl: '' }

type Reading = ReadContext & Pick<Context, 'media' | 'scopes'>

/** A caller that may not change streams sees where video goes, and no secret by which to send or fetch it. */
function inputOf({ media, scopes, db }: Reading, row: Omit<InputRow, 'organizationId'>): Shape {
  const { id, name, type, latencyMs } = row
  const { streamKey, sourceUrl } = db.secrets.open('stream_input', id, row.secrets)
  const mayWrite = scopes.has('streams:write')
  const address = type === 'pull' ? NOTHING : media.address({ inputId: id, streamKey, latencyMs })
  return {
    id,
    name,
    type,
    ...address,
    ...(!mayWrite && { streamKey: '', srtUrl: hostOnly(address.srtUrl) }),
    sourceUrl: mayWrite ? sourceUrl : hostOnly(sourceUrl),
    latencyMs,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** The row of an own input. Throws notFound, or forbidden when it is another organization's. */
export async function getInputRow(ctx: ReadContext, inputId: number, sql: ISql = ctx.db.sql) {
  const [row] = await sql<InputRow[]>`select ${columns(sql)} from stream_input i where i.id = ${inputId}`
  return owned(ctx, row)
}

/** As `getInputRow`, with the addresses it is reached at. A command gives its transaction. spec: Streams 15 */
export const getInput = async (ctx: Reading, inputId: number, sql: ISql = ctx.db.sql): Promise<Shape> =>
  inputOf(ctx, await getInputRow(ctx, inputId, sql))

/** The organization's inputs by id. */
export async function listInputs(ctx: Reading, { type, ...paging }: z.output<typeof StreamInputFilter>) {
  const { sql } = ctx.db
  const { rows, total } = await page<InputRow>(sql, {
    select: columns(sql),
    from: sql`from stream_input i where i.organization_id = ${ctx.organizationId}
      ${type === undefined ? sql`` : sql`and i.type = ${type}`}`,
    source: 'i',
    ...paging,
  })
  return { inputs: rows.map((row) => inputOf(ctx, row)), total, returned: rows.length }
}
