import { chown, link, open, readdir, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** What is written and flushed at once: a commit that comes meanwhile shares the disk with no more than this. */
const PIECE_BYTES = 262_144
/** Between two pieces: some 10 MB in a second, half a minute for all. */
const PAUSE_MS = 25
const STOP_WITHIN_MS = 1_000
const SEGMENT = /^[0-9A-F]{24}$/

export type WalAheadOptions = {
  /** WAL files that the server shall have; its `min_wal_size` and `max_wal_size` hold as much. */
  files?: number
  /** A server that is only looked at for a moment does without. */
  afterMs?: number
  pauseMs?: number
  /** PostgreSQL stops when it finds no room for a WAL file, so none is made where less is free. */
  freeBytes?: number
}

export type WalAhead = {
  /** Once all are made, or none can be. Never rejects. */
  readonly done: Promise<void>
  stop(): Promise<void>
}

/**
 * Makes all the WAL files of a new server soon after its start. PostgreSQL makes a file when it needs one: it writes 4 MB of zeros
 * and flushes them while a commit waits, at 1,000 commands a second once a second, until a checkpoint hands the old files on. It
 * takes whatever file has the next name, as it does with those that a checkpoint hands on; so they are written beside it, piece by
 * piece, where no commit waits for any of its locks, and get their name when they are whole. Nothing depends on it: a server that
 * stops early goes on with the files that are there.
 */
export function keepWalAhead(
  clusterDir: string,
  { files = 64, afterMs = 8_000, pauseMs = PAUSE_MS, freeBytes = 2 * 2 ** 30 }: WalAheadOptions = {},
): WalAhead {
  const stopping = new AbortController()
  const { signal } = stopping
  const folder = join(clusterDir, 'pg_wal')
  // PostgreSQL itself deletes what a crash leaves under this name
  const unnamed = join(folder, `xlogtemp.${process.pid}`)

  const make = async () => {
    await delay(afterMs, undefined, { signal, ref: false })
    const there = await segmentsIn(folder)
    const lacking = files - there.length
    // a checkpoint may hand on one or two less
    if (lacking < files / 8) return
    const { size, uid, gid } = await stat(join(folder, there[0] ?? ''))
    for (let made = 0; made < lacking; made++) {
      const { bavail, bsize } = await statfs(folder)
      if (bavail * bsize < freeBytes) return
      await writeZeros(unnamed, size, () => delay(pauseMs, undefined, { signal, ref: false }))
      await chown(unnamed, uid, gid)
      // PostgreSQL may have gone on meanwhile
      const last = (await segmentsIn(folder)).at(-1)
      if (last) await link(unnamed, join(folder, nextSegment(last, size)))
      await rm(unnamed)
    }
    await flushFolder(folder)
  }

  const done = make()
    .catch(() => {})
    .then(() => rm(unnamed, { force: true }))
    .catch(() => {})
  return {
    done,
    async stop() {
      stopping.abort()
      // a disk that hangs may keep it from noticing
      await Promise.race([done, delay(STOP_WITHIN_MS, undefined, { ref: false })])
    },
  }
}

/** The name of the segment after this one: timeline, then the place in the log, whose lower half is of 4 GiB. */
export function nextSegment(name: string, segmentBytes: number): string {
  const perLog = BigInt(2 ** 32 / segmentBytes)
  const place = BigInt(`0x${name.slice(8, 16)}`) * perLog + BigInt(`0x${name.slice(16)}`) + 1n
  const hex = (part: bigint) => part.toString(16).toUpperCase().padStart(8, '0')
  return name.slice(0, 8) + hex(place / perLog) + hex(place % perLog)
}

const segmentsIn = async (folder: string) => (await readdir(folder)).filter((name) => SEGMENT.test(name)).sort()

async function writeZeros(path: string, bytes: number, pause: () => Promise<unknown>): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    const zeros = Buffer.alloc(PIECE_BYTES)
    for (let written = 0; written < bytes; written += PIECE_BYTES) {
      await file.write(zeros, 0, Math.min(PIECE_BYTES, bytes - written))
      await file.datasync()
      await pause()
    }
  } finally {
    await file.close()
  }
}

async function flushFolder(folder: string): Promise<void> {
  const opened = await open(folder)
  await opened.sync().finally(() => opened.close())
}
