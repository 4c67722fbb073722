import { setTimeout as delay } from 'node:timers/promises'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { inTime } from '../waiting/in-time.ts'

/** The figures that the parts report; each call is cheap enough for the live path. Times in milliseconds, ages in seconds. */
export type Metrics = {
  /** One answered request: `route` is the pattern, never the path as sent. */
  request(method: string, route: string, status: number, ms: number): void
  authFailure(code: string): void
  rateLimited(): void
  /** One durable group commit of the actor host. */
  commit(actors: number, commands: number, ms: number): void
  /** One serialized change, handed to the sockets of a topic. */
  pushed(bytes: number): void
  /** From the commit of a change to the renderer's report that it is painted. */
  painted(ms: number): void
  /** Renderers told that so many more things are wrong with graphics. */
  troubled(problems: number): void
  /** One sync of a provider connection. */
  synced(provider: string, outcome: 'done' | 'failed'): void
  /** One attempt to deliver something to a webhook: it was taken, is to be tried again, or was given up with it. */
  webhookAttempt(outcome: 'delivered' | 'retried' | 'failed', ms: number): void
  /** Read at each scrape. */
  sample(name: SampleName, read: () => number | Promise<number>): void
  /** Values by label, read at each scrape; a line that is not read any more is gone. */
  table<L extends string>(table: MetricTable<L>): void
  /** Prometheus text. */
  render(): Promise<{ contentType: string; body: string }>
}

/** `total`: the figure only ever rises. The labels must be few, or bounded by the number of things that run. */
export type MetricTable<L extends string> = {
  name: `tally_${string}`
  help: string
  type: 'gauge' | 'total'
  labels: readonly L[]
  read(): readonly MetricLine<L>[] | Promise<readonly MetricLine<L>[]>
}
export type MetricLine<L extends string> = { labels: Record<L, string>; value: number }

const samples = {
  tally_outbox_age_seconds: 'Age of the oldest row in the outbox',
  tally_actors_awake: 'Actors in memory',
  tally_actors_quarantined: 'Actors that cannot be loaded',
  tally_actors_unsettled: 'Actors whose last commit is not settled because they cannot be claimed',
  tally_renderers: 'Connected overlay sockets',
  tally_followers: 'Connected sockets of pages, panels and scripts that follow an overlay',
  tally_providers_failing: 'Provider connections whose last sync failed',
  tally_provider_success_age_seconds:
    'Time since the last successful sync of the connection that waits longest for one',
  tally_webhook_deliveries_pending: 'Deliveries of enabled webhooks that wait for an attempt, of the whole service',
  tally_webhooks_failing: 'Enabled webhooks whose last attempts were not taken, of the whole service',
  tally_database_up: '1 while the LISTEN connection stands',
} as const

export type SampleName = keyof typeof samples

const latencyBuckets = [0.25, 0.5, 1, 2, 3, 5, 8, 12, 20, 50, 100, 250, 500, 1_000, 2_500, 10_000]

/** Readings of the event loop come every 10 ms; before the first one its lag is no number. */
const FIRST_READINGS_MS = 50

/** A registry of its own, with the metrics of the process. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]

  const counter = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Counter({ name, help, labelNames, registers })
  const histogram = <L extends string>(name: string, help: string, buckets: number[], labelNames: L[] = []) =>
    new Histogram({ name, help, buckets, labelNames, registers })

  const requests = histogram('tally_http_request_ms', 'Time from request to answer', latencyBuckets, [
    'method',
    'route',
    'status',
  ])
  const syncs = counter('tally_provider_syncs_total', 'Syncs of provider connections', ['provider', 'outcome'])
  const attempts = counter(
    'tally_webhook_attempts_total',
    'Attempts to deliver to webhooks: delivered, to be retried, or failed for good',
    ['outcome'],
  )
  const attemptMs = histogram(
    'tally_webhook_attempt_ms',
    'Time from an attempt to its answer, or to its end',
    latencyBuckets,
    ['outcome'],
  )
  const authFailures = counter('tally_auth_failures_total', 'Refused API keys', ['code'])
  const limited = counter('tally_rate_limited_total', 'Requests answered 429')
  const commitMs = histogram('tally_actor_commit_ms', 'Time of a durable group commit', latencyBuckets)
  const batch = histogram('tally_actor_commit_actors', 'Actors in a group commit', [1, 2, 5, 10, 20, 50, 100, 200])
  const commands = counter('tally_actor_commands_total', 'Commands made durable')
  const pushes = tally(registers, 'tally_push_total', 'Frames published to a topic')
  const pushBytes = tally(registers, 'tally_push_bytes_total', 'Bytes of published frames, once per topic')
  const paint = histogram('tally_paint_ms', 'Time from commit to paint report', latencyBuckets)

  const troubles = tally(registers, 'tally_renderer_problems_total', 'What renderers told to be wrong with graphics')

  // resolving three labels costs more than the observation
  const seen = new Map<string, { observe(ms: number): void }>()
  const sampled = new Set<SampleName>()

  // from the first scrape on: the lag of the event loop is measured by waking it a hundred times a second
  let watched: Promise<void> | undefined
  const watch = () => {
    collectDefaultMetrics({ register: registry })
    return delay(FIRST_READINGS_MS)
  }

  return {
    request(method, route, status, ms) {
      const key = `${method} ${status} ${route}`
      let child = seen.get(key)
      if (!child) {
        child = requests.labels(method, route, String(status))
        seen.set(key, child)
      }
      child.observe(ms)
    },
    authFailure: (code) => authFailures.inc({ code }),
    synced: (provider, outcome) => syncs.inc({ provider, outcome }),
    webhookAttempt(outcome, ms) {
      attempts.inc({ outcome })
      attemptMs.observe({ outcome }, ms)
    },
    rateLimited: () => limited.inc(),
    commit(actors, count, ms) {
      commitMs.observe(ms)
      batch.observe(actors)
      commands.inc(count)
    },
    pushed(bytes) {
      pushes.count += 1
      pushBytes.count += bytes
    },
    painted: (ms) => paint.observe(ms),
    troubled(problems) {
      troubles.count += problems
    },
    sample(name, read) {
      if (sampled.has(name)) registry.removeSingleMetric(name)
      sampled.add(name)
      new Gauge({
        name,
        help: samples[name],
        registers,
        async collect() {
          // a scrape tells its other figures while the database is away or does not answer
          this.set((await inTime(Promise.resolve(read()))) ?? Number.NaN)
        },
      })
    },
    table({ name, help, type, labels, read }) {
      registry.removeSingleMetric(name)
      const Kind = type === 'total' ? Counter : Gauge
      new Kind({
        name,
        help,
        labelNames: labels,
        registers,
        async collect() {
          const lines = await inTime(Promise.resolve(read()))
          this.reset()
          for (const line of lines ?? []) this.inc(line.labels, line.value)
        },
      })
    },
    async render() {
      watched ??= watch()
      await watched
      return { contentType: registry.contentType, body: await registry.metrics() }
    },
  }
}

/** A counter without labels for the hottest path: a plain number that is read at each scrape. */
function tally(registers: Registry[], name: string, help: string): { count: number } {
  const held = { count: 0 }
  new Counter({
    name,
    help,
    registers,
    collect() {
      this.reset()
      this.inc(held.count)
    },
  })
  return held
}
