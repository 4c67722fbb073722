import { Api } from './api.ts'
import { now, sleep, until } from './clock.ts'
import { cpuMs, descendants, proportionalMb } from './cost.ts'
import type { Plan } from './options.ts'
import type { Say } from './say.ts'
import { removeDataDir, type Server, startServer, temporaryDataDir } from './server.ts'
import { round } from './stats.ts'
import { farEnd, noVideo, type Running, recordVideo, send } from './video.ts'

/** Processor time in percent of one core, memory in MB with each shared page counted once. */
type Cost = { cpuPercent: number; mb: number }

/** The cost and speed of streams, one value per run. */
export type StreamsResult = {
  destinations: number
  /** Video in, until a destination is connected. */
  connectMs: number[]
  /** A far end is gone, until its destination is retrying. */
  retryMs: number[]
  /** One destination of a stream that is passed on. */
  relay: Cost[]
  /** One stream with burned-in graphics, encoder and browser included. */
  burned: Cost[]
  /** The figures that could not be measured, and why. */
  lacking: string[]
}

type Destination = { id: number; status: string; connectedAt: string | null }
type Monitoring = {
  state: string
  input: { liveAt: string | null }
  program: { bitrateKb: number | null } | null
  destinations: Destination[]
}
type Demo = { apiKey: string; matchId: number; presets: { id: number }[]; overlay: { id: number } }
type Bench = { api: Api; demo: Demo; server: Server; video: string; plan: Plan; say: Say; running: Set<Running> }

const kb = 2_500
const waitMs = 30_000

/** Streams a test video through a server of its own that is gone afterwards. */
export async function streams(plan: Plan, say: Say): Promise<StreamsResult & { warnings: string[] }> {
  const result: StreamsResult & { warnings: string[] } = {
    destinations: plan.streams.destinations,
    connectMs: [],
    retryMs: [],
    relay: [],
    burned: [],
    lacking: [],
    warnings: [],
  }
  const lack = noVideo()
  if (lack) {
    say(`streams: skipped, ${lack}`)
    return { ...result, lacking: [lack] }
  }
  const dataDir = temporaryDataDir()
  const running = new Set<Running>()
  try {
    say('streams: starting a server and encoding a test video')
    const server = await startServer(dataDir, { settings: { OUTBOUND_PRIVATE: 'on' } })
    try {
      const demo = (await server.admin('demo', '--name', 'Bench')) as Demo
      const api = new Api(server.url, demo.apiKey)
      const bench = { api, demo, server, video: recordVideo(`${dataDir}/..`, kb), plan, say, running }
      say(`streams: passing on to ${plan.streams.destinations}`)
      await passOn(bench, result)
      await burnIn(bench, result)
    } finally {
      for (const one of running) await one.kill()
      result.warnings.push(...server.warnings().filter((line) => !ours.test(line)))
      await server.stop()
    }
    return result
  } finally {
    removeDataDir(dataDir)
  }
}

// each far end that is killed on purpose is told in the log
const ours = /"msg":"destination\.failed"|"name":"relay-\d+".*"msg":"media process ended"/

/** A stream of its own, running, with a sender that can be started. */
async function open({ api, demo, video, running }: Bench, name: string, overlayId?: number) {
  const input = await api.post<{ id: number; rtmpUrl: string; streamKey: string }>('/v1/streams/inputs', { name })
  const asked = { matchId: demo.matchId, name, inputId: input.id, ...(overlayId !== undefined && { overlayId }) }
  const { id } = await api.post<{ id: number }>('/v1/streams', asked)
  const path = `/v1/streams/${id}`
  const monitoring = () => api.get<Monitoring>(`${path}/monitoring`)
  const own: Running[] = []
  const keep = <R extends Running>(one: R): R => {
    running.add(one)
    own.push(one)
    return one
  }
  return {
    id,
    monitoring,
    keep,
    own,
    tell: (operation: string) => api.post<unknown>(`${path}/${operation}`, {}),
    sends: () => keep(send(video, `${input.rtmpUrl}/${input.streamKey}`)),
    addDestination: (url: string) =>
      api.post<Destination>(`${path}/destinations`, { name: 'Far end', type: 'rtmp', url }),
    becomes: (state: string) => until(`${name} ${state}`, waitMs, 20, async () => (await monitoring()).state === state),
  }
}

