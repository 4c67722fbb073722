import { Api } from './api.ts'
import { sleep, until } from './clock.ts'
import { originOf } from './connection.ts'
import type { Plan } from './options.ts'
import { pacedLoad } from './paced.ts'
import { type Production, produceOverlays } from './production.ts'
import { openRenderers } from './renderers.ts'
import { createSamples, markerBase, type Samples, type Trigger } from './samples.ts'
import type { Say } from './say.ts'
import { removeDataDir, startServer, temporaryDataDir } from './server.ts'
import { type Distribution, distribution, percentile } from './stats.ts'
import type { Target } from './target.ts'

/** From a goal's intended time to the frame of the graphic that a rule shows for it. */
export type GoalsRun = {
  goals: number
  statuses: Record<string, number>
  /** The first frame of each goal; goals without one are not in it. */
  first: Distribution
  /** The last one of the overlays that show it. */
  last: Distribution
  lag: Distribution
}

/** `each`: an overlay per match; `one`: all overlays on one match. */
type GoalsRuns = { each: GoalsRun[]; one: GoalsRun[] }
/** `simulations`: ms that each took of the demo's plan on a match of 600 facts; results of earlier versions have none. */
export type GamePlansResult = GoalsRuns & { simulations?: number[] }

type Match = { id: number; homeTeamId: number }

/** Goals told over REST to matches whose overlays are automatic; on a server of its own that is gone afterwards. */
export async function gamePlans(plan: Plan, say: Say): Promise<GamePlansResult & { warnings: string[] }> {
  const dataDir = temporaryDataDir()
  const { overlays: count, renderers: each, rate, crowdRate, seconds } = plan.gamePlans
  try {
    const server = await startServer(dataDir)
    try {
      say(`making ${count} matches with an automatic overlay each, and one with as many`)
      const made = await produceOverlays(server, 1)
      const scene = await automatic(server.url, made, count)
      const samples = createSamples()
      const measure = async (name: keyof GoalsRuns, matches: readonly Match[], perSecond: number) => {
        const overlays = scene.overlays[name]
        const target = goalsOf({ url: server.url, apiKey: made.apiKey, matches, overlays, trigger: scene.trigger })
        const keys = overlays.map(({ key }) => key)
        const renderers = await openRenderers(server.url, keys, each, { samples, triggers: target.triggers })
        const runs: GoalsRun[] = []
        // the first one warms up
        for (let nth = 0; nth <= plan.runs; nth++) {
          const firstNumber = nextNumber
          nextNumber += Math.round(perSecond * seconds)
          await renderers.measure(firstNumber)
          const load = await pacedLoad(target, samples, { rate: perSecond, seconds, firstNumber })
          await sleep(SETTLED_MS)
          const { first, last } = perGoal(samples)
          const run = {
            ...{ goals: load.accepted, statuses: load.statuses, lag: distribution(load.lag) },
            ...{ first: distribution(first), last: distribution(last) },
          }
          if (nth > 0) runs.push(run)
          if (nth > 0) say(`${perSecond} goals/s, ${NAMES[name]}, run ${nth}: ${line(run)}`)
        }
        await renderers.close()
        return runs
      }
      const ofEach = await measure('each', scene.matches, rate)
      const ofOne = await measure('one', [scene.match], crowdRate)
      say(`simulating the demo's plan on a match of ${SIMULATED_FACTS} facts`)
      const simulations = await simulated(server.url, made.apiKey, scene)
      say(`simulated in ${simulations.map((ms) => Math.round(ms)).join(', ')} ms`)
      return { each: ofEach, one: ofOne, simulations, warnings: server.warnings() }
    } finally {
      await server.stop()
    }
  } finally {
    removeDataDir(dataDir)
  }
}

export const NAMES: Record<keyof GoalsRuns, string> = {
  each: 'an overlay of each match',
  one: 'all overlays of one match',
}

const SETTLED_MS = 500
let nextNumber = 1

const line = ({ goals, first, last }: GoalsRun) =>
  `${first.count} of ${goals} on air, first frame p50 ${percentile(first, 50)} p99 ${percentile(first, 99)} ms, last p99 ${percentile(last, 99)} ms`

