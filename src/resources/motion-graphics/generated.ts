import type { Sql } from 'postgres'
import { type FileBytes, HASH } from '../files.ts'

/** Stored files, and those that we write ourselves, by the SHA-256 of their bytes. */
export const withGenerated = (sql: Sql, files: FileBytes): FileBytes => ({
  async open(hash) {
    const stored = await files.open(hash)
    if (stored || !HASH.test(hash)) return stored
    const [row] = await sql<{ text: string }[]>`select text from generated_file where hash = ${hash}`
    if (!row) return undefined
    const bytes = Buffer.from(row.text)
    return { size: bytes.length, at: (offset) => bytes.subarray(offset) }
  },
})
