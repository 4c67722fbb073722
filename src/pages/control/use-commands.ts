import { useCallback, useRef, useState } from 'react'
import { newKey, Refusal, request } from '../ui/request.ts'
import { address } from './address.ts'
import type { Value } from './model.ts'

export type Command =
  | { action: 'show' | 'update'; presetId: number; variableValues: Record<string, Value> }
  | { action: 'hide'; graphicId: string }
  | { action: 'hideAll'; sectionId?: string }

/** Of the latest command on a target: under way, or refused and why. */
export type Outcome = { phase: 'sending'; action: Command['action'] } | { phase: 'failed'; message: string }

/** A second press so soon after the first is the same press. */
const SAME_PRESS_MS = 700
/** For so long the same press again asks whether the first one, which was not answered, was done. */
const UNANSWERED_MS = 60_000

type Press = { text: string; key: string; at: number; unanswered: boolean }

/**
 * Sends commands and tells of each target (a preset, a section, all) how its latest one went. Nothing is shown as done here:
 * that is for the server to say.
 */
export function useCommands() {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const last = useRef<Press>(undefined)
  const flying = useRef(new Map<string, number>())

  const tell = useCallback((target: string, outcome: Outcome | undefined) => {
    setOutcomes((before) => {
      const after = new Map(before)
      if (outcome) after.set(target, outcome)
      else after.delete(target)
      return after
    })
  }, [])

  /** True once it is committed. */
  const send = useCallback(
    async (target: string, command: Command): Promise<boolean> => {
      const press = pressOf(last.current, `${target} ${JSON.stringify(command)}`)
      last.current = press
      const count = (flying.current.get(target) ?? 0) + 1
      flying.current.set(target, count)
      tell(target, { phase: 'sending', action: command.action })
      const isLatest = () => flying.current.get(target) === count
      try {
        await request('POST', `${address}/rest/graphics/commands`, { body: command, key: press.key })
        if (isLatest()) tell(target, undefined)
        return true
      } catch (error) {
        press.unanswered = error instanceof Refusal && (error.status === 0 || error.status === 503)
        if (isLatest()) tell(target, { phase: 'failed', message: reasonOf(error) })
        return false
      }
    },
    [tell],
  )
  const dismiss = useCallback((target: string) => tell(target, undefined), [tell])
  return { outcomes, send, dismiss }
}

function pressOf(before: Press | undefined, text: string): Press {
  const at = Date.now()
  const within = before?.unanswered ? UNANSWERED_MS : SAME_PRESS_MS
  const isSame = before?.text === text && at - before.at < within
  return { text, at, key: isSame ? before.key : newKey(), unanswered: false }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Refusal)) return 'Something went wrong on this page: reload it'
  const [path, detail] = Object.entries(error.details ?? {})[0] ?? []
  const name = path?.startsWith('body.variableValues.') ? `${path.slice('body.variableValues.'.length)}: ` : ''
  if (detail) return `${name}${detail.message}`
  if (error.status === 0) return 'Not sent: the server cannot be reached'
  if (error.status === 404) return 'This address is not valid any more'
  return error.message
}
