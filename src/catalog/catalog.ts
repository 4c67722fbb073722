import type { Sql } from 'postgres'
import { digestOf } from '../secrets/digest.ts'
import { createCache, type MaybePromise, whenKnown } from './cache.ts'
import type {
  Brands,
  Members,
  NameKind,
  OverlayCard,
  PinnedGraphic,
  PresetCard,
  RoomCard,
  SponsorSlots,
} from './cards.ts'
import {
  findBrands,
  findMembers,
  findNewestOverlayCards,
  findOverlayCard,
  findOverlayId,
  findPinned,
  findRoomCard,
  findSlots,
  findTheme,
} from './queries.ts'

/** The record that was written; sent as JSON on the channel `catalog` by every transaction that changes one of these. */
export type Changed =
  | { overlay: number }
  | { room: number }
  | { theme: number }
  | { match: number }
  | { plan: number }
  /** Of an organization. */
  | { brands: number }
  /** Of a theme profile. */
  | { slots: number }
  /** The values of a theme profile, which live data holds. */
  | { style: number }

/**
 * The records that `show` resolves against, cached in memory. Answers synchronously when warm; a miss reads the database; changes
 * invalidate through LISTEN, and while LISTEN is down nothing cached is trusted.
 */
export interface Catalog {
  /** Undefined when there is none. Not scoped: the caller compares the organization. */
  overlay(overlayId: number): MaybePromise<OverlayCard | undefined>
  /** Whether an overlay is known to play a game plan; asks nobody. */
  knownAutomatic(overlayId: number): boolean
  /** The overlay that has this name now; undefined when none has, or when the text is not such a name at all. */
  named(by: NameKind, name: string): MaybePromise<OverlayCard | undefined>
  /** Whether an overlay is known to have had this name; asks nobody, so that it answers while the database does not. */
  knew(by: NameKind, name: string): boolean
  preset(presetId: number): MaybePromise<PresetCard | undefined>
  room(roomId: number): MaybePromise<RoomCard | undefined>
  /** The graphics of the active version of a theme, by graphicId; empty when none is active. */
  active(themeId: number): MaybePromise<ReadonlyMap<string, PinnedGraphic>>
  /** The graphics of a given (immutable) version, by graphicId. */
  pinned(themeId: number, version: number): MaybePromise<ReadonlyMap<string, PinnedGraphic>>
  members(matchId: number): MaybePromise<Members>
  /** The brands of an organization: the same object until one of them changes. */
  brands(organizationId: number): MaybePromise<Brands>
  /** The sponsor slots of a theme profile. */
  slots(profileId: number): MaybePromise<SponsorSlots>
  /** Drops the cached parts of a record that this node has just changed: the next command sees it without waiting for LISTEN. */
  forget(changed: Changed): void
  /**
   * Whether changes of matches by other nodes are heard now; while they are not, no members are held. Says so also when some were missed.
   * The database notifies of everything else.
   */
  hear(heard: boolean): void
}

/** The notifications of the database, as far as a cache needs them. */
export type Notifications = {
  listen(channel: string, onMessage: (payload: string) => void): Promise<void>
  /** Back after a loss, with every channel. */
  onUp(run: () => void): void
  onDown(run: () => void): void
  isUp(): boolean
}

const NAME_KINDS: readonly NameKind[] = ['key', 'monitoring', 'control']
const TOKEN = /^[\w-]{1,200}$/
const NAME_PATTERNS: Readonly<Record<NameKind, RegExp>> = {
  key: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  monitoring: TOKEN,
  control: TOKEN,
}
// a UUID may be written in capitals; of a token only its digest is stored
const stored = (by: NameKind, name: string) => (by === 'key' ? name.toLowerCase() : digestOf(name))

const NO_GRAPHICS: ReadonlyMap<string, PinnedGraphic> = new Map()
const NOBODY: Members = { teams: new Set(), players: new Set(), facts: new Set() }

const NO_BRANDS: Brands = new Map()
const NO_SLOTS: SponsorSlots = new Map()

const MAX_OVERLAYS = 20_000
const MAX_ROOMS = 2_000
const MAX_THEMES = 1_000
const MAX_MATCHES = 2_000
const MAX_ORGANIZATIONS = 1_000
const MAX_PROFILES = 2_000

