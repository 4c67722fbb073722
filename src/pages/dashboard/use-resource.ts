import { useCallback, useEffect, useRef, useState } from 'react'
import { Refusal } from '../ui/request.ts'
import { api, sessionEnd } from './api.ts'

export type Resource<T> = {
  /** Undefined until it was read; keeps the last answer while the server is out of reach. */
  readonly value: T | undefined
  /** Why the last read failed. */
  readonly error: unknown
  readonly loading: boolean
  /** Reads again; resolves when it was. */
  reload(): Promise<void>
}

type State<T> = { path: string | undefined; value: T | undefined; error: unknown; loading: boolean }

/**
 * The answer of GET at a path of the API; undefined reads nothing yet. Read again every `everyMs` while the page is looked at,
 * when it is looked at again, and when a person is signed in again.
 */
export function useResource<T>(path: string | undefined, { everyMs }: { everyMs?: number } = {}): Resource<T> {
  const [state, setState] = useState<State<T>>({ path, value: undefined, error: undefined, loading: true })
  const asked = useRef(0)
  const answered = useRef(0)

  const reload = useCallback(async () => {
    if (path === undefined) return
    const mine = ++asked.current
    try {
      const value = await api<T>('GET', path)
      if (mine === asked.current) setState({ path, value, error: undefined, loading: false })
    } catch (error) {
      if (mine !== asked.current) return
      // a resource that is gone, or not for this person any more, is not shown as if it were there
      const lost = error instanceof Refusal && (error.status === 404 || error.status === 403)
      const keep = (last: State<T>) => (last.path === path && !lost ? last.value : undefined)
      setState((last) => ({ path, value: keep(last), error, loading: false }))
    } finally {
      answered.current = Math.max(answered.current, mine)
    }
  }, [path])

  useEffect(() => {
    void reload()
    return () => {
      asked.current++
    }
  }, [reload])

  useEffect(() => {
    const look = () => document.visibilityState === 'visible' && void reload()
    document.addEventListener('visibilitychange', look)
    sessionEnd.addEventListener('resumed', look)
    // where an answer takes longer than that, asking again would put it off for ever
    const again = () => answered.current >= asked.current && look()
    const timer = everyMs === undefined ? undefined : window.setInterval(again, everyMs)
    return () => {
      document.removeEventListener('visibilitychange', look)
      sessionEnd.removeEventListener('resumed', look)
      window.clearInterval(timer)
    }
  }, [reload, everyMs])

  // an answer for another path is none for this one
  const { value, error, loading } = state.path === path ? state : { value: undefined, error: undefined, loading: true }
  return { value, error, loading, reload }
}
