import type { InputWish, Observation } from './ports.ts'

/** The video of an input as seen. `unknown`: there was no look since the start, or its observer is gone. */
export type Source = {
  state: 'unknown' | 'up' | 'gap' | 'down'
  /** Rises each time that video comes up. */
  generation: number
  session: string
  protocol: 'rtmp' | 'srt' | 'pull'
  /** ISO 8601. */
  at: string
  graceMs: number
  /** Why the latest try to pull failed. */
  error: string | null
}

export const UNSEEN: Source = {
  state: 'unknown',
  generation: 0,
  session: '',
  protocol: 'rtmp',
  at: '',
  graceMs: 0,
  error: null,
}

/** The next observation for the actor of an input, by its state; undefined when it knows all. */
export function inputReport(wish: InputWish, source: Source): Observation | undefined {
  const { inputId, organizationId, phase, session, wanted } = wish
  const of = { inputId, organizationId }
  if (!wanted) return phase === 'idle' ? undefined : { type: 'input.closed', ...of }
  if (phase === 'idle') return { type: 'input.opened', ...of }
  if (source.state === 'up') {
    if (phase === 'live' && session === source.session) return undefined
    const { session: seen, protocol, at } = source
    return { type: 'input.connected', ...of, session: seen, protocol, at }
  }
  if (phase === 'live' && source.state === 'unknown') return { type: 'input.lost', ...of }
  if (phase === 'live' && source.state === 'gap')
    return { type: 'input.dropped', ...of, session: session ?? '', graceMs: source.graceMs }
  if (phase !== 'waiting' && source.state === 'down') return { type: 'input.ended', ...of, session: session ?? '' }
  if (source.error !== null && source.error !== wish.error && phase !== 'live')
    return { type: 'input.failed', ...of, error: source.error }
  return undefined
}
