import { type KeyboardEvent, type PointerEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

type Given = {
  ids: readonly string[]
  move: (id: string, to: number) => void
  /** Puts all back into an order. */
  reorder: (ids: readonly string[]) => void
  announce: (text: string) => void
  nameOf: (id: string) => string
}

export type Ordering = ReturnType<typeof useOrdering>

/** Puts the items of a list into another order by its handles: dragged with a mouse, pen or finger, or with the arrow keys. */
export function useOrdering({ ids, move, reorder, announce, nameOf }: Given) {
  const list = useRef<HTMLOListElement>(null)
  const [dragged, setDragged] = useState<string>()
  const latest = useRef({ ids, move, reorder, announce, nameOf })
  latest.current = { ids, move, reorder, announce, nameOf }
  const refocus = useRef<string>(undefined)

  // a row that changes its place in the document loses the focus
  useLayoutEffect(() => {
    const id = refocus.current
    refocus.current = undefined
    if (id) list.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"] .drag-handle`)?.focus()
  })

  const place = useCallback((id: string, to: number) => {
    const { ids: now, move: put, announce: say, nameOf: named } = latest.current
    const at = Math.max(0, Math.min(to, now.length - 1))
    if (at === now.indexOf(id)) return
    put(id, at)
    say(`${named(id)} is now ${at + 1} of ${now.length}`)
  }, [])

  useEffect(() => {
    if (dragged === undefined) return
    const before = latest.current.ids
    const moved = ({ clientY }: globalThis.PointerEvent) => {
      const others = [...(list.current?.children ?? [])].filter((row) => row.getAttribute('data-id') !== dragged)
      const above = others.filter((row) => {
        const { top, height } = row.getBoundingClientRect()
        return top + height / 2 < clientY
      })
      place(dragged, above.length)
      const edge = 60
      if (clientY < edge) window.scrollBy(0, -12)
      if (clientY > window.innerHeight - edge) window.scrollBy(0, 12)
    }
    const ended = () => setDragged(undefined)
    const escaped = ({ key }: globalThis.KeyboardEvent) => {
      if (key !== 'Escape') return
      latest.current.reorder(before)
      latest.current.announce('The order is as it was')
      ended()
    }
    window.addEventListener('pointermove', moved)
    window.addEventListener('pointerup', ended)
    window.addEventListener('pointercancel', ended)
    window.addEventListener('keydown', escaped)
    return () => {
      window.removeEventListener('pointermove', moved)
      window.removeEventListener('pointerup', ended)
      window.removeEventListener('pointercancel', ended)
      window.removeEventListener('keydown', escaped)
    }
  }, [dragged, place])

  const handleOf = (id: string) => ({
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return
      event.currentTarget.releasePointerCapture(event.pointerId)
      setDragged(id)
    },
    onKeyDown: (event: KeyboardEvent) => {
      const index = latest.current.ids.indexOf(id)
      const to: Readonly<Record<string, number>> = {
        ArrowUp: index - 1,
        ArrowDown: index + 1,
        Home: 0,
        End: latest.current.ids.length - 1,
      }
      const next = to[event.key]
      if (next === undefined) return
      event.preventDefault()
      refocus.current = id
      place(id, next)
    },
  })
  return { list, dragged, handleOf }
}
