import type { ActorScope, AnyActorRef, AnyEventObject, AnyMachineSnapshot, AnyStateMachine } from 'xstate'
import { createActor } from 'xstate'
import type { Decided } from './decided.ts'

/** `dueInMs` from the moment of the event. */
export type TimerChange = { name: string; dueInMs: number; event: unknown } | { name: string; cancel: true }

/** The effects of one event on a machine, as data: nothing has been executed. */
export type Step = { snapshot: AnyMachineSnapshot; events: AnyEventObject[]; timers: TimerChange[] }

/** The pure transition function of one machine. Throws when an action or guard throws; the given snapshot stays as it was. */
export type Transition = (snapshot: AnyMachineSnapshot, event: AnyEventObject) => Step

/** A command before the host has stamped its seq. */
export type Unstamped<Command> = Command extends unknown ? Omit<Command, 'seq'> : never

type CollectedAction = { type: string; params: unknown }

/**
 * Does what XState's `transition()` does, with one inert scope per machine instead of a new actor per event, which takes
 * four fifths of its time.
 */
export function transitionOf(machine: AnyStateMachine): Transition {
  let collected: CollectedAction[] = []
  const self = createActor(machine)
  const nothing = () => {}
  const scope = {
    self,
    id: '',
    sessionId: '',
    system: self.system,
    logger: nothing,
    defer: nothing,
    emit: nothing,
    stopChild: nothing,
    actionExecutor: (action: CollectedAction) => {
      collected.push(action)
    },
  }
  return (snapshot, event) => {
    collected = []
    const next = machine.transition(snapshot, event, inert(scope))
    return { snapshot: next, ...effectsOf(collected) }
  }
}

// the scope type also names the internals of a running actor, which a pure step never reaches
const inert = (scope: object) => scope as ActorScope<AnyMachineSnapshot, AnyEventObject> & { self: AnyActorRef }

function effectsOf(actions: readonly CollectedAction[]): Omit<Step, 'snapshot'> {
  const events: AnyEventObject[] = []
  const timers: TimerChange[] = []
  for (const action of actions) {
    switch (action.type) {
      case 'xstate.emit':
        events.push(...(action.params as { event: Decided<AnyEventObject> }).event.facts)
        break
      case 'xstate.raise': {
        const { event, id, delay } = action.params as { event: AnyEventObject; id: string; delay: number }
        timers.push({ name: id, dueInMs: delay, event })
        break
      }
      case 'xstate.cancel':
        timers.push({ name: (action.params as { sendId: string }).sendId, cancel: true })
        break
      default:
        throw new Error(`a machine asked for the effect ${action.type}, which no host carries out`)
    }
    // XState keeps its list of actions. docs/performance.md: old space
    action.params = undefined
  }
  return { events, timers }
}
