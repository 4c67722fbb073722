import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { Api } from '../theme-files/api.ts'
import { AFTER, BEFORE, clockAt, type ScriptedFact, script } from './script.ts'

const Anything = z.unknown()
const TeamAnswer = z.object({ id: z.number(), name: z.string() })
const RosterAnswer = z.object({
  players: z.array(
    z.object({ id: z.number(), firstName: z.string(), lastName: z.string(), number: z.string().nullable() }),
  ),
})
const MatchAnswer = z.object({
  homeTeamId: z.number(),
  awayTeamId: z.number(),
  lineups: z.array(z.object({ teamId: z.number(), players: z.array(z.object({ id: z.number() })) })),
})
const FactsAnswer = z.object({ facts: z.array(z.object({ id: z.number() })) })

type Played = {
  overlayId: number
  matchId: number
  /** Seconds of the match in a second. */
  speed: number
  /** A line of what happens, for people. */
  tell(line: string): void
  /** Waits; left out, the clock does. */
  wait?: (ms: number) => Promise<unknown>
}

/**
 * Plays the demo's match from before kick-off until after the result, faster than a match: sets it back to its beginning, has its overlay
 * play the game plan, and tells fact after fact over the API as a feed would. Answers how many facts it told. Throws Refusal.
 */
export async function playDemo(api: Api, { overlayId, matchId, speed, tell, wait = pause }: Played): Promise<number> {
  const minuteMs = 60_000 / speed
  await reset(api, overlayId, matchId, BEFORE * minuteMs)
  const factOf = await facts(api, matchId)
  await api.write('PATCH', `/v1/overlays/${overlayId}`, { autoMode: true, adType: 'brands' }, Anything)
  let told = 0
  const record = async (fact: object) => {
    await api.write('POST', `/v2/matches/${matchId}/facts`, { ...fact }, Anything)
    told += 1
  }
  tell('line-ups')
  let now = -BEFORE
  // a clock that is set forward every second runs fast enough for anybody; one of a real match runs by itself
  const tick = Math.max(1, 1_000 / minuteMs)
  const until = async (minute: number) => {
    while (now < minute) {
      const next = Math.min(minute, now + tick)
      await wait((next - now) * minuteMs)
      now = next
      const clockMs = speed > 1 && now < minute ? clockAt(now) : null
      if (clockMs !== null) await record({ type: 'clockSet', clockMs: Math.round(clockMs) })
    }
  }
  for (const one of script) {
    await until(one.minute)
    const { fact, line } = factOf(one)
    await record({ ...fact, ...clockOf(one) })
    tell(line)
  }
  await until(now + AFTER)
  return told
}

/** The clock that a fact goes by: where a half ends the clock of a fast match has not come there by itself. */
function clockOf({ minute, type }: ScriptedFact) {
  const clockMs = type === 'periodEnd' ? (clockAt(minute - 1) ?? 0) + 60_000 : clockAt(minute)
  return clockMs === null || type === 'matchEnd' ? {} : { clockMs }
}

/** Nothing has happened yet, and nothing is on air. */
async function reset(api: Api, overlayId: number, matchId: number, beforeMs: number): Promise<void> {
  await api.write('PATCH', `/v1/overlays/${overlayId}`, { autoMode: false }, Anything)
  await api.write('POST', `/v2/overlays/${overlayId}/graphics/commands`, { action: 'hideAll' }, Anything)
  for (;;) {
    const { facts } = await api.get(`/v2/matches/${matchId}/facts?limit=1000`, FactsAnswer)
    if (facts.length === 0) break
    // the last first: what is left could have happened
    for (const { id } of facts.toReversed()) await api.delete(`/v2/matches/${matchId}/facts/${id}`)
  }
  const date = new Date(Date.now() + beforeMs).toISOString()
  await api.write('POST', `/v2/matches/${matchId}`, { state: 'scheduled', score: null, date }, Anything)
}

/** Makes a fact of the API, and a line about it, of one of the script. */
async function facts(api: Api, matchId: number) {
  const { homeTeamId, awayTeamId, lineups } = await api.get(`/v2/matches/${matchId}?include=l`, MatchAnswer)
  const sideOf = async (id: number) => {
    const team = await api.get(`/v1/teams/${id}`, TeamAnswer)
    const { players } = await api.get(`/v1/teams/${id}/players?limit=1000`, RosterAnswer)
    const fielded = lineups.find(({ teamId }) => teamId === id)?.players ?? []
    // a line-up that somebody has made says who plays; who is not in it does nothing
    return { team, players: players.filter((one) => fielded.length === 0 || fielded.some((who) => who.id === one.id)) }
  }
  const sides = { home: await sideOf(homeTeamId), away: await sideOf(awayTeamId) }
  return ({ minute, type, side, shirt }: ScriptedFact) => {
    const { team, players } = (side && sides[side]) ?? {}
    const player = players?.find(({ number }) => number === shirt)
    const shown = Math.round((clockAt(minute) ?? 0) / 60_000)
    return {
      fact: {
        type,
        ...(team && { teamId: team.id }),
        ...(shirt !== undefined && player && { playerId: player.id }),
      },
      line: [
        shown > 0 ? `${shown}'` : '',
        type,
        team?.name ?? '',
        shirt !== undefined && player ? `${player.firstName} ${player.lastName}` : '',
      ]
        .filter(Boolean)
        .join(' '),
    }
  }
}
