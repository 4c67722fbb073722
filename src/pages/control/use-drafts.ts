import { useCallback, useEffect, useState } from 'react'
import { type Draft, NO_DRAFT } from './drafts.ts'

export type Drafts = ReadonlyMap<number, Draft>

/** The drafts of an overlay's presets, by preset; each outlives a reload of the page, not its tab. */
export function useDrafts(overlayId: number) {
  const place = `tally.drafts.${overlayId}`
  const [drafts, setDrafts] = useState<Drafts>(() => stored(place))
  useEffect(() => {
    try {
      sessionStorage.setItem(place, JSON.stringify([...drafts]))
    } catch {
      // a browser that keeps nothing
    }
  }, [place, drafts])
  const change = useCallback((presetId: number, next: (draft: Draft) => Draft) => {
    setDrafts((before) => {
      const draft = before.get(presetId) ?? NO_DRAFT
      const after = next(draft)
      return after === draft ? before : new Map(before).set(presetId, after)
    })
  }, [])
  return { drafts, change }
}

function stored(place: string): Drafts {
  try {
    const entries: unknown = JSON.parse(sessionStorage.getItem(place) ?? '[]')
    return new Map(Array.isArray(entries) ? entries.filter(isEntry) : [])
  } catch {
    return new Map()
  }
}

function isEntry(entry: unknown): entry is [number, Draft] {
  if (!Array.isArray(entry) || typeof entry[0] !== 'number') return false
  const { values, unsent } = entry[1] ?? {}
  return typeof values === 'object' && values !== null && Array.isArray(unsent)
}
