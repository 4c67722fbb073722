import { useState } from 'react'

/** A switch of this browser, kept. */
export function useStored(place: string, first: boolean): [boolean, (value: boolean) => void] {
  const [value, setValue] = useState(() => {
    try {
      return (localStorage.getItem(place) ?? String(first)) === 'true'
    } catch {
      return first
    }
  })
  return [
    value,
    (next) => {
      setValue(next)
      try {
        localStorage.setItem(place, String(next))
      } catch {
        // a browser that keeps nothing
      }
    },
  ]
}
