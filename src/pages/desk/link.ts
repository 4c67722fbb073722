import { followServerTime, localNow } from '../shared/server-time.ts'
import { newKey } from '../ui/new-key.ts'
import { Refusal, request } from '../ui/request.ts'
import { address } from './address.ts'
import { openKept } from './kept.ts'
import type { Kept } from './kept-in-memory.ts'
import { type Desk, learned, merged, sinceOf, targetIn } from './model.ts'
import { Outbox, type Outcome } from './outbox.ts'
import type { Press } from './press.ts'

/** gone: the server knows no such desk any more. */
export type Line = 'connecting' | 'connected' | 'lost' | 'gone'

export type DeskState = {
  /** As the server said last; undefined until this telephone has read it once. */
  desk: Desk | undefined
  presses: readonly Press[]
  line: Line
  /** False where this browser keeps nothing. */
  durable: boolean
  /** Add to this telephone's time to get the server's. */
  offsetMs: number
  /** The telephone's own clock is off by so much, once that was measured. */
  clockOffMs: number | undefined
}

const SILENCE_MS = 12_000
const FIRST_RETRY_MS = 300
const LONGEST_RETRY_MS = 5_000
const GONE_RETRY_MS = 30_000
/** A press that is not answered by then is sent again. */
const PATIENCE_MS = 8_000

/** The page's line to the server, and what it does without one: state comes in by reading, presses go out by the outbox. */
export class DeskLink {
  readonly outbox: Outbox
  readonly #kept: Kept
  readonly #listeners = new Set<() => void>()
  readonly #others = 'BroadcastChannel' in window ? new BroadcastChannel(`match-desk${address}`) : undefined
  #state: DeskState
  #measured = false
  #socket: WebSocket | undefined
  #heardAt = 0
  #attempts = 0
  #retry = 0
  #reading: Promise<void> | undefined
  #readAgain = false
  #remeasure = () => {}

  /** Opens what is kept on this telephone, then the line. */
  static async open(): Promise<DeskLink> {
    const kept = await openKept(`match-desk${address}`)
    const memory = await kept.memory.read()
    const link = new DeskLink(kept, memory.desk, memory.offsetMs ?? 0)
    await link.outbox.load()
    link.#start()
    return link
  }

