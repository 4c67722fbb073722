import { useCallback, useRef, useState } from 'react'
import { newKey, Refusal, request } from '../ui/request.ts'
import { address } from './address.ts'
import type { Value } from './model.ts'

type Shows = { presetId: number; variableValues: Record<string, Value> }
/** Carried out then, ISO 8601; `durationSeconds`: and off by itself. */
type Timed = { at?: string; durationSeconds?: number }

export type Command =
  | ({ action: 'show' } & Shows & Timed)
  | ({ action: 'update' | 'cue' } & Shows)
  | { action: 'uncue'; presetId?: number }
  | ({ action: 'take'; presetId?: number } & Timed)
  | { action: 'hide'; presetId: number; at?: string }
  | {
      action: 'batch'
      commands: readonly (({ action: 'show' } & Shows) | { action: 'uncue'; presetId: number })[]
    }
  | { action: 'undo'; seq: number }
  | { action: 'unschedule'; id: number }
  | { action: 'hide'; graphicId: string }
  | { action: 'step'; presetId: number; delta: number }
  | { action: 'custom'; presetId: number; customActionId: string; payload?: unknown }
  | { action: 'hideAll'; sectionId?: string }
  | { action: 'pause' | 'resume' }
  | { action: 'hold'; layer: string }
  | { action: 'release'; layer?: string }
  | { action: 'fire'; ruleId: string }
  | { action: 'automatic'; autoMode: boolean }
  | { action: 'rehearse'; rehearsal: boolean }
  /** `ifPosition`: the item that is cued as this page knows it. */
  | { action: 'next' | 'previous'; ifPosition: string | null }
  | { action: 'cueItem'; itemId: string; ifPosition: string | null }

/** Where a command is sent, below the address of the page, and what it says there. */
function requestOf(command: Command): { method?: 'DELETE'; path: string; body?: object } {
  switch (command.action) {
    case 'unschedule':
      return { method: 'DELETE', path: `scheduled/${command.id}` }
    case 'pause':
    case 'resume':
    case 'hold':
    case 'release':
    case 'fire': {
      const { action, ...body } = command
      return { path: `game-plan/${action}`, body }
    }
    case 'next':
    case 'previous':
    case 'cueItem': {
      const { action, ...body } = command
      return { path: `rundown/${action === 'cueItem' ? 'cue' : action}`, body }
    }
    case 'automatic':
      return { path: 'automatic', body: { autoMode: command.autoMode } }
    case 'rehearse':
      return { path: 'rehearsal', body: { rehearsal: command.rehearsal } }
    default:
      return { path: 'graphics/commands', body: command }
  }
}

/** Whether it may put something on air: then it must not come after a press that clears the screen. */
const mayShow = ({ action }: Command) => !SHOWS_NOTHING.has(action)
const SHOWS_NOTHING: ReadonlySet<Command['action']> = new Set([
  'pause',
  'hold',
  'cue',
  'uncue',
  'unschedule',
  'previous',
  'cueItem',
])

/** Done twice is done once, as of now: somebody may have done the contrary since. */
const SAME_TWICE: ReadonlySet<Command['action']> = new Set([
  'hide',
  'hideAll',
  'uncue',
  'pause',
  'resume',
  'hold',
  'release',
  'automatic',
  'rehearse',
])

/** Of the latest command on a target: under way, or refused and why. */
export type Outcome = { phase: 'sending'; action: Command['action'] } | { phase: 'failed'; message: string }

/** `line`: those of one line are sent one after another, so that a hide never arrives before its show. */
export type Send = (target: string, command: Command, line?: string) => Promise<boolean>

/** A second press so soon after the first is the same press. */
const SAME_PRESS_MS = 700
/** For so long the same press again asks whether the first one, which was not answered, was done. */
const UNANSWERED_MS = 60_000
const OVERTAKEN = 'Not sent: hide all came after it'

type Press = { text: string; key: string | null; at: number; unanswered: boolean }

/**
 * Sends commands and tells of each target (a preset, a section, all) how its latest one went. Nothing is shown as done here:
 * that is for the server to say. Commands without an answer when all is hidden are given up, so that they cannot come after it.
 */
export function useCommands() {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const last = useRef<Press>(undefined)
  const sends = useRef(new Map<string, number>())
  const lines = useRef(new Map<string, Promise<unknown>>())
  const underWay = useRef(new AbortController())

  const tell = useCallback((target: string, outcome: Outcome | undefined) => {
    setOutcomes((before) => {
      const after = new Map(before)
      if (outcome) after.set(target, outcome)
      else after.delete(target)
      return after
    })
  }, [])

  /** True once it is committed. */
  const send: Send = useCallback(
    async (target, command, line) => {
      if (command.action === 'hideAll' && command.sectionId === undefined) {
        underWay.current.abort()
        underWay.current = new AbortController()
      }
      const { signal } = mayShow(command) ? underWay.current : new AbortController()
      const press = pressOf(last.current, target, command)
      last.current = press
      const count = (sends.current.get(target) ?? 0) + 1
      sends.current.set(target, count)
      tell(target, { phase: 'sending', action: command.action })
      const isLatest = () => sends.current.get(target) === count
      const before = line === undefined ? undefined : lines.current.get(line)
      const sending = sendAfter(before, command, press, signal)
      if (line !== undefined) lines.current.set(line, sending)
      const failed = await sending
      if (isLatest()) tell(target, failed === undefined ? undefined : { phase: 'failed', message: failed })
      return failed === undefined
    },
    [tell],
  )
  const dismiss = useCallback((target: string) => tell(target, undefined), [tell])
  return { outcomes, send, dismiss }
}

/** Why it failed; undefined when it is committed. */
async function sendAfter(before: Promise<unknown> | undefined, command: Command, press: Press, signal: AbortSignal) {
  await before
  if (signal.aborted) return OVERTAKEN
  try {
    const { method = 'POST', path, body } = requestOf(command)
    await request(method, `${address}/rest/${path}`, { body, key: press.key, signal })
    return undefined
  } catch (error) {
    if (signal.aborted) return OVERTAKEN
    press.unanswered = error instanceof Refusal && (error.status === 0 || error.status === 503)
    return reasonOf(error, command.action)
  }
}

/**
 * A hide is sent anew, also after one without an answer: meanwhile somebody may have shown a graphic again. Twice hidden is
 * hidden, so it carries no key, and the server has nothing to look up before it clears the screen.
 */
function pressOf(before: Press | undefined, target: string, command: Command): Press {
  const at = Date.now()
  const text = `${target} ${JSON.stringify(command)}`
  if (SAME_TWICE.has(command.action)) return { text, at, key: null, unanswered: false }
  const within = before?.unanswered ? UNANSWERED_MS : SAME_PRESS_MS
  const isSame = before?.text === text && at - before.at < within
  return { text, at, key: isSame ? before.key : newKey(), unanswered: false }
}

function reasonOf(error: unknown, action: Command['action']): string {
  if (!(error instanceof Refusal)) return 'Something went wrong on this page: reload it'
  const [path, detail] = Object.entries(error.details ?? {})[0] ?? []
  const name = path?.startsWith('body.variableValues.') ? `${path.slice('body.variableValues.'.length)}: ` : ''
  if (detail) return `${name}${detail.message}`
  if (error.status === 0) return 'Not confirmed: the server cannot be reached'
  if (error.status === 404 && action !== 'unschedule') return 'This address is not valid any more'
  return error.message
}
