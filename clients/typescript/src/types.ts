import type { components } from './generated/live.ts'
import type { paths } from './generated/rest.ts'

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The paths that have an operation of this method, as the reference writes them: `/v2/overlays/{overlayId}`. */
export type PathsWith<M extends Method> = {
  [Path in keyof paths]: paths[Path][M] extends object ? Path : never
}[keyof paths]

type Operation<M extends Method, Path extends keyof paths> = NonNullable<paths[Path][M]>

type Parameter<O, Place extends string> = O extends { parameters: infer Parameters }
  ? Place extends keyof Parameters
    ? NonNullable<Parameters[Place]>
    : never
  : never

/** A member that may be left out when none of its own members must be there. */
type Member<Name extends string, Value> = [Value] extends [never]
  ? unknown
  : Record<never, never> extends Value
    ? { readonly [Key in Name]?: Value }
    : { readonly [Key in Name]: Value }

type Contents<O> = O extends { requestBody: { content: infer Content } }
  ? { required: true; content: Content }
  : O extends { requestBody?: { content: infer Content } }
    ? { required: false; content: Content }
    : { required: false; content: never }

/** A file: what `Blob`, `File`, `Buffer` and `fs.readFile` are. */
export type Bytes = Blob | ArrayBuffer | ArrayBufferView

/** In every form in which the server takes it: a table also as the text of a CSV, an archive also as its bytes. */
type BodyOf<Content> = {
  [Type in keyof Content]: Type extends 'application/json'
    ? Content[Type]
    : Type extends `text/${string}`
      ? string
      : Bytes
}[keyof Content]

type Body<O> =
  Contents<O> extends { required: infer Required; content: infer Content }
    ? [Content] extends [never]
      ? unknown
      : Required extends true
        ? { readonly body: BodyOf<Content> }
        : { readonly body?: BodyOf<Content> }
    : unknown

/** What goes along with every request. */
export type Sending = {
  /** Of a write: what is sent again under it is done once. Without one each call has its own. */
  readonly idempotencyKey?: string
  /** How long one try may take, milliseconds, in place of the client's: a large file takes longer. */
  readonly timeoutMs?: number
  /** Ends the waiting; the server may have done what was asked. */
  readonly signal?: AbortSignal
}

/** What an operation takes: `path`, `query` and `body` as the reference says. */
export type Asked<M extends Method, Path extends keyof paths> = Member<'path', Parameter<Operation<M, Path>, 'path'>> &
  Member<'query', Parameter<Operation<M, Path>, 'query'>> &
  Body<Operation<M, Path>> &
  Sending

/** May be left out as a whole when the operation needs nothing. */
export type Arguments<M extends Method, Path extends keyof paths> =
  Record<never, never> extends Asked<M, Path> ? [asked?: Asked<M, Path>] : [asked: Asked<M, Path>]

type Told<Answers> = { [Status in keyof Answers]: Answers[Status] extends { content: infer Content } ? Content : never }

type Read<Content> = Content extends unknown
  ? {
      [Type in keyof Content]: Type extends 'application/json'
        ? Content[Type]
        : Type extends `text/${string}`
          ? string
          : Blob
    }[keyof Content]
  : never

/** What an operation answers when it is done; undefined for one that answers nothing. */
export type Answer<M extends Method, Path extends keyof paths> =
  Operation<M, Path> extends { responses: infer Answers }
    ? 204 extends keyof Answers
      ? undefined
      : Read<Told<Answers>[keyof Answers]>
    : never

/** A shape of the reference by its name: `Schema<'OverlayV2'>`. */
export type Schema<Name extends keyof import('./generated/rest.ts').components['schemas']> =
  import('./generated/rest.ts').components['schemas'][Name]

/** Every message of the socket of an overlay by its type, but the pulse. */
export type LiveMessage = {
  [Type in FollowedType]: components['schemas'][Type]
}[FollowedType]

export type FollowedType =
  | 'SNAPSHOT'
  | 'CHANGE'
  | 'PAINTED'
  | 'NAMES'
  | 'RENDERERS'
  | 'PICTURES'
  | 'MATCH'
  | 'OVERLAY'
  | 'UNDO'
  | 'PLAN'
  | 'ROOM'

export type { Method, paths }