/** Matches that are played, overlays that are automatic, and a rule that shows each goal until the next. */
async function automatic(url: string, { apiKey, overlays: [demo], triggers: [trigger] }: Production, count: number) {
  const api = new Api(url, apiKey)
  if (!demo || !trigger) throw new Error('no overlay of the demo, or no preset that takes a marked value')
  const shown = await api.get<{ matchId: number; competitionThemeSettingId: number; controlRoomId: number }>(
    `/v2/overlays/${demo.id}`,
  )
  const { competitionId, homeTeamId, awayTeamId } = await api.get<Record<string, number>>(
    `/v2/matches/${shown.matchId}`,
  )
  const rule = {
    name: 'Goal',
    trigger: { type: 'fact', factTypes: ['goal'] },
    presetId: trigger.presetId,
    variableValues: { [trigger.variable]: { expression: 'fact.value' } },
    end: { until: 'replaced' },
  }
  const profile = `/v2/competitions/${competitionId}/theme-profiles/${shown.competitionThemeSettingId}`
  const { rules } = await api.get<{ rules: object[] }>(`${profile}/game-plan`)
  await api.put(`${profile}/game-plan`, { rules: [rule] })
  const match = async (): Promise<Match> => {
    const date = new Date().toISOString()
    const { id } = await api.post<{ id: number }>('/v2/matches', { competitionId, homeTeamId, awayTeamId, date })
    await api.post(`/v2/matches/${id}/facts`, { type: 'matchStart' })
    return { id, homeTeamId: Number(homeTeamId) }
  }
  const overlay = ({ id: matchId }: Match) =>
    api.post<{ id: number; key: string }>('/v1/overlays', {
      ...{ name: 'Bench, automatic', matchId, autoMode: true, adType: 'free', encodingDelay: 0 },
      ...{ competitionThemeSettingId: shown.competitionThemeSettingId, controlRoomId: shown.controlRoomId },
    })
  const overlays: Record<keyof GoalsRuns, { id: number; key: string }[]> = { each: [], one: [] }
  const matches: Match[] = []
  const of = await match()
  while (matches.length < count) {
    const next = await match()
    matches.push(next)
    overlays.each.push(await overlay(next))
    overlays.one.push(await overlay(of))
  }
  const isLooking = async ({ id }: { id: number }) =>
    (await api.get<{ autoMode: boolean }>(`/v2/overlays/${id}/game-plan`)).autoMode
  await until('the plans to look', 20_000, 50, async () =>
    (await Promise.all([...overlays.each, ...overlays.one].map(isLooking))).every(Boolean),
  )
  const simulation = { rules, path: `${profile}/game-plan/simulate`, competitionId, homeTeamId, awayTeamId }
  return { matches, match: of, overlays, trigger, simulation }
}

/** Of a long match. game-plan: Game plan */
export const SIMULATED_FACTS = 600
const SIMULATIONS = 5

type Scene = Awaited<ReturnType<typeof automatic>>

/** A match of two halves, with so many facts; then the rules of the demo on it, once to warm up. ms of each request. */
async function simulated(url: string, apiKey: string, { simulation }: Scene): Promise<number[]> {
  const api = new Api(url, apiKey)
  const { rules, path, competitionId, homeTeamId, awayTeamId } = simulation
  const began = Date.now() - 7_200_000
  const date = new Date(began).toISOString()
  const { id: matchId } = await api.post<{ id: number }>('/v2/matches', { competitionId, homeTeamId, awayTeamId, date })
  const tell = (second: number, type: string, more: object = {}) =>
    api.post(`/v2/matches/${matchId}/facts`, {
      type,
      timestamp: new Date(began + second * 1000).toISOString(),
      ...more,
    })
  const play = async (from: number, count: number) => {
    for (let nth = 0; nth < count; nth++) {
      const type = nth % 60 === 30 ? 'goal' : (['foul', 'corner', 'shot'][nth % 3] ?? 'foul')
      await tell(from + Math.round((nth * 2640) / count), type, { teamId: nth % 2 === 0 ? homeTeamId : awayTeamId })
    }
  }
  const half = (SIMULATED_FACTS - 4) / 2
  await tell(0, 'matchStart')
  await play(10, half)
  await tell(2700, 'periodEnd')
  await tell(3600, 'periodStart')
  await play(3610, half)
  await tell(6300, 'matchEnd')
  const took: number[] = []
  for (let nth = 0; nth <= SIMULATIONS; nth++) {
    const at = performance.now()
    await api.post(path, { matchId, rules })
    if (nth > 0) took.push(performance.now() - at)
  }
  return took
}

type Goals = {
  url: string
  apiKey: string
  matches: readonly Match[]
  overlays: readonly { id: number; key: string }[]
  trigger: Trigger
}

/** Goals as what is sent: request n goes to match n. */
function goalsOf({ url, apiKey, matches, overlays, trigger }: Goals): Target {
  const { host, port } = originOf(url)
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' }
  const path = (index: number) => `/rest/v2/matches/${matches[index % matches.length]?.id}/facts`
  const body = (index: number, number: number) => {
    const value = markerBase + number
    const { homeTeamId: teamId } = matches[index % matches.length] ?? {}
    return JSON.stringify({ type: 'goal', teamId, value: trigger.asText ? String(value) : value })
  }
  return {
    ...{ name: 'Tally', url, overlays, triggers: [trigger] },
    request: (index, _, number) => ({ path: path(index), headers, body: body(index, number) }),
    raw(index, _, number) {
      const text = body(index, number)
      return `POST ${path(index)} HTTP/1.1\r\nHost: ${host}:${port}\r\nAuthorization: ${headers.Authorization}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`
    },
  }
}

/** The first and the last frame of each goal. */
function perGoal({ latency, trigger, count }: Samples): { first: Float32Array; last: Float32Array } {
  const [first, last] = [new Map<number, number>(), new Map<number, number>()]
  for (let i = 0; i < (count[0] ?? 0); i++) {
    const [goal, ms] = [trigger[i] ?? 0, latency[i] ?? 0]
    first.set(goal, Math.min(ms, first.get(goal) ?? ms))
    last.set(goal, Math.max(ms, last.get(goal) ?? ms))
  }
  return { first: Float32Array.from(first.values()), last: Float32Array.from(last.values()) }
}
