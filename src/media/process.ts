import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import type { Keeper } from './keeper.ts'
import { END_WITHIN_MS, openPidFiles, type PidFiles, signal } from './pidfiles.ts'
import type { Ended } from './ports.ts'
import { usageOf } from './process-identity.ts'
import { redact, secretsOf } from './redact.ts'

/** Fields are numbers, names and redacted text; nothing secret. */
export type MediaLog = {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export type ChildSpec = {
  /** Its purpose, of a handful: `relay`, `pull`, `program`, `ingest`. Counts are kept by it. */
  kind: string
  /** Its owner: an id of a destination, stream or input, or a word. */
  of: number | string
  command: string
  /** URLs in them are kept out of logs and errors. */
  args: readonly string[]
  /** More secrets than the URLs of `args` hold. */
  secrets?: readonly string[]
  /** The words for an argument, such as `the destination` for its URL, where the child names it. */
  called?: Readonly<Record<string, string>>
  /** From descriptor 0 on; stderr, the third, is always read here. Left out: nothing to read, stdout piped. */
  stdio?: readonly ('ignore' | 'pipe' | 'ipc')[]
  /** Beside the few variables that every child gets; those of the server, which hold secrets, are not passed on. */
  env?: Readonly<Record<string, string>>
  /** The lease under which it runs: with the end of that it is ended, also while this process is frozen. */
  lease?: string | undefined
  /** Each line of stderr, redacted. */
  onLine?(line: string): void
}

export type Exit = Ended & { code: number | null; signal: string | null }

/** A child process. It ends with this process, however that ends. */
export interface Child {
  readonly name: string
  readonly pid: number | undefined
  /** Its streams and channel: `stdin`, `stdout`, `stdio[3]`, `send`. */
  readonly process: ChildProcess
  /** Resolves when it has ended; never rejects. A command that cannot be started is an end too. */
  readonly ended: Promise<Exit>
  /** The last lines of stderr, oldest first, redacted. */
  lines(): readonly string[]
  /** Asks it to end and forces it after 2 s, with all that it started. */
  stop(): Promise<Exit>
  /** Ends it at once, as if it had failed. */
  kill(): Promise<Exit>
}

export type ChildUsage = { kind: string; of: string; pid: number; cpuMs: number; rssBytes: number }

export interface Processes {
  start(spec: ChildSpec): Child
  /** Every running child with its processor time and memory. */
  usage(): Promise<ChildUsage[]>
  /** How many children of a kind were started, and how many of them ended without being asked to. */
  counts(): ReadonlyMap<string, { started: number; failed: number }>
  /** Ends all children; none can be started afterwards. */
  close(): Promise<void>
}

const LINES = 20
const LINE_LENGTH = 500
const PASSED_ON = [
  ...['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'FONTCONFIG_PATH', 'FONTCONFIG_FILE', 'XDG_RUNTIME_DIR'],
]

/**
 * Every child of the media plane is started here: with an argument list, never a shell; in a group of its own, so that a Ctrl-C
 * for the server does not end it first; killed by the kernel when this process dies (Linux); and remembered in `folder`, so that
 * one left behind is ended at the next start, which is done before this resolves.
 */
export async function openProcesses(folder: string, log: MediaLog, keeper?: Keeper): Promise<Processes> {
  const [pidFiles, leash] = await Promise.all([openPidFiles(folder), findLeash()])
  for (const name of await pidFiles.reap()) log.warn({ name }, 'media process left behind was ended')
  const running = new Map<Child, ChildSpec>()
  const counts = new Map<string, { started: number; failed: number }>()
  let closed = false

  return {
    start(spec) {
      if (closed) throw new Error('the media plane is closed')
      const count = counts.get(spec.kind) ?? { started: 0, failed: 0 }
      counts.set(spec.kind, count)
      count.started += 1
      const child = startChild(spec, leash, pidFiles)
      running.set(child, spec)
      const { name, pid } = child
      if (spec.lease !== undefined && pid !== undefined) keeper?.keep(pid, spec.lease)
      log.debug({ name, pid }, 'media process started')
      void child.ended.then(({ asked, code, signal, error }) => {
        running.delete(child)
        if (pid !== undefined) keeper?.forget(pid)
        if (asked) return log.debug({ name, pid }, 'media process stopped')
        count.failed += 1
        log.warn({ name, pid, code, signal, error }, 'media process ended')
      })
      return child
    },
    async usage() {
      const all = [...running].map(async ([{ pid }, { kind, of }]) => {
        const used = pid === undefined ? undefined : await usageOf(pid)
        return pid !== undefined && used ? [{ kind, of: String(of), pid, ...used }] : []
      })
      return (await Promise.all(all)).flat()
    },
    counts: () => counts,
    async close() {
      closed = true
      await Promise.all([...running.keys()].map((child) => child.stop()))
    },
  }
}

/** The command that makes the kernel end a child with its parent; it becomes the command itself, so the pid stays. */
async function findLeash(): Promise<readonly string[]> {
  if (process.platform !== 'linux') return []
  const leash = ['setpriv', '--pdeathsig', 'KILL', '--']
  const works = await promisify(execFile)('setpriv', [...leash.slice(1), 'true']).then(
    () => true,
    () => false,
  )
  return works ? leash : []
}

function startChild(spec: ChildSpec, leash: readonly string[], pidFiles: PidFiles): Child {
  const name = `${spec.kind}-${spec.of}`
  const clean = cleaner(spec)
  const [stdin = 'ignore', stdout = 'pipe', , ...more] = spec.stdio ?? []
  const [command = spec.command, ...args] = [...leash, spec.command, ...spec.args]
  const started = spawn(command, args, {
    stdio: [stdin, stdout, 'pipe', ...more],
    env: { ...passedOn(), ...spec.env },
    detached: true,
  })
  const { pid } = started
  if (pid !== undefined) pidFiles.remember(pid, name).catch(() => {})
  const lines = lastLines(started, clean, spec.onLine)
  let asked = false
  // writers to a child that has ended are told by its end
  for (const stream of started.stdio) stream?.on('error', () => {})

  const ended = new Promise<Exit>((resolve) => {
    const end = (code: number | null, by: string | null, reason: string) => {
      if (pid !== undefined) void pidFiles.forget(pid).catch(() => {})
      resolve({ asked, code, signal: by, error: clean(reason) })
    }
    // also messages to a child that was just about to end, each one anew
    started.on('error', (error) => {
      if (pid === undefined) end(null, null, error.message)
    })
    started.once('exit', (code, by) => {
      const how = by ? `ended by ${by}` : `ended with code ${code}`
      // its last lines are read a moment after it has ended
      void lines.complete().then(() => end(code, by, lines.all().at(-1) ?? how))
    })
  })

  return {
    name,
    pid,
    process: started,
    ended,
    lines: lines.all,
    stop() {
      asked = true
      if (pid === undefined || started.exitCode !== null || started.signalCode !== null) return ended
      signal(pid, 'SIGTERM')
      const force = setTimeout(() => signal(pid, 'SIGKILL'), END_WITHIN_MS)
      return ended.finally(() => clearTimeout(force))
    },
    kill() {
      if (pid !== undefined && started.exitCode === null && started.signalCode === null) signal(pid, 'SIGKILL')
      return ended
    },
  }
}

function cleaner({ args, secrets = [], called = {} }: ChildSpec): (text: string) => string {
  const all = [...secrets, ...secretsOf(args)]
  return (text) => {
    const named = Object.entries(called).reduce((line, [arg, name]) => line.replaceAll(arg, name), text)
    return redact(named, all)
  }
}

function lastLines({ stderr }: ChildProcess, clean: (text: string) => string, onLine?: (line: string) => void) {
  const kept: string[] = []
  let complete = Promise.resolve()
  if (stderr) {
    const reader = createInterface({ input: stderr, crlfDelay: Infinity })
    reader.on('line', (text) => {
      const line = clean(text).slice(0, LINE_LENGTH).trim()
      if (line === '') return
      kept.push(line)
      if (kept.length > LINES) kept.shift()
      onLine?.(line)
    })
    complete = new Promise((resolve) => reader.once('close', resolve))
  }
  // its own children may hold stderr open after it has ended
  const atMost = () => new Promise<void>((resolve) => setTimeout(resolve, 100))
  return { all: () => kept, complete: () => Promise.race([complete, atMost()]) }
}

function passedOn(): Record<string, string> {
  // biome-ignore lint/style/noProcessEnv: where a child finds its libraries; nothing of it is a setting of this server
  const own = process.env
  return Object.fromEntries(PASSED_ON.flatMap((name) => (own[name] === undefined ? [] : [[name, own[name]]])))
}
