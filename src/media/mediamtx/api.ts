/** The used part of a path as MediaMTX reports it. spec: openapi.yaml of MediaMTX 1.20, Path */
export type MediamtxPath = {
  name: string
  /** Whether video comes in; servers before 1.15 say `ready`. */
  online?: boolean
  ready?: boolean
  source: { type: string; id: string } | null
  /** Servers before 1.15 say `bytesReceived`. */
  inboundBytes?: number
  bytesReceived?: number
  readers: readonly { type: string; id: string }[]
}

type Page = { pageCount: number; items: readonly MediamtxPath[] }

const ANSWERED_WITHIN_MS = 2_000
const PAGE_ITEMS = 500
/** The list of connections that each kind of source is in. */
const CONNECTIONS: Readonly<Record<string, string>> = {
  rtmpConn: 'rtmpconns',
  rtmpsConn: 'rtmpsconns',
  srtConn: 'srtconns',
}

export type MediamtxApi = {
  /** Throws when the server does not answer. */
  version(): Promise<string>
  paths(): Promise<MediamtxPath[]>
  /** Undefined when there is no such path. */
  path(name: string): Promise<MediamtxPath | undefined>
  /** Ends a connection; one that is gone already is as good. */
  kick(source: { type: string; id: string }): Promise<void>
}

/** The control API of a MediaMTX server. Errors hold no path, since a path may be a secret. */
export function mediamtxApi(url: string): MediamtxApi {
  const ask = async (method: 'GET' | 'POST', path: string): Promise<unknown> => {
    const answer = await fetch(`${url}/v3/${path}`, { method, signal: AbortSignal.timeout(ANSWERED_WITHIN_MS) })
    if (answer.status === 404) return void (await answer.body?.cancel())
    if (!answer.ok) throw new Error(`MediaMTX answers ${answer.status}`)
    const text = await answer.text()
    return text === '' ? undefined : JSON.parse(text)
  }

  return {
    version: async () => versionOf(await ask('GET', 'info')),
    async paths() {
      const all: MediamtxPath[] = []
      for (let page = 0, count = 1; page < count; page++) {
        const { pageCount, items } = pageOf(await ask('GET', `paths/list?itemsPerPage=${PAGE_ITEMS}&page=${page}`))
        all.push(...items)
        count = pageCount
      }
      return all
    },
    path: async (name) => pathOf(await ask('GET', `paths/get/${name.split('/').map(encodeURIComponent).join('/')}`)),
    async kick({ type, id }) {
      const list = CONNECTIONS[type]
      if (list) await ask('POST', `${list}/kick/${encodeURIComponent(id)}`)
    },
  }
}

/** The server is ours and of a version that we name, so that its answers are taken at their word. */
const versionOf = (answer: unknown) => (answer as { version?: string } | undefined)?.version ?? 'unknown'
const pageOf = (answer: unknown) => answer as Page
const pathOf = (answer: unknown) => answer as MediamtxPath | undefined
