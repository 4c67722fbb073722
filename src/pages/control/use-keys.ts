import { useEffect, useRef } from 'react'
import { keyPressed } from './keys.ts'

export type Keyboard = {
  /** False: only keys that are no letter or digit work, so that speech input and stray presses do no harm. */
  letters: boolean
  panic(): void
  /** Pauses the game plan, or resumes it. */
  plan(): void
  openPlan(what: 'plan' | 'rules' | 'schedule'): void
  preset(key: string): void
  /** With shift: hides its preset, in preview mode cuts it. False: there is nothing to do. */
  shifted(key: string): boolean
  undo(): void
  /** Undefined in direct mode, where Enter presses what has the focus. */
  preview?: { take(): void; clear(): void; off(): void } | undefined
  /** Moves the rundown; false: there is none, and the key is the browser's. */
  rundown(to: 'next' | 'previous'): boolean
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
  shifted: () => false,
  undo: nothing,
  rundown: () => false,
  search: nothing,
  values: nothing,
  help: nothing,
}

export const PANIC_KEY = 'F9'
export const PLAN_KEY = 'F8'
/** As the remotes of presenters send them. */
export const NEXT_KEY = 'PageDown'
export const PREVIOUS_KEY = 'PageUp'
export const PLAN_PANEL_KEY = 'F2'
export const SCHEDULE_KEY = 'F3'
export const RULES_KEY = 'F4'

export const UNDO_KEY = 'Backspace'
export const TAKE_KEY = 'Enter'

/** Keys that open a part beside the presets. */
const OPENS = new Map([
  [PLAN_PANEL_KEY, 'plan'],
  [SCHEDULE_KEY, 'schedule'],
  [RULES_KEY, 'rules'],
] as const)

const FIELDS = 'input, select, textarea, [role="switch"], [role="radio"]'
const MODAL = '[role="dialog"][data-state="open"]'

/** Somebody who goes from button to button by keyboard presses them with Enter, too; presets by the space bar. */
const isPressedByEnter = (target: EventTarget | null) =>
  target instanceof Element && target.closest('button, a') !== null && target.closest('.card-face') === null

/** The keys of the whole page. Nothing but the keys with an F works while somebody writes in a field. */
export function useKeys(keyboard: Keyboard) {
  const latest = useRef(keyboard)
  useEffect(() => {
    latest.current = keyboard
  })
  useEffect(() => {
    // what was clicked has the focus, and Enter is not meant for it
    let byPointer = false
    const point = () => {
      byPointer = true
    }
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Tab' || event.key.startsWith('Arrow')) byPointer = false
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
      const opens = OPENS.get(event.key as typeof PLAN_PANEL_KEY)
      if (opens) {
        done()
        return now.openPlan(opens)
      }
      // also where the focus got lost in it: its Escape is not for what lies behind
      if (document.querySelector(MODAL)) return
      if (event.target instanceof Element && event.target.closest(FIELDS)) return
      if (event.key === UNDO_KEY) {
        done()
        return now.undo()
      }
      if (event.key === NEXT_KEY || event.key === PREVIOUS_KEY) {
        if (now.rundown(event.key === NEXT_KEY ? 'next' : 'previous')) done()
        return
      }
      if (!now.letters) return
      if (now.preview) {
        const { take, clear, off } = now.preview
        const isTake = event.key === TAKE_KEY && !event.shiftKey && (byPointer || !isPressedByEnter(event.target))
        // the values have an Escape of their own
        const isClear = event.key === 'Escape' && !(event.target instanceof Element && event.target.closest('#values'))
        const does = isTake ? take : isClear ? clear : event.key === 'Delete' ? off : undefined
        if (does) {
          done()
          return does()
        }
      }
      const key = keyPressed(event)
      // first: on many layouts a slash is a shifted digit
      if (event.shiftKey && key !== undefined && now.shifted(key)) return done()
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
    window.addEventListener('pointerdown', point, true)
    return () => {
      window.removeEventListener('keydown', press, true)
      window.removeEventListener('pointerdown', point, true)
    }
  }, [])
}
