import { readState, type State } from './state.ts'

const FIRST_RETRY_MS = 200
const LONGEST_RETRY_MS = 3_000
const PULSE_MS = 2_000
const PULSE_WITHIN_MS = 4_000

export type Live = { state: State | undefined; connected: boolean; since: number; gone: boolean }

/**
 * Follows an overlay over one socket, for ever. A socket that says nothing may be quiet or dead, so the server is asked
 * for its pulse as well: lights that lie are worse than none.
 */
export function follow(url: string, pulseUrl: string, changed: (live: Live) => void) {
  const live: Live = { state: undefined, connected: false, since: Date.now(), gone: false }
  let socket: WebSocket | undefined
  let attempts = 0

  const connected = (now: boolean) => {
    if (live.connected !== now) live.since = Date.now()
    live.connected = now
    changed(live)
  }
  const open = () => {
    const opened = new WebSocket(url)
    socket = opened
    opened.onmessage = ({ data }) => {
      const state = readState(data)
      if (!state || opened !== socket) return
      attempts = 0
      live.state = state
      connected(true)
    }
    opened.onclose = ({ code, reason }) => {
      if (opened !== socket) return
      live.gone = code === 1008 && reason.includes('deleted')
      lost()
    }
  }
  const lost = () => {
    const dead = socket
    socket = undefined
    dead?.close()
    connected(false)
    const backoff = live.gone ? 30_000 : Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** attempts++)
    window.setTimeout(open, backoff * (0.5 + Math.random() / 2))
  }
  const pulse = async () => {
    const abort = new AbortController()
    const late = window.setTimeout(() => abort.abort(), PULSE_WITHIN_MS)
    try {
      await fetch(pulseUrl, { cache: 'no-store', signal: abort.signal })
    } catch {
      if (live.connected) lost()
    }
    window.clearTimeout(late)
    window.setTimeout(pulse, PULSE_MS)
  }
  open()
  void pulse()
}
