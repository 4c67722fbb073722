import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Api } from './api.ts'
import { now, sleep } from './clock.ts'
import { cpuMs } from './cost.ts'
import type { Plan } from './options.ts'
import { produceOverlays } from './production.ts'
import type { Say } from './say.ts'
import { removeDataDir, startServer, temporaryDataDir } from './server.ts'
import { type Distribution, distribution, percentile, round } from './stats.ts'
import type { Listening, ReceiverAsk, ReceiverSeen } from './webhook-receiver.ts'

/** From the time that an event says, its commit, until its delivery is at a receiver. */
export type WebhooksRun = {
  expected: number
  arrival: Distribution
  unverified: number
  /** CPU time of the server for each delivery, its commit and its rest included, microseconds. */
  serverMicros: number
}

/** `one`: one of the endpoints wants the event; `all`: each does; `dead`: beside as many again as a tenth that never answer. */
export type WebhooksResult = Record<keyof typeof WEBHOOKS_NAMES, WebhooksRun[]>

export const WEBHOOKS_NAMES = {
  one: 'one wants it',
  all: 'all want it',
  dead: 'all want it, and a tenth more never answer',
} as const

const SETTLED_MS = 1_000
const ARRIVED_WITHIN_MS = 10_000

/** Goals told over REST to endpoints of this machine; on a server of its own that is gone afterwards. */
export async function webhooks(plan: Plan, say: Say): Promise<WebhooksResult & { warnings: string[] }> {
  const { endpoints, events, everyMs } = plan.webhooks
  const dataDir = temporaryDataDir()
  const receiver = new Worker(new URL('./webhook-receiver.js', import.meta.url))
  const ask = (question: ReceiverAsk) => receiver.postMessage(question)
  const answer = async <T>() => ((await once(receiver, 'message')) as [T])[0]
  const { port } = await answer<Listening>()
  try {
    const server = await startServer(dataDir, { settings: { OUTBOUND_PRIVATE: 'on' } })
    try {
      const { apiKey, overlays } = await produceOverlays(server, 1)
      const api = new Api(server.url, apiKey)
      const { matchId } = await api.get<{ matchId: number }>(`/v2/overlays/${overlays[0]?.id}`)
      const { homeTeamId: teamId } = await api.get<{ homeTeamId: number }>(`/v2/matches/${matchId}`)
      const fact = (body: object) => api.post(`/v2/matches/${matchId}/facts`, body)
      await fact({ type: 'matchStart' })
      say(`making ${endpoints} webhooks`)
      const make = async (path: string, wanted: boolean) => {
        const about = { url: `http://127.0.0.1:${port}/${path}`, events: [wanted ? WANTED : UNWANTED] }
        return api.post<{ id: number; secret: string }>('/v2/webhooks', about)
      }
      const made: { id: number; secret: string }[] = []
      for (let nth = 0; nth < endpoints; nth++) made.push(await make(String(nth), nth === 0))
      ask({ secrets: made.map(({ secret }) => secret) })

      const seen = async (): Promise<ReceiverSeen> => {
        ask({ seen: true })
        return answer<ReceiverSeen>()
      }
      const measure = async (name: keyof WebhooksResult, each: number): Promise<WebhooksRun[]> => {
        const runs: WebhooksRun[] = []
        // the first one warms up
        for (let nth = 0; nth <= plan.runs; nth++) {
          await sleep(SETTLED_MS)
          await seen()
          const before = cpuMs(server.pid)
          for (let goal = 0; goal < events; goal++) {
            await fact({ type: 'goal', teamId })
            await sleep(everyMs)
          }
          const expected = events * each
          const arrivals: number[] = []
          let unverified = 0
          for (const end = now() + ARRIVED_WITHIN_MS; arrivals.length < expected && now() < end; await sleep(20)) {
            const found = await seen()
            arrivals.push(...found.arrivals)
            unverified = found.unverified
          }
          const serverMicros = round(((cpuMs(server.pid) - before) * 1000) / Math.max(1, arrivals.length), 0)
          const run = { expected, arrival: distribution(Float32Array.from(arrivals)), unverified, serverMicros }
          if (nth === 0) continue
          runs.push(run)
          say(`${endpoints} endpoints, ${WEBHOOKS_NAMES[name]}, run ${nth}: ${line(run)}`)
        }
        return runs
      }
      const one = await measure('one', 1)
      for (const { id } of made) await api.call('PATCH', `/v2/webhooks/${id}`, { events: [WANTED] })
      const all = await measure('all', endpoints)
      for (let nth = 0; nth < endpoints / 10; nth++) await make(`dead/${nth}`, true)
      const dead = await measure('dead', endpoints)
      return { one, all, dead, warnings: server.warnings() }
    } finally {
      await server.stop()
    }
  } finally {
    await receiver.terminate()
    removeDataDir(dataDir)
  }
}

const WANTED = 'match.score_changed'
const UNWANTED = 'theme.version_published'

const line = ({ expected, arrival, serverMicros }: WebhooksRun) =>
  `${arrival.count} of ${expected} deliveries, p50 ${percentile(arrival, 50)} p99 ${percentile(arrival, 99)} ms, ${serverMicros} µs of the server each`
