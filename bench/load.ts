import autocannon from 'autocannon'
import { now, sleep } from './clock.ts'
import { Connection, originOf } from './connection.ts'
import type { Target } from './target.ts'

/** The figures of a sender. `latency` is REST latency in ms of the accepted requests; `statuses` counts every answer (0: broken). */
export type Load = { seconds: number; accepted: number; statuses: Record<string, number>; latency: Float32Array }

export type Closed = { inFlight: number; seconds: number; idempotencyKeys?: boolean; client: 'autocannon' | 'raw' }

/** The closed loop: `inFlight` connections that each send the next request when the last is answered. */
export const closedLoop = (target: Target, load: Closed): Promise<Load> =>
  load.client === 'raw' ? rawLoop(target, load) : cannon(target, load)

const maxLatencies = 2_000_000

async function cannon(target: Target, { inFlight, seconds, idempotencyKeys = false }: Closed): Promise<Load> {
  const statuses: Record<string, number> = {}
  const latency = new Float32Array(maxLatencies)
  let accepted = 0
  let key = Math.floor(now() * 1e3)
  const requests = target.overlays.flatMap((_, i) =>
    target.triggers.map((_, j) => {
      const { path, headers, body } = target.request(i, j, 0)
      const fixed = { method: 'POST' as const, path, headers, body }
      if (!idempotencyKeys) return fixed
      const fresh = (request: autocannon.Request): autocannon.Request => ({
        ...request,
        headers: { ...request.headers, 'Idempotency-Key': `bench-${key++}` },
      })
      return { ...fixed, setupRequest: fresh }
    }),
  )
  // each connection starts elsewhere in the list, or all of them would walk the overlays in step
  let connection = 0
  const setupClient = (client: autocannon.Client) => {
    const from = Math.floor((connection++ * requests.length) / inFlight)
    client.setRequests([...requests.slice(from), ...requests.slice(0, from)])
  }
  const startedAt = now()
  const options = { url: target.url, connections: inFlight, duration: seconds, setupClient, sampleInt: 100 }
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(options, (error, done) => (error ? reject(error) : resolve(done)))
    run.on('response', (_client, status, _bytes, took) => {
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status < 300) latency[Math.min(accepted++, maxLatencies - 1)] = took
    })
  })
  if (result.errors > 0) statuses[0] = result.errors
  return { seconds: (now() - startedAt) / 1000, accepted, statuses, latency: latency.subarray(0, accepted) }
}

async function rawLoop(target: Target, { inFlight, seconds, idempotencyKeys = false }: Closed): Promise<Load> {
  const statuses: Record<string, number> = {}
  const latency = new Float32Array(maxLatencies)
  let accepted = 0
  let sent = 0
  let running = 0
  let key = Math.floor(now() * 1e3)
  const startedAt = now()
  const endsAt = startedAt + seconds * 1000
  const origin = originOf(target.url)
  const connections = Array.from({ length: inFlight }, () => new Connection(origin))
  const next = (connection: Connection): void => {
    const at = now()
    if (at >= endsAt) {
      running--
      return
    }
    const n = sent++
    const overlay = n % target.overlays.length
    const trigger = Math.floor(n / target.overlays.length) % target.triggers.length
    const extra = idempotencyKeys ? `Idempotency-Key: bench-${key++}\r\n` : ''
    connection.send(target.raw(overlay, trigger, 0, extra), (status) => {
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status >= 200 && status < 300) latency[Math.min(accepted++, maxLatencies - 1)] = now() - at
      next(connection)
    })
  }
  running = connections.length
  connections.forEach(next)
  while (running > 0 && now() < endsAt + 5_000) await sleep(5)
  const took = (now() - startedAt) / 1000
  for (const connection of connections) connection.close()
  return { seconds: took, accepted, statuses, latency: latency.subarray(0, Math.min(accepted, maxLatencies)) }
}
