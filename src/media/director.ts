import { setTimeout as pause } from 'node:timers/promises'
import { createInputs } from './inputs.ts'
import { createLooks } from './looks.ts'
import type {
  EngineEvent,
  IngestAddress,
  InputWish,
  MediaEngine,
  MediaLeases,
  Need,
  Observation,
  PushInput,
  StartProgram,
  StartPull,
  StartRelay,
  StreamWish,
} from './ports.ts'
import type { MediaLog } from './process.ts'
import { createShare, inputLease, streamLease } from './share.ts'
import { StreamRun } from './stream-run.ts'

/** The wishes of rows and actors, as of their last commit. */
export type Wishes = {
  /** Undefined when it does not exist. */
  input(inputId: number): Promise<InputWish | undefined>
  /** Undefined when it is stopped or does not exist. */
  stream(streamId: number): Promise<StreamWish | undefined>
  streamOf(destinationId: number): Promise<number | undefined>
  /** Those that show an overlay. */
  streamsWith(overlayId: number): Promise<number[]>
  /** Every input with when it was changed last, and every stream that is not stopped. */
  all(): Promise<{ inputs: readonly { id: number; changedAt: string }[]; streamIds: readonly number[] }>
}

export type DirectorParts = {
  engine: MediaEngine
  startRelay: StartRelay
  startPull: StartPull
  startProgram: StartProgram
  wishes: Wishes
  observe(observation: Observation): Promise<void>
  lacks(need: Need): string | undefined
  /** The input or destination exists no more. */
  gone(kind: 'input' | 'destination', id: number): void
  /** What this node owns; left out where this process is alone. */
  leases?: MediaLeases | undefined
  /** Where an input takes video, on whichever node; left out where this process is alone. */
  address?: ((input: PushInput) => IngestAddress) | undefined
  log: MediaLog
}

/** Everything is looked at again this often, also without news. */
const SWEEP_MS = 15_000
const REFUSED_MS = 500
const SETTLED_WITHIN_MS = 3_000
const LOOKED_WITHIN_MS = 1_000
/** The records of things that have actors of another name; both are looked at as one. */
const RECORDS: Readonly<Record<string, string>> = {
  'stream-input': 'input',
  'stream-settings': 'stream',
  'stream-destination': 'destination',
}
const EVERYTHING = 'everything/0'
const LOST = 'The ingest of this server is being restarted'

/**
 * Makes reality follow the wishes of rows and actors, and tells the actors its observations. Level-triggered: each look compares
 * the wish, the state of the actor and the processes that run, and does the next step; nothing depends on having heard of a change.
 */
