import { WebSocket } from 'ws'
import type { Period } from './period.ts'

type Frame = { type: string; payload: { graphicId: string; seq: number; onAir?: boolean; data?: SportData } }

/** The parts of a graphic's data that a match day looks at. */
export type SportData = {
  match?: { state: string; period: Period | null; clock: unknown; score: unknown }
  facts?: { id: number; type: string }[]
}

const reconnectMs = 250

/** One renderer on the overlay's socket: the graphics on its screen by the frames it received. It reconnects as a page does. */
export class Screen {
  readonly graphics = new Map<string, { seq: number; data: SportData | undefined }>()
  /** Frames so far, and the highest seq. */
  frames = 0
  seq = 0
  readonly #url: string
  #socket: WebSocket
  #closed = false
  readonly #watching = new Set<() => void>()

  /** `url` of the server, `key` of the overlay. */
  constructor(url: string, key: string) {
    this.#url = `${url.replace(/^http/, 'ws')}/overlay/${key}/socket`
    this.#socket = this.#connect()
  }

  /** Resolves once `holds` does; rejects after `withinMs` with the graphics on screen. */
  until(what: string, holds: () => boolean, withinMs = 5_000): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#watching.delete(look)
        reject(new Error(`waited ${withinMs} ms in vain for ${what}; on screen: ${JSON.stringify([...this.graphics])}`))
      }, withinMs)
      const look = () => {
        if (!holds()) return
        this.#watching.delete(look)
        clearTimeout(timer)
        resolve()
      }
      this.#watching.add(look)
      look()
    })
  }

  close(): void {
    this.#closed = true
    this.#socket.close()
  }

  #connect(): WebSocket {
    const socket = new WebSocket(this.#url)
    socket.on('message', (text) => this.#receive(JSON.parse(String(text)) as Frame))
    socket.on('error', () => {})
    socket.on('close', () => {
      if (this.#closed) return
      setTimeout(() => {
        if (!this.#closed) this.#socket = this.#connect()
        // a match day that gave up on the screen must be able to end
      }, reconnectMs).unref()
    })
    return socket
  }

  #receive({ type, payload }: Frame): void {
    if (type === 'HELLO') {
      const showing = [...this.graphics].map(([graphicId, { seq }]) => ({ graphicId, seq }))
      this.#socket.send(JSON.stringify({ type: 'READY', payload: { showing } }))
    } else {
      const { graphicId, seq, onAir } = payload
      this.frames++
      this.seq = Math.max(this.seq, seq)
      const before = this.graphics.get(graphicId)
      if (onAir === false) this.graphics.delete(graphicId)
      // an update names only members that changed
      else this.graphics.set(graphicId, { seq, data: 'data' in payload ? payload.data : before?.data })
    }
    for (const look of [...this.#watching]) look()
  }
}
