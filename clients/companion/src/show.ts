import { setTimeout as pause } from 'node:timers/promises'
import { InstanceStatus } from '@companion-module/base'
import { createTally, type LiveMessage, type Schema, type Tally, TallyError } from '@tally/client'
import { type LiveState, nothingYet, told } from '../../../src/pages/live/state.ts'
import { type Memories, remembered } from './lamps.ts'

export type Room = Pick<Schema<'ControlRoomDetail'>, 'sections' | 'presets'>
export type Overlay = Pick<Schema<'Overlay'>, 'id' | 'name'>

/** Told of everything that changes. */
export type Listener = {
  /** Of the connection, in the words of Companion. */
  status(status: InstanceStatus, message: string | null): void
  /** Presets, sections or the choice of overlays. */
  room(): void
  /** What is on air, on preview, painted, or of the match. */
  live(): void
  log(message: string): void
}

export type Choice = { url: string; key: string; overlayId: number }

const NO_ROOM: Room = { sections: [], presets: [] }
const AGAIN_MS = 5_000
/** The most that a list has. */
const LISTED = 1_000
/** No waiting changes what the server said: somebody has to change the settings. */
const SETTINGS_AGAIN_MS = 30_000

/** One overlay as a server tells it, from `run` until its signal. */
export class Show {
  readonly tally: Tally
  overlays: readonly Overlay[] = []
  overlay: Overlay | undefined
  room: Room = NO_ROOM
  readonly #choice: Choice
  readonly #listener: Listener
  #live: LiveState = nothingYet
  #memories: Memories = new Map()
  #matchId = 0
  #isConnected = false
  #serverOffsetMs = 0
  #reading = 0

  constructor(choice: Choice, listener: Listener) {
    this.#choice = choice
    this.#listener = listener
    this.tally = createTally({ url: choice.url, key: choice.key, retryForMs: 5_000 })
  }

  /** What is true now; undefined while nobody knows. */
  get live(): LiveState | undefined {
    return this.#isConnected ? this.#live : undefined
  }

  /** The server's time, ms since 1970. */
  readonly now = (): number => Date.now() + this.#serverOffsetMs

  /** What is known of each graphic on air. */
  get memories(): Memories {
    return this.#memories
  }

  /** Connects, again and again, until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      let waitMs = AGAIN_MS
      try {
        this.#listener.status(InstanceStatus.Connecting, null)
        await this.#choose()
        await this.#follow(signal)
      } catch (error) {
        if (signal.aborted) return
        const { status, message, isOfSettings } = statusOf(error)
        if (isOfSettings) waitMs = SETTINGS_AGAIN_MS
        this.#lost()
        this.#listener.status(status, message)
      }
      await pause(waitMs, undefined, { signal }).catch(() => {})
    }
  }

  async #choose(): Promise<void> {
    const { overlays } = await this.tally.get('/v1/overlays', { query: { limit: LISTED } })
    this.overlays = overlays.map(({ id, name }) => ({ id, name }))
    const { overlayId } = this.#choice
    const listed = overlayId === 0 ? overlays[0] : overlays.find(({ id }) => id === overlayId)
    if (!listed && overlayId === 0) throw new Settings('This organization has no overlay yet')
    const chosen = listed ?? (await this.#overlayBeyond(overlayId))
    this.overlay = chosen
    this.#matchId = chosen.matchId
    await this.#readRoom(chosen.controlRoomId)
  }

  /** One of an organization with more overlays than a list has. Throws Settings. */
  async #overlayBeyond(overlayId: number) {
    try {
      return await this.tally.get('/v2/overlays/{overlayId}', { path: { overlayId } })
    } catch (error) {
      if (error instanceof TallyError && [400, 403, 404].includes(error.status))
        throw new Settings(`There is no overlay ${overlayId}`)
      throw error
    }
  }

  /** The match as it is now: its teams may be others than this morning. Throws TallyError. */
  readMatch() {
    return this.tally.get('/v1/matches/{matchId}', { path: { matchId: this.#matchId } })
  }

  async #readRoom(roomId: number | null | undefined): Promise<void> {
    const reading = ++this.#reading
    const room = roomId ? await this.tally.get('/v2/control-rooms/{roomId}', { path: { roomId } }) : NO_ROOM
    // the newest question has the newest answer
    if (reading !== this.#reading) return
    this.room = room
    this.#listener.room()
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { id } = this.overlay ?? { id: 0 }
    this.#live = nothingYet
    const onConnection = (state: 'connected' | 'lost') => {
      if (state === 'connected') this.#listener.status(InstanceStatus.Ok, null)
      else this.#listener.status(InstanceStatus.Disconnected, 'The connection is lost; connecting again')
      if (state === 'lost') this.#lost()
      else this.#isConnected = true
    }
    for await (const message of this.tally.follow(id, { signal, onConnection })) this.#hear(message)
  }

  #hear(message: LiveMessage): void {
    if (message.type === 'SNAPSHOT') this.#serverOffsetMs = Date.parse(message.payload.serverTime) - Date.now()
    const { roomRevision } = this.#live
    // the types are of the same shapes, one from the source and one from what it is served as
    this.#live = told(this.#live, message as Parameters<typeof told>[1])
    this.#memories = remembered(this.#memories, this.#live, this.now())
    this.#listener.live()
    if (this.#live.roomRevision === roomRevision || message.type === 'SNAPSHOT') return
    this.#readRoom(this.#live.overlay?.controlRoomId).catch((error) => this.#listener.log(String(error)))
  }

  #lost(): void {
    this.#isConnected = false
    this.#listener.live()
  }
}

/** Only another setting helps. */
class Settings extends Error {}

function statusOf(error: unknown): { status: InstanceStatus; message: string; isOfSettings: boolean } {
  if (error instanceof Settings) return { status: InstanceStatus.BadConfig, message: error.message, isOfSettings: true }
  if (!(error instanceof TallyError))
    return { status: InstanceStatus.UnknownError, message: String(error), isOfSettings: false }
  if (error.status === 401)
    return {
      status: InstanceStatus.AuthenticationFailure,
      message: 'The server does not know this key',
      isOfSettings: true,
    }
  if (error.status === 403)
    return { status: InstanceStatus.InsufficientPermissions, message: error.message, isOfSettings: true }
  return { status: InstanceStatus.ConnectionFailure, message: error.message, isOfSettings: false }
}
