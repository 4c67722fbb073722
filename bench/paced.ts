import { Worker } from 'node:worker_threads'
import { now, sleep } from './clock.ts'
import { Connection, originOf } from './connection.ts'
import type { Load } from './load.ts'
import type { Samples } from './samples.ts'
import type { Target } from './target.ts'
import type { TickerData } from './ticker.ts'

export type Paced = { rate: number; seconds: number; firstNumber: number; connections?: number }

/** `lag`: from the intended send time to the write, in ms; large values mean that the bench itself was the bottleneck. */
export type PacedLoad = Load & { lag: Float32Array; failed: string[] }

/**
 * The open loop: request n is due at `start + n / rate`, whether or not those before were answered, and every latency counts from
 * then. autocannon cannot do this: its rates send each second's requests back to back and then pause.
 */
export async function pacedLoad(target: Target, samples: Samples, paced: Paced): Promise<PacedLoad> {
  const { rate, firstNumber, connections: size = 64 } = paced
  const count = Math.round(rate * paced.seconds)
  const statuses: Record<string, number> = {}
  const latency = new Float32Array(count)
  const lag = new Float32Array(count)
  const failed: string[] = []
  let [ticks, sent, answered, accepted] = [0, 0, 0, 0]

  const origin = originOf(target.url)
  const idle = Array.from({ length: size }, () => new Connection(origin))
  const all = [...idle]
  await sleep(50)
  const firstAt = now() + 200
  const intervalMs = 1000 / rate

  const send = (connection: Connection): void => {
    const i = sent++
    const overlay = i % target.overlays.length
    const trigger = Math.floor(i / target.overlays.length) % target.triggers.length
    const due = firstAt + i * intervalMs
    lag[i] = now() - due
    connection.send(target.raw(overlay, trigger, firstNumber + i), (status, body) => {
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status >= 200 && status < 300) latency[accepted++] = now() - due
      else if (failed.length < 3) failed.push(`${status} ${body.slice(0, 300)}`)
      answered++
      if (sent < ticks) send(connection)
      else idle.push(connection)
    })
  }

  for (let i = 0; i < count; i++) samples.intended[firstNumber + i] = firstAt + i * intervalMs
  const stop = new Int32Array(new SharedArrayBuffer(4))
  const workerData: TickerData = { firstAt, intervalMs, count, stop }
  const ticker = new Worker(new URL('./ticker.js', import.meta.url), { workerData })
  ticker.on('message', () => {
    ticks++
    const connection = idle.pop()
    if (connection) send(connection)
  })
  const deadline = firstAt + paced.seconds * 1000 + 10_000
  while (answered < count && now() < deadline) await sleep(10)
  const seconds = (now() - firstAt) / 1000
  Atomics.store(stop, 0, 1)
  Atomics.notify(stop, 0)
  await ticker.terminate()
  for (const connection of all) connection.close()
  if (answered < count) statuses.unanswered = count - answered
  return { seconds, accepted, statuses, latency: latency.subarray(0, accepted), lag: lag.subarray(0, sent), failed }
}
