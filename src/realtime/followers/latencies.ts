import type { LiveRenderer } from './live-protocol.ts'

const KEPT = 256

type Ring = { ms: Float32Array; count: number }

/** How long the latest paints of each renderer took, as long as somebody wants to know. */
export class Latencies<Renderer> {
  readonly #rings = new Map<Renderer, Ring>()

  note(renderer: Renderer, ms: number): void {
    const ring = this.#rings.get(renderer) ?? { ms: new Float32Array(KEPT), count: 0 }
    ring.ms[ring.count++ % KEPT] = ms
    this.#rings.set(renderer, ring)
  }

  forget(renderer: Renderer): void {
    this.#rings.delete(renderer)
  }

  /** Null before its first paint. Milliseconds, to a tenth. */
  of(renderer: Renderer): LiveRenderer['latency'] {
    const ring = this.#rings.get(renderer)
    if (!ring) return null
    const count = Math.min(ring.count, KEPT)
    const sorted = ring.ms.slice(0, count).sort()
    const at = (share: number) => Math.round((sorted[Math.ceil(share * count) - 1] ?? 0) * 10) / 10
    return { p50: at(0.5), p95: at(0.95), p99: at(0.99), count }
  }
}
