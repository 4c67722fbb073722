import { createHash } from 'node:crypto'
import { unavailable } from '../../errors.ts'
import type { MaybePromise, Ports } from '../ports.ts'
import type { Socket } from '../socket.ts'
import type { Memory } from './air.ts'
import type { Button } from './button.ts'
import { Follower, type FollowerHost } from './follower.ts'
import { lampsOf } from './lamps.ts'
import type { Told } from './told.ts'

/** An overlay that nobody asked for so long is followed no more. */
const ASKED_WITHIN_MS = 15_000
const SWEEP_MS = 5_000

/** The lamps of an overlay as they are answered: JSON text, and the hash of it. */
export type LampsTold = { readonly body: string; readonly tag: string }

type Followed = { readonly version: number; readonly roomVersion: number; told(): Told }

type Parts = {
  ports: Pick<Ports, 'clock' | 'isLive' | 'buttons'>
  host: FollowerHost
  /** What its followers are told; undefined: nobody follows it. */
  following(overlayId: number): Followed | undefined
}

/** Overlays that are asked for over REST, each followed as by a socket that only this process reads: no poll asks the database. */
export class WatchedOverlays {
  readonly #parts: Parts
  readonly #watches = new Map<number, Watch>()
  #cancelSweep: (() => void) | undefined

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** At once while nothing changes. Throws unavailable where the truth cannot be told, or the overlay is gone. */
  lamps(overlayId: number): MaybePromise<LampsTold> {
    const { ports } = this.#parts
    // this node may have missed commits of others
    if (!(ports.isLive?.() ?? true)) throw unavailable()
    const known = this.#watches.get(overlayId)
    const watch = known ?? new Watch(this.#parts, overlayId, () => this.#watches.delete(overlayId))
    if (!known) {
      this.#watches.set(overlayId, watch)
      watch.begin()
    }
    watch.askedAt = ports.clock.now()
    this.#cancelSweep ??= ports.clock.after(SWEEP_MS, () => this.#sweep())
    return watch.isReady ? watch.lamps() : watch.ready.then(() => watch.lamps())
  }

  #sweep(): void {
    this.#cancelSweep = undefined
    const { clock } = this.#parts.ports
    for (const watch of this.#watches.values()) if (clock.now() - watch.askedAt > ASKED_WITHIN_MS) watch.end()
    if (this.#watches.size > 0) this.#cancelSweep = clock.after(SWEEP_MS, () => this.#sweep())
  }

  close(): void {
    this.#cancelSweep?.()
    for (const watch of this.#watches.values()) watch.end()
  }
}

/** The answer as it stands, and until when it does although nothing happens, ms since 1970. */
type Kept = LampsTold & {
  version: number
  roomVersion: number
  roomId: number | null
  buttons: readonly Button[]
  until: number
}

class Watch {
  askedAt = 0
  isReady = false
  readonly ready: Promise<void>
  readonly #parts: Parts
  readonly #follower: Follower
  readonly #ended: () => void
  readonly #memories = new Map<string, Memory>()
  #kept: Kept | undefined
  #begun = () => {}
  #refused: (error: Error) => void = () => {}
  #isOpen = true

  constructor(parts: Parts, overlayId: number, ended: () => void) {
    this.#parts = parts
    this.#ended = ended
    this.ready = new Promise((resolve, reject) => {
      this.#begun = resolve
      this.#refused = reject
    })
    this.ready.catch(() => {})
    this.#follower = new Follower({ overlayId, opens: () => true }, 'state', '', parts.host)
  }

  begin(): void {
    const socket: Socket = {
      // the first that a follower is told is the whole
      send: () => {
        this.isReady = true
        this.#begun()
        return true
      },
      subscribe() {},
      unsubscribe() {},
      bufferedBytes: () => 0,
      end: () => this.end(),
    }
    this.#follower.open(socket)
  }

  end(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.isReady = false
    this.#follower.closed()
    this.#refused(unavailable())
    this.#ended()
  }

  lamps(): MaybePromise<LampsTold> {
    const following = this.#parts.following(this.#follower.overlayId)
    if (!following) throw unavailable()
    const { version, roomVersion } = following
    const kept = this.#kept
    const now = this.#parts.ports.clock.wall()
    if (kept && kept.version === version && kept.roomVersion === roomVersion && now < kept.until) return kept
    const { organizationId, controlRoomId: roomId } = following.told().card
    const renew = (buttons: readonly Button[]): LampsTold => {
      // what came while the buttons were read is in it, and makes it old at once
      const { lamps, until } = lampsOf(following.told(), buttons, this.#memories, this.#parts.ports.clock.wall())
      const body = JSON.stringify(lamps)
      const tag = createHash('sha256').update(body).digest('base64url').slice(0, 27)
      const made = { body, tag, version, roomVersion, roomId, buttons, until }
      this.#kept = made
      return made
    }
    if (kept && kept.roomVersion === roomVersion && kept.roomId === roomId) return renew(kept.buttons)
    return roomId === null ? renew([]) : this.#parts.ports.buttons(organizationId, roomId).then(renew)
  }
}
