import { z } from 'zod'
import { tooManyRequests } from '../errors.ts'
import { Timestamp } from '../schema/fields.ts'
import type { Clock } from './ports.ts'
import type { Socket, SocketEndpoint, SocketEvents } from './socket.ts'

/** The match whose desk has a token. */
export type DeskOf = { matchId: number; organizationId: number; wasOpened: boolean }

type DeskPorts = {
  clock: Pick<Clock, 'wall' | 'after'>
  /** Undefined when no desk has this token. */
  find(token: string): Promise<DeskOf | undefined>
  /** A telephone has opened the desk of this match, the first one as far as is known. */
  opened(matchId: number): void
}

const told = z.object({ serverTime: Timestamp.meta({ description: 'Now, by the clock of the server' }) })

/** What desks are told, by type of message. */
export const deskMessages = { DESK_CHANGED: told, DESK_PULSE: told } as const

const PULSE_MS = 4_000
/** More telephones than stand at any pitch: a stranger who found an address does not slow down those who work. */
const MOST = 50
const FULL = 'As many telephones are at this desk as may'

/** Kinds of records that are of one match, by its id, and those that matches show. */
const OF_MATCH: ReadonlySet<string> = new Set(['match', 'match-record', 'lineup'])
const SHOWN: ReadonlySet<string> = new Set(['team', 'club', 'player'])

/**
 * The telephones at desks of matches. They are told that something changed, and read it: a message that was missed costs nothing, and
 * none says what a reader may not see. show-control: Match desk
 */
export class Desks {
  readonly #ports: DeskPorts
  readonly #telephones = new Set<Telephone>()
  /** How often an address may have changed. */
  #changes = 0
  #cancelPulse: (() => void) | undefined
  #closing = false

  constructor(ports: DeskPorts) {
    this.#ports = ports
  }

  endpoint(): SocketEndpoint {
    return {
      path: '/desk/{token}/socket',
      accept: async ({ params: { token = '' } }) => {
        const changes = this.#changes
        const desk = await this.#ports.find(token)
        if (!desk) return undefined
        const there = [...this.#telephones].filter(({ matchId }) => matchId === desk.matchId)
        if (there.length >= MOST) throw tooManyRequests({ 'Retry-After': '5' }, FULL)
        return new Telephone(token, desk, changes, this)
      },
    }
  }

  joined(telephone: Telephone): void {
    if (this.#closing) {
      telephone.end(1012, 'restarting')
      return
    }
    this.#telephones.add(telephone)
    if (!telephone.desk.wasOpened) this.#ports.opened(telephone.matchId)
    telephone.send(this.#message('DESK_PULSE'))
    this.#cancelPulse ??= this.#ports.clock.after(PULSE_MS, this.#pulse)
    // its address may have been replaced on its way in, when it was not yet among those who are asked
    if (telephone.changes !== this.#changes) void this.#check(telephone)
  }

  left(telephone: Telephone): void {
    this.#telephones.delete(telephone)
    if (this.#telephones.size > 0) return
    this.#cancelPulse?.()
    this.#cancelPulse = undefined
  }

  /** A record or actor changed, by its ref (`match/5`): desks that show it are told. */
  recordChanged(ref: string, organizationId?: number): void {
    if (this.#telephones.size === 0) return
    const [kind = '', id] = ref.split('/')
    if (!OF_MATCH.has(kind) && !SHOWN.has(kind)) return
    this.#tell(({ desk }) =>
      OF_MATCH.has(kind) ? desk.matchId === Number(id) : desk.organizationId === organizationId,
    )
  }

  /** Changes of any match may have gone unheard. */
  missed(): void {
    this.#tell(() => true)
  }

  /** The desk of a match has another address or none; left out, that of any may have. */
  async changed(matchId?: number): Promise<void> {
    this.#changes++
    const asked = [...this.#telephones].filter((one) => matchId === undefined || one.desk.matchId === matchId)
    for (const telephone of asked) await this.#check(telephone)
  }

  async #check(telephone: Telephone): Promise<void> {
    // while that cannot be asked it stays
    const found = await this.#ports.find(telephone.token).catch(() => telephone.desk)
    if (!found) telephone.end(1008, 'the address was replaced, or the match deleted')
  }

  /** Closes every socket with 1012, and those that still come. */
  close(): void {
    this.#closing = true
    for (const telephone of [...this.#telephones]) telephone.end(1012, 'restarting')
  }

  readonly #pulse = (): void => {
    this.#cancelPulse = this.#telephones.size > 0 ? this.#ports.clock.after(PULSE_MS, this.#pulse) : undefined
    const text = this.#message('DESK_PULSE')
    for (const telephone of this.#telephones) telephone.send(text)
  }

  #tell(whom: (telephone: Telephone) => boolean): void {
    const text = this.#message('DESK_CHANGED')
    for (const telephone of this.#telephones) if (whom(telephone)) telephone.send(text)
  }

  #message(type: keyof typeof deskMessages): string {
    const serverTime = new Date(this.#ports.clock.wall()).toISOString()
    return JSON.stringify({ type, payload: { serverTime } })
  }
}

/** One socket of a page at the pitch: it only listens. */
class Telephone implements SocketEvents {
  readonly token: string
  readonly desk: DeskOf
  /** Of the desks when it was let in. */
  readonly changes: number
  readonly #desks: Desks
  #socket: Socket | undefined

  constructor(token: string, desk: DeskOf, changes: number, desks: Desks) {
    this.token = token
    this.desk = desk
    this.changes = changes
    this.#desks = desks
  }

  get matchId(): number {
    return this.desk.matchId
  }

  open(socket: Socket): void {
    this.#socket = socket
    this.#desks.joined(this)
  }

  message(): void {
    this.end(1008, 'nothing is expected here')
  }

  closed(): void {
    this.#socket = undefined
    this.#desks.left(this)
  }

  send(text: string): void {
    if (this.#socket && !this.#socket.send(text)) this.end(1013, 'too slow')
  }

  end(code: number, reason: string): void {
    this.#socket?.end(code, reason)
  }
}
