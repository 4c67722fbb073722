/** The interfaces between the parts of the media plane. The plane knows processes, bytes and sockets; it knows no rows, actors or HTTP routes. */

/** The capabilities of this machine, found out once by asking ffmpeg itself. */
export type Capabilities = {
  ffmpeg: { path: string; version: string } | null
  /** Of ffmpeg: `srt`, `rtmp`, `rtmps`, `http`, `https`, `tls`. */
  protocols: ReadonlySet<string>
  /** Of ffmpeg: `libx264`, `aac`. */
  encoders: ReadonlySet<string>
  /** Of ffmpeg: `overlay`. */
  filters: ReadonlySet<string>
  /** Path of the browser that draws burned-in graphics. */
  browser: string | null
  /** Of the browser: there; given up by the administrator; or why there is none, for people. */
  sandbox: 'there' | 'off' | { missing: string }
}

/** A capability that an operation needs. */
export type Need = 'ffmpeg' | 'rtmp' | 'rtmps' | 'srt' | 'hls' | 'burnIn' | 'ingest' | 'still'

/** One sample of a connection's rate; `at` in ms since 1970. */
export type BitratePoint = { at: number; bitrateKb: number }

/** The measured rates of a connection now and in the last ten minutes. */
export type Measured = {
  /** kb/s over the last seconds; null when nothing flows. */
  bitrateKb: number | null
  /** Oldest first, one point each five seconds. */
  history: readonly BitratePoint[]
}

/** The fields of a stream input that the ingest decides. spec: Stream input */
export type IngestAddress = {
  host: string
  applicationName: string
  streamKey: string
  rtmpUrl: string
  srtUrl: string
}

/** A push input that the engine is to accept. `streamKey` is its secret and matches `[A-Za-z0-9_-]+`. */
export type PushInput = {
  inputId: number
  streamKey: string
  latencyMs: number
  /** Another node takes its video, at an ingest of its own: who sends it here is refused, and told apart from strangers. */
  elsewhere?: boolean
}

/** A client fetches video from us over SRT: one with the stream id `read:<token>` is sent the video of `readUrl`. */
export type SrtReader = { token: string; readUrl: string; latencyMs: number; lease?: string }

/** What this node owns; `since` and `until` are times of `performance.now()`. A process that is alone owns everything. */
export interface MediaLeases {
  lease(ref: string): { since: number; until: number } | undefined
}

export type EngineEvent =
  /** `pull`: our own process publishes the path of an input. */
  | { type: 'up'; path: string; inputId: number | null; session: string; protocol: 'rtmp' | 'srt' | 'pull'; ip: string }
  /** The connection broke; the path goes on for the grace of the engine: `up` with another session, or `down`. */
  | { type: 'gap'; path: string; inputId: number | null; session: string; graceMs: number }
  | { type: 'down'; path: string; inputId: number | null; session: string }
  /** Somebody tried with a wrong key or stream id; only the start of it is told. */
  | {
      type: 'refused'
      protocol: 'rtmp' | 'srt'
      ip: string
      keyStart: string
      reason: string
      /** With the right key, at the wrong node. */
      inputId?: number
    }
  /** The engine's process is gone and comes back by itself: every path is down. */
  | { type: 'lost'; error: string }
  | { type: 'back' }

/** Where video comes in and programs are read from: RTMP and SRT with keys, paths, sessions. Embedded or MediaMTX. */
export interface MediaEngine {
  /** Resolves when it accepts connections. Throws one line for people. */
  start(): Promise<void>
  /** Every node uses the same one, so that video may come in by any. */
  readonly shared?: boolean
  /** Missing parts, for people; empty when all is there. */
  problems(): readonly string[]
  address(input: PushInput): IngestAddress
  /** Accepts this key from now on; the same input again with another key drops the session of the old one. */
  allow(input: PushInput): Promise<void>
  /** Refuses the key from now on and drops its session. */
  revoke(inputId: number): Promise<void>
  /** The path under which the video of an input is read. */
  inputPath(inputId: number): string
  /**
   * URL for our own ffmpeg to read a path, with the token that it needs. A reader lives through a gap; when the path goes down
   * its connection ends, since the next sender starts a timeline of its own. While nobody sends, a read may wait or fail.
   */
  readUrl(path: string): string
  /** URL for our own ffmpeg to publish a path (programs, pulled inputs). */
  publishUrl(path: string): string
  /** Bytes taken in so far on a path; null when nothing publishes there. */
  stats(path: string): Promise<{ bytesIn: number; clients: number } | null>
  /** Lets SRT clients read by this token from now on; one set again is replaced. */
  serve(reader: SrtReader): Promise<void>
  /** Lets none in any more and ends the connections of those that read. */
  unserve(token: string): Promise<void>
  /** How many clients read by this token now. */
  readers(token: string): number
  /** The URL that people give their player; empty when the engine has no SRT. */
  readerUrl(token: string): string
  listen(listener: (event: EngineEvent) => void): void
  close(): Promise<void>
}

