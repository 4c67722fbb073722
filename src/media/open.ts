import { setTimeout as pause } from 'node:timers/promises'
import { tellWhatEnded } from './after-start.ts'
import { backoffMs } from './backoff.ts'
import { lackOf, lacksOf } from './capabilities.ts'
import { createDirector, type Director, type Wishes } from './director.ts'
import { measureInputs } from './input-rates.ts'
import { createKeeper, type Keeper } from './keeper.ts'
import { createMeter, type Meter } from './meter.ts'
import type {
  Capabilities,
  IngestAddress,
  Measured,
  Media,
  MediaEngine,
  MediaFigures,
  MediaLeases,
  Observation,
  PushInput,
  StartProgram,
  StartPull,
  StartRelay,
} from './ports.ts'
import { type MediaLog, openProcesses, type Processes } from './process.ts'
import type { StillTools } from './stills/messages.ts'
import { createStills, type Stills } from './stills/stills.ts'
import { refusedUrl } from './url-guard.ts'

/** The ground for the parts, once the capabilities of this machine are known. */
export type Ground = {
  capabilities: Capabilities
  processes: Processes
  /** Where this process is one of several nodes. */
  keeper: Keeper | undefined
  /** The meter of a destination, over all its relays. */
  meter(destinationId: number): Meter
}

export type MediaParts = {
  /** What this node owns; left out where this process is alone. */
  leases?: MediaLeases | undefined
  address?: ((input: PushInput) => IngestAddress) | undefined
  /** Where children are remembered. */
  pidFolder: string
  findCapabilities(): Promise<Capabilities>
  engine(ground: Ground): MediaEngine
  relays(ground: Ground, engine: MediaEngine): StartRelay
  pulls(ground: Ground): StartPull
  programs(ground: Ground): StartProgram
  /** How pictures of graphics are made. */
  stillTools(ground: Ground): Promise<StillTools>
  wishes: Wishes
  observe(observation: Observation): Promise<void>
  /** Whether an address that somebody names may be connected to. */
  permits(address: string): boolean
  /** Without a trailing slash. */
  publicUrl(): string
  log: MediaLog
}

const NOTHING: Measured = { bitrateKb: null, history: [] }
const STARTING = 'The media plane of this server is starting'

type Running = Ground & {
  engine: MediaEngine
  director: Director
  rates: ReturnType<typeof measureInputs>
  stills: Stills
}

