import { execFile } from 'node:child_process'
import { readdir, readlink } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
const LOOK_EACH_MS = 1_000
/** A connection that has data and sent none of it for so long is stalled: its far end takes nothing. */
const STALLED_MS = 3_000

export interface SocketStalls {
  /** Whether stalls are seen here, as far as it is known. */
  sees(): boolean
  /** Calls `stalled` when a TCP connection of this process to this port stands still. Returns how to stop watching. */
  watch(pid: number, port: number, stalled: () => void): () => void
}

/**
 * Sees a far end that takes no more data long before the buffers in between are full, by asking the kernel (Linux, `ss`). One
 * look a second for all; where nobody can be asked, nothing is ever told.
 */
export function watchSockets(
  look: (ports: readonly number[]) => Promise<readonly string[]> = stalledInodes,
): SocketStalls {
  const watched = new Set<{ pid: number; port: number; stalled: () => void }>()
  let timer: NodeJS.Timeout | undefined
  let looking = false
  let blind = process.platform !== 'linux'

  const turn = async () => {
    if (looking) return
    looking = true
    try {
      const inodes = await look([...new Set([...watched].map(({ port }) => port))])
      if (inodes.length === 0) return
      for (const entry of [...watched]) {
        const own = await socketsOf(entry.pid)
        if (watched.has(entry) && inodes.some((inode) => own.has(inode))) entry.stalled()
      }
    } catch (error) {
      // no `ss` here: bytes that stand still are seen by whoever counts them
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) return
      blind = true
      clearInterval(timer)
    } finally {
      looking = false
    }
  }

  return {
    sees: () => !blind,
    watch(pid, port, stalled) {
      if (blind) return () => {}
      const entry = { pid, port, stalled }
      watched.add(entry)
      timer ??= setInterval(() => void turn(), LOOK_EACH_MS)
      return () => {
        watched.delete(entry)
        if (watched.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}

async function stalledInodes(ports: readonly number[]): Promise<string[]> {
  const filter = ports.map((port) => `dport = :${port}`).join(' or ')
  const { stdout } = await run('ss', ['-tinHOe', 'state', 'established', `( ${filter} )`], { timeout: LOOK_EACH_MS })
  return stalledIn(stdout)
}

/** The inodes of the stalled connections that `ss -tinHOe` tells, one a line. */
export const stalledIn = (text: string): string[] =>
  text.split('\n').flatMap((line) => {
    const [inode, notSent, lastSent] = [/\bino:(\d+)/, /\bnotsent:(\d+)/, /\blastsnd:(\d+)/].map(
      (pattern) => pattern.exec(line)?.[1],
    )
    return inode !== undefined && Number(notSent ?? 0) > 0 && Number(lastSent ?? 0) > STALLED_MS ? [inode] : []
  })

async function socketsOf(pid: number): Promise<Set<string>> {
  const folder = `/proc/${pid}/fd`
  const names = await readdir(folder).catch(() => [])
  const links = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => '')))
  return new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []))
}