/** The catalog over a database; resolves once it hears of every change. */
export async function createCatalog(sql: Sql, notifications: Notifications): Promise<Catalog> {
  const idsBy = (by: NameKind) => createCache<string, number>(MAX_OVERLAYS, (name) => findOverlayId(sql, by, name))
  const ids = { key: idsBy('key'), monitoring: idsBy('monitoring'), control: idsBy('control') }
  // a name is never given to another overlay, and the card says whether this one still has it
  for (const by of NAME_KINDS) ids[by].trust(true)
  const learn = ({ id, tokens }: OverlayCard) => {
    for (const by of NAME_KINDS) ids[by].hold(tokens[by], id)
  }
  const readOverlay = async (id: number) => {
    const card = await findOverlayCard(sql, id)
    if (card) learn(card)
    return card
  }
  const overlays = createCache<number, OverlayCard>(MAX_OVERLAYS, readOverlay)
  const rooms = createCache<number, RoomCard>(MAX_ROOMS, (id) => findRoomCard(sql, id))
  const presets = createCache<number, PresetCard>(MAX_ROOMS * 50, async (id) => {
    const [row] = await sql<{ roomId: number }[]>`select control_room_id as "roomId" from preset where id = ${id}`
    if (!row) return undefined
    const isIt = (preset: PresetCard) => preset.id === id
    const known = (await rooms.get(row.roomId))?.presets.find(isIt)
    // a room read before the preset was made, whose notification is still on its way
    return known ?? (await findRoomCard(sql, row.roomId))?.presets.find(isIt)
  })
  const themes = createCache<number, { version: number }>(MAX_THEMES, (id) => findTheme(sql, id))
  const versions = createCache<string, ReadonlyMap<string, PinnedGraphic>>(MAX_THEMES, (key) => {
    const [themeId, version] = key.split('/').map(Number)
    return findPinned(sql, themeId ?? 0, version ?? 0)
  })
  const members = createCache<number, Members>(MAX_MATCHES, (id) => findMembers(sql, id))
  const brands = createCache<number, Brands>(MAX_ORGANIZATIONS, (id) => findBrands(sql, id))
  const slots = createCache<number, SponsorSlots>(MAX_PROFILES, (id) => findSlots(sql, id))
  const caches = [overlays, rooms, presets, themes, versions, members, brands, slots]

  const pinned = (themeId: number, version: number) =>
    whenKnown(versions.get(`${themeId}/${version}`), (graphics) => graphics ?? NO_GRAPHICS)

  const named = (by: NameKind, given: string): MaybePromise<OverlayCard | undefined> => {
    if (!NAME_PATTERNS[by].test(given)) return undefined
    const name = stored(by, given)
    const ifItHasIt = (card: OverlayCard | undefined) => (card?.tokens[by] === name ? card : undefined)
    return whenKnown(ids[by].get(name), (id) => {
      if (id === undefined) return undefined
      // another node may have given the name a moment ago
      return whenKnown(overlays.get(id), (card) => ifItHasIt(card) ?? readOverlay(id).then(ifItHasIt))
    })
  }

  const forget = (changed: Changed) => {
    if ('overlay' in changed) overlays.forget((id) => id === changed.overlay)
    // the plan of a profile
    else if ('plan' in changed) overlays.forget((_, { profileId }) => profileId === changed.plan)
    else if ('brands' in changed)
      brands.forget(
        (id) => id === changed.brands,
        (id) => id === changed.brands,
      )
    else if ('slots' in changed) slots.forget((id) => id === changed.slots)
    else if ('style' in changed) return
    else if ('match' in changed) {
      const isIt = (id: number) => id === changed.match
      // matches change with every fact, and must not keep those of others from being held
      members.forget(isIt, isIt)
    } else if ('theme' in changed) {
      themes.forget((id) => id === changed.theme)
      // names of graphics are not part of the immutable version
      versions.forget((key) => key.startsWith(`${changed.theme}/`))
    } else {
      rooms.forget((id) => id === changed.room)
      presets.forget((_, preset) => preset.roomId === changed.room)
    }
  }

  let heard = true
  const trust = (trusted: boolean) => {
    for (const cache of caches) cache.trust(trusted && (cache !== members || heard))
  }
  notifications.onDown(() => trust(false))
  // sockets that come back together after a restart find their overlays known
  const fill = () =>
    overlays.fill(async () => {
      const cards = await findNewestOverlayCards(sql, MAX_OVERLAYS)
      cards.forEach(learn)
      return cards.map((card) => [card.id, card])
    })
  notifications.onUp(() => {
    trust(true)
    // rows that could not be read are read when they are asked for
    fill().catch(() => {})
  })
  await notifications.listen('catalog', (payload) => forget(JSON.parse(payload)))
  trust(notifications.isUp())
  await fill()

  return {
    overlay: overlays.get,
    named,
    knownAutomatic: (overlayId) => overlays.peek(overlayId)?.automatic ?? false,
    knew: (by, name) => ids[by].peek(stored(by, name)) !== undefined,
    preset: presets.get,
    room: rooms.get,
    pinned,
    active: (themeId) =>
      whenKnown(themes.get(themeId), (theme) => (theme ? pinned(themeId, theme.version) : NO_GRAPHICS)),
    members: (matchId) => whenKnown(members.get(matchId), (found) => found ?? NOBODY),
    brands: (organizationId) => whenKnown(brands.get(organizationId), (found) => found ?? NO_BRANDS),
    slots: (profileId) => whenKnown(slots.get(profileId), (found) => found ?? NO_SLOTS),
    forget,
    hear(now) {
      heard = now
      members.trust(now && notifications.isUp())
    },
  }
}