  private constructor(kept: Kept, desk: Desk | undefined, offsetMs: number) {
    this.#kept = kept
    const { durable } = kept
    this.#state = { desk, presses: [], line: 'connecting', durable, offsetMs, clockOffMs: undefined }
    this.outbox = new Outbox({
      store: kept.presses,
      send: (press) => this.#send(press),
      now: localNow,
      offset: () => ({ ms: this.#state.offsetMs, measured: this.#measured }),
      newId: newKey,
      isUp: () => this.#state.line === 'connected',
      changed: (presses) => {
        this.#tell({ presses })
        this.#others?.postMessage('changed')
      },
      line: (line) => this.#sent(line),
      alone: (work) => ('locks' in navigator ? navigator.locks.request(`match-desk${address}`, work) : work()),
      run: newKey(),
    })
  }

  get state(): DeskState {
    return this.#state
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #start(): void {
    if (this.#others)
      this.#others.onmessage = () =>
        void this.#kept.presses.all().then((presses) => {
          if (JSON.stringify(presses) !== JSON.stringify(this.#state.presses)) void this.outbox.load()
        })
    this.#remeasure = followServerTime(new URL('../time', location.href).href, (offsetMs) => {
      this.#measured = true
      this.#tell({ offsetMs, clockOffMs: offsetMs })
      void this.#remember()
    })
    window.addEventListener('online', () => this.#reopen())
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && this.#reopen())
    window.setInterval(() => {
      if (this.#socket && performance.now() - this.#heardAt > SILENCE_MS) this.#lose()
    }, 1_000)
    this.#open()
    void this.outbox.flush()
  }

  #open(): void {
    const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}${address}/socket`)
    this.#socket = socket
    this.#heardAt = performance.now()
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket) return
      this.#heardAt = performance.now()
      const first = this.#state.line !== 'connected'
      this.#attempts = 0
      if (first) {
        this.#tell({ line: 'connected' })
        this.#remeasure()
        void this.outbox.flush()
      }
      if (first || String(data).includes('DESK_CHANGED')) void this.read()
    }
    socket.onclose = () => {
      if (socket === this.#socket) this.#lose()
    }
  }

  #reopen(): void {
    if (this.#state.line === 'connected') return
    window.clearTimeout(this.#retry)
    this.#socket?.close()
    this.#open()
  }

  #lose(): void {
    const socket = this.#socket
    this.#socket = undefined
    socket?.close()
    if (this.#state.line !== 'gone')
      this.#tell({ line: this.#state.desk || this.#attempts > 1 ? 'lost' : 'connecting' })
    void this.#isGone()
    const backoff = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#attempts++)
    const wait = this.#state.line === 'gone' ? GONE_RETRY_MS : backoff * (0.5 + Math.random() / 2)
    window.clearTimeout(this.#retry)
    this.#retry = window.setTimeout(() => this.#open(), wait)
  }

  /** The desk as it stands now; while one read is on its way, one more after it. */
  read(): Promise<void> {
    this.#readAgain = true
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #readAll(): Promise<void> {
    while (this.#readAgain) {
      this.#readAgain = false
      try {
        await this.#readOnce()
      } catch (error) {
        if (error instanceof Refusal && error.status === 404) this.#tell({ line: 'gone' })
      }
    }
  }

  async #readOnce(): Promise<void> {
    const since = sinceOf(this.#state.desk)
    const query = since === undefined ? '' : `?since=${encodeURIComponent(since)}`
    let desk = merged(this.#state.desk, await request<Desk>('GET', `${address}/rest/desk${query}`))
    // a fact that was changed long before this telephone last looked
    if (desk.facts.length < desk.factIds.length)
      desk = merged(undefined, await request<Desk>('GET', `${address}/rest/desk`))
    this.#tell({ desk, ...(this.#state.line === 'gone' && { line: 'lost' as const }) })
    void this.#remember()
  }

  async #isGone(): Promise<boolean> {
    try {
      await request('GET', `${address}/rest/desk?since=9999-01-01T00:00:00Z`)
      return false
    } catch (error) {
      const gone = error instanceof Refusal && error.status === 404
      if (gone) this.#tell({ line: 'gone' })
      return gone
    }
  }

  async #send(press: Press): Promise<Outcome> {
    const { id, at, command } = press
    const ask = async (): Promise<unknown> => {
      const send = <T>(method: 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: object) =>
        request<T>(method, `${address}/rest${path}`, { key: id, patienceMs: PATIENCE_MS, ...(body && { body }) })
      if (command.type === 'record') {
        const body = { timestamp: new Date(at).toISOString(), ...command.fact, clientFactId: id }
        return this.#learn({ fact: await send<Desk['facts'][number]>('POST', '/facts', body) })
      }
      if (command.type === 'lineup') {
        await send('PUT', '/lineup', { teams: command.teams })
        return this.read()
      }
      if (command.type === 'update') {
        const { type: _, ...body } = command
        await send('PATCH', '/match', body)
        return this.read()
      }
      const factId = await this.#idOf(command.target)
      if (factId === undefined) throw new Refusal(404, 'The fact that this belongs to is not there')
      if (command.type === 'erase') {
        await send('DELETE', `/facts/${factId}`)
        return this.#learn({ erased: factId })
      }
      return this.#learn({ fact: await send<Desk['facts'][number]>('POST', `/facts/${factId}`, command.fact) })
    }
    try {
      await ask()
      return { is: 'taken' }
    } catch (error) {
      const { status, message, details } =
        error instanceof Refusal ? error : new Refusal(0, 'The server cannot be reached')
      if (status === 0 || status >= 500 || status === 429 || status === 408) return { is: 'lost' }
      if (status === 404 && (await this.#isGone())) return { is: 'gone' }
      // what was to be taken back is not there
      if (status === 404 && command.type === 'erase') return { is: 'taken' }
      const words = Object.entries(details ?? {}).map(
        ([path, { message: says }]) => `${this.#playerAt(press, path)}${worded(path, says)}`,
      )
      // it is put right by what the server held it against: who has left the squad is no more there to be lined up
      await this.read()
      return { is: 'refused', refusal: { status, message, details: words } }
    }
  }

  /** `Ana Silva: ` for a fault of a line-up that names a place in it. */
  #playerAt({ command }: Press, path: string): string {
    const [, team, player] = /teams\[(\d+)\]\.players\[(\d+)\]/.exec(path) ?? []
    if (command.type !== 'lineup' || team === undefined || player === undefined) return ''
    const id = command.teams[Number(team)]?.players[Number(player)]?.playerId
    const found = this.#state.desk?.teams.flatMap(({ roster }) => roster).find((one) => one.id === id)
    return found ? `${found.firstName} ${found.lastName}, ` : ''
  }

  /** Undefined when the server has no such fact. */
  async #idOf(target: Parameters<typeof targetIn>[1]): Promise<number | undefined> {
    const known = targetIn(this.#state.desk?.facts ?? [], target)
    if (known || 'factId' in target) return known?.id ?? ('factId' in target ? target.factId : undefined)
    const desk = merged(undefined, await request<Desk>('GET', `${address}/rest/desk`))
    this.#tell({ desk })
    return targetIn(desk.facts, target)?.id
  }

  /** A fact that was just taken is there at once, before anything is read. */
  #learn(change: Parameters<typeof learned>[1]): void {
    const { desk } = this.#state
    if (!desk) return
    this.#tell({ desk: learned(desk, change) })
    void this.read()
  }

  #sent(line: 'idle' | 'sending' | 'lost' | 'gone'): void {
    if (line === 'gone') this.#tell({ line: 'gone' })
    if (line !== 'lost') return
    if (this.#state.line === 'connected') this.#lose()
    window.setTimeout(() => void this.outbox.flush(), LONGEST_RETRY_MS)
  }

  #remember(): Promise<void> {
    const { desk, offsetMs } = this.#state
    return this.#kept.memory.write({ ...(desk && { desk }), offsetMs }).catch(() => undefined)
  }

  #tell(change: Partial<DeskState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }
}

/** `body.teams[0].players[3].number: worn by another player` without the path of the request. */
const worded = (path: string, says: string) => {
  const field = path.replace(/^body\.?/, '').replace(/^.*\.players\[\d+\]\./, '')
  return field === '' || field === 'type' ? says : `${field}: ${says}`
}