/** How our own processes end: by our wish, or with an error. */
export type Ended = { asked: boolean; error: string }

/** A push destination. `url` holds secrets: it is never logged unredacted. */
export type PushTarget = { protocol: 'rtmp' | 'rtmps' | 'srt'; url: string; latencyMs: number }
/** Others fetch it from us: HLS over our HTTP port, or SRT from the engine's gate. `token` is the unguessable part of its URL. */
export type PullTarget = { protocol: 'hls' | 'srt'; token: string; latencyMs: number }
export type RelaySpec = {
  destinationId: number
  attempt: number
  /** Of the engine, which is read at `readUrl`. */
  path: string
  readUrl: string
  target: PushTarget | PullTarget
  /** The lease under which it runs; left out where this process is alone. */
  lease?: string
}

export type RelayEvent =
  /**
   * Bytes arrive at the far end and kept growing through the confirm window (pull: the first segment or listener is there).
   * Told again when they do so after `pauseWatch(false)`.
   */
  { type: 'connected' } | { type: 'failed'; error: string }

/** Starts a relay; nothing is told before it returned. */
export type StartRelay = (spec: RelaySpec, listener: (event: RelayEvent) => void) => Relay

/** One running relay, started by `startRelay(spec, listener)`. After `failed` it has ended by itself. */
export interface Relay {
  measured(): Measured
  /** Connected clients, pull destinations only. */
  activeClients(): number | null
  /** The input is down: stalls are no fault until it is up again. */
  pauseWatch(paused: boolean): void
  /** Resolves when its process has ended: asked first, forced after 2 s. */
  stop(): Promise<void>
}

/** A pulled input: fetches the source and publishes it to the engine, whose `up` tells that it flows. `sourceUrl` holds secrets. */
export type PullSpec = { inputId: number; sourceUrl: string; latencyMs: number; publishUrl: string; lease?: string }

/** A pull tries again by itself, with backoff, until it is stopped. */
export type PullEvent = { type: 'failed'; error: string }

export interface Pull {
  /** Resolves when its process has ended. */
  stop(): Promise<void>
}

/** Starts pulling; nothing is told before it returned. */
export type StartPull = (spec: PullSpec, listener: (event: PullEvent) => void) => Pull

/** The program of a stream with burned-in graphics: reads the input, blends the overlay page, publishes the program path. */
export type ProgramSpec = {
  streamId: number
  run: number
  readUrl: string
  publishUrl: string
  /** The overlay page. */
  pageUrl: string
  hidden: boolean
  width: number
  height: number
  fps: number
  videoBitrateKb: number
  /** Percent. */
  inputVolume: number
  lease?: string
}

export type ProgramEvent =
  /** The blended picture flows. */
  | { type: 'up' }
  /** The encoder ended; the program does not come back by itself. */
  | { type: 'failed'; error: string }
  /** The browser died or came back; the picture goes on without graphics meanwhile. */
  | { type: 'graphics'; error: string | null }

export interface Program {
  /** Takes effect on the next frame, without a restart. */
  setHidden(hidden: boolean): void
  /** Another overlay page, without a restart of the encoder. */
  setPage(url: string): void
  measured(): Measured & { cpuPercent: number | null; rssBytes: number | null }
  stop(): Promise<void>
}

/** Starts the encoder and its browser; nothing is told before it returned. */
export type StartProgram = (spec: ProgramSpec, listener: (event: ProgramEvent) => void) => Program

/** The wishes of rows and actors as of now. */
export type InputWish = {
  inputId: number
  organizationId: number
  /** The state of its actor. */
  phase: 'idle' | 'waiting' | 'live' | 'reconnecting'
  session: string | null
  error: string | null
  /** `pull` with its source while a started stream uses it. */
  kind: 'push' | 'pull'
  streamKey: string
  sourceUrl: string
  latencyMs: number
  /** Whether video is wanted now: a push input always, a pull input while a started stream uses it. */
  wanted: boolean
}

