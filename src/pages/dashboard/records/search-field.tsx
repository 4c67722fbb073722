import { useEffect, useRef, useState } from 'react'
import { TextField } from '../../ui/field.tsx'
import type { Filters } from '../use-filters.ts'

const SETTLES_MS = 250

/** Narrows a list to names with a text in them, once nobody types any more. */
export function SearchField({ filters, label = 'Search by name' }: { filters: Filters; label?: string }) {
  const asked = filters.get('name')
  const [text, setText] = useState(asked)
  const timer = useRef<number>(undefined)
  // the way back of the browser
  useEffect(() => setText(asked), [asked])
  useEffect(() => () => window.clearTimeout(timer.current), [])
  return (
    <TextField
      label={label}
      type="search"
      maxLength={80}
      value={text}
      onChange={({ target }) => {
        setText(target.value)
        window.clearTimeout(timer.current)
        timer.current = window.setTimeout(() => filters.set({ name: target.value.trim() }), SETTLES_MS)
      }}
    />
  )
}
