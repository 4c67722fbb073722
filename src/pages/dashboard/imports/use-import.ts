import { useEffect, useRef, useState } from 'react'
import { api } from '../api.ts'
import type { Importer } from './importer.ts'
import { type Counts, countsOf, type Judged } from './judged.ts'
import { type Progress, type Stopped, writeSteps } from './write-steps.ts'

const PATIENCE_MS = 30_000

type State =
  | { is: 'ready' }
  | ({ is: 'busy' } & Progress)
  | ({ is: 'stopped' } & Stopped)
  /** As they were counted before: what was written is there now. */
  | ({ is: 'done' } & Counts)

export type Run = ReturnType<typeof useImport>

/** Writes the rows that change something, and tells how far it is. */
export function useImport(importer: Importer) {
  const [state, setState] = useState<State>({ is: 'ready' })
  const over = useRef(false)
  useEffect(() => {
    over.current = false
    return () => {
      over.current = true
    }
  }, [])
  useLeaving(state.is === 'busy')

  async function start(judged: readonly Judged<object>[]): Promise<void> {
    const stopped = await writeSteps(importer.stepsOf(judged), {
      send: ({ method, path, body }, key) => api(method, path, { key, body, patienceMs: PATIENCE_MS }),
      onProgress: (progress) => setState({ is: 'busy', ...progress }),
      isOver: () => over.current,
      titleOf: importer.titleOf,
    })
    setState(stopped ? { is: 'stopped', ...stopped } : { is: 'done', ...countsOf(judged) })
  }
  return { state, start, forget: () => setState({ is: 'ready' }) }
}

/** The browser asks before the page is left. */
function useLeaving(isBusy: boolean) {
  useEffect(() => {
    if (!isBusy) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isBusy])
}
