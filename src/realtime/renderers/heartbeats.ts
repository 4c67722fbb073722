/** A socket that asked for `?heartbeat=`. */
export interface Beating {
  readonly live: boolean
  readonly heartbeatMs: number
  /** When a frame last went to this renderer, alone or with others, ms. */
  readonly lastSentAt: number
  beat(): void
}

const slotMs = 100

/** Repeats HELLO after silence. Sockets wait in slots by the time at which they can be due, so a tick visits only those. live-path 19 */
export class Heartbeats {
  readonly #slots = new Map<number, Beating[]>()
  #next: number | undefined

  add(socket: Beating, now: number): void {
    this.#next ??= Math.floor(now / slotMs)
    this.#wait(socket, socket.lastSentAt + socket.heartbeatMs)
  }

  tick(now: number): void {
    if (this.#next === undefined) return
    const last = Math.floor(now / slotMs)
    // after a long stop of the process only slots that exist are worth a visit
    if (last - this.#next > this.#slots.size) {
      for (const slot of [...this.#slots.keys()].sort((a, b) => a - b)) if (slot < last) this.#visit(slot, now)
    } else for (let slot = this.#next; slot < last; slot++) this.#visit(slot, now)
    this.#next = Math.max(this.#next, last)
  }

  #visit(slot: number, now: number): void {
    const sockets = this.#slots.get(slot)
    if (!sockets) return
    this.#slots.delete(slot)
    for (const socket of sockets) {
      if (!socket.live) continue
      if (now - socket.lastSentAt >= socket.heartbeatMs) socket.beat()
      this.#wait(socket, socket.lastSentAt + socket.heartbeatMs)
    }
  }

  #wait(socket: Beating, dueAt: number): void {
    const slot = Math.max(Math.floor(dueAt / slotMs), this.#next ?? 0)
    const sockets = this.#slots.get(slot)
    if (sockets) sockets.push(socket)
    else this.#slots.set(slot, [socket])
  }
}
