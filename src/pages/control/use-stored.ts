import { useState } from 'react'

/** A text of this browser, kept; undefined until one is. */
export function useStoredText(place: string): [string | undefined, (value: string) => void] {
  const [value, setValue] = useState(() => {
    try {
      return localStorage.getItem(place) ?? undefined
    } catch {
      return undefined
    }
  })
  return [
    value,
    (next) => {
      setValue(next)
      try {
        localStorage.setItem(place, next)
      } catch {
        // a browser that keeps nothing
      }
    },
  ]
}

/** A switch of this browser, kept. */
export function useStored(place: string, first: boolean): [boolean, (value: boolean) => void] {
  const [text, setText] = useStoredText(place)
  return [text === undefined ? first : text === 'true', (next) => setText(String(next))]
}
