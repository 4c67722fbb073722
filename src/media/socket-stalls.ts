import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const LOOK_EACH_MS = 1_000
/** A connection that has data and sent none of it for so long is stalled: its far end takes nothing. */
const STALLED_MS = 3_000

export interface SocketStalls {
  /** Whether stalls are seen here, as far as it is known. */
  sees(): boolean
  /** Calls `stalled` when a TCP connection from one of these ports of this machine stands still. Returns how to stop watching. */
  watch(ports: () => readonly number[], stalled: () => void): () => void
}

/**
 * Sees a far end that takes no more data long before the buffers in between are full, by asking the kernel (Linux, `ss`). One
 * look a second for all; where there is no `ss`, no stall is ever told.
 */
export function watchSockets(
  look: (ports: readonly number[]) => Promise<readonly number[]> = stalledPorts,
): SocketStalls {
  const watched = new Set<{ ports: () => readonly number[]; stalled: () => void }>()
  let timer: NodeJS.Timeout | undefined
  let looking = false
  let blind = process.platform !== 'linux'

  const lookOnce = async () => {
    if (looking) return
    looking = true
    try {
      const asked = [...watched].flatMap(({ ports }) => ports())
      if (asked.length === 0) return
      const stalled = new Set(await look(asked))
      for (const entry of [...watched]) if (entry.ports().some((port) => stalled.has(port))) entry.stalled()
    } catch (error) {
      // no `ss` here: bytes that stand still are seen by the counters of each connection
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) return
      blind = true
      clearInterval(timer)
    } finally {
      looking = false
    }
  }

  return {
    sees: () => !blind,
    watch(ports, stalled) {
      if (blind) return () => {}
      const entry = { ports, stalled }
      watched.add(entry)
      timer ??= setInterval(() => void lookOnce(), LOOK_EACH_MS)
      return () => {
        watched.delete(entry)
        if (watched.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}

async function stalledPorts(ports: readonly number[]): Promise<number[]> {
  const filter = ports.map((port) => `sport = :${port}`).join(' or ')
  const { stdout } = await run('ss', ['-tinHO', 'state', 'established', `( ${filter} )`], { timeout: LOOK_EACH_MS })
  return stalledIn(stdout)
}

/** From which ports of this machine the stalled connections are that `ss -tinHO` tells, one a line. */
export const stalledIn = (text: string): number[] =>
  text.split('\n').flatMap((line) => {
    const [port, notSent, lastSent] = [/^\s*\d+\s+\d+\s+\S+:(\d+)\s/, /\bnotsent:(\d+)/, /\blastsnd:(\d+)/].map(
      (pattern) => pattern.exec(line)?.[1],
    )
    return port !== undefined && Number(notSent ?? 0) > 0 && Number(lastSent ?? 0) > STALLED_MS ? [Number(port)] : []
  })
