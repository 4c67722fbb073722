import { useEffect, useRef } from 'react'
import { keyPressed } from './keys.ts'

export type Keyboard = {
  /** False: only keys that are no letter or digit work, so that speech input and stray presses do no harm. */
  letters: boolean
  panic(): void
  /** Pauses the game plan, or resumes it. */
  plan(): void
  openPlan(what: 'plan' | 'rules'): void
  preset(key: string): void
  /** Whether its preset is on air, so that there is something to hide. */
  hide(key: string): boolean
  search(): void
  values(): void
  help(): void
}

const nothing = () => {}
/** No key works but those that a caller adds. */
export const NO_KEYS: Keyboard = {
  letters: false,
  panic: nothing,
  plan: nothing,
  openPlan: nothing,
  preset: nothing,
  hide: () => false,
  search: nothing,
  values: nothing,
  help: nothing,
}

export const PANIC_KEY = 'F9'
export const PLAN_KEY = 'F8'
export const PLAN_PANEL_KEY = 'F2'
export const RULES_KEY = 'F4'

const FIELDS = 'input, select, textarea, [role="dialog"], [role="switch"], [role="radio"]'

/** The keys of the whole page. Nothing but the keys with an F works while somebody writes in a field. */
export function useKeys(keyboard: Keyboard) {
  const latest = useRef(keyboard)
  useEffect(() => {
    latest.current = keyboard
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey) return
      const now = latest.current
      const done = () => event.preventDefault()
      if (event.key === PANIC_KEY) {
        done()
        return now.panic()
      }
      if (event.key === PLAN_KEY) {
        done()
        return now.plan()
      }
      if (event.key === PLAN_PANEL_KEY || event.key === RULES_KEY) {
        done()
        return now.openPlan(event.key === RULES_KEY ? 'rules' : 'plan')
      }
      if (event.target instanceof Element && event.target.closest(FIELDS)) return
      if (!now.letters) return
      const key = keyPressed(event)
      // first: on many layouts a slash is a shifted digit
      if (event.shiftKey && key !== undefined && now.hide(key)) return done()
      if (event.key === '/') {
        done()
        return now.search()
      }
      if (event.key === '?') return now.help()
      if (key === undefined) return
      done()
      if (key === 'V') now.values()
      else if (!event.shiftKey) now.preset(key)
    }
    window.addEventListener('keydown', press, true)
    return () => window.removeEventListener('keydown', press, true)
  }, [])
}
