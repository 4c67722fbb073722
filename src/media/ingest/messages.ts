import type { EngineEvent, PushInput } from '../ports.ts'

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
}

export type IngestPorts = { rtmpPort: number; srtPort: number | null; problems: string[] }

export type PathStats = { bytesIn: number; clients: number } | null

/** What the parent asks of the child; each call is answered. */
export type Calls = {
  start: { with: IngestOptions; answer: IngestPorts }
  allow: { with: PushInput; answer: null }
  revoke: { with: number; answer: null }
  stats: { with: string; answer: PathStats }
}

export type Call = { [K in keyof Calls]: { id: number; call: K; with: Calls[K]['with'] } }[keyof Calls]

export type FromChild =
  | { answer: number; value: Calls[keyof Calls]['answer'] }
  | { answer: number; error: string }
  | { event: EngineEvent }
