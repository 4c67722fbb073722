import { parseArgs } from 'node:util'

export const scenarioNames = [
  'trigger',
  'push',
  'crowd',
  'maximum',
  'steady',
  'idle',
  'start',
  'season',
  'streams',
  'plans',
  'webhooks',
  'nodes',
] as const
export type ScenarioName = (typeof scenarioNames)[number]

/** How much is measured; `targets` says whether the numbers may be held against the aims. */
export type Plan = {
  runs: number
  seconds: number
  warmUpSeconds: number
  overlays: number
  renderers: number
  rate: number
  inFlight: readonly number[]
  crowd: { renderers: number; rate: number }
  /** Requests in flight on one overlay, and how long each closed loop there runs. */
  trigger: { inFlight: readonly number[]; seconds: number }
  steady: { rate: number; overlays: number; renderers: number; seconds: number }
  idle: { renderers: number; settleMs: number }
  starts: number
  /** The records that are imported, by how many clients at once, and how often each list is read per run. */
  season: { teams: number; players: number; matches: number; clients: number; requests: number }
  /** Destinations of a stream, and how long one with graphics runs before it is measured. */
  streams: { destinations: number; settleMs: number }
  /** Automatic overlays, goals a second over a match of each, and to one match that all of them show. */
  gamePlans: { overlays: number; renderers: number; rate: number; crowdRate: number; seconds: number }
  /** Endpoints that are told of goals, one after the other. */
  webhooks: { endpoints: number; events: number; everyMs: number }
  /** Several nodes: rates that leave two cores free, and overlays of one owner, each with so many renderers. */
  nodes: NodesPlan
  scenarios: readonly ScenarioName[]
  client: 'autocannon' | 'raw'
}

export const nodesParts = ['ways', 'rest', 'takeover', 'alone'] as const

export type NodesPlan = {
  count: number
  parts: readonly (typeof nodesParts)[number][]
  warmUpSeconds: number
  overlays: number
  renderers: number
  rate: number
  busyRate: number
  seconds: number
  runs: number
  /** One node alone against the only member of a service: differences are small, so there are more runs. */
  aloneRuns: number
  /** How often each fault. */
  faults: number
  openOverlays: number
  restSeconds: number
  restRuns: number
  /** The folder of another version, built, whose server runs alone beside this one's. */
  before: string | undefined
}

export type GameDay = {
  url: string
  key: string
  overlay: string
  rate: number
  seconds: number
  renderers: number
  p99PushMs: number | undefined
  force: boolean
}

export type Options =
  | { mode: 'help' }
  /** The cost of a server that nobody uses. */
  | { mode: 'idle' }
  | { mode: 'local'; plan: Plan; size: string; compare: string | undefined; profile: string | undefined }
  | { mode: 'gameDay'; gameDay: GameDay }
  /** Without a server, one of its own. */
  | { mode: 'matchDay'; server: { url: string; key: string } | undefined }

export const help = `npm run bench [-- options]
  --quick            one run of a few seconds per scenario
  --smoke            the smallest run that shows that everything works; fails on any error
  --runs N           runs per measurement (5); the median is reported
  --scenario a,b     of ${scenarioNames.join(', ')}
  --nodes N          N nodes with Redis in turn with one, and with --before DIR the same alone in turn with
                     another version that is built there; only that, unless --scenario names others
  --part a,b         of ${nodesParts.join(', ')}: of --nodes only these
  --client NAME      closed-loop client: autocannon (default) or raw
  --profile DIR      write a V8 CPU profile of the server there
  --compare FILE     print the ratio to a saved run of bench/results
  --match-day        plays a football and a tennis match over REST and compares all that shows them;
                     with --url and --key on a running server
  --idle             memory, wake-ups and connections of a server that nobody uses; five minutes
against a deployed server:
  --url URL --key KEY --overlay ID   fires presets of that overlay's room, ends with hideAll
  --rate N (20)  --seconds N (10)  --renderers N (5)
  --p99-push-ms MS   exit 1 when the p99 of the push is above
  --force            go on although something is on air there (it is taken off air)
`

