import type { ProgramEvent, ProgramSpec } from '../ports.ts'
import type { Usage } from './usage.ts'

/** What a program needs to know of this machine. */
export type ProgramTools = {
  ffmpeg: string
  browser: string
  /** Whether the browser draws in its sandbox or not at all. */
  sandbox: boolean
  /** What pages load is checked by this proxy when it is connected to, but for these `host:port`. */
  proxyUrl: string
  direct: readonly string[]
  /** Where the processes that it starts are remembered. */
  pidFolder: string
}

export type ToProgram =
  | { type: 'start'; spec: ProgramSpec; tools: ProgramTools }
  | { type: 'hidden'; hidden: boolean }
  | { type: 'page'; url: string }

export type FromProgram =
  | ProgramEvent
  /** Bytes published so far. */
  | { type: 'written'; bytes: number }
  | ({ type: 'usage' } & Usage)
