import type { EngineEvent, PushInput, SrtReader } from '../ports.ts'

/** How the ingest's process is started. Ports: null means the usual one or, when that is taken, any. */
export type IngestOptions = {
  bind: string
  rtmpPort: number | null
  srtPort: number | null
  /** Of the tokens that open paths to our own processes. */
  secret: string
  graceMs: number
  /** Null: no SRT. */
  ffmpegPath: string | null
  /** Where its own children are remembered. */
  pidFolder: string
  /** Known before anybody can connect: a sender that is refused comes back seconds later. */
  allowed: readonly PushInput[]
  served: readonly SrtReader[]
}

export type IngestPorts = { rtmpPort: number; srtPort: number | null }

export type PathStats = { bytesIn: number; clients: number } | null

/** The calls of the parent to the child; each is answered. */
export type Calls = {
  start: { with: IngestOptions; answer: IngestPorts }
  allow: { with: PushInput; answer: null }
  revoke: { with: number; answer: null }
  serve: { with: SrtReader; answer: null }
  unserve: { with: string; answer: null }
  stats: { with: string; answer: PathStats }
}

export type Call = { [K in keyof Calls]: { id: number; call: K; with: Calls[K]['with'] } }[keyof Calls]

export type FromChild =
  | { answer: number; value: Calls[keyof Calls]['answer'] }
  | { answer: number; error: string }
  | { event: EngineEvent }
  /** How many clients read by a token now. */
  | { readers: string; count: number }
  | { log: 'debug' | 'info' | 'warn'; fields: object; message: string }
