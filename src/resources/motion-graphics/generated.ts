import type { Sql } from 'postgres'
import { type FileBytes, HASH } from '../files.ts'

/** Stored files, and those that we write ourselves, by the SHA-256 of their bytes. */
export const withGenerated = (sql: Sql, files: FileBytes): FileBytes => ({
  async read(hash) {
    const stored = await files.read(hash)
    if (stored || !HASH.test(hash)) return stored
    const [row] = await sql<{ text: string }[]>`select text from generated_file where hash = ${hash}`
    return row && Buffer.from(row.text)
  },
})
