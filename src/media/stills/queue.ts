/** A picture that is to be made: `payload` of LOAD_GRAPHIC, JSON text; alike by `key`. */
export type Wanted = { organizationId: number; key: string; payload: string }

type Waiting = Wanted & { resolve(png: Buffer): void; reject(error: Error): void }

/** Why a picture is not made: too many are asked for already. */
export class QueueFull extends Error {}

/**
 * Pictures that wait for the browser. Organizations take turns, so that one with a thousand presets holds up nobody else's, and each may have
 * so many waiting. One that is asked for again meanwhile is made once.
 */
export class StillQueue {
  readonly #mostOfOne: number
  /** By organization, in the order of their turns. */
  readonly #lines = new Map<number, Waiting[]>()
  /** Those that wait, and the one that is being made. */
  readonly #pictures = new Map<string, Promise<Buffer>>()

  constructor(mostOfOne: number) {
    this.#mostOfOne = mostOfOne
  }

  get size(): number {
    return this.#pictures.size
  }

  /** Rejects with QueueFull, and with why it could not be made. */
  add(wanted: Wanted): Promise<Buffer> {
    const { organizationId, key } = wanted
    const known = this.#pictures.get(key)
    if (known) return known
    const line = this.#lines.get(organizationId) ?? []
    if (line.length >= this.#mostOfOne) return Promise.reject(new QueueFull('Too many stills wait to be made'))
    const picture = new Promise<Buffer>((resolve, reject) => {
      line.push({ ...wanted, resolve, reject })
    })
    this.#lines.set(organizationId, line)
    this.#pictures.set(key, picture)
    const forget = () => void this.#pictures.delete(key)
    picture.then(forget, forget)
    return picture
  }

  /** The next one, whose organization is the last to have another turn; undefined: none waits. */
  next(): Waiting | undefined {
    for (const [organizationId, line] of this.#lines) {
      const first = line.shift()
      this.#lines.delete(organizationId)
      if (line.length > 0) this.#lines.set(organizationId, line)
      return first
    }
    return undefined
  }

  /** None of those that wait is made. */
  refuse(reason: string): void {
    for (let one = this.next(); one; one = this.next()) one.reject(new Error(reason))
  }
}
