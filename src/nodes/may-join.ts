import type { Sql } from 'postgres'
import { migrationFiles } from '../store/migrate.ts'
import { checkJoin } from './service.ts'
import { WORKS_BESIDE } from './versions.ts'

/** Throws one line when a node of this version must not serve beside those that do. */
export const mayJoin = async (sql: Sql) =>
  checkJoin(sql, { knows: (await migrationFiles()).at(-1) ?? '', worksBeside: WORKS_BESIDE })
