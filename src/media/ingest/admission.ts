import { createHmac, timingSafeEqual } from 'node:crypto'
import type { PushInput } from '../ports.ts'

/** Where senders publish: `rtmp://host/live` and the key. */
export const PUBLIC_APPLICATION = 'live'
/** Where paths are, out of reach without a token. */
export const OWN_APPLICATION = 'own'

export const inputPath = (inputId: number) => `input-${inputId}`
export const inputIdOf = (path: string) => {
  const id = /^input-([1-9]\d*)$/.exec(path)?.[1]
  return id === undefined ? null : Number(id)
}

/** What an encoder is told at a node that does not take its input. */
export const AT_ANOTHER_NODE = 'Another node takes the video of this stream key.'

/** The part of a key that is told to people who look for a sender with a wrong one. */
export const keyStart = (key: string) => key.slice(0, 4)

/** The token that opens one path for reading or publishing, derived from the secret of this run. */
export const tokenOf = (secret: string, action: 'read' | 'publish', path: string) =>
  createHmac('sha256', secret).update(`${action}:${path}`).digest('base64url')

/** Where our own processes reach the RTMP of this engine. */
export type OwnAccess = { bind: string; port: number; secret: string }

/** The URL by which one of our own processes reads or publishes a path. */
export function ownUrl({ bind, port, secret }: OwnAccess, action: 'read' | 'publish', path: string): string {
  const address = bind === '0.0.0.0' ? '127.0.0.1' : bind === '::' ? '::1' : bind
  const host = address.includes(':') ? `[${address}]` : address
  return `rtmp://${host}:${port}/${OWN_APPLICATION}/${path}?t=${tokenOf(secret, action, path)}`
}

const same = (left: string, right: string) => {
  const [a, b] = [Buffer.from(left), Buffer.from(right)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** The rights to publish and read each input. Keys are compared as the keys of a map, tokens in constant time. */
export class Admission {
  readonly #secret: string
  readonly #byKey = new Map<string, PushInput>()
  readonly #byId = new Map<number, PushInput>()

  constructor(secret: string) {
    this.#secret = secret
  }

  /** Returns the rights that this input had before. */
  allow(input: PushInput): PushInput | undefined {
    const before = this.revoke(input.inputId)
    this.#byKey.set(input.streamKey, input)
    this.#byId.set(input.inputId, input)
    return before
  }

  revoke(inputId: number): PushInput | undefined {
    const before = this.#byId.get(inputId)
    if (!before) return undefined
    this.#byId.delete(inputId)
    if (this.#byKey.get(before.streamKey) === before) this.#byKey.delete(before.streamKey)
    return before
  }

  byKey(key: string): PushInput | undefined {
    return this.#byKey.get(key)
  }

  /** The input, when this is its key. */
  byId(inputId: number, key: string): PushInput | undefined {
    const input = this.#byId.get(inputId)
    return input && same(input.streamKey, key) ? input : undefined
  }

  isToken(action: 'read' | 'publish', path: string, token: string): boolean {
    return same(tokenOf(this.#secret, action, path), token)
  }
}