export function createDirector(parts: DirectorParts) {
  const { engine, wishes, observe, log } = parts
  const streams = new Map<number, StreamRun>()
  let inputsSeen: ReadonlyMap<number, string> = new Map()
  let engineDown: string | null = 'The ingest of this server is being started'
  let sweep: NodeJS.Timeout | undefined
  let started = false
  let lookingForInputs = false
  let closed = false

  const look = (key: string): Promise<void> => {
    const [kind = '', id = ''] = key.split('/')
    return lookAt[kind]?.(Number(id)) ?? Promise.resolve()
  }
  const looks = createLooks(look, (key, error) => log.warn({ key, err: error }, 'media could not be looked at'))
  const lookAgain = (key: string) => {
    if (started && !closed) void looks.now(key)
  }

  const share = createShare(parts.leases, (afterMs) => {
    if (started) looks.later(EVERYTHING, afterMs)
  })
  const inputs = createInputs({
    engine,
    startPull: parts.startPull,
    observe,
    share,
    address: parts.address ?? engine.address,
    seen(inputId) {
      lookAgain(`input/${inputId}`)
      for (const [streamId, { wish }] of streams) if (wish?.inputId === inputId) lookAgain(`stream/${streamId}`)
    },
    log,
  })
  const streamParts = {
    ...parts,
    inputs,
    share,
    down: () => engineDown,
    again(streamId: number, afterMs?: number) {
      if (closed) return
      if (afterMs === undefined) void looks.now(`stream/${streamId}`)
      else looks.later(`stream/${streamId}`, afterMs)
    },
  }

  const lookAtStream = async (streamId: number) => {
    const known = streams.get(streamId)
    // the database that this node lost is not asked
    const wanted = known?.wish && !share.runs(streamLease(known.wish)) ? undefined : await wishes.stream(streamId)
    // another node runs it: it ends here, and nobody is told that it did
    const wish = wanted && share.runs(streamLease(wanted)) ? wanted : undefined
    if (!wish && !known) return
    const run = known ?? new StreamRun(streamParts, streamId)
    streams.set(streamId, run)
    const fed = new Set([run.wish?.inputId, wish?.inputId])
    const turned = run.wish?.phase !== wish?.phase
    await run.look(wish)
    // a pulled input is wanted while a started stream uses it
    if (turned) for (const inputId of fed) if (inputId != null) lookAgain(`input/${inputId}`)
    if (run.over) streams.delete(streamId)
  }
  const lookAtAll = (streamIds: readonly (number | undefined)[]) => {
    for (const streamId of streamIds) if (streamId !== undefined) lookAgain(`stream/${streamId}`)
  }
  const lookAt: Readonly<Record<string, (id: number) => Promise<void>>> = {
    input: async (id) => {
      if (!share.runs(inputLease(id))) await inputs.letGo(id)
      const wish = await wishes.input(id)
      await inputs.look(id, wish)
      if (!wish) parts.gone('input', id)
    },
    stream: lookAtStream,
    destination: async (id) => {
      const streamId = await wishes.streamOf(id)
      lookAtAll([holderOf(id), streamId])
      if (streamId === undefined) parts.gone('destination', id)
    },
    overlay: async (id) => lookAtAll(await wishes.streamsWith(id)),
    everything: async () => {
      const all = await wishes.all()
      const before = inputsSeen
      inputsSeen = new Map(
        all.inputs.map(({ id, changedAt }) => [
          id,
          `${changedAt} ${share.runs(inputLease(id)) ? 'here' : 'elsewhere'}`,
        ]),
      )
      // there may be thousands, and few change
      const changed = [...inputsSeen].filter(([id, seen]) => before.get(id) !== seen).map(([id]) => id)
      for (const id of new Set([...changed, ...inputs.inUse()])) lookAgain(`input/${id}`)
      for (const id of before.keys()) if (!inputsSeen.has(id)) lookAgain(`input/${id}`)
      for (const id of new Set([...all.streamIds, ...streams.keys()])) lookAgain(`stream/${id}`)
    },
  }
  // at once, without the database that this node may have lost
  const endLost = () => {
    for (const [id, { wish }] of streams) if (wish && !share.runs(streamLease(wish))) lookAgain(`stream/${id}`)
    for (const id of inputs.inUse()) if (!share.runs(inputLease(id))) lookAgain(`input/${id}`)
  }
  const holderOf = (destinationId: number): number | undefined =>
    [...streams].find(([, { relays }]) => relays.has(destinationId))?.[0]
  const relayOf = (destinationId: number) => streams.get(holderOf(destinationId) ?? -1)?.relays.get(destinationId)

  // another process may have made the input that a sender came for, which tries again
  const lookForNewInputs = () => {
    if (lookingForInputs || !started) return
    lookingForInputs = true
    looks.later(EVERYTHING, REFUSED_MS)
    setTimeout(() => {
      lookingForInputs = false
    }, REFUSED_MS).unref()
  }

  engine.listen((event: EngineEvent) => {
    if (event.type === 'lost') {
      engineDown = LOST
      log.warn({ error: event.error }, 'ingest is lost')
    } else if (event.type === 'back') {
      engineDown = null
      log.info({}, 'ingest is back')
    }
    inputs.hear(event)
    if (event.type === 'refused') lookForNewInputs()
    if (event.type === 'lost' || event.type === 'back') lookAgain(EVERYTHING)
  })

  return {
    /** From now on everything runs as it is wanted, as soon as the engine accepts connections. */
    start(): void {
      started = true
      lookAgain(EVERYTHING)
      sweep = setInterval(() => lookAgain(EVERYTHING), SWEEP_MS)
      sweep.unref()
    },
    /** Resolves when the engine knows every input. */
    async engineStarted(): Promise<void> {
      engineDown = null
      inputs.engineStarted()
      inputsSeen = new Map()
      await looks.now(EVERYTHING)
      await Promise.all([...inputsSeen.keys()].map((id) => looks.now(`input/${id}`)))
    },
    inputs,
    streams: (): ReadonlyMap<number, StreamRun> => streams,
    relay: relayOf,
    runs(ref: string): boolean {
      const [kind, id] = ref.split('/')
      if (kind === 'input') return share.runs(inputLease(Number(id)))
      if (kind === 'stream') return streams.get(Number(id))?.wish !== undefined
      const isIt = ({ destinationId }: { destinationId: number }) => destinationId === Number(id)
      return [...streams.values()].some(({ wish }) => wish?.destinations.some(isIt))
    },
    changed(ref: string): void {
      if (ref === EVERYTHING) endLost()
      const [kind = '', id = ''] = ref.split('/')
      const named = RECORDS[kind] ?? kind
      if (Object.hasOwn(lookAt, named)) lookAgain(`${named}/${id}`)
    },
    async settled(destinationIds: readonly number[]): Promise<void> {
      if (!started || closed) return
      const ended = async () => {
        await Promise.all(destinationIds.map((id) => looks.now(`destination/${id}`)))
        const held = new Set(destinationIds.map(holderOf).filter((id) => id !== undefined))
        await Promise.all([...held].map((streamId) => looks.now(`stream/${streamId}`)))
        const ending = destinationIds.map(relayOf).filter((relay) => relay?.state === 'ending')
        await Promise.all(ending.map((relay) => relay?.stop()))
      }
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, SETTLED_WITHIN_MS)
      })
      await Promise.race([ended(), late])
      clearTimeout(timer)
    },
    /** Ends every process; the actors keep their state, for the next start. */
    async close(): Promise<void> {
      closed = true
      clearInterval(sweep)
      // one that waits for a database that hangs must not keep processes from ending
      await Promise.race([looks.close(), pause(LOOKED_WITHIN_MS, undefined, { ref: false })])
      await Promise.all([...[...streams.values()].map((run) => run.close()), inputs.close()])
    },
  }
}

export type Director = ReturnType<typeof createDirector>
