import type { Sql } from 'postgres'
import type { ActorHost } from '../actors/host.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { LiveDataCache } from '../resources/matches/live-data.ts'

export type WarmUpParts = {
  sql: Sql
  /** Opens every connection of the pool. */
  open(): Promise<void>
  journal: { warm(): Promise<void> }
  catalog: Catalog
  live: LiveDataCache['live']
  read: ActorHost['read']
}

/** Overlays that are read at a time: more than a command reads at once, so that several connections learn each statement. */
const LANES = 4
/** Overlays that nobody commanded for so long are read when somebody does. */
const USED = '5 minutes'
/** A season has fewer overlays; who commands an older one waits for its records. */
const LOOKED_AT = 5_000
/** Overlays share themes, rooms and brands; to read those of more would take longer than anybody waits for the node that starts. */
const MOST = 100

/**
 * What the first commands of this node would wait for one after the other: connections, prepared statements, and the records of the overlays that
 * are commanded now and will be its own. For when other nodes still do that work. Keeps nothing that is not kept true by itself.
 */
export async function warmUp({ sql, open, journal, ...records }: WarmUpParts, mine: (ref: string) => boolean) {
  const [used] = await Promise.all([commandedLately(sql), open(), journal.warm()])
  const waiting = used.filter((id) => mine(`overlay/${id}`)).slice(0, MOST)
  const next = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) await readOverlay(records, id)
  }
  await Promise.all(Array.from({ length: LANES }, next))
}

/** What a graphic command of an overlay is decided by. */
async function readOverlay({ catalog, live, read }: Pick<WarmUpParts, 'catalog' | 'live' | 'read'>, overlayId: number) {
  const overlay = await catalog.overlay(overlayId)
  if (!overlay) return
  const { organizationId, roomId, themeId, profileId, matchId } = overlay
  await Promise.all([
    live(overlayId, 0),
    catalog.brands(organizationId),
    catalog.members(matchId),
    themeId === null ? undefined : catalog.active(themeId),
    roomId === null ? undefined : presetsOf(catalog, roomId),
    profileId === null ? undefined : catalog.slots(profileId),
    read('overlay', overlayId),
    read('game-plan', overlayId),
    read('match', matchId),
  ])
}

/** A command names a preset, and the room is found by it. */
async function presetsOf(catalog: Catalog, roomId: number) {
  const room = await catalog.room(roomId)
  await Promise.all(room?.presets.map(({ id }) => catalog.preset(id)) ?? [])
}

/** The overlays that were commanded lately, the latest first: of the newest ones, of each by a look at the index, however many actors there are. */
async function commandedLately(sql: Sql): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select newest.id from (select id from overlay order by id desc limit ${LOOKED_AT}) newest
    cross join lateral (select seq, updated_at from actor where ref = 'overlay/' || newest.id offset 0) actor
    where actor.seq > 0 and actor.updated_at > clock_timestamp() - ${USED}::interval order by actor.updated_at desc`
  return rows.map(({ id }) => id)
}
