import { randomUUID } from 'node:crypto'
import { digestOf } from '../secrets/digest.ts'
import { Follower, type FollowerHost } from './followers/follower.ts'
import type { Way } from './followers/places.ts'
import type { Admission, Card, MaybePromise, Ports, Token } from './ports.ts'
import { engineOf } from './renderers/engine.ts'
import { Session, type SessionHost } from './renderers/session.ts'
import type { SocketEndpoint, UpgradeRequest } from './socket.ts'

type UpgradesHost = SessionHost & FollowerHost & { readonly places: { check(overlayId: number, way: Way): void } }

/** The paths that upgrade to a WebSocket, and the checks on the way in. */
export class Upgrades {
  readonly #ports: Ports
  readonly #host: UpgradesHost
  /** How renderers get in to overlays that somebody looks at, by their key, and the key by the overlay. */
  readonly #byKey = new Map<string, Admission>()
  readonly #keyOf = new Map<number, string>()
  #sessions = 0

  constructor(ports: Ports, host: UpgradesHost) {
    this.#ports = ports
    this.#host = host
  }

  endpoints(): SocketEndpoint[] {
    const follow = (admission: Admission, way: Way, { query }: UpgradeRequest) => {
      this.#host.places.check(admission.overlayId, way)
      return new Follower(admission, way, query.get('cursor') ?? '', this.#host)
    }
    const picture = (admission: Admission, way: Way, request: UpgradeRequest) => {
      this.#host.places.check(admission.overlayId, way)
      return this.#session(admission, request, way)
    }
    const page = (path: string, token: 'control' | 'monitoring'): SocketEndpoint[] => [
      {
        path: `${path}/socket`,
        accept: (request) => this.#byToken(token, request, (admission) => follow(admission, token, request)),
      },
      {
        path: `${path}/picture/socket`,
        accept: (request) =>
          this.#byToken(token, request, (admission) => picture(admission, `${token} picture`, request)),
      },
    ]
    return [
      { path: '/overlay/{key}/socket', accept: (request) => this.#acceptByKey(request) },
      ...page('/monitor/{token}', 'monitoring'),
      ...page('/control/{token}', 'control'),
      {
        path: '/rest/v2/overlays/{overlayId}/socket',
        accept: async (request) => follow(await this.#ports.admit(request), 'key', request),
      },
    ]
  }

  /** The row of an overlay is now this one: a key that was replaced opens nothing any more. */
  changed({ id, tokens }: Card): void {
    const key = this.#keyOf.get(id)
    if (key !== undefined && key.toLowerCase() !== tokens.key) this.forget(id)
  }

  /** Nobody looks at an overlay any more. */
  forget(overlayId: number): void {
    this.#byKey.delete(this.#keyOf.get(overlayId) ?? '')
    this.#keyOf.delete(overlayId)
  }

  #session(admission: Admission, request: UpgradeRequest, way?: Way): Session {
    const { query, userAgent } = request
    const name = rendererName(query.get('renderer')) ?? randomUUID().slice(0, 13)
    const id = `${this.#ports.elsewhere?.prefix ?? ''}${++this.#sessions}`
    return new Session(this.#host, admission, {
      id,
      name,
      heartbeatMs: heartbeatMs(query.get('heartbeat')),
      marksCaughtUp: query.get('caughtUp') === '1',
      tellsProblems: query.get('problems') === '1',
      answers: query.get('answers') === '1',
      engine: engineOf(userAgent),
      way,
      bus: busOf(request),
      layers: layersOf(query.get('layers')),
    })
  }

  /** A renderer, or who looks at preview. */
  #acceptByKey(request: UpgradeRequest): MaybePromise<Session | undefined> {
    const { key = '' } = request.params
    const enter = (admission: Admission) => {
      const way = busOf(request) && 'preview'
      if (way) this.#host.places.check(admission.overlayId, way)
      return this.#session(admission, request, way)
    }
    // known without the database, which may be away
    const known = this.#byKey.get(key)
    if (known) return enter(known)
    return this.#named('key', key, (overlayId) => {
      // one for all its renderers; a UUID may be written in capitals
      const spelled = key.toLowerCase()
      const admission = { overlayId, opens: ({ tokens }: Card) => tokens.key === spelled }
      this.forget(overlayId)
      this.#byKey.set(key, admission)
      this.#keyOf.set(overlayId, key)
      return enter(admission)
    })
  }

  #byToken<T>(by: Token, { params }: UpgradeRequest, enter: (admission: Admission) => T): MaybePromise<T | undefined> {
    const token = params.token ?? ''
    return this.#named(by, token, (overlayId) => {
      const digest = digestOf(token)
      return enter({ overlayId, opens: ({ tokens }) => tokens[by] === digest })
    })
  }

  /** Lets in at once where the name is known. */
  #named<T>(by: Token, name: string, enter: (overlayId: number) => T): MaybePromise<T | undefined> {
    const enterIfFound = (overlayId: number | undefined) => (overlayId === undefined ? undefined : enter(overlayId))
    const found = this.#ports.find(by, name)
    return found instanceof Promise ? found.then(enterIfFound) : enterIfFound(found)
  }
}

/** A name as people give it, or undefined when nothing sane is left. */
function rendererName(given: string | null): string | undefined {
  const name = (given ?? '')
    .replace(/[^\p{L}\p{N} ._:@/-]/gu, '')
    .trim()
    .slice(0, 64)
  return name === '' ? undefined : name
}

/** Anything else is program: a typing error must not keep a picture off air. */
const busOf = ({ query }: UpgradeRequest) => (query.get('bus')?.toLowerCase() === 'preview' ? 'preview' : undefined)

const MAX_LAYERS = 100

/** As the page reads its own address. */
function layersOf(given: string | null): ReadonlySet<string> | undefined {
  const layers = (given ?? '')
    .toLowerCase()
    .split(',', MAX_LAYERS)
    .map((layer) => layer.trim())
    .filter(Boolean)
  return layers.length > 0 ? new Set(layers) : undefined
}

/** Whole seconds, 1 to 60; anything else is no heartbeat: a typing error must not keep a picture off air. */
function heartbeatMs(given: string | null): number {
  return given !== null && /^([1-9]|[1-5]\d|60)$/.test(given) ? Number(given) * 1000 : 0
}
