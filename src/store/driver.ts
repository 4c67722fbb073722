import { readFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type Postgres from 'postgres'

/**
 * Faults of the driver that end the process or leave a connection dead for half a minute, and their repair:
 * what is written between the loss of a socket and the next one is never sent, and what was gathered for the old socket
 * must not go to the new one (porsager/postgres issues 1066, 1154, 1208).
 */
const REPAIRS = [
  {
    fault: `function nextWrite(fn) {\n`,
    repair: `function nextWrite(fn) {
    if (!socket) {
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options))
      return false
    }
`,
  },
  {
    fault: `incomings = null\n    clearImmediate(nextWriteTimer)\n`,
    repair: `incomings = null\n    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n`,
  },
]

function load(): typeof Postgres {
  const require = createRequire(import.meta.url)
  const index = require.resolve('postgres')
  const path = join(dirname(index), 'connection.js')
  let source = readFileSync(path, 'utf8')
  for (const { fault, repair } of REPAIRS) {
    if (source.split(fault).length !== 2) throw new Error('the repairs of the driver do not fit this version of it')
    source = source.replace(fault, repair)
  }
  const connection = compilable(new Module(path))
  connection.filename = path
  connection._compile(source, path)
  connection.loaded = true
  require.cache[path] = connection
  return require('postgres') as typeof Postgres
}

// what Node itself calls for a file it has read; missing in the types
const compilable = (module: NodeJS.Module) => module as NodeJS.Module & { _compile(source: string, path: string): void }

/** The PostgreSQL driver. Import it from here: nowhere else is it repaired. */
export const postgres = load()
