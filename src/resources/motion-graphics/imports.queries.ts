import type { PendingQuery, Row, TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { UploadPhase } from '../../../machines/upload.ts'
import type { ReadContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { Candidate } from './candidate.ts'
import type { MotionImport } from './imports.schema.ts'
import { assetName, MOTION_FILE } from './sources.ts'

/** The ref of the actor of an import, which is its upload. */
export const uploadRef = (jobId: string) => `upload/${jobId}` as const
/** The ref of an import, by which the address of its bytes knows it. */
export const importRef = (jobId: string) => `import/${jobId}`

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

type Shown = z.output<typeof MotionImport>
type ImportRow = {
  jobId: string
  candidateId: string
  graphicId: string
  assetId: string | null
  candidate: unknown
  isApplied: boolean
  isReceived: boolean
  isOver: boolean
  phase: UploadPhase | null
  error: string | null
  createdAt: Date
  expiresAt: Date
}

/** An import with its state, and the candidate of its file. */
export type FoundImport = Omit<Shown, 'assets' | 'assetId' | 'createdAt' | 'expiresAt'> &
  Pick<ImportRow, 'assetId' | 'createdAt' | 'expiresAt'> & { candidate: Candidate | null }

/** Throws notFound for one that is not there, or not of this theme of the organization. */
export async function findImport(
  { organizationId }: Pick<ReadContext, 'organizationId'>,
  sql: ReadContext['db']['sql'] | TransactionSql,
  { themeId, jobId }: { themeId: number; jobId: string },
): Promise<FoundImport> {
  // a column of this type takes nothing else
  if (!UUID.test(jobId)) throw notFound()
  const [row] = await sql<ImportRow[]>`
    select i.job_id as "jobId", i.candidate_id as "candidateId", i.graphic_id as "graphicId", i.asset_id as "assetId",
      i.candidate, i.applied_at is not null as "isApplied", i.expires_at <= clock_timestamp() as "isOver",
      coalesce(u.state = 'received', false) as "isReceived", i.created_at as "createdAt", i.expires_at as "expiresAt",
      a.snapshot->'context'->>'phase' as phase, a.snapshot->'context'->>'error' as error
    from motion_import i
    join graphic g on g.id = i.graphic_id
    left join upload u on u.owner = 'import/' || i.job_id and u.session_id is null
    left join actor a on a.ref = 'upload/' || i.job_id
    where i.job_id = ${jobId} and g.theme_id = ${themeId} and i.organization_id = ${organizationId}`
  if (!row) throw notFound()
  const { isApplied: _, isReceived: __, isOver: ___, phase: ____, candidate, ...found } = row
  return { ...found, state: stateOf(row), candidate: candidate === null ? null : Candidate.parse(candidate) }
}

function stateOf({ phase, isApplied, isReceived, isOver }: ImportRow): Shown['state'] {
  if (isApplied) return 'applied'
  switch (phase) {
    case 'received':
      return 'uploaded'
    case 'inspecting':
      return 'validating'
    case 'verified':
      return isOver ? 'expired' : 'ready'
    case 'rejected':
      return 'failed'
    case 'used':
      return 'applied'
    case 'expired':
      return 'expired'
    default:
      // the bytes may be there before the actor hears of them
      return isReceived ? 'uploaded' : isOver ? 'expired' : 'pending'
  }
}

/** How far an import is. Throws notFound. domain 5.12 */
export async function getImport(ctx: ReadContext, path: { themeId: number; jobId: string }): Promise<Shown> {
  const { candidate, assetId, createdAt, expiresAt, ...found } = await findImport(ctx, ctx.db.sql, path)
  return {
    ...found,
    assetId: assetId ?? MOTION_FILE,
    assets: candidate?.kind === 'motion' ? assetsOf(candidate) : [],
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }
}

function assetsOf({ motion, assets }: Extract<Candidate, { kind: 'motion' }>): Shown['assets'] {
  const brought = new Set(assets.map(({ uniqueFileName }) => assetName(uniqueFileName)))
  return (motion?.assets ?? []).map(({ id, name, type, uniqueFileName, embedded }) => ({
    id,
    name,
    type,
    uniqueFileName,
    unresolved: !embedded && !brought.has(assetName(uniqueFileName)),
  }))
}

/** How many files wait to be looked at, of everybody. */
export async function waitingImports(sql: ReadContext['db']['sql'] | TransactionSql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from outbox where kind = 'job' and payload ->> 'name' = 'motion-import'`
  return row?.count ?? 0
}

/** Deletes imports with their actors, timers and addresses; files that were applied stay so. */
export async function deleteImports(tx: TransactionSql, which: PendingQuery<Row[]>): Promise<void> {
  const rows = await tx<{ jobId: string }[]>`delete from motion_import where ${which} returning job_id as "jobId"`
  const refs = rows.map(({ jobId }) => uploadRef(jobId))
  await tx`delete from actor where ref = any(${refs})`
  await tx`delete from timer where ref = any(${refs})`
  await tx`delete from upload where session_id is null and owner = any(${rows.map(({ jobId }) => importRef(jobId))})`
}

/** Asks for a look at a file, in the commit that receives it. */
export async function noteReceived(tx: TransactionSql, { owner }: { owner: string }): Promise<void> {
  const jobId = owner.slice('import/'.length)
  await tx`
    insert into outbox (kind, payload)
    values ('job', json_build_object('name', 'motion-import', 'data', json_build_object('jobId', ${jobId}::text)))`
}
