import type { Logger } from 'pino'
import type { ActorHost } from './actors/host.ts'
import type { Media } from './media/ports.ts'
import type { Parsing } from './parsing/pool.ts'
import type { Catalog } from './resources/control-rooms/catalog.ts'
import type { Database } from './store/postgres.ts'

/** Who a request acts for. spec: Authentication 1 */
export type Principal = {
  readonly organizationId: number
  /** As journaled; one object per key or session, so that its JSON is made once. */
  readonly actor: JournalPrincipal
  /** Whose bucket of the rate limit is charged: `key/5`, `person/3`, `control/7`. */
  readonly chargedTo: string
  /** `<resource>:read` and `<resource>:write`, with the reads that a write includes already added. */
  readonly scopes: ReadonlySet<string>
}

/**
 * An Idempotency-Key under which a request runs. The first transaction or actor commit of the request stores the answer
 * in the same commit; the router stores it afterwards when the request changed nothing.
 */
export type IdempotencyClaim = {
  readonly key: string
  readonly method: string
  /** Full path with query. */
  readonly path: string
  readonly bodyHash: Buffer
  /** True once a row was written inside a commit. */
  stored: boolean
  /** The bytes that the router will answer for this result, with the route's success status. */
  encode(result: unknown): { status: number; body: string }
}

/** What a command or query may use. One per request; also made for the CLI, workers and demo. */
export type Context = {
  readonly organizationId: number
  /** As journaled: `{type: 'key', id, name}`, `{type: 'person', id, name}`, `{type: 'system', name}`, `{type: 'link', overlayId}`. */
  readonly actor: JournalPrincipal
  readonly scopes: ReadonlySet<string>
  readonly requestId: string
  /** UUID of this command; the journal holds it, so an unknown commit can be resolved. */
  readonly commandId: string
  readonly log: Logger
  readonly db: Database
  readonly actors: ActorHost
  readonly catalog: Catalog
  readonly parsing: Parsing
  readonly media: Media
  /** Without a trailing slash. */
  readonly publicUrl: string
  /** How many renderers of an overlay are connected to this node; left out where there are no sockets. */
  readonly renderers?: (overlayId: number) => number
  readonly idempotency?: IdempotencyClaim
}

/** What a record command needs to write; every Context has it, and so does the CLI. */
export type WriteContext = Pick<Context, 'organizationId' | 'actor' | 'requestId' | 'commandId' | 'db' | 'idempotency'>

/** What a query needs that only reads rows. */
export type ReadContext = Pick<Context, 'organizationId' | 'db'>

/** What a record command needs that also caches know of; the demo and the CLI make one without a server. */
export type RecordContext = WriteContext & Pick<Context, 'publicUrl'> & { readonly catalog: Pick<Catalog, 'forget'> }

export type JournalPrincipal =
  | { type: 'key'; id: number; name: string }
  /** Somebody who signed in; `name` is the e-mail address. */
  | { type: 'person'; id: number; name: string }
  | { type: 'system'; name: string }
  /** The page of a control room, by its unguessable address. */
  | { type: 'link'; overlayId: number }
