import { readFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type Postgres from 'postgres'
import { REPAIRS } from './driver-repairs.ts'

// why there is a second driver, pg: docs/architecture.md
function load(): typeof Postgres {
  const require = createRequire(import.meta.url)
  const folder = dirname(require.resolve('postgres'))
  for (const [file, repairs] of Object.entries(REPAIRS)) {
    const path = join(folder, file)
    let source = readFileSync(path, 'utf8')
    for (const { fault, repair } of repairs) {
      if (source.split(fault).length !== 2)
        throw new Error(
          `postgres/${file} has changed: look for this fault in it, then write src/store/driver-repairs.ts anew:\n${fault}`,
        )
      source = source.replace(fault, () => repair)
    }
    const module = compilable(new Module(path))
    module.filename = path
    require.cache[path] = module
    module._compile(source, path)
    module.loaded = true
  }
  return require('postgres') as typeof Postgres
}

// the method that Node itself calls for a file it has read; missing in the types
const compilable = (module: NodeJS.Module) => module as NodeJS.Module & { _compile(source: string, path: string): void }

/** The PostgreSQL driver. Import it from here: nowhere else is it repaired. */
export const postgres = load()
