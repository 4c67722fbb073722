import type { Production } from '../resources/support.ts'

const MINUTE = 60_000

/** A match of the past hours: what is done now is journaled as if it had been done then. */
export type Past = {
  /** Ms since 1970 of the kick-off. */
  readonly kickOff: number
  fire(minute: number, action: 'show' | 'update' | 'hide', preset: string, values?: object): Promise<void>
  hideAll(minute: number): Promise<void>
  fact(minute: number, fact: object): Promise<number>
}

/** `minute` counts from the kick-off; each call must be later than the one before. */
export function inThePast(production: Production, kickOff: number): Past {
  const { sql } = production.server.database
  const at = (minute: number) => new Date(kickOff + minute * MINUTE)
  const move = async (ref: string, minute: number) => {
    await sql`
      update journal set at = ${at(minute)}
      where ref = ${ref} and seq = (
        select max(seq) from journal where ref = ${ref} and not starts_with(events::text, '[{"type":"data.refreshed"'))`
  }
  const done = (answer: { status: number; body: unknown }) => {
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body))
    return answer.body
  }
  const overlayRef = `overlay/${production.overlay.id}`
  return {
    kickOff,
    async fire(minute, action, preset, values) {
      done(await production.fire(action, preset, values))
      await move(overlayRef, minute)
    },
    async hideAll(minute) {
      done(
        await production.call('POST', `/v2/overlays/${production.overlay.id}/graphics/commands`, { action: 'hideAll' }),
      )
      await move(overlayRef, minute)
    },
    async fact(minute, fact) {
      const timestamp = at(minute).toISOString()
      const made = done(
        await production.call('POST', `/v2/matches/${production.matchId}/facts`, { timestamp, ...fact }),
      ) as { id: number }
      await move(`match/${production.matchId}`, minute)
      return made.id
    },
  }
}

/** A whole football match as it is worked: line-ups, bug, goals with lower thirds, sponsors at half-time, the result. */
export async function playMatch(production: Production, past: Past): Promise<void> {
  const [home = 0, away = 0] = production.teamIds
  const player = (teamId: number, index: number) => production.playerIds[teamId]?.[index] ?? 0
  const goal = (teamId: number, index: number) => ({ type: 'goal', teamId, playerId: player(teamId, index) })
  await past.fire(-12, 'show', 'Home line-up')
  await past.fire(-11.5, 'hide', 'Home line-up')
  await past.fire(-2, 'show', 'Score bug')
  await past.fact(0, { type: 'periodStart' })
  await past.fact(9, { type: 'yellowCard', teamId: away, playerId: player(away, 4) })
  await past.fact(23, goal(home, 8))
  await past.fire(23.2, 'show', 'Goal scorer')
  await past.fire(23.4, 'hide', 'Goal scorer')
  await past.fact(45, { type: 'periodEnd' })
  await past.fire(46, 'hide', 'Score bug')
  await past.fire(47, 'show', 'Match partner')
  await past.fire(49, 'show', 'Kit partner')
  await past.fire(50, 'hide', 'Kit partner')
  await past.fact(60, { type: 'periodStart' })
  await past.fire(60.1, 'show', 'Score bug')
  await past.fact(71, goal(away, 9))
  await past.fact(88, goal(home, 10))
  await past.fact(107, { type: 'periodEnd' })
  await past.fact(107.1, { type: 'matchEnd' })
  await past.fire(108, 'show', 'Full-time result')
  await past.hideAll(110)
}
