import { isDeepStrictEqual } from 'node:util'
import type { Api } from '../api.ts'
import type { Period } from './period.ts'
import type { Screen, SportData } from './screen.ts'

export type Score = { home: number; away: number }
export type Fact = { id: number; type: string; minute: number | null }
type Match = {
  state: string
  period: Period | null
  clock: { running: boolean; valueMs: number }
  score: Score & { periods: (Score & { number: number })[] }
}
type Summary = {
  state: string
  score: Score
  periods: Match['score']['periods']
  facts: Fact[]
  teamStats: Record<'home' | 'away', Record<string, number>>
}

/** How a match must stand: by the laws of the game, not by the server. `periods` are home and away of each. */
export type Expected = {
  state: string
  score: readonly [home: number, away: number]
  periods: readonly (readonly [home: number, away: number])[]
  statistics?: Record<'home' | 'away', Record<string, number>>
}

/** A match under way: facts go in over REST, and everything that shows it must agree. */
export class LiveMatch {
  readonly id: number
  readonly disagreements: string[] = []
  readonly #api: Api
  readonly #screen: Screen
  readonly #graphicId: string

  constructor(api: Api, screen: Screen, id: number, graphicId: string) {
    this.#api = api
    this.#screen = screen
    this.id = id
    this.#graphicId = graphicId
  }

  record = (fact: object) => this.#api.post<Fact>(`/v2/matches/${this.id}/facts`, fact)
  correct = (factId: number, fact: object) => this.#api.post<Fact>(`/v2/matches/${this.id}/facts/${factId}`, fact)
  erase = (factId: number) => this.#api.call('DELETE', `/v2/matches/${this.id}/facts/${factId}`)

  /** A fact that must be refused; an accepted one is a disagreement. */
  async refused(why: string, fact: object): Promise<void> {
    const { status } = await this.#api.send('POST', `/v2/matches/${this.id}/facts`, fact)
    if (status !== 400) this.disagreements.push(`${why}: answered ${status}`)
  }

  /** Compares both reads, the summary, the list of facts and the renderer with each other and with the expected state. */
  async stands(when: string, expected: Expected): Promise<void> {
    const [v2, v1, summary, list] = await Promise.all([
      this.#api.get<Match>(`/v2/matches/${this.id}`),
      this.#api.get<Match>(`/v1/matches/${this.id}`),
      this.#api.get<Summary>(`/v1/matches/${this.id}/summary`),
      this.#api.get<{ facts: Fact[] }>(`/v2/matches/${this.id}/facts?limit=1000`),
    ])
    const same = (what: string, got: unknown, wanted: unknown) => {
      if (!isDeepStrictEqual(got, wanted))
        this.disagreements.push(`${when}: ${what} is ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`)
    }
    same('the state', v2.state, expected.state)
    same('the score', [v2.score.home, v2.score.away], expected.score)
    same(
      'the periods',
      v2.score.periods.map(({ home, away }) => [home, away]),
      expected.periods,
    )
    for (const part of ['state', 'period', 'clock', 'score'] as const) same(`${part} in v1`, v1[part], v2[part])
    same('state of the summary', summary.state, v2.state)
    same('score of the summary', summary.score, { home: v2.score.home, away: v2.score.away })
    same('periods of the summary', summary.periods, v2.score.periods)
    same('facts of the summary', summary.facts, list.facts)
    for (const side of ['home', 'away'] as const)
      for (const [name, count] of Object.entries(expected.statistics?.[side] ?? {}))
        same(`${name} of ${side}`, summary.teamStats[side][name] ?? 0, count)
    const { state, period, clock, score } = v2
    const wanted = { state, period, clock, score }
    const shown = () => onScreen(this.#screen.graphics.get(this.#graphicId)?.data?.match)
    // after earlier disagreements the wait is shorter
    const patience = this.disagreements.length > 0 ? 500 : 10_000
    await this.#screen
      .until(`the score bug ${when}`, () => isDeepStrictEqual(shown(), wanted), patience)
      .catch(() => same('what is on screen', shown(), wanted))
  }
}

/** A match as graphics are given it, as far as the API shows the same: graphics also learn when a period ends. */
function onScreen(match: SportData['match']) {
  if (!match) return undefined
  const { state, period, clock, score } = match
  return { state, period: period && { name: period.name, type: period.type, number: period.number }, clock, score }
}
