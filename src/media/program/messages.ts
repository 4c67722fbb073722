import type { ProgramEvent, ProgramSpec } from '../ports.ts'
import type { Usage } from './usage.ts'

/** The tools of this machine that a program uses. */
export type ProgramTools = {
  ffmpeg: string
  browser: string
  /** Whether the browser draws in its sandbox or not at all. */
  sandbox: boolean
  /** Addresses that pages load from are checked by this proxy as it connects, but for these `host:port`. */
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
