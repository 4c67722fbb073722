import type { IngestAddress, Media } from './media/ports.ts'
import type { JoinedNode } from './nodes/joined.ts'

/** What has processes somewhere. */
const RUNS = /^(input|stream-input|stream|stream-settings|destination|stream-destination|overlay)\//
/** A node that does not answer looks by itself, within its sweep. */
const TOLD_WITHIN_MS = 1_000
const SETTLED_WITHIN_MS = 3_000
/** The ports of an ingest are known once it has started, and stay. */
const ADDRESSES_EACH_MS = 2_000
/** In the place of an input and its key. */
const ANY = { inputId: 0, streamKey: 'KEY', latencyMs: 0 }

/**
 * The media planes of all nodes as one: a commit here may be of what another one runs. An actor and its processes need not be on the
 * same node.
 */
export function mediaOfAll(node: JoinedNode, own: Media): Media {
  node.answer('media changed', async (head) => {
    own.changed((head as { ref: string }).ref)
    return { head: null }
  })
  node.answer('media settled', async (head) => {
    await own.settled((head as { destinationIds: number[] }).destinationIds)
    return { head: null }
  })
  node.answer('media address', async () => ({ head: own.address(ANY) }))
  const addresses = new Map<string, IngestAddress>()
  const askAddresses = async () => {
    for (const other of node.others()) {
      const heard = await node.ask(other, 'media address', {}, undefined, TOLD_WITHIN_MS).catch(() => undefined)
      if (heard) addresses.set(other.id, heard.head as IngestAddress)
    }
    const known = new Set(node.others().map(({ id }) => id))
    for (const id of addresses.keys()) if (!known.has(id)) addresses.delete(id)
  }
  setInterval(() => void askAddresses(), ADDRESSES_EACH_MS).unref()
  const askAll = async (kind: string, head: object, withinMs: number): Promise<void> => {
    const asked = node.others().map((other) => node.ask(other, kind, head, undefined, withinMs))
    await Promise.allSettled(asked)
  }
  return {
    ...own,
    address(input) {
      const here = own.address(input)
      const owner = node.ownership.owns(`input/${input.inputId}`)
        ? undefined
        : node.ownership.ownerOf(`input/${input.inputId}`)
      const there = owner && addresses.get(owner.id)
      // of an ingest that all nodes share, both are the same
      return there ? { ...here, host: there.host, rtmpUrl: there.rtmpUrl, srtUrl: named(there.srtUrl, input) } : here
    },
    changed(ref) {
      own.changed(ref)
      if (RUNS.test(ref)) void askAll('media changed', { ref }, TOLD_WITHIN_MS)
    },
    async settled(destinationIds) {
      await Promise.all([own.settled(destinationIds), askAll('media settled', { destinationIds }, SETTLED_WITHIN_MS)])
    },
  }
}

/** The URL of a node for any input, as the one for this input: both kinds of ingest write id and key at its end. */
const named = (srtUrl: string, { inputId, streamKey }: { inputId: number; streamKey: string }) =>
  srtUrl
    .replace('publish:0:KEY', `publish:${inputId}:${streamKey}`)
    .replace('input-0:input:KEY', `input-${inputId}:input:${streamKey}`)
