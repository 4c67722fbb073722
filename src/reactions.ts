import { setTimeout as pause } from 'node:timers/promises'
import type { Sql } from 'postgres'
import type { ActorHost } from './actors/host.ts'
import type { Context } from './context.ts'
import { ApiError, unexpected } from './errors.ts'
import type { Reaction } from './jobs.ts'

type Overlay = { id: number; organizationId: number }

/** The overlays that show something of a record, by the kind in its ref. A kind that is not here concerns no overlay. */
const overlaysThatShow: Readonly<Record<string, (sql: Sql, id: number) => Promise<Overlay[]>>> = {
  match: (sql, id) => sql<Overlay[]>`
    select id, organization_id as "organizationId" from overlay where match_id = ${id}`,
  lineup: (sql, matchId) => sql<Overlay[]>`
    select id, organization_id as "organizationId" from overlay where match_id = ${matchId}`,
  'overlay-settings': (sql, id) => sql<Overlay[]>`
    select id, organization_id as "organizationId" from overlay where id = ${id}`,
  'theme-profile': (sql, id) => sql<Overlay[]>`
    select id, organization_id as "organizationId" from overlay where theme_profile_id = ${id}`,
  team: (sql, id) => sql<Overlay[]>`
    select id, organization_id as "organizationId" from overlay
    where match_id in (select match_id from match_competitor where team_id = ${id})`,
  // what a team has not set comes from its club
  club: (sql, id) => sql<Overlay[]>`
    select id, organization_id as "organizationId" from overlay where match_id in (
      select match_id from match_competitor c join team t on t.id = c.team_id where t.club_id = ${id})`,
  competition: (sql, id) => sql<Overlay[]>`
    select o.id, o.organization_id as "organizationId" from overlay o join match m on m.id = o.match_id
    where m.competition_id = ${id}`,
  venue: (sql, id) => sql<Overlay[]>`
    select id, organization_id as "organizationId" from overlay
    where match_id in (select id from match where venue_id = ${id})`,
  official: (sql, id) => sql<Overlay[]>`
    select o.id, o.organization_id as "organizationId" from official f
    join match m on m.organization_id = f.organization_id
      and m.officials @> jsonb_build_array(jsonb_build_object('id', f.id))
    join overlay o on o.match_id = m.id where f.id = ${id}`,
  player: (sql, id) => sql<Overlay[]>`
    select id, organization_id as "organizationId" from overlay where match_id in (
      select match_id from match_competitor where player_id = ${id}
      union select match_id from lineup_player where player_id = ${id}
      union select match_id from match_competitor c join roster_entry r using (team_id) where r.player_id = ${id})`,
}

/** At most 20 refreshes a second per overlay. live-path 14 */
const REFRESH_GAP_MS = 50

export type ReactionParts = {
  sql: Sql
  actors: Pick<ActorHost, 'send'>
  /** The context of a command that nobody asked for; `requestId` says what caused it. */
  systemContext(organizationId: number, name: string, requestId: string): Context
}

/**
 * What an event means for other actors: the only such table. Live data of a record that changed is announced to each overlay
 * that shows it by a `refresh`; those that come while one waits for its turn are merged into it, the latest revision wins.
 * The returned function resolves when it is durable and throws when it must be tried again.
 */
export function createReactions({ sql, actors, systemContext }: ReactionParts) {
  type Waiting = { revisions: Record<string, number>; sent: Promise<void> }
  const waiting = new Map<number, Waiting>()
  const pausing = new Map<number, Promise<unknown>>()

  const send = async (overlay: Overlay, revisions: Record<string, number>, requestId: string) => {
    try {
      await actors.send(systemContext(overlay.organizationId, 'live data', requestId), 'overlay', overlay.id, {
        asked: { type: 'refresh', revisions },
        decide: () => ({ type: 'refresh', revisions }),
        reply: () => undefined,
        refused: unexpected,
      })
    } catch (error) {
      // deleted since it was looked up
      if (!(error instanceof ApiError && error.status === 404)) throw error
    }
  }

  const refresh = (overlay: Overlay, source: string, revision: number, requestId: string): Promise<void> => {
    const gathering = waiting.get(overlay.id)
    if (gathering) {
      gathering.revisions[source] = Math.max(revision, gathering.revisions[source] ?? revision)
      return gathering.sent
    }
    const revisions = { [source]: revision }
    const sent = (async () => {
      await pausing.get(overlay.id)
      waiting.delete(overlay.id)
      const pauses = pause(REFRESH_GAP_MS, undefined, { ref: false }).finally(() => pausing.delete(overlay.id))
      pausing.set(overlay.id, pauses)
      await send(overlay, revisions, requestId)
    })()
    waiting.set(overlay.id, { revisions, sent })
    return sent
  }

  /** `revision` rises with the changes of a record. */
  return async ({ ref }: Reaction, revision: number): Promise<void> => {
    const [kind = '', id = ''] = ref.split('/')
    if (!Object.hasOwn(overlaysThatShow, kind)) return
    const overlays = (await overlaysThatShow[kind]?.(sql, Number(id))) ?? []
    await Promise.all(overlays.map((overlay) => refresh(overlay, ref, revision, `outbox-${revision}`)))
  }
}
