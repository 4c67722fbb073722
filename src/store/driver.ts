import { readFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type Postgres from 'postgres'

/** As long as this process is young, its own start and the server's work for it share the cores: a slow connection is no lost one. */
const STARTING_S = 15
/** How long after the server itself should have cancelled a statement its connection counts as dead. */
const SILENCE_MS = 1_000

/**
 * A function that is assigned to a property where it is written goes straight to V8's old space, and from there it kept every
 * query, with all its parameters, until the next major collection: a third of what the server allocates.
 */
const QUERY = [
  {
    fault: `    this.resolve = x => (this.active = false, resolve(x))
    this.reject = x => (this.active = false, reject(x))

    this.active = false
`,
    repair: `    const succeed = x => (this.active = false, resolve(x))
    const fail = x => (this.active = false, reject(x))
    this.resolve = succeed
    this.reject = fail

    this.active = false
`,
  },
]

/**
 * Faults of the connection that end the process or leave a connection dead, and their repair: what is written between the loss of a
 * socket and the next one is never sent, and what was gathered for the old socket must not go to the new one
 * (porsager/postgres issues 1066, 1154, 1208); a server that is frozen or unplugged is waited for without end.
 */
const CONNECTION = [
  {
    fault: `function connectTimedOut() {\n`,
    repair: `function connectTimedOut() {\n    if (process.uptime() < ${STARTING_S}) return connectTimer.start()\n`,
  },
  {
    // what starts a timer anew when it has run out must not be taken for the old one
    fault: `    fn.apply(null, args)\n    timer = null\n`,
    repair: `    timer = null\n    fn.apply(null, args)\n`,
  },
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
    repair: `incomings = null\n    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    owed = false\n`,
  },
  {
    // its last row may have paused the socket, and a stream that has ended never resumes it
    fault: `stream && stream.push(null)\n    stream = null\n`,
    repair: `stream && stream.push(null)\n    stream = null\n    socket && socket.resume()\n`,
  },
  {
    // the rows that were sent may be refused at their end: whoever waits for it must hear so
    fault: `final = callback\n        stream = null\n`,
    repair: `final = callback\n`,
  },
  {
    fault: `const x = socket.write(chunk, fn)\n`,
    repair: `const x = socket.write(chunk, fn)\n    owed || expectAnswer(query)\n`,
  },
  {
    fault: `function data(x) {\n`,
    repair: `// hoisted: what stands here is never reached
  var owed, overdue

  function expectAnswer(q) {
    const patience = options.connection.statement_timeout
    owed = !!(patience && q && !q.cursorFn && !stream)
    if (owed)
      overdue ? overdue.refresh() : (overdue = setTimeout(silence, patience + ${SILENCE_MS}).unref())
  }

  function silence() {
    // after a pause of this process the answer may be there, unread
    setImmediate(() => owed && socket && socket.destroy())
  }

  function data(x) {
    read(x)
    expectAnswer(query)
  }

  function read(x) {
`,
  },
]

const REPAIRS = { 'query.js': QUERY, 'connection.js': CONNECTION }

function load(): typeof Postgres {
  const require = createRequire(import.meta.url)
  const folder = dirname(require.resolve('postgres'))
  for (const [file, repairs] of Object.entries(REPAIRS)) {
    const path = join(folder, file)
    let source = readFileSync(path, 'utf8')
    for (const { fault, repair } of repairs) {
      if (source.split(fault).length !== 2) throw new Error('the repairs of the driver do not fit this version of it')
      source = source.replace(fault, repair)
    }
    const module = compilable(new Module(path))
    module.filename = path
    require.cache[path] = module
    module._compile(source, path)
    module.loaded = true
  }
  return require('postgres') as typeof Postgres
}

// what Node itself calls for a file it has read; missing in the types
const compilable = (module: NodeJS.Module) => module as NodeJS.Module & { _compile(source: string, path: string): void }

/** The PostgreSQL driver. Import it from here: nowhere else is it repaired. */
export const postgres = load()
