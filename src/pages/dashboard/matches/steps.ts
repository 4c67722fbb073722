import { newKey } from '../../ui/request.ts'
import { api } from '../api.ts'

type Method = 'POST' | 'PUT'

/**
 * Several writes that make one thing. Run again after a failure, steps that were asked the same before are not done twice:
 * those that were answered keep their answer, one whose answer was lost is sent with its Idempotency-Key.
 */
export class Steps {
  readonly #done = new Map<string, { key: string; answer?: unknown }>()

  async take<T>(method: Method, path: string, body?: object): Promise<T> {
    const name = `${method} ${path} ${JSON.stringify(body)}`
    const step = this.#done.get(name) ?? { key: newKey() }
    this.#done.set(name, step)
    step.answer ??= (await api(method, path, { key: step.key, ...(body && { body }) })) ?? null
    return step.answer as T
  }
}
