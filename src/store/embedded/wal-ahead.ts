import { statfs } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { PostgresServer } from './postgres-server.ts'

/** Between two files, for the commits that wait meanwhile. */
const PAUSE_MS = 20
const STOP_WITHIN_MS = 1_000

export type WalAheadOptions = {
  /** WAL files of 4 MB that the server shall have; its `min_wal_size` and `max_wal_size` hold as much. */
  files?: number
  /** A server that is only looked at for a moment does without. */
  afterMs?: number
  /** PostgreSQL stops when it finds no room for a WAL file, so none is made where less is free. */
  freeBytes?: number
}

export type WalAhead = {
  /** Once all are made, or none can be. Never rejects. */
  readonly done: Promise<void>
  stop(): Promise<void>
}

/**
 * Has a new server make all its WAL files soon after the start. PostgreSQL makes a file when it needs one: it writes 4 MB of
 * zeros and flushes them while a commit waits, at 1,000 commands a second once a second, until a checkpoint hands the old files
 * on. Nothing depends on it: a server that stops early goes on with the files that are there.
 */
export function keepWalAhead(
  server: PostgresServer,
  dataDir: string,
  { files = 64, afterMs = 8_000, freeBytes = 2 * 2 ** 30 }: WalAheadOptions = {},
): WalAhead {
  const stopping = new AbortController()
  const { signal } = stopping

  const make = async () => {
    await delay(afterMs, undefined, { signal, ref: false })
    const { bavail, bsize } = await statfs(dataDir)
    if (bavail * bsize < freeBytes) return
    await server.use(async (client) => {
      const { rows } = await client.query<{ files: number }>(
        `select count(*)::int as files from pg_ls_waldir() where name ~ '^[0-9A-F]{24}$'`,
      )
      const lacking = files - (rows[0]?.files ?? files)
      // a checkpoint may hand on one or two less
      if (lacking < files / 8) return
      for (let made = 0; made < lacking; made++) {
        // a file without a record would not be left
        await client.query(`select pg_logical_emit_message(false, 'tally', ''), pg_switch_wal()`)
        await delay(PAUSE_MS, undefined, { signal })
      }
      await client.query('checkpoint')
    })
  }

  const done = make().catch(() => {})
  return {
    done,
    async stop() {
      stopping.abort()
      // a server that hangs may keep it from noticing
      await Promise.race([done, delay(STOP_WITHIN_MS, undefined, { ref: false })])
    },
  }
}
