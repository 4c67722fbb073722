import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from 'postgres'
import type { LiveNode } from './leases.ts'

/** A node that has not beaten for so long, by the database's clock, was killed: one that lives beats each second. */
const SILENT_MS = 2_500
/** How soon to look again at a node with the same address. */
const AGAIN_MS = 100

/** A node as its row is now; `beat` differs after each of its beats. */
export type Beating = { readonly id: string; readonly url: string; readonly beat: string }

export const oneAddress = (id: string, url: string) =>
  `NODE_URL: the node ${id} is at ${url}, too: each node needs an address of its own.`

/** The other nodes at an address that have beaten lately and do not leave. */
export async function beatingAt(sql: Sql, { id, url }: { id: string; url: string }): Promise<readonly Beating[]> {
  const rows = await sql<Beating[]>`
    select id, url, beat_at::text as beat from node
    where id <> ${id} and leaving_at is null and beat_at > clock_timestamp() - ${SILENT_MS} * interval '1 millisecond'`
  return rows.filter((node) => isSame(node.url, url))
}

/** Resolves when no other node has the address; throws when one has. One that was killed a moment ago is known by its silence. */
export async function beAlone(ask: () => Promise<readonly Beating[]>): Promise<void> {
  for (let before: readonly Beating[] = []; ; await pause(AGAIN_MS)) {
    const there = await ask()
    const other = there.find(({ id, beat }) => before.some((known) => known.id === id && known.beat !== beat))
    if (other) throw new Error(oneAddress(other.id, other.url))
    if (there.length === 0) return
    before = there
  }
}

/** Of two nodes that came to one address at the same moment the one that stays, when it is not this one: both reckon the same. */
export const goesFirst = (nodes: readonly LiveNode[], { id, url }: { id: string; url: string }): LiveNode | undefined =>
  nodes.find((node) => node.id < id && !node.leaving && node.ageMs < SILENT_MS && isSame(node.url, url))

/** Host and port of a node's address, written with a scheme or without. */
const endpoint = (url: string) =>
  url
    .toLowerCase()
    .replace(/^\w+:\/\//, '')
    .replace(/\/$/, '')
const isSame = (one: string, other: string) => endpoint(one) === endpoint(other)
