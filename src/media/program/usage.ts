import { readdir, readFile } from 'node:fs/promises'
import { afterName } from '../process-identity.ts'

/** Processor time of a process since its start, and its memory now. */
type Used = { cpuMs: number; bytes: number }

export type Usage = {
  /** Of one core, since the look before. */
  cpuPercent: number | null
  /** Memory that several of them share counts once. */
  rssBytes: number | null
}

/** Looks at a process and all that it started, time after time. Knows nothing where there is no `/proc`. */
export function watchUsage(root: number): () => Promise<Usage> {
  let before = new Map<number, Used>()
  let lookedAt = performance.now()
  return async () => {
    const used = await usageOfTree(root)
    const now = performance.now()
    // a process that ended in between took its time with it
    const cpuMs = [...used].reduce((sum, [pid, { cpuMs }]) => sum + cpuMs - (before.get(pid)?.cpuMs ?? 0), 0)
    const bytes = [...used.values()].reduce((sum, one) => sum + one.bytes, 0)
    const isFirst = before.size === 0
    const spanMs = now - lookedAt
    before = used
    lookedAt = now
    if (used.size === 0) return { cpuPercent: null, rssBytes: null }
    return { cpuPercent: isFirst ? null : Math.round((cpuMs / spanMs) * 1_000) / 10, rssBytes: bytes }
  }
}

async function usageOfTree(root: number): Promise<Map<number, Used>> {
  const names = await readdir('/proc').catch(() => [])
  const pids = names.map(Number).filter(Number.isInteger)
  const all = new Map(
    (await Promise.all(pids.map(readStat))).flatMap((stat) => (stat === undefined ? [] : [[stat.pid, stat]])),
  )
  const tree = [...all.values()].filter(({ pid }) => descends(pid))
  function descends(pid: number): boolean {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = all.get(at)?.parent)
      if (at === root) return true
    return false
  }
  return new Map(
    await Promise.all(tree.map(async ({ pid, cpuMs }) => [pid, { cpuMs, bytes: await memoryOf(pid) }] as const)),
  )
}

async function readStat(pid: number) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return undefined
  const fields = afterName(stat)
  return { pid, parent: Number(fields[1]), cpuMs: (Number(fields[11]) + Number(fields[12])) * 10 }
}

/** Its share of the memory that it has in common with others, and all of its own. Of a browser's sandbox others see the latter only. */
async function memoryOf(pid: number): Promise<number> {
  const [rollup, status] = await Promise.all(
    ['smaps_rollup', 'status'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')),
  )
  const kb = /^Pss:\s+(\d+) kB/m.exec(rollup ?? '') ?? /^RssAnon:\s+(\d+) kB/m.exec(status ?? '')
  return Number(kb?.[1] ?? 0) * 1024
}
