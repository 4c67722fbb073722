import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import type { Blobs } from '../store/blobs.ts'
import { within } from '../waiting/within.ts'

const EVERY_MS = 30_000
/** A file that no row names is swept some days after it was written last. */
const WRITTEN_EVERY = 120
/** Storage that answers later is as good as none. */
const READ_WITHIN_MS = 5_000

const probeOf = (node: string) => Buffer.from(`nodes/${node}\n`)

type ProbeParts = {
  id: string
  blobs: Pick<Blobs, 'put' | 'read'>
  /** The live nodes, this one too. */
  nodes(): readonly { readonly id: string }[]
  log: Logger
}

export type Probe = {
  /** Writes the file of this node. To be called before the node joins, since the others look for it from then on. */
  write(): Promise<void>
  /** Looks for the files of the others, from now on every 30 s. */
  start(): void
  look(): Promise<void>
  /** The nodes whose files cannot be read here. */
  unread(): readonly string[]
  close(): void
}

/** Finds nodes whose files are elsewhere: each writes one with its id, and the others look for that. cluster 8 */
export function createProbe({ id, blobs, nodes, log }: ProbeParts): Probe {
  let unread: readonly string[] = []
  let timer: NodeJS.Timeout | undefined
  let looks = 0

  const isRead = async (node: string) => {
    try {
      const hash = createHash('sha256').update(probeOf(node)).digest('hex')
      return (
        (await within(READ_WITHIN_MS, blobs.read(hash), () => new Error('the storage does not answer'))) !== undefined
      )
    } catch {
      return false
    }
  }
  const write = async () => {
    try {
      await blobs.put(probeOf(id))
    } catch (error) {
      log.warn({ err: error }, 'the file that other nodes look for could not be written')
    }
  }
  const look = async () => {
    if (++looks % WRITTEN_EVERY === 0) await write()
    const others = nodes().filter((node) => node.id !== id)
    const found = await Promise.all(others.map((node) => isRead(node.id)))
    const before = unread
    unread = others.filter((_, at) => !found[at]).map((node) => node.id)
    const added = unread.filter((node) => !before.includes(node))
    if (added.length > 0)
      log.error({ nodes: added }, 'files of other nodes cannot be read here: nodes need S3, or one DATA_DIR for all')
  }

  return {
    write,
    look,
    unread: () => unread.filter((node) => nodes().some(({ id: live }) => live === node)),
    start() {
      timer = setInterval(() => void look(), EVERY_MS)
      timer.unref()
      void look()
    },
    close: () => clearInterval(timer),
  }
}
