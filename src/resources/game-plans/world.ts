import type { Sql } from 'postgres'
import type { Hand } from '../../../machines/game-plan/commands.ts'
import type { Rule } from '../../../machines/game-plan/rule.ts'
import { type OverlayAside, type OverlayEvent, stagedEvents } from '../../../machines/overlay/events.ts'
import type { OverlayCard } from '../../catalog/cards.ts'
import type { JournalPrincipal } from '../../principal.ts'

/** The overlay that a plan is played on. `at`: database time, ms since 1970. */
export type Stage = {
  autoMode: boolean
  matchId: number
  roomId: number | null
  profileId: number | null
  adType: OverlayCard['adType']
  rules: Rule[]
  overlaySeq: number
  /** The overlay rehearses, and the plan with it. */
  rehearsal: boolean
  at: number
}

/** Undefined when there is no such overlay. */
export async function stageOf(sql: Sql, overlayId: number): Promise<Stage | undefined> {
  const [stage] = await sql<Stage[]>`
    select o.auto_mode as "autoMode", o.match_id as "matchId", o.control_room_id as "roomId",
      o.theme_profile_id as "profileId", o.ad_type as "adType",
      coalesce(g.rules, '[]'::json) as rules,
      coalesce(a.seq, 0)::float8 as "overlaySeq", a.snapshot->'context'->'rehearsal' is not null as rehearsal,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as at
    from overlay o left join game_plan g on g.theme_profile_id = o.theme_profile_id
    left join actor a on a.ref = 'overlay/' || o.id where o.id = ${overlayId}`
  return stage && { ...stage, at: Math.floor(stage.at) }
}

/** Commands of an overlay that are read for one look; later ones are for the next look. */
const MOST_COMMANDS = 500

type Row = {
  seq: number
  command: { type: string; sectionId?: string }
  principal: JournalPrincipal
  events: OverlayEvent[]
  asides: OverlayAside[] | null
}

/**
 * Commands on graphics of an overlay after a seq that were not the plan's, in order, and up to which seq that is. `now`: its seq before this. `layersOf`: the layers on
 * which the plan shows a graphic. In rehearsal those of the rehearsal, which else are nobody's.
 */
export async function handsOf(
  sql: Sql,
  overlayId: number,
  { from, now, rehearsal }: { from: number; now: number; rehearsal: boolean },
  layersOf: (graphicId: string) => readonly string[],
): Promise<{ hands: Hand[]; upTo: number }> {
  const rows = await sql<Row[]>`
    select seq::float8 as seq, command, principal, events, asides from journal
    where ref = ${`overlay/${overlayId}`} and seq > ${from} and principal ->> 'type' <> 'gamePlan'
      and not starts_with(events::text, '[{"type":"data.refreshed"')
    order by seq limit ${MOST_COMMANDS}`
  const eventsOf = ({ events, asides }: Row) => (rehearsal ? stagedEvents(events, asides) : events)
  const hands = rows.flatMap((row) => eventsOf(row).flatMap((event) => handOf(row, event, layersOf)))
  return { hands, upTo: rows.length < MOST_COMMANDS ? Math.max(now, rows.at(-1)?.seq ?? 0) : (rows.at(-1)?.seq ?? now) }
}

function handOf(
  { command, principal }: Row,
  event: OverlayEvent,
  layersOf: (graphicId: string) => readonly string[],
): Hand[] {
  if (event.type === 'data.refreshed') return []
  const graphicId = event.type === 'graphic.hidden' ? event.graphicId : event.graphic.graphicId
  const isAll = command.type === 'hideAll' && command.sectionId === undefined
  const action =
    event.type === 'graphic.shown' ? 'show' : event.type === 'graphic.updated' ? 'update' : isAll ? 'hideAll' : 'hide'
  const { play = null } = event.type === 'graphic.hidden' ? event : event.graphic
  return [{ action, graphicId, play, layers: layersOf(graphicId), by: operatorOf(principal) }]
}

/**
 * The name of an operator who takes a layer or pauses the plan; null: the server or the plan itself. Of a person's address the part before the
 * @, as followers are told.
 */
export function operatorOf(principal: JournalPrincipal): string | null {
  switch (principal.type) {
    case 'system':
    case 'gamePlan':
      return null
    case 'link':
      return 'Control room'
    case 'desk':
      return 'Match desk'
    case 'person':
      return principal.name.split('@')[0] ?? principal.name
    case 'key':
      return principal.name
  }
}
