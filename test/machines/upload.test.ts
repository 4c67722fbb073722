import { describe, expect, it } from 'vitest'
import { createActor, initialTransition, transition } from 'xstate'
import type { Decided } from '../../machines/decided.ts'
import { kinds } from '../../machines/kinds.ts'
import {
  foldUpload,
  NEW_UPLOAD,
  OPEN_MS,
  type UploadCommand,
  type UploadEvent,
  uploadMachine,
  VERIFIED_MS,
} from '../../machines/upload.ts'
import { decodeSnapshot, encodeSnapshot } from '../../src/actors/rows.ts'

type Unstamped<C = UploadCommand> = C extends unknown ? Omit<C, 'seq'> : never
type Effect = { type: string; params: { event?: Decided<UploadEvent>; delay?: number; id?: string } }

const reject: Unstamped = { type: 'reject', reason: 'damaged' }
const commands: Readonly<Record<string, Unstamped>> = {
  open: { type: 'open' },
  receive: { type: 'receive' },
  inspect: { type: 'inspect' },
  verify: { type: 'verify' },
  reject,
  use: { type: 'use' },
}
const [initial] = initialTransition(uploadMachine)

/** Takes the commands one after the other, with what the world hears and the timers of the last step. */
function run(names: readonly string[], from = initial) {
  let snapshot = from
  const facts: UploadEvent[] = []
  let timers: (number | undefined)[] = []
  for (const [index, name] of names.entries()) {
    const command = { ...(commands[name] ?? reject), seq: index + 1 } as UploadCommand
    if (!snapshot.can(command)) throw new Error(`${name} is refused`)
    const [next, actions] = transition(uploadMachine, snapshot, command)
    const effects = actions as unknown as Effect[]
    snapshot = next
    for (const { type, params } of effects) if (type === 'xstate.emit') facts.push(...(params.event?.facts ?? []))
    timers = effects.filter(({ type }) => type === 'xstate.raise').map(({ params }) => params.delay)
  }
  return { snapshot, facts, timers }
}

/** How each state is reached. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  new: [],
  opened: ['open'],
  received: ['open', 'receive'],
  inspecting: ['open', 'receive', 'inspect'],
  verified: ['open', 'receive', 'inspect', 'verify'],
  rejected: ['open', 'receive', 'inspect', 'reject'],
  used: ['open', 'receive', 'inspect', 'verify', 'use'],
}

/** Where each command leads from each state; what is not here is refused. */
const TABLE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  new: { open: 'opened', receive: 'received' },
  opened: { open: 'opened', receive: 'received' },
  received: { open: 'received', receive: 'received', inspect: 'inspecting' },
  inspecting: { inspect: 'inspecting', verify: 'verified', reject: 'rejected' },
  verified: { verify: 'verified', use: 'used' },
  rejected: { reject: 'rejected' },
  used: { use: 'used' },
}

const cells = Object.keys(WAYS).flatMap((state) => Object.keys(commands).map((name) => [state, name] as const))

describe('an upload, state by state', () => {
  it.each(cells)('%s: %s', (state, name) => {
    const { snapshot } = run(WAYS[state] ?? [])
    expect(snapshot.context.phase).toBe(state)
    const target = TABLE[state]?.[name]
    expect(snapshot.can({ ...(commands[name] ?? reject), seq: 9 } as UploadCommand)).toBe(target !== undefined)
    if (target === undefined) return
    const after = run([name], snapshot)
    expect([after.snapshot.value, after.snapshot.context.phase]).toEqual([target, target])
    // what changes nothing is not told to the world
    expect(after.facts.length).toBe(target === state ? 0 : 1)
  })

  it('[P6] what nobody sends, looks at or uses in its time expires; what is over never does', () => {
    for (const [state, ms] of Object.entries({
      opened: OPEN_MS + 60_000,
      received: 3_600_000,
      inspecting: 3_600_000,
      verified: VERIFIED_MS,
      rejected: undefined,
      used: undefined,
    })) {
      const { snapshot, timers } = run(WAYS[state] ?? [])
      expect([state, timers]).toEqual([state, ms === undefined ? [] : [ms]])
      if (ms === undefined) continue
      const [after] = Object.keys(uploadMachine.states[state]?.config.after ?? {})
      const due = { type: `xstate.after.${after}.upload.${state}` } as unknown as UploadCommand
      const [expired, actions] = transition(uploadMachine, snapshot, due)
      expect(expired.context).toEqual({ phase: 'expired', error: null })
      const told = (actions as unknown as Effect[]).filter(({ type }) => type === 'xstate.emit')
      expect(told.map(({ params }) => params.event?.facts)).toEqual([[{ type: 'upload.expired' }]])
      for (const command of Object.values(commands))
        expect(expired.can({ ...command, seq: 9 } as UploadCommand)).toBe(false)
    }
  })

  it('[P8] the state is the fold of what the world heard, and survives being stored', () => {
    for (const way of Object.values(WAYS)) {
      const { snapshot, facts } = run(way)
      expect(facts.reduce(foldUpload, NEW_UPLOAD)).toEqual(snapshot.context)
      expect(kinds.upload.replay(facts)).toEqual({ value: snapshot.value, context: snapshot.context })
      const stored = JSON.parse(encodeSnapshot(snapshot))
      const restored = createActor(uploadMachine, { snapshot: decodeSnapshot('upload', 1, stored) as typeof snapshot })
      expect(restored.getSnapshot().value).toBe(snapshot.value)
    }
    expect(run(WAYS.rejected ?? []).snapshot.context.error).toBe('damaged')
  })
})
