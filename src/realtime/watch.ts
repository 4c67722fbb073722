import type { Channel, Commit } from './channel.ts'
import type { Ports } from './ports.ts'
import { Session } from './session.ts'
import type { Socket, SocketEvents } from './socket.ts'

const stateSpacingMs = 50
const renderersSpacingMs = 1000
const maxRenderers = 500

export type Member = Session | Watcher

/** A monitoring or control page's socket: it only listens. */
export class Watcher implements SocketEvents {
  readonly overlayId: number
  readonly #joined: (watcher: Watcher) => void
  readonly #left: (watcher: Watcher) => void
  #socket: Socket | undefined

  constructor(overlayId: number, on: { joined(watcher: Watcher): void; left(watcher: Watcher): void }) {
    this.overlayId = overlayId
    this.#joined = on.joined
    this.#left = on.left
  }

  open(socket: Socket): void {
    this.#socket = socket
    this.#joined(this)
  }

  message(): void {
    this.end(1008, 'nothing is expected here')
  }

  closed(): void {
    this.#left(this)
    this.#socket = undefined
  }

  send(text: string): void {
    if (this.#socket && !this.#socket.send(text)) this.end(1013, 'too slow')
  }

  subscribe(topic: string): void {
    this.#socket?.subscribe(topic)
  }

  bufferedBytes(): number {
    return this.#socket?.bufferedBytes() ?? 0
  }

  end(code: number, reason: string): void {
    this.#socket?.end(code, reason)
  }
}

const iso = (ms: number) => (ms > 0 ? new Date(ms).toISOString() : null)

/** What the watching pages of one overlay are told: the committed state (not the delayed view) and who renders it. */
export class Watch {
  readonly watchers = new Set<Watcher>()
  readonly #ports: Ports
  readonly #channel: Channel<Member>
  /** When each graphic on air was shown, ms since 1970, by its load seq. */
  readonly #shownAt = new Map<number, number>()
  #sentAt = Number.NEGATIVE_INFINITY
  #cancelTimer: (() => void) | undefined
  #renderers: { text: string; at: number } | undefined
  /** A renderer came, went or painted since they were last listed. */
  #renderersChanged = true

  constructor(ports: Ports, channel: Channel<Member>) {
    this.#ports = ports
    this.#channel = channel
    channel.onChange = (commit) => this.#changed(commit)
    void this.#lookUpTimes()
  }

  add(watcher: Watcher): void {
    this.watchers.add(watcher)
    if (this.#channel.known) watcher.send(this.#state())
  }

  noteRenderers(): void {
    this.#renderersChanged = true
  }

  /** Called by the sweep: tells of renderers when they changed and the last list is old enough. */
  tick(): void {
    if (!this.#renderersChanged || this.#cancelTimer) return
    if (this.#ports.clock.now() - (this.#renderers?.at ?? 0) >= renderersSpacingMs) this.#send()
  }

  stop(): void {
    this.#cancelTimer?.()
    this.#channel.onChange = undefined
  }

  #changed(commit: Commit | undefined): void {
    for (const event of commit?.events ?? [])
      if (commit && event.type === 'graphic.shown') this.#shownAt.set(commit.seq, commit.at)
    if (!commit) void this.#lookUpTimes()
    if (this.#cancelTimer) return
    const waitMs = this.#sentAt + stateSpacingMs - this.#ports.clock.now()
    if (waitMs <= 0) this.#send()
    else this.#cancelTimer = this.#ports.clock.after(waitMs, () => this.#send())
  }

  #send(): void {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    if (!this.#channel.known) return
    this.#sentAt = this.#ports.clock.now()
    const text = this.#state()
    for (const watcher of this.watchers) watcher.send(text)
  }

  #state(): string {
    const { card, committed } = this.#channel.known ?? {}
    const onAir = Object.values(committed?.context.graphics ?? {})
    const shown = new Set(onAir.map(({ loadSeq }) => loadSeq))
    for (const seq of this.#shownAt.keys()) if (!shown.has(seq)) this.#shownAt.delete(seq)
    const payload = JSON.stringify({
      overlay: { id: card?.id, name: card?.name, encodingDelay: card?.encodingDelaySeconds },
      seq: committed?.seq,
      onAir: onAir.map(({ graphicId, graphicName, presetId, values, sectionId, loadSeq }) => {
        const since = iso(this.#shownAt.get(loadSeq) ?? 0)
        return { graphicId, graphicName, presetId, variableValues: values, sectionId, since }
      }),
    })
    return `{"type":"STATE","payload":${payload.slice(0, -1)},"renderers":${this.#rendererList()}}}`
  }

  #rendererList(): string {
    const now = this.#ports.clock.now()
    if (this.#renderers && (!this.#renderersChanged || now - this.#renderers.at < renderersSpacingMs))
      return this.#renderers.text
    const sessions = [...this.#channel.members].filter((member) => member instanceof Session).slice(0, maxRenderers)
    const text = JSON.stringify(
      sessions.map(({ name, connectedAt, lastPaintAt, lastSeq }) => {
        const painted = { lastPaintAt: iso(lastPaintAt), lastSeq: lastPaintAt > 0 ? lastSeq : null }
        return { name, connectedAt: iso(connectedAt), ...painted }
      }),
    )
    this.#renderers = { text, at: now }
    this.#renderersChanged = false
    return text
  }

  async #lookUpTimes(): Promise<void> {
    const onAir = Object.values(this.#channel.known?.committed.context.graphics ?? {})
    const missing = onAir.map(({ loadSeq }) => loadSeq).filter((seq) => !this.#shownAt.has(seq))
    if (missing.length === 0) return
    try {
      const times = await this.#ports.commitTimes(this.#channel.overlayId, missing)
      for (const [seq, at] of times) this.#shownAt.set(seq, at)
      this.#send()
    } catch (error) {
      this.#ports.log.warn({ overlayId: this.#channel.overlayId, err: error }, 'commit times could not be read')
    }
  }
}
