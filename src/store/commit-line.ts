import type { Sql } from 'postgres'
import { ChangeRefused, CommitUnknown, RecordGone, type Ref, RowsLocked } from '../actors/journal.ts'
import { postgres } from './driver.ts'
import { isGone, isIdempotencyRace } from './postgres.ts'

/** `repeated`: the places, from 1, of those Idempotency-Keys of the statement that had a row. */
export type CommitRow = { moved: Ref[]; free: Ref[]; repeated: number[]; at: number }

/** A connection for commits: one at a time. */
export type CommitLine = {
  /** Throws RowsLocked, ChangeRefused, or CommitUnknown for everything else. */
  send(text: string, parameters: string[]): Promise<CommitRow>
  isThere(ref: Ref): Promise<boolean>
  close(): Promise<void>
}

const CLOSE_WITHIN_SECONDS = 1

/** A commit that has not answered within so many ms counts as unknown. */
export function openCommitLine(connect: () => Sql, withinMs: number): CommitLine {
  let sql = connect()
  /** A backend that does not answer may still commit later; its connection is of no more use. */
  const abandon = () => {
    void sql.end({ timeout: 0 }).catch(() => {})
    sql = connect()
  }
  const inTime = async <T>(answer: Promise<T>): Promise<T> => {
    let timer: NodeJS.Timeout | undefined
    try {
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new CommitUnknown('no answer to a commit')), withinMs)
      })
      return await Promise.race([answer, late])
    } catch (error) {
      if (error instanceof CommitUnknown) abandon()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    async send(text, parameters) {
      try {
        const [row] = await inTime(sql.unsafe<CommitRow[]>(text, parameters, { prepare: true }))
        if (row) return row
      } catch (error) {
        throw error instanceof CommitUnknown ? error : verdict(error)
      }
      abandon()
      throw new CommitUnknown('a commit without a result')
    },
    async isThere(ref) {
      const found = await inTime(sql`select from actor where ref = ${ref}`)
      return found.length > 0
    },
    close: () => sql.end({ timeout: CLOSE_WITHIN_SECONDS }),
  }
}

/** The meaning of a refusal by the server; after any other error the statement may or may not have been committed. */
function verdict(error: unknown): RowsLocked | ChangeRefused | CommitUnknown {
  if (isLocked(error)) return new RowsLocked('a commit waited for a lock in vain', { cause: error })
  // committed since this statement began to look: the next one sees it
  if (isIdempotencyRace(error)) return new RowsLocked('an Idempotency-Key was just taken', { cause: error })
  // going away (57), out of resources (53), read-only: worth another try, no verdict on the rows
  if (!(error instanceof postgres.PostgresError) || /^(57|53|08|40|25006)/.test(error.code))
    return new CommitUnknown('connection lost', { cause: error })
  if (isGone(error)) return new RecordGone('a record that the commit names is gone', { cause: error })
  return new ChangeRefused('the database refused a commit', { cause: error })
}

/** A lock that did not come in time, a deadlock, a conflict, a statement that was cancelled: the server says that nothing was written. */
export const isLocked = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && /^(55P03|40P01|40001|57014)$/.test(error.code)
