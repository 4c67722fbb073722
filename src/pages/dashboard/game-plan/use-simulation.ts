import { useEffect, useRef, useState } from 'react'
import { Refusal } from '../../ui/request.ts'
import { api } from '../api.ts'
import { type Faults, faultsOf, NO_FAULTS } from '../worked-list/faults.ts'
import { canonical, type Draft, sentOf } from './draft.ts'
import type { Line } from './lanes.ts'

/** The time line of a plan in one match. */
export type Simulated = {
  timeline: readonly Line[]
  seconds: Readonly<Record<string, number>>
  brands: Readonly<Record<string, number>>
}

/** The match that a plan is tried on: `scenario:basketball-full-time` or `match:12`. */
export type Stage = string

/** A stage as the API names it. */
export const playedOn = (stage: Stage) => {
  const [kind, id = ''] = stage.split(/:(.*)/s)
  return kind === 'match' ? { matchId: Number(id) } : { scenarioId: id }
}

const SOON_MS = 700

/**
 * Plays the rules as they are now, saved or not, each time they rest for a moment. A refusal of rules is told to `onFaults`: so a
 * condition is checked while it is written, and a rule whose preset has gone when the plan is opened.
 */
export function useSimulation(
  path: string,
  rules: readonly Draft[],
  stage: Stage | undefined,
  onFaults: (faults: Faults) => void,
) {
  const [simulated, setSimulated] = useState<Simulated>()
  const [error, setError] = useState<unknown>()
  const sent = rules.filter(({ presetId }) => presetId !== null)
  const said = stage && canonical({ ...playedOn(stage), rules: sent.map(sentOf) })
  const latest = useRef({ sent, onFaults })
  latest.current = { sent, onFaults }
  useEffect(() => {
    if (said === undefined) return
    const abort = new AbortController()
    const played = latest.current.sent
    const timer = window.setTimeout(async () => {
      try {
        const body = JSON.parse(said)
        const answer = await api<Simulated>('POST', `${path}/simulate`, { body, key: null, signal: abort.signal })
        if (abort.signal.aborted) return
        setSimulated(answer)
        setError(undefined)
        latest.current.onFaults(NO_FAULTS)
      } catch (failure) {
        if (abort.signal.aborted) return
        const found =
          failure instanceof Refusal && failure.status === 400 ? faultsOf(failure, 'rules', played) : undefined
        if (found) latest.current.onFaults(found.faults)
        setError(found && found.others.length === 0 ? undefined : failure)
      }
    }, SOON_MS)
    return () => {
      window.clearTimeout(timer)
      abort.abort()
    }
  }, [path, said])
  return { simulated, error }
}
