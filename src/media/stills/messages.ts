/** The tools of this machine that pictures are made with. */
export type StillTools = {
  browser: string
  /** Whether the browser draws in its sandbox or not at all. */
  sandbox: boolean
  /** Addresses that pages load from are checked by this proxy as it connects, but for these `host:port`. */
  proxyUrl: string
  direct: readonly string[]
  /** Where the processes that it starts are remembered. */
  pidFolder: string
  /** The page that shows one graphic when it is told to. */
  pageUrl: string
}

/** `payload`: of LOAD_GRAPHIC, JSON text. */
export type ToStills = { type: 'start'; tools: StillTools } | { type: 'make'; id: number; payload: string }

/** `png`: in base64. */
export type FromStills =
  | { type: 'ready' }
  | { type: 'made'; id: number; png: string }
  | { type: 'failed'; id: number; reason: string }
  /** The browser is gone, and this process with it. */
  | { type: 'ended'; reason: string }
