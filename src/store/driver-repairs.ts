/** A piece of the driver's source, which must be there exactly once, and the piece that replaces it. */
export type Repair = { fault: string; repair: string }

/** As long as this process is young, its own start and the server's work for it share the cores: a slow connection is no lost one. */
const STARTING_S = 15
/** How long after the server itself should have cancelled a statement its connection counts as dead. */
const SILENCE_MS = 1_000

/**
 * Functions that are named before they are assigned: assigned where they are written, they kept every query with its parameters.
 * docs/performance.md: old space
 */
const QUERY: readonly Repair[] = [
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
  {
    // a cursor that failed while its rows were worked through would end as if they had been all
    fault: `          if (this.executed && !this.active)
            return { done: true }
`,
    repair: `          if (this.failure)
            return Promise.reject(this.failure)
          if (this.executed && !this.active)
            return { done: true }
`,
  },
  {
    fault: `            this.reject = x => (this.active = false, reject(x))
          })
`,
    repair: `            const fail = x => (this.active = false, this.failure = x, reject(x))
            this.reject = fail
          })
`,
  },
]

/**
 * Faults of the connection that end the process or leave a connection dead, and their repair: bytes written between the loss of a
 * socket and the next one are never sent, and bytes gathered for the old socket must not go to the new one
 * (porsager/postgres issues 1066, 1154, 1208); a server that is frozen or unplugged is waited for without end.
 */
