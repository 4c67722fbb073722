import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** A client asks for the playlist every few seconds; one that did not for so long has gone. */
const CLIENT_GONE_MS = 10_000
const MAX_CLIENTS = 10_000
/** Segments that are kept in memory for all players that fetch them: a little more than a playlist lists. */
const KEPT_SEGMENTS = 8
const ASSUMED_KB = 3_000

const SEGMENT = /^(\d{1,20})\.ts$/
const CLIENT = /^[\w.:-]{1,64}$/

export const PLAYLIST = 'media.m3u8'

/** A pull destination over HLS: the files that ffmpeg writes, and the players that fetch them. */
export type HlsEntry = {
  /** Where ffmpeg writes the playlist and its segments. */
  readonly folder: string
  /** Written so far by ffmpeg; 0 until the playlist lists a segment. */
  bytes(): Promise<number>
  clients(): number
  /** Takes it off the shelf with all that was written. */
  close(): Promise<void>
}

/** HLS as it is fetched: only tokens of destinations that publish now are known. Undefined: there is no such thing. */
export interface HlsShelf {
  open(token: string, bitrateKb: () => number | null): Promise<HlsEntry>
  /** The playlist that a player is given first; it gives the player a name, by which it is counted. */
  index(token: string): string | undefined
  playlist(token: string, client: string): Promise<string | undefined>
  segment(token: string, file: string): Promise<Buffer | undefined>
}

type Shelved = {
  folder: string
  bitrateKb: () => number | null
  /** When it fetched the playlist last, by client. */
  seen: Map<string, number>
  segments: Map<string, Promise<Buffer | undefined>>
}

/** Keeps the files of HLS destinations below `root`, a folder for each token. */
export function createHlsShelf(root: string): HlsShelf {
  const shelf = new Map<string, Shelved>()

  return {
    async open(token, bitrateKb) {
      const folder = join(root, token)
      const entry: Shelved = { folder, bitrateKb, seen: new Map(), segments: new Map() }
      shelf.set(token, entry)
      // of a server that was killed, or of the try before
      const left = (await readdir(root).catch(() => [])).filter((name) => !shelf.has(name))
      for (const name of [...left, token]) await remove(join(root, name))
      await mkdir(folder, { recursive: true })
      return {
        folder,
        bytes: countBytes(folder),
        clients: () => clientsOf(entry),
        async close() {
          // the next relay with this token has begun anew in the same folder
          if (shelf.get(token) !== entry) return
          shelf.delete(token)
          await remove(folder)
        },
      }
    },

    index(token) {
      const entry = shelf.get(token)
      if (!entry) return undefined
      const bandwidth = Math.round((entry.bitrateKb() ?? ASSUMED_KB) * 1_200)
      const client = randomBytes(12).toString('base64url')
      return `#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth}\n${PLAYLIST}?sid=${client}\n`
    },

    async playlist(token, client) {
      const entry = shelf.get(token)
      if (!entry) return undefined
      const text = await readFile(join(entry.folder, PLAYLIST), 'utf8').catch(() => undefined)
      if (text !== undefined && CLIENT.test(client)) seen(entry, client)
      return text
    },

    async segment(token, file) {
      const entry = shelf.get(token)
      if (!entry || !SEGMENT.test(file)) return undefined
      const kept = entry.segments.get(file)
      if (kept) return kept
      const read = readFile(join(entry.folder, file)).catch(() => undefined)
      entry.segments.set(file, read)
      const [oldest] = entry.segments.keys()
      if (entry.segments.size > KEPT_SEGMENTS && oldest !== undefined) entry.segments.delete(oldest)
      // one that is not there may be written yet
      if ((await read) === undefined) entry.segments.delete(file)
      return read
    },
  }
}

function seen(entry: Shelved, client: string): void {
  if (entry.seen.size >= MAX_CLIENTS && !entry.seen.has(client)) clientsOf(entry)
  if (entry.seen.size < MAX_CLIENTS || entry.seen.has(client)) entry.seen.set(client, Date.now())
}

function clientsOf({ seen }: Shelved): number {
  const since = Date.now() - CLIENT_GONE_MS
  for (const [client, at] of seen) if (at < since) seen.delete(client)
  return seen.size
}

const remove = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 3 })

/** Adds up the bytes of segments, those that are deleted and the one being written too. */
function countBytes(folder: string): () => Promise<number> {
  const sizes = new Map<string, number>()
  let deleted = 0
  return async () => {
    const names = await readdir(folder)
    const now = new Map<string, number>()
    for (const name of names) {
      const segment = name.replace(/\.tmp$/, '')
      if (!SEGMENT.test(segment)) continue
      const size = (await stat(join(folder, name)).catch(() => undefined))?.size
      if (size !== undefined) now.set(segment, size)
    }
    for (const [segment, size] of sizes) if (!now.has(segment)) deleted += size
    sizes.clear()
    for (const [segment, size] of now) sizes.set(segment, size)
    const total = deleted + [...now.values()].reduce((sum, size) => sum + size, 0)
    return names.includes(PLAYLIST) ? total : 0
  }
}
