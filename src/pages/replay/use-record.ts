import { useEffect, useState } from 'react'
import { Refusal } from '../ui/request.ts'
import { readRecord } from './api.ts'
import type { Recorded } from './recorded.ts'

export type Reading = { recorded: Recorded } | { problem: string } | undefined

/** The record to replay; undefined while it is read. */
export function useRecord(): Reading {
  const [reading, setReading] = useState<Reading>()
  useEffect(() => {
    let over = false
    readRecord().then(
      (recorded) => !over && setReading({ recorded }),
      (error: unknown) => !over && setReading({ problem: problemOf(error) }),
    )
    return () => {
      over = true
    }
  }, [])
  return reading
}

const problemOf = (error: unknown) => {
  if (error instanceof Refusal && error.status === 404) return 'This replay is over. Ask for another address.'
  return `${error instanceof Error ? error.message : String(error)}. Load the page again.`
}