const full: Plan = {
  runs: 5,
  seconds: 5,
  warmUpSeconds: 8,
  overlays: 50,
  renderers: 10,
  rate: 1000,
  inFlight: [128, 512],
  crowd: { renderers: 100, rate: 200 },
  trigger: { inFlight: [32, 128, 512], seconds: 3 },
  steady: { rate: 50, overlays: 200, renderers: 3, seconds: 300 },
  idle: { renderers: 10_000, settleMs: 8_000 },
  starts: 5,
  season: { teams: 200, players: 6_000, matches: 1_500, clients: 16, requests: 300 },
  streams: { destinations: 4, settleMs: 5_000 },
  gamePlans: { overlays: 50, renderers: 2, rate: 20, crowdRate: 1, seconds: 15 },
  webhooks: { endpoints: 200, events: 20, everyMs: 1_000 },
  nodes: {
    count: 3,
    parts: nodesParts,
    warmUpSeconds: 4,
    overlays: 8,
    renderers: 10,
    rate: 150,
    busyRate: 500,
    seconds: 3,
    runs: 5,
    aloneRuns: 8,
    faults: 3,
    openOverlays: 500,
    restSeconds: 10,
    restRuns: 2,
    before: undefined,
  },
  // several nodes need Redis and minutes of their own: --nodes
  scenarios: scenarioNames.filter((name) => name !== 'nodes'),
  client: 'autocannon',
}
const quick: Plan = {
  ...full,
  runs: 1,
  seconds: 3,
  starts: 1,
  steady: { ...full.steady, seconds: 30 },
  idle: { renderers: 10_000, settleMs: 3_000 },
  gamePlans: { ...full.gamePlans, seconds: 8 },
  webhooks: { ...full.webhooks, events: 8 },
  nodes: { ...full.nodes, runs: 1, aloneRuns: 1, faults: 1, openOverlays: 100, restSeconds: 5, restRuns: 1 },
}
const smoke: Plan = {
  ...quick,
  seconds: 1,
  warmUpSeconds: 1,
  overlays: 5,
  rate: 200,
  inFlight: [16],
  crowd: { renderers: 20, rate: 50 },
  trigger: { inFlight: [8, 16], seconds: 0.5 },
  steady: { rate: 50, overlays: 5, renderers: 3, seconds: 2 },
  idle: { renderers: 200, settleMs: 500 },
  streams: { destinations: 1, settleMs: 500 },
  gamePlans: { overlays: 5, renderers: 2, rate: 10, crowdRate: 3, seconds: 1 },
  webhooks: { endpoints: 10, events: 2, everyMs: 100 },
  nodes: {
    ...quick.nodes,
    ...{ warmUpSeconds: 1, overlays: 2, renderers: 2, rate: 50, busyRate: 50, seconds: 0.5 },
    ...{ openOverlays: 30, restSeconds: 1 },
  },
  // about as many as a key may ask for at once, and a little that has to wait
  season: { teams: 20, players: 260, matches: 60, clients: 16, requests: 50 },
}

/** Reads the command line; throws an `Error` with the fault in one line. */
export function readOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...{
        help: flag,
        quick: flag,
        smoke: flag,
        force: flag,
        'match-day': flag,
        idle: flag,
        runs: text,
        scenario: text,
        client: text,
        profile: text,
      },
      ...{
        compare: text,
        nodes: text,
        before: text,
        part: text,
        url: text,
        key: text,
        overlay: text,
        rate: text,
        seconds: text,
        renderers: text,
      },
      'p99-push-ms': text,
    },
  })
  if (values.help) return { mode: 'help' }
  if (values.idle) return { mode: 'idle' }
  const number = (
    name: 'runs' | 'nodes' | 'rate' | 'seconds' | 'renderers' | 'p99-push-ms',
    fallback: number,
  ): number => {
    const value = Number(values[name] ?? fallback)
    if (!(value > 0)) throw new Error(`--${name}: a number above 0`)
    return value
  }
  if (values['match-day']) {
    const { url, key } = values
    if ((url === undefined) !== (key === undefined)) throw new Error('--url and --key belong together')
    return { mode: 'matchDay', server: url && key ? { url, key } : undefined }
  }
  if (values.url || values.key || values.overlay) {
    const { url, key, overlay } = values
    if (!url || !key || !overlay) throw new Error('--url, --key and --overlay belong together')
    const p99PushMs = values['p99-push-ms'] === undefined ? undefined : number('p99-push-ms', 0)
    const [rate, seconds, renderers] = [number('rate', 20), number('seconds', 10), number('renderers', 5)]
    const force = values.force ?? false
    return { mode: 'gameDay', gameDay: { url, key, overlay, rate, seconds, renderers, p99PushMs, force } }
  }
  const size = values.smoke ? 'smoke' : values.quick ? 'quick' : 'full'
  const base = { smoke, quick, full }[size]
  const client = values.client ?? base.client
  if (client !== 'autocannon' && client !== 'raw') throw new Error('--client: autocannon or raw')
  const isOfNodes = values.nodes !== undefined
  const named = values.scenario?.split(',')
  const scenarios = isOfNodes ? [...(named ?? []), 'nodes'] : (named ?? base.scenarios)
  const count = number('nodes', base.nodes.count)
  if (!Number.isInteger(count) || count < 2) throw new Error('--nodes: two or more')
  const unknown = scenarios.find((name) => !scenarioNames.some((known) => known === name))
  if (unknown !== undefined) throw new Error(`--scenario: ${unknown} is none of ${scenarioNames.join(', ')}`)
  const parts = values.part?.split(',') ?? nodesParts
  const isPart = (name: string) => nodesParts.some((known) => known === name)
  const odd = parts.find((name) => !isPart(name))
  if (odd !== undefined) throw new Error(`--part: ${odd} is none of ${nodesParts.join(', ')}`)
  const plan = {
    ...base,
    client,
    runs: number('runs', base.runs),
    seconds: number('seconds', base.seconds),
    rate: number('rate', base.rate),
    renderers: number('renderers', base.renderers),
    nodes: {
      ...base.nodes,
      ...{ count, parts: nodesParts.filter((name) => parts.some((wanted) => wanted === name)), before: values.before },
      ...(values.runs !== undefined && { runs: number('runs', 1), aloneRuns: number('runs', 1) }),
    },
    scenarios: scenarioNames.filter((name) => scenarios.includes(name)),
  } satisfies Plan
  return { mode: 'local', plan, size, compare: values.compare, profile: values.profile }
}
