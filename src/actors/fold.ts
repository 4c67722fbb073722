import type { AnyEventObject, AnyMachineSnapshot } from 'xstate'
import { type CommandOf, type ContextOf, type Kind, recorded } from '../../machines/kinds.ts'
import type { Unstamped } from '../../machines/transition.ts'
import type { Asker } from '../principal.ts'
import type { Actor, Outcome } from './actor.ts'
import type { Ask } from './ask.ts'
import type { IdempotencyRow } from './journal.ts'

/** Folds a resolved command into the actor's tentative state. Nothing changes when this throws. */
export function foldCommand<K extends Kind, R>(
  actor: Actor,
  ctx: Asker,
  ask: Ask<K, R>,
  command: Unstamped<CommandOf<K>>,
): Outcome {
  const before = stateOf(actor)
  const seq = actor.tentativeSeq + 1
  const event: AnyEventObject = { seq, ...(command as AnyEventObject) }
  const { snapshot, events, timers } = actor.transition(before, event)
  // what the machine takes no notice of leaves the same snapshot, and so may what changes nothing
  if (snapshot === before && !before.can(event)) return { error: ask.refused() }
  const result = ask.reply(contextOf<K>(snapshot))
  if (events.length === 0 && timers.length === 0) return { result }
  const [facts, asides] = setApart(actor.kind, events)
  const outcome: Outcome = {
    result,
    facts,
    timers,
    entry: {
      seq,
      commandId: ctx.commandId,
      requestId: ctx.requestId,
      principal: ctx.actor,
      command: JSON.stringify(ask.asked),
      events: actor.texts.encode(facts, 2),
    },
  }
  if (asides) addAsides(actor, outcome, asides)
  project(actor, snapshot, event, outcome)
  const claim = ctx.idempotency
  if (claim && !claim.stored) {
    const { key, method, path, bodyHash, plain } = claim
    const row: IdempotencyRow = {
      organizationId: ctx.organizationId,
      key,
      method,
      path,
      bodyHash,
      plain,
      ...claim.encode(result),
    }
    outcome.idempotency = row
    outcome.claim = claim
  }
  actor.tentative = snapshot
  actor.tentativeSeq = seq
  return outcome
}

/** Those of the facts that their kind sets apart; nearly always none. */
function setApart(kind: Kind, events: AnyEventObject[]): [facts: AnyEventObject[], asides?: AnyEventObject[]] {
  const { isAside } = recorded(kind)
  if (!isAside || !events.some(isAside)) return [events]
  return [events.filter((event) => !isAside(event)), events.filter(isAside)]
}

function addAsides(actor: Actor, outcome: Outcome, asides: AnyEventObject[]): void {
  outcome.asides = asides
  if (outcome.entry) outcome.entry.asides = actor.texts.encode(asides, 2)
}

/** Folds the event of a due timer. A late one that the machine has no use for changes nothing; its row goes either way. */
export function foldTimer(actor: Actor, name: string, commandId: string, event: AnyEventObject): Outcome {
  const { snapshot, events, timers } = actor.transition(stateOf(actor), event)
  if (events.length === 0) return {}
  const seq = actor.tentativeSeq + 1
  actor.tentative = snapshot
  actor.tentativeSeq = seq
  const [facts, asides] = setApart(actor.kind, events)
  const outcome: Outcome = {
    facts,
    timers: [{ name, cancel: true }, ...timers.filter((timer) => timer.name !== name || !('cancel' in timer))],
    entry: {
      seq,
      commandId,
      requestId: commandId,
      principal: { type: 'system', name: 'timer' },
      command: JSON.stringify({ type: event.type, timer: name }),
      events: actor.texts.encode(facts, 2),
    },
  }
  if (asides) addAsides(actor, outcome, asides)
  project(actor, snapshot, event, outcome)
  return outcome
}

function project(actor: Actor, snapshot: AnyMachineSnapshot, command: AnyEventObject, outcome: Outcome): void {
  const { project } = recorded(actor.kind)
  if (project) outcome.projection = JSON.stringify(project(snapshot.context, command))
}

function stateOf(actor: Actor): AnyMachineSnapshot {
  if (!actor.tentative) throw new Error(`${actor.ref} is not loaded`)
  return actor.tentative
}

/** The context of a snapshot as its kind types it; a snapshot in memory does not carry its kind. */
export const contextOf = <K extends Kind>(snapshot: AnyMachineSnapshot): ContextOf<K> =>
  snapshot.context as ContextOf<K>
