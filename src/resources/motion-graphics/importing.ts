import { inspectRiv } from '../../motion/inspect.ts'
import { createParsing, type ParsingOptions } from '../../parsing/pool.ts'
import { createImports, type ImportParts } from './import-work.ts'

/** One archive at a time: somebody waits for it, but nothing on air does. */
const UNPACKING = { threads: 1, jobMs: 10_000, waitMs: 60_000 }

type Parts = Pick<ImportParts, 'sql' | 'blobs' | 'pictureOf' | 'systemContext'> & { log: ParsingOptions['log'] }

/** The parts that carry uploaded files into motion graphics, and look at their bytes. */
export function createImporting({ log, ...parts }: Parts) {
  const parsing = createParsing({ log, ...UNPACKING })
  const imports = createImports({ ...parts, parsing, inspect: inspectRiv })
  return { imports, close: () => parsing.close() }
}
