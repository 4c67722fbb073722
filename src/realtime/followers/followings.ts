import type { Channel } from '../channel.ts'
import type { Card, Ports } from '../ports.ts'
import type { Follower } from './follower.ts'
import { Following } from './following.ts'
import type { Member } from './roster.ts'
import type { Rosters } from './rosters.ts'

/** Kinds of records that are of one match, by its id, and those that matches show. */
const OF_MATCHES: ReadonlySet<string> = new Set(['match', 'lineup'])
const IN_MATCHES: ReadonlySet<string> = new Set(['team', 'club', 'player'])

/** The overlays that somebody follows here, and news that reach many of them. */
export class Followings {
  readonly #ports: Ports
  readonly #rosters: Rosters
  readonly #cardOf: (overlayId: number) => Card | undefined
  readonly #followings = new Map<number, Following>()

  constructor(ports: Ports, rosters: Rosters, cardOf: (overlayId: number) => Card | undefined) {
    this.#ports = ports
    this.#rosters = rosters
    this.#cardOf = cardOf
  }

  get(overlayId: number): Following | undefined {
    return this.#followings.get(overlayId)
  }

  all(): Iterable<Following> {
    return this.#followings.values()
  }

  /** How many followers an overlay has here; of all overlays when left out. */
  count(overlayId?: number): number {
    if (overlayId !== undefined) return this.#followings.get(overlayId)?.followers.size ?? 0
    let count = 0
    for (const { followers } of this.#followings.values()) count += followers.size
    return count
  }

  add(follower: Follower, channel: Channel<Member>): void {
    const { overlayId } = follower
    const known = this.#followings.get(overlayId)
    const following = known ?? new Following(this.#ports, channel, this.#rosters.of(channel))
    this.#followings.set(overlayId, following)
    following.add(follower)
  }

  leave(follower: Follower): void {
    const following = this.#followings.get(follower.overlayId)
    following?.leave(follower)
    if (following?.followers.size !== 0) return
    this.forget(follower.overlayId)
    this.#rosters.unfollowed(follower.overlayId)
  }

  forget(overlayId: number): void {
    this.#followings.get(overlayId)?.stop()
    this.#followings.delete(overlayId)
  }

  /** A record or actor changed, by its ref (`team/5`): followers of matches that show it are told. */
  recordChanged(ref: string, organizationId?: number): void {
    if (this.#followings.size === 0) return
    const [kind, id] = ref.split('/')
    if (kind === 'game-plan') this.#followings.get(Number(id))?.planChanged()
    // stills of presets show its theme values
    if (kind === 'theme-profile')
      for (const [overlayId, following] of this.#followings)
        if (this.#cardOf(overlayId)?.profileId === Number(id)) following.roomChanged()
    for (const following of this.#showing(ref, organizationId)) following.matchChanged()
  }

  /** Renderers are told that a record changed: usually after `recordChanged`, which a node that was lost may never have said. */
  announced(ref: string, organizationId?: number): void {
    for (const following of this.#showing(ref, organizationId)) following.matchAnnounced()
  }

  /** The overlays whose match shows a record. */
  *#showing(ref: string, organizationId: number | undefined): Iterable<Following> {
    const [kind = '', id] = ref.split('/')
    if (!OF_MATCHES.has(kind) && !IN_MATCHES.has(kind)) return
    for (const [overlayId, following] of this.#followings) {
      const card = this.#cardOf(overlayId)
      if (OF_MATCHES.has(kind) ? card?.matchId === Number(id) : card?.organizationId === organizationId) yield following
    }
  }

  /** The actors that followers are shown beside their overlays. */
  refs(): string[] {
    const refs = new Set<string>()
    for (const overlayId of this.#followings.keys()) {
      refs.add(`game-plan/${overlayId}`)
      const card = this.#cardOf(overlayId)
      if (card) refs.add(`match/${card.matchId}`)
    }
    return [...refs]
  }

  /** Changes of any match or plan may have gone unheard. */
  missed(): void {
    for (const following of this.#followings.values()) {
      following.matchChanged()
      following.planChanged()
    }
  }

  /** Records of this control room or theme changed; left out, those of any may have. */
  roomChanged(changed?: { room: number } | { theme: number }): void {
    for (const [overlayId, following] of this.#followings) {
      const card = this.#cardOf(overlayId)
      if (!changed || ('room' in changed ? card?.controlRoomId === changed.room : card?.themeId === changed.theme))
        following.roomChanged()
    }
  }

  /** The game plan of this theme profile has other rules; left out, any may have. */
  rulesChanged(profileId?: number): void {
    for (const [overlayId, following] of this.#followings)
      if (profileId === undefined || this.#cardOf(overlayId)?.profileId === profileId) following.rulesChanged()
  }

  /** The rundown of this overlay has other items; left out, any may have. */
  rundownChanged(overlayId?: number): void {
    for (const [id, following] of this.#followings)
      if (overlayId === undefined || id === overlayId) following.roomChanged()
  }

  /** An API key changed: followers that came with one show it again. */
  keysChanged(): void {
    for (const following of this.#followings.values()) following.check()
  }

  /** Another node told of its renderers of this overlay. */
  othersTold(overlayId: number): void {
    this.#followings.get(overlayId)?.hearOthers()
  }

  /** No other node follows this overlay any more. */
  unfollowedElsewhere(overlayId: number): void {
    if (!this.#followings.has(overlayId)) this.#rosters.forget(overlayId)
  }
}