const LOST: readonly Repair[] = [
  {
    fault: `function connectTimedOut() {\n`,
    repair: `function connectTimedOut() {\n    if (process.uptime() < ${STARTING_S}) return connectTimer.start()\n`,
  },
  {
    // a timer started anew by the callback of the old one must not be taken for it
    fault: `    fn.apply(null, args)\n    timer = null\n`,
    repair: `    timer = null\n    fn.apply(null, args)\n`,
  },
  {
    fault: `function nextWrite(fn) {\n`,
    repair: `function nextWrite(fn) {
    if (!socket) {
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options))
      options.host.length === 1 && forgetAnswer()
      return false
    }
`,
  },
  {
    fault: `incomings = null\n    clearImmediate(nextWriteTimer)\n`,
    repair: `incomings = null\n    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    owed = false\n`,
  },
  {
    // a proxy whose database is away accepts and closes at once: it is not asked a thousand times a second
    fault: `    if (initial)
      return reconnect()
`,
    repair: `    if (initial) {
      closedTime = performance.now()
      delay = (typeof backoff === 'function' ? backoff(++options.shared.retries) : backoff) * 1000
      return reconnect()
    }
`,
  },
  {
    // its last row may have paused the socket, and a stream that has ended never resumes it
    fault: `stream && stream.push(null)\n    stream = null\n`,
    repair: `stream && stream.push(null)\n    stream = null\n    socket && socket.resume()\n`,
  },
  {
    // the rows that were sent may be refused at their end: the caller that waits for the end must hear so
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

/**
 * Faults by which a connection kept its answers apart only as long as nothing went wrong. A statement that fails after its first
 * row left the count of its rows behind, so that those of the next one began after as many holes: no row where there was one. Now
 * everything of a statement ends with it, and a connection whose statement was cut off in its result, or was asked to be cancelled
 * (which may come late), answers the statements sent before and takes no others. An error before the first row costs no connection.
 */
const ANSWERS: readonly Repair[] = [
  {
    fault: `    terminate,\n    execute,\n`,
    repair: `    terminate,\n    retired,\n    execute,\n`,
  },
  {
    fault: `  function execute(q) {\n`,
    repair: `  // hoisted: what stands here is never reached
  var partial, spent

  function forgetAnswer() {
    query = results = errorResponse = final = null
    result = new Result()
    rows = 0
    partial = false
  }

  function park() {
    connection.queue.remove(connection)
    queues.full.push(connection)
    connection.queue = queues.full
  }

  function spend() {
    spent = true
    // in this queue it would be given more to answer
    connection.queue && connection.queue === queues.busy && park()
  }

  function retired() {
    if (!spent || !socket)
      return false
    park()
    socket.removeListener('data', data)
    socket.write(b().X().end())
    socket.destroySoon()
    return true
  }

  function execute(q) {
`,
  },
  {
    fault: `  async function cancel({ pid, secret }, resolve, reject) {\n`,
    repair: `  async function cancel(asked, resolve, reject) {\n    const { pid, secret } = asked\n    asked.cancelled = true\n`,
  },
  {
    // a query that cannot be written behind another is not sent, and takes no answer of others for its own
    fault: `      sent.length === 0 && write(Sync)\n`,
    repair: `      if (sent.remove(q))
        return queryError(q, error), true
      sent.length === 0 && write(Sync)
`,
  },
  {
    // a transaction that has nothing to do for a moment is not free for others
    fault: `    !query && onopen(connection)\n`,
    repair: `    !query && !connection.reserved && connection.queue === queues.full && onopen(connection)\n`,
  },
  {
    fault: `        query && (query.cursorFn || query.describeFirst) && write(Sync)\n`,
    repair: `        partial && spend()\n        query && (query.cursorFn || query.describeFirst) && write(Sync)\n`,
  },
  {
    fault: `    closedTime = performance.now()\n    hadError &&`,
    repair: `    // a connection that was given up is no sign of trouble
    closedTime = spent ? 0 : performance.now()
    spent = backend.cancelled = false
    forgetAnswer()
    hadError &&`,
  },
  {
    fault: `  function DataRow(x) {\n`,
    repair: `  function DataRow(x) {\n    if (!query)\n      return socket && socket.destroy()\n    partial = true\n`,
  },
  {
    fault: `  function CopyData(x) {\n`,
    repair: `  function CopyData(x) {\n    partial = true\n`,
  },
  {
    fault: `    rows = 0\n\n    for (`,
    repair: `    rows = 0\n    partial = false\n\n    for (`,
  },
  {
    // a cursor at its end has asked for its answer already; twice, and the second would be taken for that of the next query
    fault: `      (query.cursorFn || query.describeFirst) && write(Sync)
      errorResponse = Errors.postgres(parseError(x))
`,
    repair: `      (query.describeFirst || (query.cursorFn && !result.command)) && write(Sync)
      errorResponse = Errors.postgres(parseError(x))
      partial && spend()
`,
  },
  {
    fault: `    query = results = errorResponse = null\n    result = new Result()\n    connectTimer.cancel()\n`,
    repair: `    forgetAnswer()\n    backend.cancelled && spend()\n    connectTimer.cancel()\n`,
  },
  {
    // the caller that works through the rows may take longer than the connection lives
    fault: `    try {
      const x = await Promise.resolve(query.cursorFn(result))
      rows = 0
`,
    repair: `    const asked = query, from = socket
    try {
      const x = await Promise.resolve(asked.cursorFn(result))
      if (query !== asked || socket !== from)
        return
      rows = 0
`,
  },
  {
    fault: `      write(Sync)
      query.reject(err)
    }
`,
    repair: `      if (query === asked && socket === from)
        spend(), write(Sync)
      asked.reject(err)
    }
`,
  },
]

const POOL: readonly Repair[] = [
  {
    fault: `  function onopen(c) {\n`,
    repair: `  function onopen(c) {\n    if (c.retired())\n      return\n`,
  },
  {
    // begun behind a statement that was cut off then: nothing has been asked in it yet
    // the connection that was used last serves first: its statements are prepared, and the others may become idle and close
    fault: `      return go(open.shift(), query)\n`,
    repair: `      return go(open.pop(), query)\n`,
  },
  {
    fault: `[], { onexecute }).execute()\n`,
    repair: `[], { onexecute }).execute()\n      if (connection.retired())\n        return begin(options, fn)\n`,
  },
]

const QUEUE: readonly Repair[] = [
  {
    fault: `    push: (x) => (xs.push(x), x),\n`,
    repair: `    push: (x) => (xs.push(x), x),
    pop: () => {
      const last = xs.pop()
      if (index === xs.length)
        index = 0, xs = []
      return last
    },
`,
  },
]

/** By file of the driver, in the order in which they need one another. */
export const REPAIRS: Readonly<Record<string, readonly Repair[]>> = {
  'queue.js': QUEUE,
  'query.js': QUERY,
  'connection.js': [...LOST, ...ANSWERS],
  'index.js': POOL,
}
