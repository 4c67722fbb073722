import type { Sql } from 'postgres'
import { expect, vi } from 'vitest'
import type { Demo } from '../../src/demo/seed.ts'
import type { TestApp } from '../support/app.ts'
import { type Random, seeded } from '../support/random.ts'
import { FuzzRenderer } from './renderer.ts'

/** What the server answered, or nothing when the connection broke: then nobody knows. */
type Answer = { status: number; body: Record<string, unknown> } | undefined
type State = Record<string, { _service_presetId: number; variableValues: Record<string, unknown> }>

/** The name of database connections that are never cut. */
export const SPARED = 'fuzz'

/** One overlay in the hands of a seed: operators, renderers and bad luck. */
export class Run {
  readonly app: TestApp
  readonly sql: Sql
  readonly random: Random
  readonly demo: Demo
  readonly renderers: FuzzRenderer[]
  readonly answers: Promise<void>[] = []
  readonly wrong: string[] = []
  acknowledged = 0
  restarts = 0

  constructor(app: TestApp, sql: Sql, seed: number, demo: Demo) {
    this.app = app
    this.sql = sql
    this.random = seeded(seed)
    this.demo = demo
    const url = `ws://127.0.0.1:${app.port}/overlay/${demo.overlay.key}/socket`
    this.renderers = Array.from({ length: 4 }, (_, index) => new FuzzRenderer(`${url}?renderer=fuzz-${index}`))
  }

  get renderer(): FuzzRenderer {
    return this.random.pick([...this.renderers] as [FuzzRenderer, ...FuzzRenderer[]])
  }

  async ask(path: string, body: unknown): Promise<Answer> {
    try {
      return await this.app.call('POST', path, { key: this.demo.apiKey, body })
    } catch {
      return undefined
    }
  }

  /** Fires one command without waiting, as several operators do at once; what it answers is judged when it comes. */
  command(size = 0): void {
    const { random, demo } = this
    const path = `/v2/overlays/${demo.overlay.id}/graphics/commands`
    if (random.chance(0.06)) {
      this.answers.push(
        this.ask(path, { action: 'hideAll' }).then((answer) => this.judge(answer, 'hideAll', undefined)),
      )
      return
    }
    const preset = random.pick(demo.presets as [Demo['presets'][number], ...Demo['presets']])
    const action = random.pick(['show', 'show', 'show', 'update', 'update', 'hide'])
    const body = {
      action,
      presetId: preset.id,
      ...(action !== 'hide' && { variableValues: this.values(preset.graphicName, size) }),
    }
    this.answers.push(this.ask(path, body).then((answer) => this.judge(answer, action, preset)))
  }

  values(graphicName: string, size: number): Record<string, unknown> {
    const { random } = this
    const text = 'x'.repeat(size) + random.below(1_000_000)
    switch (graphicName) {
      case 'Score bug':
        return { homeScore: random.below(9), clock: text }
      case 'Lower third':
        return { name: text, team: random.pick(['home', 'away', 'neutral']) }
      case 'Line-up card':
        return { team: random.pick(['home', 'away']) }
      case 'Result card':
      case 'Standings table':
      case 'Statistics card':
        return { headline: text }
      default:
        return { sponsor: text, tagline: null }
    }
  }

  judge(answer: Answer, action: string, preset: Demo['presets'][number] | undefined): void {
    if (!answer || answer.status === 503) return
    if (answer.status === 400 && action === 'update') return
    if (answer.status !== 200) {
      this.wrong.push(`${action} answered ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`)
      return
    }
    this.acknowledged++
    const state = answer.body.manualGraphicState as State
    const shown = preset && state[preset.graphicName]
    if (action === 'hideAll' && Object.keys(state).length > 0) this.wrong.push('hideAll left something on air')
    if (action === 'hide' && shown) this.wrong.push('hide left its graphic on air')
    if ((action === 'show' || action === 'update') && shown?._service_presetId !== preset?.id)
      this.wrong.push(`${action} of preset ${preset?.id} answered ${shown?._service_presetId}`)
  }

  /** A change of the match, as a command of a resource leaves it. */
  async changeMatch(): Promise<void> {
    const { matchId } = this.demo
    await this.sql.begin(async (tx) => {
      await tx`update match set round = ${`Round ${this.random.below(1000)}`}, updated_at = clock_timestamp() where id = ${matchId}`
      await tx`insert into outbox (kind, payload)
        values ('reaction', json_build_object('event', 'match.updated', 'ref', ${`match/${matchId}`}::text))`
    })
  }

  /** More than the buffers on the way can take, while somebody does not read. */
  async flood(): Promise<void> {
    const slow = this.renderer
    slow.pause()
    for (let index = 0; index < 24; index++) this.command(400_000)
    await Promise.all(this.answers)
    slow.resume()
  }

  async restart(): Promise<void> {
    this.restarts++
    for (let index = this.random.below(4); index > 0; index--) this.command()
    await this.app.restart()
  }

  /** Every connection to the database breaks at once; commits under way have an unknown outcome. */
  async cut(): Promise<void> {
    for (let index = this.random.below(6); index > 0; index--) this.command()
    await this.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name <> ${SPARED}`
  }

  async delay(seconds: number): Promise<void> {
    await vi.waitFor(
      async () => {
        const answer = await this.ask(`/v2/overlays/${this.demo.overlay.id}`, { encodingDelay: seconds })
        expect(answer?.status).toBe(200)
      },
      { timeout: 30_000, interval: 50 },
    )
  }

  async step(): Promise<void> {
    const { random } = this
    const dice = random.next()
    if (dice < 0.7) this.command()
    else if (dice < 0.76) this.renderer.lose(random.chance(0.5))
    else if (dice < 0.82) this.renderer.pause()
    else if (dice < 0.88) for (const renderer of this.renderers) renderer.resume()
    else if (dice < 0.91)
      this.renderer.babble(random.pick(['', '{', '{"type":"HELLO"}', '[]', '{"type":"READY","payload":{}}']))
    else if (dice < 0.96) await this.changeMatch()
    else if (dice < 0.975) await this.flood()
    else if (dice < 0.985) await this.restart()
    else if (dice < 0.993) await this.cut()
    else await this.delay(random.below(2))
    // let what was fired come in, so that the next step meets another state
    if (random.chance(0.3)) await Promise.all(this.answers.splice(0))
  }
}