export type StreamWish = {
  streamId: number
  organizationId: number
  phase: 'starting' | 'running' | 'stopping'
  run: number
  inputId: number | null
  /** Null: the program is the input itself. */
  burn: Pick<ProgramSpec, 'pageUrl' | 'width' | 'height' | 'fps' | 'videoBitrateKb' | 'inputVolume'> | null
  overlayHidden: boolean
  /** The stream runs and is to go live with every destination: its actor is to be told again that it has started. */
  liveDue: boolean
  /** The trouble that its actor knows of. */
  error: string | null
  destinations: readonly DestinationWish[]
}

export type DestinationWish = {
  destinationId: number
  phase: 'stopped' | 'connecting' | 'connected' | 'retrying'
  attempt: number
  failures: number
  target: PushTarget | PullTarget
}

/** An observation of the media plane, told to the actors in order per subject. `at` is ISO 8601. */
export type Observation = { organizationId: number } & (
  | { type: 'input.opened' | 'input.closed' | 'input.lost'; inputId: number }
  | { type: 'input.connected'; inputId: number; session: string; protocol: 'rtmp' | 'srt' | 'pull'; at: string }
  | { type: 'input.dropped'; inputId: number; session: string; graceMs: number }
  | { type: 'input.ended'; inputId: number; session: string }
  | { type: 'input.failed'; inputId: number; error: string }
  | { type: 'stream.started'; streamId: number; run: number; at: string }
  | { type: 'stream.failed'; streamId: number; run: number; error: string }
  | { type: 'stream.troubled'; streamId: number; run: number; error: string | null }
  | { type: 'stream.stopped'; streamId: number; run: number }
  | { type: 'destination.connected'; destinationId: number; attempt: number; at: string }
  | {
      type: 'destination.failed'
      destinationId: number
      attempt: number
      error: string
      retryInMs: number
      nextRetryDate: string
    }
  | { type: 'destination.inputDown' | 'destination.inputUp' | 'destination.lost'; destinationId: number }
)

/** The figures of the media plane, for `/metrics`. */
export type MediaFigures = {
  /** Inputs whose video flows. */
  inputs: readonly { id: number; bitrateKb: number }[]
  /** Destinations with a relay. */
  destinations: readonly { id: number; bitrateKb: number; activeClients: number | null }[]
  /** Programs with all that runs for them. */
  programs: readonly { id: number; bitrateKb: number; cpuPercent: number | null; rssBytes: number | null }[]
  /** The processes that run, by kind. */
  processes: readonly { kind: string; running: number; rssBytes: number; cpuMs: number }[]
  /** Processes since the start, by kind; `failed` ended without being asked to. */
  counts: ReadonlyMap<string, { started: number; failed: number }>
  /** Tries of destinations that failed, and of senders that were refused, since the start. */
  failedTries: number
  refused: number
}

/** The media plane of this node, as commands and queries call it. */
export interface Media {
  /** Why this node runs no media at all; left out where it does. */
  readonly off?: string
  /** Begins in the background; resolves when video can come in, or once it is known that it cannot. Never rejects. */
  start(): Promise<void>
  figures(): Promise<MediaFigures>
  /** Parts that are missing or down, for people; empty when all is there. With a stream: where that runs. */
  problems(streamId?: number): readonly string[]
  /** Why this machine cannot do it, in one line for people; undefined when it can. */
  lacks(need: Need): string | undefined
  address(input: PushInput): IngestAddress
  /** Where others fetch a pull destination. */
  pullUrl(target: Pick<PullTarget, 'protocol' | 'token'>): string
  /** Why a URL that somebody names is not connected to; undefined when it may be. Names are resolved and checked again then. */
  refuses(url: string): string | undefined
  /** Whether this node runs `input/5`, `stream/2` or `destination/3`, and knows all that is measured of it. */
  runs(ref: string): boolean
  /** What is measured of these may be asked next: what another node runs is heard from it. Never rejects. */
  hear(refs: readonly string[]): Promise<void>
  input(inputId: number): Measured
  destination(destinationId: number): Measured & { activeClients: number | null }
  program(streamId: number): (Measured & { cpuPercent: number | null; rssBytes: number | null }) | undefined
  /** Looks at the wishes again: after a commit of `input/5`, `stream/2`, `destination/3` or of their records; `everything/0` for all. */
  changed(ref: string): void
  /**
   * Draws a graphic as it stands, for people to see before it is shown: PNG, 480 by 270. `payload` of LOAD_GRAPHIC as JSON text; asked for
   * twice by one key it is drawn once. Rejects with why not. show-control: Pictures
   */
  still(asked: { organizationId: number; key: string; payload: string }): Promise<Buffer>
  /** Resolves when no process runs for these destinations unless it is wanted, at the latest after 3 s. */
  settled(destinationIds: readonly number[]): Promise<void>
  close(): Promise<void>
}
