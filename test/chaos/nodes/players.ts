import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { Api } from '../../../bench/api.ts'
import { findTriggers, type Production, rest } from '../../../bench/production.ts'
import type { Server } from '../../../bench/server.ts'
import type { NodesRig } from './rig.ts'

type Match = { readonly id: number; readonly homeTeamId: number; readonly awayTeamId: number }
type Fact = { type: string; clientFactId: string; teamId: number; status: number }
type Demo = { apiKey: string; matchId: number; controlRoomId: number; themeProfileId: number; presets: PresetOfDemo[] }
type PresetOfDemo = { id: number; graphicId: string; graphicName: string; exposedVariables: string[] }

const COUNTED = ['goal', 'corner', 'goal', 'yellowCard'] as const
const LIMIT = 1_000

/** A demo organization with so many matches, and an overlay of each. */
export async function produceMatchDay(
  server: Pick<Server, 'url' | 'admin'>,
  count: number,
): Promise<Production & { matches: Match[] }> {
  const demo = (await server.admin('demo', '--name', 'Match day')) as Demo
  const api = new Api(server.url, demo.apiKey)
  const first = await api.get<{ competitionId: number; homeTeamId: number; awayTeamId: number }>(
    `/v1/matches/${demo.matchId}`,
  )
  const { competitionId, homeTeamId, awayTeamId } = first
  const matches: Match[] = []
  const overlays: { id: number; key: string }[] = []
  const date = new Date().toISOString()
  for (let number = 1; number <= count; number++) {
    const teams = { homeTeamId, awayTeamId }
    const { id } = await api.post<{ id: number }>('/v2/matches', { competitionId, date, ...teams })
    matches.push({ id, ...teams })
    overlays.push(
      await api.post<{ id: number; key: string }>('/v1/overlays', {
        name: `Match day overlay ${number}`,
        matchId: id,
        autoMode: true,
        adType: 'free',
        encodingDelay: 0,
        competitionThemeSettingId: demo.themeProfileId,
        controlRoomId: demo.controlRoomId,
      }),
    )
  }
  const triggers = await findTriggers(server.url, demo.apiKey, overlays[0]?.id ?? 0, demo.presets)
  return { apiKey: demo.apiKey, overlays, triggers, matches }
}

/** Plays matches through the balancer: each fact is sent under its id until it is answered. */
export class Players {
  readonly #rig: NodesRig
  readonly #matches: ReadonlyMap<Match, Fact[]>
  readonly #work: Promise<void>[]
  #stopping = false

  constructor(rig: NodesRig, matches: readonly Match[], everyMs: number) {
    this.#rig = rig
    this.#matches = new Map(matches.map((match) => [match, []]))
    this.#work = [...this.#matches].map(([match, facts]) => this.#play(match, facts, everyMs))
  }

  /** How many were recorded, and refused. */
  get facts(): { recorded: number; refused: number } {
    const all = [...this.#matches.values()].flat()
    const recorded = all.filter(({ status }) => status < 300).length
    return { recorded, refused: all.length - recorded }
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await Promise.all(this.#work)
  }

  /** Each fact that was answered is there once, those that were refused are not, and the score is that of the goals. */
  async check(): Promise<void> {
    const api = new Api(this.#rig.balancer, this.#rig.production.apiKey)
    for (const [match, facts] of this.#matches) {
      const list = await api.get<{ facts: { clientFactId: string | null }[] }>(
        `/v2/matches/${match.id}/facts?limit=${LIMIT}`,
      )
      const there = list.facts.map(({ clientFactId }) => clientFactId ?? '').toSorted()
      const done = facts.filter(({ status }) => status < 300)
      expect(there, `facts of match ${match.id}`).toEqual(done.map(({ clientFactId }) => clientFactId).toSorted())
      const goals = (teamId: number) => done.filter((fact) => fact.type === 'goal' && fact.teamId === teamId).length
      const { score } = await api.get<{ score: { home: number; away: number } }>(`/v2/matches/${match.id}`)
      expect([score.home, score.away], `score of match ${match.id}`).toEqual([
        goals(match.homeTeamId),
        goals(match.awayTeamId),
      ])
    }
  }

  async #play(match: Match, facts: Fact[], everyMs: number): Promise<void> {
    await this.#record(match, facts, 'periodStart')
    for (let turn = 0; !this.#stopping && facts.length < LIMIT; turn++) {
      await pause(everyMs * (0.5 + Math.random()))
      await this.#record(match, facts, COUNTED[turn % COUNTED.length] ?? 'goal')
    }
  }

  async #record(match: Match, facts: Fact[], type: string): Promise<void> {
    const teamId = facts.length % 3 === 0 ? match.awayTeamId : match.homeTeamId
    const fact = { type, clientFactId: `${match.id}-${facts.length}`, teamId, status: 0 }
    facts.push(fact)
    const { status: _, ...body } = fact
    const { balancer, production } = this.#rig
    const sent = type === 'periodStart' ? { type, clientFactId: fact.clientFactId } : body
    while (fact.status === 0 || fact.status >= 500) {
      const answer = await rest(balancer, production.apiKey, 'POST', `/v2/matches/${match.id}/facts`, sent).catch(
        () => ({ status: 0 }),
      )
      fact.status = answer.status
      if (fact.status === 0 || fact.status >= 500) await pause(50)
    }
  }
}
