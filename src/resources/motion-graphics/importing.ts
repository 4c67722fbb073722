import { inspectRiv } from '../../motion/inspect.ts'
import { createImports, type ImportParts } from './import-work.ts'

/** The parts that carry uploaded files into motion graphics, and look at their bytes. */
export const createImporting = (parts: Omit<ImportParts, 'inspect'>) => createImports({ ...parts, inspect: inspectRiv })
