import { serviceMoment } from '../waiting/service-time.ts'
import { inputReport, type Source, UNSEEN } from './plan-input.ts'
import type {
  EngineEvent,
  IngestAddress,
  InputWish,
  MediaEngine,
  Observation,
  Pull,
  PushInput,
  StartPull,
} from './ports.ts'
import type { MediaLog } from './process.ts'
import { inputLease, type Share } from './share.ts'

export type InputParts = {
  engine: MediaEngine
  startPull: StartPull
  observe(observation: Observation): Promise<void>
  share: Share
  /** Where an input takes video, wherever that is. */
  address(input: PushInput): IngestAddress
  /** Look at the input again, and at the streams that it feeds. */
  seen(inputId: number): void
  log: MediaLog
}

const REFUSED_EACH_MS = 1_000

type Held = {
  source: Source
  wish?: InputWish
  /** Its key is known here as one of another node. */
  elsewhere?: boolean
  pull?: { sourceUrl: string; latencyMs: number; handle: Pull }
}

/** The inputs as they are wanted: keys in the engine, pulls that run, and the observations of their video. */
export function createInputs({ engine, startPull, observe, share, address, seen, log }: InputParts) {
  const inputs = new Map<number, Held>()
  let engineStarted = false
  let toldRefusedAt = -REFUSED_EACH_MS
  let untold = 0

  const held = (inputId: number): Held => {
    const known = inputs.get(inputId)
    if (known) return known
    const made: Held = { source: UNSEEN }
    inputs.set(inputId, made)
    return made
  }
  const inputOf = (event: { path: string; inputId: number | null }): number | undefined =>
    event.inputId ?? [...inputs.keys()].find((inputId) => engine.inputPath(inputId) === event.path)

  const see = (inputId: number, changed: Partial<Source>) => {
    const input = held(inputId)
    input.source = { ...input.source, ...changed }
    seen(inputId)
  }

  const pullAsWanted = async (input: Held, wish: InputWish) => {
    const { inputId, sourceUrl, latencyMs } = wish
    const { pull } = input
    const wanted = wish.wanted && share.runs(inputLease(inputId))
    if (pull && (!wanted || pull.sourceUrl !== sourceUrl || pull.latencyMs !== latencyMs)) {
      await pull.handle.stop()
      delete input.pull
      input.source = { ...input.source, error: null }
    }
    if (!wanted || input.pull) return
    const publishUrl = engine.publishUrl(engine.inputPath(inputId))
    const lease = share.named(inputLease(inputId))
    const handle = startPull({ inputId, sourceUrl, latencyMs, publishUrl, ...lease }, ({ error }) => {
      log.info({ inputId, error }, 'input could not be pulled')
      see(inputId, { error })
    })
    input.pull = { sourceUrl, latencyMs, handle }
  }

  const allowAsWanted = async (input: Held, wish: InputWish) => {
    const { inputId, streamKey, latencyMs } = wish
    const elsewhere = !engine.shared && !share.runs(inputLease(inputId))
    const before = input.wish
    const isSame = before?.kind === 'push' && before.streamKey === streamKey && before.latencyMs === latencyMs
    if (isSame && input.elsewhere === elsewhere) return
    await engine.allow({ inputId, streamKey, latencyMs, ...(elsewhere && { elsewhere }) })
    input.elsewhere = elsewhere
  }

  // somebody may try every key there is
  const tellRefused = ({ protocol, ip, keyStart, reason }: Extract<EngineEvent, { type: 'refused' }>) => {
    const now = performance.now()
    untold += 1
    if (now - toldRefusedAt < REFUSED_EACH_MS) return
    log.warn({ protocol, ip, keyStart, reason, times: untold }, 'input refused')
    toldRefusedAt = now
    untold = 0
  }

  /** The owner of the input is told that its encoder is at the wrong node; it looks for it in vain. */
  const tellAstray = async (inputId: number) => {
    const wish = inputs.get(inputId)?.wish
    if (!wish || share.runs(inputLease(inputId))) return
    const { organizationId, streamKey, latencyMs } = wish
    const { host } = engine.address({ inputId, streamKey, latencyMs })
    const { rtmpUrl } = address({ inputId, streamKey, latencyMs })
    const where = rtmpUrl ? `it is taken at ${rtmpUrl} now` : 'another node takes it now'
    await observe({ type: 'input.failed', organizationId, inputId, error: `The encoder sends to ${host}, ${where}` })
  }

  const end = async (inputId: number, input: Held) => {
    await Promise.all([input.wish?.kind === 'push' && engine.revoke(inputId), input.pull?.handle.stop()])
    delete input.pull
  }

  return {
    source: (inputId: number | null): Source => (inputId === null ? UNSEEN : (inputs.get(inputId)?.source ?? UNSEEN)),
    flowing: (): readonly number[] => [...inputs].filter(([, { source }]) => source.state === 'up').map(([id]) => id),
    /** Those whose video is there or is being fetched. */
    inUse: (): readonly number[] =>
      [...inputs]
        .filter(([, { source, pull }]) => pull || source.state === 'up' || source.state === 'gap')
        .map(([id]) => id),

    /** Ends what runs here for it, which another node runs by now. */
    async letGo(inputId: number): Promise<void> {
      const input = inputs.get(inputId)
      await input?.pull?.handle.stop()
      delete input?.pull
    },

    /** Makes an input as it is wanted and tells its actor new observations; undefined when the input has gone. */
    async look(inputId: number, wish: InputWish | undefined): Promise<void> {
      const input = held(inputId)
      if (!engineStarted) {
        const report = wish && inputReport(wish, input.source)
        if (report?.type === 'input.lost' && share.runs(inputLease(inputId))) await observe(report)
        return
      }
      if (!wish) {
        inputs.delete(inputId)
        return end(inputId, input)
      }
      if (input.wish && input.wish.kind !== wish.kind) await end(inputId, input)
      if (wish.kind === 'pull') await pullAsWanted(input, wish)
      else await allowAsWanted(input, wish)
      input.wish = wish
      const report = inputReport(wish, input.source)
      // the others know its key too, where they share an ingest; its owner says what becomes of it
      if (report && share.runs(inputLease(inputId))) await observe(report)
    },

    /** Until then nothing is allowed or pulled. */
    engineStarted(): void {
      engineStarted = true
    },

    /** Takes an event of the engine about a path that is an input. */
    hear(event: EngineEvent): void {
      switch (event.type) {
        case 'up': {
          const inputId = inputOf(event)
          if (inputId === undefined) return
          const { session, ip } = event
          const input = held(inputId)
          // MediaMTX may have asked another node who that is
          const protocol = input.wish?.kind === 'pull' ? 'pull' : event.protocol
          const generation = input.source.generation + 1
          log.info({ inputId, session, protocol, ip }, 'input is up')
          const at = serviceMoment()
          see(inputId, { state: 'up', generation, session, protocol, at, error: null })
          return
        }
        case 'gap':
        case 'down': {
          const inputId = inputOf(event)
          // an older connection of it that ends now tells nothing of the one that took its place
          if (inputId === undefined || held(inputId).source.session !== event.session) return
          log.info({ inputId, session: event.session }, event.type === 'gap' ? 'input has a gap' : 'input is down')
          see(inputId, event.type === 'gap' ? { state: 'gap', graceMs: event.graceMs } : { state: 'down' })
          return
        }
        case 'refused':
          tellRefused(event)
          if (event.inputId !== undefined)
            tellAstray(event.inputId).catch((error) => log.warn({ err: error }, 'an encoder astray could not be told'))
          return
        case 'lost':
          for (const [inputId, { source }] of inputs) if (source.state !== 'unknown') see(inputId, { state: 'unknown' })
      }
    },

    async close(): Promise<void> {
      await Promise.all([...inputs.values()].map(({ pull }) => pull?.handle.stop()))
    },
  }
}

export type Inputs = ReturnType<typeof createInputs>
