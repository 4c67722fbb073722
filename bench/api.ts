import { sleep } from './clock.ts'

const mostTries = 50

/** REST with one key, by any number of callers at once. A caller that is told to wait, waits and asks again. */
export class Api {
  readonly url: string
  readonly #key: string
  /** Answers so far, those of 429 included. */
  requests = 0
  deferred = 0

  /** `url` without `/rest`. */
  constructor(url: string, key: string) {
    this.url = url.replace(/\/$/, '')
    this.#key = key
  }

  /** The answer, of any status. */
  async send(method: string, path: string, body?: object): Promise<{ status: number; text: string }> {
    for (let tries = 1; ; tries++) {
      const response = await fetch(`${this.url}/rest${path}`, {
        method,
        headers: { Authorization: `Bearer ${this.#key}`, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      this.requests++
      if (response.status !== 429 || tries === mostTries) return { status: response.status, text }
      this.deferred++
      await sleep(Number(response.headers.get('retry-after') ?? 1) * 1000)
    }
  }

  /** The accepted answer, of the type that the caller knows; throws when it is refused. */
  async call<T>(method: string, path: string, body?: object): Promise<T> {
    const { status, text } = await this.send(method, path, body)
    if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${text.slice(0, 500)}`)
    return (text === '' ? undefined : JSON.parse(text)) as T
  }

  get = <T>(path: string) => this.call<T>('GET', path)
  post = <T>(path: string, body: object) => this.call<T>('POST', path, body)
  put = <T>(path: string, body: object) => this.call<T>('PUT', path, body)
}
