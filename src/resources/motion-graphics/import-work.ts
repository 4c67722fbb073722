import type { Sql } from 'postgres'
import type { UploadPhase } from '../../../machines/upload.ts'
import type { Context } from '../../context.ts'
import type { Candidate } from './candidate.ts'
import { candidateOf, type Declared, type Looking, reasonOf } from './import-candidates.ts'
import { couldTell } from './imports.commands.ts'

export type ImportParts = Looking & { sql: Sql; systemContext(organizationId: number, name: string): Context }

type ImportRow = Declared & { isApplied: boolean }

/** How long a candidate waits to be applied. */
const CANDIDATE_SECONDS = 86_400

/**
 * Takes an import as far as it goes: looks at the file that was received, notes that it was applied. A step that a
 * crash cut short is done again with the same result. Throws when it should be tried again.
 */
export function createImports(parts: ImportParts) {
  const { sql, systemContext } = parts

  const look = async (row: ImportRow, ctx: Context): Promise<void> => {
    const { jobId } = row
    if (!(await couldTell(ctx, jobId, { type: 'inspect' }))) return
    let candidate: Candidate
    try {
      candidate = await candidateOf(parts, row)
    } catch (error) {
      const reason = reasonOf(error)
      if (reason === undefined) throw error
      ctx.log.info({ jobId, reason }, 'a file cannot be used')
      await couldTell(ctx, jobId, { type: 'reject', reason })
      return
    }
    await sql`
      update motion_import set candidate = ${JSON.stringify(candidate)}::text::jsonb,
        expires_at = clock_timestamp() + make_interval(secs => ${CANDIDATE_SECONDS})
      where job_id = ${jobId} and candidate is null`
    await couldTell(ctx, jobId, { type: 'verify' })
  }

  const found = async (jobId: string): Promise<ImportRow | undefined> => {
    const [row] = await sql<ImportRow[]>`
      select job_id as "jobId", organization_id as "organizationId", asset_id as "assetId", filename, sha256,
        retain_source as "retainSource", selected_entry as "selectedEntry", applied_at is not null as "isApplied"
      from motion_import where job_id = ${jobId}`
    return row
  }

  return {
    async advance(jobId: string): Promise<void> {
      const row = await found(jobId)
      if (!row) return
      const ctx = systemContext(row.organizationId, 'imports')
      const phase = (await ctx.actors.read('upload', jobId))?.context.phase ?? 'new'
      if (row.isApplied) await couldTell(ctx, jobId, { type: 'use' })
      else if (EARLIER.has(phase) && (await couldTell(ctx, jobId, { type: 'receive' }))) await look(row, ctx)
      else if (phase === 'inspecting') await look(row, ctx)
    },
    /** Nobody will try again. */
    async giveUp(jobId: string): Promise<void> {
      const row = await found(jobId)
      if (!row) return
      const ctx = systemContext(row.organizationId, 'imports')
      await couldTell(ctx, jobId, { type: 'reject', reason: 'The file could not be looked at: upload it again' })
    },
  }
}
export type Imports = ReturnType<typeof createImports>

const EARLIER: ReadonlySet<UploadPhase> = new Set(['new', 'opened', 'received'])
