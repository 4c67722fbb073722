import { useEffect } from 'react'
import type { Player } from './player.ts'

const SKIP_MS = 10_000

/** The keys of the replay: Space, arrows, plus and minus, Home and End. */
export function useKeys(player: Player, span: { from: number; to: number }) {
  useEffect(() => {
    const run = ({ key, shiftKey }: KeyboardEvent): boolean => {
      if (key === ' ') player.toggle()
      else if (key === 'ArrowLeft' || key === 'ArrowRight') {
        const by = key === 'ArrowLeft' ? -1 : 1
        if (shiftKey) player.seek(player.state().position + by * SKIP_MS)
        else player.step(by)
      } else if (key === '+' || key === '=') player.faster(1)
      else if (key === '-') player.faster(-1)
      else if (key === 'Home') player.seek(span.from)
      else if (key === 'End') player.seek(span.to)
      else return false
      return true
    }
    const pressed = (event: KeyboardEvent) => {
      const { target, key } = event
      // the element with the focus has its own use for some keys: Space presses a button, arrows move a choice
      const own = key === ' ' ? 'select, button, a' : 'select, input'
      if (target instanceof HTMLElement && target.closest(own)) return
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (run(event)) event.preventDefault()
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [player, span])
}
