import { newKey, Refusal } from '../../ui/request.ts'
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

/** The refusal of one part of several writes; the parts before it are there. */
export class PartRefusal extends Refusal {
  readonly part: string

  constructor(part: string, { status, message, details }: Refusal) {
    super(status, message, details)
    this.part = part
  }
}

/** Makes a part; a refusal says which one it was. */
export async function makePart<T>(part: string, make: () => Promise<T>): Promise<T> {
  try {
    return await make()
  } catch (error) {
    throw error instanceof Refusal ? new PartRefusal(part, error) : error
  }
}
