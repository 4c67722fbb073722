import type { IngestAddress, Measured, Media } from '../media/ports.ts'
import type { JoinedNode } from '../nodes/joined.ts'
import type { NodeAddress } from '../nodes/ownership.ts'

/** The refs of records and actors that media processes run for. */
const RUNS = /^(input|stream-input|stream|stream-settings|destination|stream-destination|overlay)\//
/** A node that does not answer finds the change by itself, in its next sweep. */
const TOLD_WITHIN_MS = 1_000
const SETTLED_WITHIN_MS = 3_000
/** The ports of an ingest are known once it has started, and stay. */
const ADDRESSES_EACH_MS = 2_000
/** People who watch over a stream wait for the figures, so a node that does not answer is not waited for. */
const MEASURED_WITHIN_MS = 500
/** Figures of another node count as current for so long. */
const HEARD_FOR_MS = 3_000
const NOTHING: Measured = { bitrateKb: null, history: [] }
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
  const asking = setInterval(() => void askAddresses(), ADDRESSES_EACH_MS).unref()
  const heard = measuredElsewhere(node, own)
  const askAll = async (kind: string, head: object, withinMs: number): Promise<void> => {
    const asked = node.others().map((other) => node.ask(other, kind, head, undefined, withinMs))
    await Promise.allSettled(asked)
  }
  return {
    ...own,
    hear: heard.hear,
    input: (id) => heard.of(`input/${id}`)?.input ?? own.input(id),
    destination(id) {
      const told = heard.of(`destination/${id}`)
      if (told?.destination) return told.destination
      // figures measured here before the stream moved are old
      return own.runs(`destination/${id}`) ? own.destination(id) : { ...NOTHING, activeClients: null }
    },
    program: (id) => heard.of(`stream/${id}`)?.program ?? own.program(id),
    problems: (id) => (id === undefined ? undefined : heard.of(`stream/${id}`)?.problems) ?? own.problems(),
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
    async close() {
      clearInterval(asking)
      await own.close()
    },
  }
}

/** The URL of a node for any input, as the one for this input: both kinds of ingest write id and key at its end. */
const named = (srtUrl: string, { inputId, streamKey }: { inputId: number; streamKey: string }) =>
  srtUrl
    .replace('publish:0:KEY', `publish:${inputId}:${streamKey}`)
    .replace('input-0:input:KEY', `input-${inputId}:input:${streamKey}`)

/** The figures of an input, a destination or a stream, by the node that runs it. */
type MeasuredThere = {
  ref: string
  input?: Measured
  destination?: ReturnType<Media['destination']>
  program?: ReturnType<Media['program']>
  problems?: readonly string[]
}

/** Asks the other nodes for the figures of the streams that they run, when a client asks for them. */
function measuredElsewhere(node: JoinedNode, own: Media) {
  const known = new Map<string, MeasuredThere & { at: number }>()
  const measured = (ref: string): MeasuredThere => {
    const [kind, id] = ref.split('/')
    if (kind === 'input') return { ref, input: own.input(Number(id)) }
    if (kind === 'destination') return { ref, destination: own.destination(Number(id)) }
    return { ref, program: own.program(Number(id)), problems: own.problems() }
  }
  node.answer('media measured', async (head) => ({
    head: (head as { refs: string[] }).refs.filter((ref) => own.runs(ref)).map(measured),
  }))
  return {
    async hear(refs: readonly string[]): Promise<void> {
      const missing = refs.filter((ref) => !own.runs(ref))
      if (missing.length === 0) return
      const now = performance.now()
      for (const [ref, { at }] of known) if (now - at > HEARD_FOR_MS) known.delete(ref)
      const askOne = async (other: NodeAddress) => {
        const { head } = await node.ask(other, 'media measured', { refs: missing }, undefined, MEASURED_WITHIN_MS)
        for (const told of head as MeasuredThere[]) known.set(told.ref, { ...told, at: performance.now() })
      }
      await Promise.allSettled(node.others().map(askOne))
    },
    of(ref: string): MeasuredThere | undefined {
      const told = known.get(ref)
      return told && !own.runs(ref) && performance.now() - told.at < HEARD_FOR_MS ? told : undefined
    },
  }
}
