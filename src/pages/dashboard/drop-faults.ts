import { Refusal } from '../ui/request.ts'
import { wordsOf } from './api.ts'

/** Why files that were dropped were not taken, in words, and each fault that is in them by its place. */
export function faultsOfDrop(error: unknown): { reason: string; faults: string[] } {
  const faults = error instanceof Refusal ? Object.entries(error.details) : []
  return {
    reason: error instanceof Error && !(error instanceof Refusal) ? error.message : wordsOf(error),
    faults: faults.map(([place, { message }]) =>
      place.trim() === '' || place === message ? message : `${place}: ${message}`,
    ),
  }
}
