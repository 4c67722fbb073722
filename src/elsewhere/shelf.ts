import type { LiveFiles } from '../http/live-pages.ts'
import type { JoinedNode } from '../nodes/joined.ts'

const KIND = 'media shelf'
/** A player that is refused asks again, and has some seconds of video until then. */
const ANSWER_WITHIN_MS = 2_000
/** Tokens whose node is remembered. */
const KNOWN = 1_000
/** So many players at once may ask for a token that no node is known to have: the links are for commands, and anybody may make a token up. */
const SEARCHES = 32
/** Segments of other nodes that are kept for all players that fetch them here. */
const KEPT = 32

type Wanted =
  | { want: 'index'; token: string }
  | { want: 'playlist'; token: string; client: string }
  | { want: 'segment'; token: string; file: string }

/** HLS destinations of all nodes, by whichever one a player comes to: the files are where the stream runs, and players are counted there. */
export function shelfOfAll(node: JoinedNode, own: LiveFiles): LiveFiles {
  const here = async (wanted: Wanted): Promise<Buffer | string | undefined> => {
    if (wanted.want === 'index') return own.index(wanted.token)
    if (wanted.want === 'playlist') return own.playlist(wanted.token, wanted.client)
    return own.segment(wanted.token, wanted.file)
  }
  node.answer(KIND, async (head) => {
    const found = await here(head as Wanted)
    return { head: { found: found !== undefined }, body: typeof found === 'string' ? Buffer.from(found) : found }
  })

  /** By token, the node that last had a file of it. */
  const nodeOf = new Map<string, string>()
  let searches = 0
  const ask = async (id: string, wanted: Wanted): Promise<Buffer> => {
    const other = node.others().find((one) => one.id === id)
    if (!other) throw new Error('the node has left')
    const { head, body } = await node.ask(other, KIND, wanted, undefined, ANSWER_WITHIN_MS)
    if (!(head as { found: boolean }).found) throw new Error('it is not there')
    nodeOf.delete(wanted.token)
    nodeOf.set(wanted.token, id)
    const [oldest] = nodeOf.keys()
    if (nodeOf.size > KNOWN && oldest !== undefined) nodeOf.delete(oldest)
    return body
  }
  const elsewhere = async (wanted: Wanted): Promise<Buffer | undefined> => {
    const known = nodeOf.get(wanted.token)
    const found = known === undefined ? undefined : await ask(known, wanted).catch(() => undefined)
    if (found) return found
    // the stream moved, or nobody has fetched it here yet
    if (searches >= SEARCHES) return undefined
    searches++
    try {
      const others = node.others().filter(({ id }) => id !== known)
      return await Promise.any(others.map(({ id }) => ask(id, wanted))).catch(() => undefined)
    } finally {
      searches--
    }
  }

  const segments = new Map<string, Promise<Buffer | undefined>>()
  const segmentElsewhere = async (wanted: Extract<Wanted, { want: 'segment' }>): Promise<Buffer | undefined> => {
    const name = `${wanted.token}/${wanted.file}`
    const kept = segments.get(name)
    if (kept) return kept
    const asked = elsewhere(wanted)
    segments.set(name, asked)
    const [oldest] = segments.keys()
    if (segments.size > KEPT && oldest !== undefined) segments.delete(oldest)
    // a segment that is not there yet may be written later
    if ((await asked) === undefined) segments.delete(name)
    return asked
  }

  const text = async (wanted: Wanted) => (await here(wanted)) ?? (await elsewhere(wanted))
  return {
    index: async (token) => (await text({ want: 'index', token }))?.toString(),
    playlist: async (token, client) => (await text({ want: 'playlist', token, client }))?.toString(),
    segment: async (token, file) =>
      (await own.segment(token, file)) ?? segmentElsewhere({ want: 'segment', token, file }),
  }
}
