import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { round } from './stats.ts'

/** The processes whose CPU time and memory to read: absent when the server runs elsewhere. `parts`: others, by name. */
export type Processes = { server?: number; postgres?: () => number[]; parts?: Readonly<Record<string, () => number[]>> }

/** CPU time per accepted trigger in microseconds, and the server's peak resident memory in MB. 0 where /proc is missing. */
export type ProcessCost = {
  serverMicros: number
  postgresMicros: number
  /** Cores busy with anything, and with processes that are not of this run. */
  machineBusy: number
  othersBusy: number
  serverMb: number
  /** Of the parts, in microseconds. */
  parts?: Record<string, number>
}

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** CPU time a process has used, in ms; a clock tick of Linux is 10 ms. */
export function cpuMs(pid: number): number {
  const stat = read(`/proc/${pid}/stat`)
  if (!stat) return 0
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Busy and total time of the machine since boot, in clock ticks. */
function machine(): { busy: number; total: number } {
  const ticks = (read('/proc/stat') ?? '').split('\n', 1)[0]?.split(/\s+/).slice(1, 9).map(Number) ?? []
  const total = ticks.reduce((sum, value) => sum + value, 0)
  return { total, busy: total - (ticks[3] ?? 0) - (ticks[4] ?? 0) }
}

/** Resident memory of one process in MB. */
export function residentMb(pid: number): number {
  const kb = /VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`) ?? '')?.[1]
  return round(Number(kb ?? 0) / 1024, 1)
}

/** Memory of several processes in MB with each shared page counted once. */
export function proportionalMb(pids: readonly number[]): number {
  const kb = pids.map((pid) => Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`) ?? '')?.[1] ?? 0))
  return round(kb.reduce((sum, value) => sum + value, 0) / 1024, 1)
}

/** Memory that is of these processes alone, in MB. */
export function privateMb(pids: readonly number[]): number {
  const kb = pids.map((pid) =>
    Number(/^Private_Dirty:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`) ?? '')?.[1] ?? 0),
  )
  return round(kb.reduce((sum, value) => sum + value, 0) / 1024, 1)
}

/** How often the threads of a process have gone to sleep and were woken. */
export function wakeUps(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => read(`/proc/${pid}/task/${thread}/status`) ?? '')
  return threads.reduce((sum, status) => sum + Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1] ?? 0), 0)
}

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => read(`/proc/${pid}/stat`)?.split(') ')[1]?.split(' ')[1] === String(parent))
    .map(Number)

/** Of the children of a process those whose title is wanted. */
export const processesOf = (parent: number, wants: (title: string) => boolean): number[] =>
  process.platform === 'linux' ? childrenOf(parent).filter((pid) => wants(read(`/proc/${pid}/cmdline`) ?? '')) : []

/** A process and its children. */
export const family = (parent: number): number[] => [parent, ...childrenOf(parent)]

/** Of the children of a process those whose command line says this, with all that descend from them; none where /proc is missing. */
export function descendants(parent: number, said: string): number[] {
  if (process.platform !== 'linux') return []
  const withAll = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(withAll)]
  return childrenOf(parent)
    .filter((pid) => read(`/proc/${pid}/cmdline`)?.includes(said))
    .flatMap(withAll)
}

type Spent = ReadonlyMap<number, number>

/** CPU time of each process so far, in ms. */
export const spentBy = (pids: (() => readonly number[]) | undefined): Spent =>
  new Map((pids?.() ?? []).map((pid) => [pid, cpuMs(pid)]))

/** CPU time since then, in ms. A process that ended meanwhile took its count along. */
export const grown = (before: Spent | undefined, after: Spent): number =>
  Array.from(after, ([pid, ms]) => ms - (before?.get(pid) ?? 0)).reduce((sum, ms) => sum + ms, 0)

/** Starts counting; the result, called with the number of triggers, says the cost of each. */
export function processCost({ server, postgres, parts }: Processes): (triggers: number) => ProcessCost {
  const spent = () => ({
    server: server === undefined ? 0 : cpuMs(server),
    postgres: spentBy(postgres),
    parts: Object.entries(parts ?? {}).map(([name, pids]) => [name, spentBy(pids)] as const),
    bench: (process.cpuUsage().user + process.cpuUsage().system) / 1000,
    machine: machine(),
    at: performance.now(),
  })
  const before = spent()
  return (triggers) => {
    const after = spent()
    const ofPostgres = grown(before.postgres, after.postgres)
    const ofParts = after.parts.map(([name, spent], i) => [name, grown(before.parts[i]?.[1], spent)] as const)
    const each = (ms: number) => (triggers > 0 ? round((ms * 1000) / triggers, 1) : 0)
    const cores = availableParallelism()
    const ticks = after.machine.total - before.machine.total
    const machineBusy = ticks > 0 ? ((after.machine.busy - before.machine.busy) / ticks) * cores : 0
    const others = ofParts.reduce((sum, [, ms]) => sum + ms, 0)
    const own = after.server - before.server + ofPostgres + others + (after.bench - before.bench)
    return {
      serverMicros: each(after.server - before.server),
      postgresMicros: each(ofPostgres),
      machineBusy: round(machineBusy, 2),
      othersBusy: round(Math.max(0, machineBusy - own / (after.at - before.at)), 2),
      serverMb: server === undefined ? 0 : residentMb(server),
      ...(parts && { parts: Object.fromEntries(ofParts.map(([name, ms]) => [name, each(ms)])) }),
    }
  }
}
