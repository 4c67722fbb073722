import type { Sql } from 'postgres'
import type { Card, Token } from '../realtime/ports.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const token = /^[\w-]{1,200}$/

type Found = { id: number }[]

/** What sockets ask about overlays: whose name it is, and the settings that a channel needs. */
export function createOverlayCards(sql: Sql): {
  find(by: Token, value: string): Promise<number | undefined>
  card(overlayId: number): Promise<Card | undefined>
} {
  const lookUps: Record<Token, (value: string) => Promise<Found>> = {
    key: async (value) => sql<Found>`select id from overlay where key = ${value}`,
    monitoring: async (value) => sql<Found>`select id from overlay where monitoring_token = ${value}`,
    control: async (value) => sql<Found>`select id from overlay where control_token = ${value}`,
  }
  // when a server comes back thousands of sockets ask for the same few at once
  const asked = new Map<string, Promise<Found>>()
  const lookUp = (by: Token, value: string) => {
    const name = `${by}/${value}`
    const underWay = asked.get(name)
    if (underWay) return underWay
    const found = lookUps[by](value).finally(() => asked.delete(name))
    asked.set(name, found)
    return found
  }
  return {
    async find(by, value) {
      if (!(by === 'key' ? uuid : token).test(value)) return undefined
      const [row] = await lookUp(by, value)
      return row?.id
    },
    async card(overlayId) {
      const [row] = await sql<Card[]>`
        select o.id, o.organization_id as "organizationId", o.name, o.match_id as "matchId", m.sport,
          o.encoding_delay_seconds as "encodingDelaySeconds", o.control_room_id as "controlRoomId",
          coalesce(r.theme_id, p.theme_id) as "themeId", o.auto_mode as "autoMode", o.ad_type as "adType",
          json_build_object('key', o.key, 'monitoring', o.monitoring_token, 'control', o.control_token) as tokens
        from overlay o
        join match m on m.id = o.match_id
        left join control_room r on r.id = o.control_room_id
        left join theme_profile p on p.id = o.theme_profile_id
        where o.id = ${overlayId}`
      return row
    },
  }
}