const connected = ({ destinations }: Monitoring) => destinations.every(({ status }) => status === 'connected')
const told = ({ cpuPercent, mb }: Cost) => `${cpuPercent} % of a core and ${mb} MB`

/** Each run is a stream of its own, with far ends of its own. */
async function passOn(bench: Bench, result: StreamsResult): Promise<void> {
  const { plan, say, server } = bench
  for (let nth = 1; nth <= plan.runs; nth++) {
    const stream = await open(bench, `Passed on ${nth}`)
    const [first, ...others] = await Promise.all(
      Array.from({ length: plan.streams.destinations }, async () => stream.keep(await farEnd())),
    )
    if (!first) throw new Error('no destination')
    const { id: firstId } = await stream.addDestination(first.url)
    for (const { url } of others) await stream.addDestination(url)
    await stream.tell('start')
    await stream.becomes('live')
    await stream.tell('go-live')
    stream.sends()
    await until('all destinations to be connected', waitMs, 20, async () => connected(await stream.monitoring()))
    const { input, destinations } = await stream.monitoring()
    const up = Date.parse(input.liveAt ?? '')
    const connectMs = Math.max(...destinations.map(({ connectedAt }) => Date.parse(connectedAt ?? '') - up))
    const relays = descendants(server.pid, '/live/far')
    const relay = await costOf(relays, plan.seconds, relays.length)
    const retryMs = await lose(bench, firstId, first)
    result.connectMs.push(connectMs)
    result.relay.push(relay)
    result.retryMs.push(retryMs)
    say(`streams: run ${nth}, connected in ${connectMs} ms, ${told(relay)} a destination, retrying in ${retryMs} ms`)
    await close(stream)
  }
}

type Stream = Awaited<ReturnType<typeof open>>

/** How long it takes until it is known that a far end is gone. */
async function lose({ api }: Bench, destinationId: number, far: Running): Promise<number> {
  const killedAt = now()
  await far.kill()
  const path = `/v1/streams/destinations/${destinationId}`
  await until('a destination to be retrying', waitMs, 2, async () => {
    return (await api.get<Destination>(path)).status === 'retrying'
  })
  return round(now() - killedAt, 0)
}

async function close({ tell, becomes, own }: Stream): Promise<void> {
  await tell('stop')
  await becomes('idle')
  for (const one of own) await one.kill()
}

/** One stream whose graphics change every two seconds. */
async function burnIn(bench: Bench, result: StreamsResult): Promise<void> {
  const { api, demo, plan, say, server } = bench
  const stream = await open(bench, 'Burned in', demo.overlay.id)
  const started = await api.send('POST', `/v1/streams/${stream.id}/start`, {})
  if (started.status === 503) {
    say(`streams: no burned-in graphics, ${started.text}`)
    result.lacking.push(started.text)
    return
  }
  const [scoreBug, , lowerThird] = demo.presets
  const fire = (action: string, preset: { id: number } | undefined) =>
    api.post(`/v2/overlays/${demo.overlay.id}/graphics/commands`, { action, presetId: preset?.id })
  stream.sends()
  await stream.becomes('live')
  await fire('show', scoreBug)
  await until('the program', waitMs, 50, async () => ((await stream.monitoring()).program?.bitrateKb ?? 0) > 500)
  await sleep(plan.streams.settleMs)
  let shown = false
  const toggling = setInterval(() => {
    shown = !shown
    void fire(shown ? 'show' : 'hide', lowerThird).catch(() => {})
  }, 2_000)
  for (let nth = 1; nth <= plan.runs; nth++) {
    const burned = await costOf(descendants(server.pid, 'program/child'), plan.seconds, 1)
    result.burned.push(burned)
    say(`streams: run ${nth}, ${told(burned)} for burned-in graphics at 720p25`)
  }
  clearInterval(toggling)
  await close(stream)
}

/** The cost of processes over so many seconds, divided by the number of streams or destinations. */
async function costOf(pids: readonly number[], seconds: number, among: number): Promise<Cost> {
  const spent = () => pids.reduce((sum, pid) => sum + cpuMs(pid), 0)
  const [before, startedAt] = [spent(), now()]
  await sleep(seconds * 1_000)
  const cpuPercent = ((spent() - before) / (now() - startedAt)) * 100
  return { cpuPercent: round(cpuPercent / among, 2), mb: round(proportionalMb(pids) / among, 1) }
}
