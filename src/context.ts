import type { Logger } from 'pino'
import type { OnAir } from '../machines/overlay/model.ts'
import type { ActorHost } from './actors/host.ts'
import type { Ref } from './actors/journal.ts'
import type { MaybePromise } from './catalog/cache.ts'
import type { Catalog } from './catalog/catalog.ts'
import type { Database } from './database.ts'
import type { Scope } from './expressions/scope.ts'
import type { Media } from './media/ports.ts'
import type { Parsing } from './parsing/pool.ts'
import type { Asker } from './principal.ts'
import type { LampsTold } from './realtime/followers/watched.ts'
import type { Live } from './realtime/ports.ts'

/**
 * Work on one actor that no client asked for by name: it runs where the actor lives, here or on another node, so `args` and the
 * result are plain JSON. It may be run again. cluster 3, 6
 */
export type Errand<A, R> = { readonly name: string; run(ctx: Context, args: A): Promise<R> }

/** The pictures of presets, and how they come to be. show-control: Pictures */
export type Stills = {
  /** LOAD_GRAPHIC of a graphic and its values, as on air: JSON text. */
  load(graphic: OnAir, sport: string, live: Live): string
  /** One that was made before, here or on another node, by what it depends on. */
  find(key: string): Promise<Buffer | undefined>
  /** Keeps one that was made. */
  keep(organizationId: number, key: string, png: Buffer): Promise<void>
}

/** Reads archives of many files away from the loop, and keeps the files. */
export type Archives = {
  /** As `parsing`, with more time and one archive at a time. */
  readonly run: Parsing['run']
  /** Keeps bytes that have this SHA-256, once they are durable. */
  keep(bytes: AsyncIterable<Uint8Array>, hash: string): Promise<unknown>
  /** The bytes of a stored file; undefined when they are absent. */
  read(hash: string): Promise<Buffer | undefined>
}

/** The parts that a command or query may use. One per request; also made for the CLI, workers and demo. */
export type Context = Asker & {
  readonly scopes: ReadonlySet<string>
  readonly log: Logger
  readonly db: Database
  readonly actors: ActorHost
  /** Runs an errand on the node that owns the actor; throws what it throws, and unavailable() when no node can be asked in time. */
  atOwner<A, R>(ref: Ref, errand: Errand<A, R>, args: A): Promise<R>
  readonly catalog: Catalog
  readonly parsing: Parsing
  /** Left out where there is no server. */
  readonly archives?: Archives
  readonly media: Media
  /** Without a trailing slash. */
  readonly publicUrl: string
  /** Left out where there is no server. */
  readonly stills?: Stills
  /** How many renderers of an overlay are connected, on all nodes; left out where there are no sockets. */
  readonly renderers?: (overlayId: number) => number
  /** What the renderers of an overlay say that they are, on all nodes; left out where there are no sockets. */
  readonly engines?: (overlayId: number) => MaybePromise<readonly { name: string; engine: string }[]>
  /** What renderers of all nodes answer to a call of the OGraf Server API; left out where there are no sockets. */
  readonly calls?: {
    expect(
      asked: { overlayId: number; id: string; graphicId: string; graphicName: string },
      withinMs: number,
    ): Promise<
      | {
          statusCode?: number | undefined
          statusMessage?: string | undefined
          currentStep?: number | undefined
          error?: string | undefined
        }
      | undefined
    >
    forget(id: string): void
  }
  /** The lamps of an overlay, held in memory while they are asked for; left out where there are no sockets. */
  readonly lamps?: (overlayId: number) => MaybePromise<LampsTold>
  /** The data of an overlay's match as it is held in memory; left out where none is. */
  readonly live?: (
    overlayId: number,
    delayMs: number,
  ) => MaybePromise<{
    data?: Scope | undefined
    /** Of each record, the seq that the data is of. */
    revisions: Readonly<Record<string, number>>
  }>
}

/** The parts that a record command needs to write; every Context has them, and so does the CLI. */
export type WriteContext = Asker & Pick<Context, 'db'>

/** The parts that a query needs which only reads rows. */
export type ReadContext = Pick<Context, 'organizationId' | 'db'>

/** The parts of a record command of which caches hear, too; the demo and the CLI make one without a server. */
export type RecordContext = WriteContext & Pick<Context, 'publicUrl'> & { readonly catalog: Pick<Catalog, 'forget'> }
