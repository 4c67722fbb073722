import type { Api } from './api.ts'
import { now } from './clock.ts'
import type { Say } from './say.ts'
import { round } from './stats.ts'

type Task = { path: string; body: object }

const sayEveryMs = 2_000

/** Makes many records by parallel clients. */
export class Importer {
  readonly failures: string[] = []
  readonly #api: Api
  readonly #clients: number
  readonly #say: Say

  constructor(api: Api, clients: number, say: Say) {
    this.#api = api
    this.#clients = clients
    this.#say = say
  }

  /** Makes `count` of something and says every two seconds how far it is; answers their ids in order, 0 for a failure. */
  async run(name: string, count: number, task: (index: number) => Task): Promise<number[]> {
    const startedAt = now()
    const ids: number[] = Array.from({ length: count }, () => 0)
    let next = 0
    let done = 0
    let saidAt = startedAt
    const work = async () => {
      while (next < count) {
        const index = next++
        ids[index] = await this.#create(task(index))
        done++
        if (now() - saidAt < sayEveryMs && done < count) continue
        saidAt = now()
        const perSecond = round((done * 1000) / (now() - startedAt), 0)
        this.#say(`season: ${done.toLocaleString('en-US')} of ${count.toLocaleString('en-US')} ${name}, ${perSecond}/s`)
      }
    }
    await Promise.all(Array.from({ length: this.#clients }, work))
    return ids
  }

  async #create({ path, body }: Task): Promise<number> {
    const made = await this.#api.post<{ id: number }>(path, body).catch((error: unknown) => {
      this.failures.push(error instanceof Error ? error.message : String(error))
      return { id: 0 }
    })
    return made.id
  }
}