/** The media plane of this node. Nothing of it runs before `start`, and nothing of it after `close`. */
export function openMedia(parts: MediaParts): Media {
  const { log, permits } = parts
  const meters = new Map<number, Meter>()
  const counted = { failedTries: 0, refused: 0 }
  const closing = new AbortController()
  let running: Running | undefined
  let trouble: string | null = STARTING
  let started: Promise<void> | undefined

  const meter = (destinationId: number): Meter => {
    const known = meters.get(destinationId) ?? createMeter()
    meters.set(destinationId, known)
    return known
  }
  const lacks: Media['lacks'] = (need) => {
    if (!running) return trouble ?? STARTING
    if (need === 'ingest') return trouble ?? undefined
    return lackOf(running.capabilities, need)
  }

  const lay = async (): Promise<Running> => {
    const keeper = parts.leases && createKeeper(parts.leases, log)
    const [processes, capabilities] = await Promise.all([
      openProcesses(parts.pidFolder, log, keeper),
      parts.findCapabilities(),
    ])
    const ground = { capabilities, processes, keeper, meter }
    const engine = parts.engine(ground)
    const director = createDirector({
      engine,
      startRelay: parts.relays(ground, engine),
      startPull: parts.pulls(ground),
      startProgram: parts.programs(ground),
      wishes: parts.wishes,
      leases: parts.leases,
      address: parts.address,
      observe(observation) {
        if (observation.type === 'destination.failed') counted.failedTries += 1
        return parts.observe(observation)
      },
      lacks,
      gone: (kind, id) => (kind === 'input' ? rates.forget(id) : meters.delete(id)),
      log,
    })
    const rates = measureInputs(engine, director.inputs.flowing)
    engine.listen(({ type }) => {
      if (type === 'refused') counted.refused += 1
    })
    const stills = createStills({
      processes,
      tools: () => parts.stillTools(ground),
      isBusy: () => [...director.streams().values()].some(({ program }) => program.handle !== undefined),
      log,
    })
    return { ...ground, engine, director, rates, stills }
  }

  // a port may be taken for a while
  const startEngine = async ({ engine, director }: Running) => {
    for (let failures = 1; !closing.signal.aborted; failures++) {
      try {
        await engine.start()
        trouble = null
        await director.engineStarted()
        return
      } catch (error) {
        trouble = error instanceof Error ? error.message : String(error)
        log.warn({ error: trouble }, 'ingest could not be started')
        if (failures === 1) tried()
        await pause(backoffMs(failures, Math.random()), undefined, { ref: false, signal: closing.signal }).catch(
          () => {},
        )
      }
    }
  }
  let tried = () => {}
  const firstTry = new Promise<void>((resolve) => {
    tried = resolve
  })
  const begin = async () => {
    try {
      const ended = tellWhatEnded(parts.wishes, parts.observe, parts.leases).catch((error: unknown) =>
        log.warn({ err: error }, 'what ended with the last server could not be told'),
      )
      // processes of before the start are known to be gone when the director looks
      const [laid] = await Promise.all([lay(), ended])
      running = laid
      running.director.start()
      await startEngine(running)
    } catch (error) {
      trouble = 'The media plane could not be started'
      log.warn({ err: error }, 'media could not be started')
    }
  }

  return {
    start() {
      started ??= begin()
      return Promise.race([started, firstTry])
    },
    problems() {
      if (!running) return [trouble ?? STARTING]
      const { capabilities, engine } = running
      const told = [...(trouble ? [trouble] : []), ...engine.problems(), ...lacksOf(capabilities)]
      return [...new Set(told)]
    },
    lacks,
    address: (input) =>
      running?.engine.address(input) ?? {
        host: '',
        applicationName: '',
        streamKey: input.streamKey,
        rtmpUrl: '',
        srtUrl: '',
      },
    pullUrl: ({ protocol, token }) =>
      protocol === 'srt' ? (running?.engine.readerUrl(token) ?? '') : `${parts.publicUrl()}/live/${token}/index.m3u8`,
    refuses: (url) => refusedUrl(url, permits),
    runs: (ref) => running?.director.runs(ref) ?? false,
    hear: async () => {},
    input: (inputId) => running?.rates.measured(inputId) ?? NOTHING,
    destination(destinationId) {
      const relay = running?.director.relay(destinationId)
      const measured = meters.get(destinationId)?.measured(Date.now()) ?? NOTHING
      return { ...measured, ...(!relay && { bitrateKb: null }), activeClients: relay?.relay.activeClients() ?? null }
    },
    program: (streamId) => running?.director.streams().get(streamId)?.program.handle?.measured(),
    figures: () => figuresOf(running, counted),
    changed: (ref) => running?.director.changed(ref),
    settled: async (destinationIds) => running?.director.settled(destinationIds),
    async still(asked) {
      const lack = lacks('still')
      if (lack !== undefined || !running) throw new Error(lack ?? STARTING)
      return running.stills.make(asked)
    },
    async close() {
      closing.abort()
      await started
      if (!running) return
      const { rates, director, engine, processes, keeper, stills } = running
      rates.close()
      const quiet = stills.close()
      await director.close()
      await engine.close()
      await quiet
      await processes.close()
      keeper?.close()
    },
  }
}

async function figuresOf(
  running: Running | undefined,
  counted: Pick<MediaFigures, 'failedTries' | 'refused'>,
): Promise<MediaFigures> {
  if (!running) return { inputs: [], destinations: [], programs: [], processes: [], counts: new Map(), ...counted }
  const { director, rates, processes } = running
  const relays = [...director.streams().values()].flatMap((run) => [...run.relays])
  const byKind = new Map<string, MediaFigures['processes'][number]>()
  for (const { kind, rssBytes, cpuMs } of await processes.usage()) {
    const before = byKind.get(kind) ?? { kind, running: 0, rssBytes: 0, cpuMs: 0 }
    byKind.set(kind, {
      kind,
      running: before.running + 1,
      rssBytes: before.rssBytes + rssBytes,
      cpuMs: before.cpuMs + cpuMs,
    })
  }
  return {
    // an ingest that all nodes share shows its inputs to each
    inputs: director.inputs
      .flowing()
      .filter((id) => director.runs(`input/${id}`))
      .map((id) => ({ id, bitrateKb: rates.measured(id).bitrateKb ?? 0 })),
    destinations: relays.map(([id, { relay }]) => ({
      id,
      bitrateKb: relay.measured().bitrateKb ?? 0,
      activeClients: relay.activeClients(),
    })),
    programs: [...director.streams()].flatMap(([id, { program }]) => {
      const measured = program.handle?.measured()
      return measured ? [{ id, ...measured, bitrateKb: measured.bitrateKb ?? 0 }] : []
    }),
    processes: [...byKind.values()],
    counts: processes.counts(),
    ...counted,
  }
}
