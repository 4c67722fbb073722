/**
 * The protocol of the leases, small enough to look at every state: one slot, one actor in it, a few nodes, and a database that carries
 * out statements in any order and as late as it likes. A node that is frozen is one that takes no step while time passes; so every
 * state with a frozen node is among them.
 */

/** What makes the protocol safe. The test takes each away, and must see it missed. */
export type Guards = {
  /** A commit lands only from the epoch and the seq that its node knows. */
  fence: boolean
  /** A lease is good from the moment before its statement was sent. */
  countsFromBeforeSending: boolean
  /** A lease that has not ended is not taken. */
  takesOnlyExpired: boolean
  /** A release names the term that it gives up. */
  releasesByTerm: boolean
  /** What a beat says is ours counts only when it is held in the same term; otherwise it is taken anew. */
  believesOnlyWhatItTook: boolean
  /** The state of an actor that is held in memory goes with the lease. */
  dropsStateWithLease: boolean
  /** What was read for an actor counts only in the term of the lease in which it was asked for. */
  readsWithinTerm: boolean
}

export const allGuards: Guards = {
  fence: true,
  countsFromBeforeSending: true,
  takesOnlyExpired: true,
  releasesByTerm: true,
  believesOnlyWhatItTook: true,
  dropsStateWithLease: true,
  readsWithinTerm: true,
}

export type Bounds = {
  nodes: number
  /** With the actor. */
  actor: boolean
  /** With renewals; without them every lease ends. */
  beats: boolean
  /** How long a lease is, in steps of time. */
  lease: number
  maxTerm: number
  maxEpoch: number
  maxSeq: number
  crashes: number
  /** Statements of one node that nobody waits for any more and that are still on their way. */
  late: number
}

type Kind = 'renew' | 'take' | 'release' | 'claim' | 'commit'
type Answer = { ok: boolean; term: number; epoch: number; seq: number }
type Message = {
  kind: Kind
  by: number
  /** Since it was sent. */
  age: number
  /** Its node does not wait for it any more. */
  late: boolean
  term: number
  epoch: number
  base: number
  answer?: Answer
}
type Node = {
  /** Another one after each crash. */
  id: number
  belief?: { term: number; left: number } | undefined
  actor?: { epoch: number; seq: number } | undefined
}
export type State = {
  owner: number
  term: number
  /** Time until the lease ends. */
  left: number
  epoch: number
  seq: number
  crashes: number
  nodes: readonly Node[]
  messages: readonly Message[]
}

export class Violation extends Error {}

const isLease = ({ kind }: Message) => kind === 'renew' || kind === 'take' || kind === 'release'

export const firstState = ({ nodes }: Bounds): State => ({
  owner: 0,
  term: 0,
  left: 0,
  epoch: 0,
  seq: 0,
  crashes: 0,
  nodes: Array.from({ length: nodes }, (_, index) => ({ id: index + 1 })),
  messages: [],
})

export function leaseModel(bounds: Bounds, guards: Guards) {
  const checked = new Set<string>()
  const withNode = (state: State, node: Node, by = node.id): State => ({
    ...state,
    nodes: state.nodes.map((other) => (other.id === by ? node : other)),
  })

  /** Without the lease; what was held in memory goes, too. */
  const unbelieving = (node: Node): Node => ({
    id: node.id,
    ...(!guards.dropsStateWithLease && node.actor && { actor: node.actor }),
  })

  function timePasses(state: State): State {
    return {
      ...state,
      left: Math.max(0, state.left - 1),
      nodes: state.nodes.map((node) => {
        if (!node.belief) return node
        const left = node.belief.left - 1
        return left > 0 ? { ...node, belief: { ...node.belief, left } } : unbelieving(node)
      }),
      messages: state.messages.map((message) => {
        // of what brings no lease any more the age means nothing
        const age = isLease(message) && !message.late ? Math.min(bounds.lease, message.age + 1) : 0
        return age === message.age ? message : { ...message, age }
      }),
    }
  }

  function send(state: State, by: number, kind: Kind, more: Partial<Message> = {}): State {
    const message = { kind, by, age: 0, late: kind === 'release', term: 0, epoch: 0, base: 0, ...more }
    return { ...state, messages: [...state.messages, message] }
  }

  function carryOut(given: State, message: Message): State {
    const state = { ...given }
    let ok = true
    if (message.kind === 'renew') {
      ok = state.owner === message.by
      if (ok) state.left = bounds.lease
    } else if (message.kind === 'take') {
      ok = !guards.takesOnlyExpired || state.left === 0 || state.owner === message.by
      if (ok) Object.assign(state, { owner: message.by, term: state.term + 1, left: bounds.lease })
    } else if (message.kind === 'release') {
      ok = state.owner === message.by && (!guards.releasesByTerm || state.term === message.term)
      if (ok) Object.assign(state, { owner: 0, left: 0 })
    } else if (message.kind === 'claim') {
      state.epoch++
    } else {
      ok = !guards.fence || (message.epoch === state.epoch && message.base === state.seq)
      if (ok && message.epoch < state.epoch) throw new Violation('a commit landed from an older epoch')
      if (ok && message.base !== state.seq) throw new Violation('two commits landed on the same seq')
      if (ok) state.seq++
    }
    const answer = isLease(message)
      ? { ok, term: ok ? state.term : 0, epoch: 0, seq: 0 }
      : { ok, term: 0, epoch: ok ? state.epoch : 0, seq: ok ? state.seq : 0 }
    const messages = given.messages.filter((other) => other !== message)
    // nobody waits for what is late
    return { ...state, messages: message.late ? messages : [...messages, { ...message, answer }] }
  }

  function arrive(given: State, message: Message, { ok, term, epoch, seq }: Answer): State {
    const state = { ...given, messages: given.messages.filter((other) => other !== message) }
    const node = state.nodes.find(({ id }) => id === message.by)
    if (!node) return state
    const left = bounds.lease - (guards.countsFromBeforeSending ? message.age : 0)
    const { belief } = node
    if (message.kind === 'renew') {
      const known = belief ? belief.term === term : !guards.believesOnlyWhatItTook
      if (!ok || !known) return withNode(state, unbelieving(node))
      const longest = Math.max(left, belief?.left ?? 0)
      return longest > 0 ? withNode(state, { ...node, belief: { term, left: longest } }) : state
    }
    if (message.kind === 'take') return ok && left > 0 ? withNode(state, { ...node, belief: { term, left } }) : state
    if (message.kind === 'claim') {
      const counts = belief && (!guards.readsWithinTerm || belief.term === message.term)
      return counts ? withNode(state, { ...node, actor: { epoch, seq } }) : state
    }
    // a commit: fenced, it is not ours any more
    const { actor: _, ...forgetful } = node
    if (!ok) return withNode(state, forgetful)
    return node.actor ? withNode(state, { ...node, actor: { ...node.actor, seq } }) : state
  }

  /** An answer that does not come: the statement may still be carried out. */
  function giveUpOn(given: State, message: Message): State {
    const rest = given.messages.filter((other) => other !== message)
    const state = { ...given, messages: message.answer ? rest : [...rest, { ...message, late: true, age: 0 }] }
    const node = state.nodes.find(({ id }) => id === message.by)
    if (!node || message.kind !== 'commit') return state
    // whether it landed is not known: the actor is claimed and read again
    const { actor: _, ...forgetful } = node
    return withNode(state, forgetful)
  }

  function crash(state: State, node: Node): State {
    const crashed = { ...state, crashes: state.crashes + 1 }
    const messages = state.messages.flatMap((message) =>
      message.by !== node.id ? [message] : message.answer ? [] : [{ ...message, late: true, age: 0 }],
    )
    return withNode({ ...crashed, messages }, { id: node.id + 10 }, node.id)
  }

  function* next(state: State): Generator<[step: string, state: State]> {
    yield ['time passes', timePasses(state)]
    for (const message of state.messages) {
      const { kind, by, answer } = message
      if (!answer) yield [`${kind} of ${by} is carried out`, carryOut(state, message)]
      else yield [`${kind} of ${by} is answered`, arrive(state, message, answer)]
      const late = state.messages.filter((other) => other.by === by && other.late)
      if (!message.late && late.length < bounds.late) yield [`${by} gives up on ${kind}`, giveUpOn(state, message)]
    }
    for (const node of state.nodes) {
      const mine = state.messages.filter(({ by }) => by === node.id)
      const waits = (lease: boolean) => mine.some((message) => !message.late && isLease(message) === lease)
      if (!waits(true)) {
        if (bounds.beats) yield [`${node.id} beats`, send(state, node.id, 'renew')]
        if (!node.belief && state.term < bounds.maxTerm) yield [`${node.id} takes`, send(state, node.id, 'take')]
      }
      const late = mine.filter((message) => message.late)
      if (node.belief && late.length < bounds.late)
        yield [
          `${node.id} gives up`,
          send(withNode(state, unbelieving(node)), node.id, 'release', { term: node.belief.term }),
        ]
      if (bounds.actor && node.belief && !waits(false)) {
        if (!node.actor && state.epoch < bounds.maxEpoch)
          yield [`${node.id} claims`, send(state, node.id, 'claim', { term: node.belief.term })]
        if (node.actor && state.seq < bounds.maxSeq)
          yield [
            `${node.id} commits`,
            send(state, node.id, 'commit', { epoch: node.actor.epoch, base: node.actor.seq }),
          ]
      }
      if (state.crashes < bounds.crashes) yield [`${node.id} crashes`, crash(state, node)]
    }
  }

  /** Throws a violation when the state must not be. */
  function check(state: State): void {
    for (const { id, belief, actor } of state.nodes) {
      if (!belief) continue
      if (state.owner !== id || state.left < belief.left)
        throw new Violation('a node believes in a lease that it does not have')
      const writes = state.messages.some(({ by, kind }) => by === id && kind === 'commit')
      if (actor && !writes && actor.seq !== state.seq) throw new Violation('an owner reads what is not so any more')
    }
    if (state.nodes.filter(({ belief }) => belief).length > 1) throw new Violation('two nodes own the slot')
  }

  /** Whatever has happened: when nobody else acts any more, each node has the slot one lease later. */
  function checkIsTaken(given: State): void {
    // the statements that are on their way have no part in it
    const key = withoutMessages(given)
    if (checked.has(key)) return
    checked.add(key)
    for (const { id } of given.nodes) {
      let state: State = { ...given, messages: [] }
      for (let each = 0; each < bounds.lease; each++) state = timePasses(state)
      state = send(state, id, 'take')
      state = carryOut(state, state.messages[0] as Message)
      const [message] = state.messages
      if (message?.answer) state = arrive(state, message, message.answer)
      if (!state.nodes.find((node) => node.id === id)?.belief) throw new Violation('a free slot is not taken')
    }
  }

  return { first: firstState(bounds), next, check, checkIsTaken }
}

const withoutMessages = ({ owner, term, left, epoch, seq, crashes, nodes }: State): string => {
  let key = `${owner},${term},${left},${epoch},${seq},${crashes}|`
  for (const { id, belief, actor } of nodes)
    key += `${id}:${belief ? `${belief.term},${belief.left}` : ''}:${actor ? `${actor.epoch},${actor.seq}` : ''} `
  return key
}

const messageKeys = new WeakMap<Message, string>()

/** Most messages of a state are those of the one before. */
function keyOfMessage(message: Message): string {
  const known = messageKeys.get(message)
  if (known !== undefined) return known
  const { kind, by, age, late, term, epoch, base, answer } = message
  const answered = answer ? `${answer.ok ? 1 : 0},${answer.term},${answer.epoch},${answer.seq}` : ''
  const key = `${kind[0]}${kind[2]}${by},${age},${late ? 1 : 0},${term},${epoch},${base},${answered}`
  messageKeys.set(message, key)
  return key
}

const keyOf = (state: State): string => `${withoutMessages(state)}|${state.messages.map(keyOfMessage).sort().join(' ')}`

/** Looks at every state that can be reached, the nearest first. Answers how many there are, or the shortest way to a violation. */
export function explore(
  bounds: Bounds,
  guards: Guards = allGuards,
): { states: number; violation?: string; way?: string[] } {
  const model = leaseModel(bounds, guards)
  const seen = new Map<string, { from: string; step: string }>()
  const wayTo = (key: string, last: string) => {
    const way = [last]
    for (let at = seen.get(key); at?.step; at = seen.get(at.from)) way.unshift(at.step)
    return way
  }
  const queue = [{ state: model.first, from: keyOf(model.first) }]
  seen.set(keyOf(model.first), { from: '', step: '' })
  for (const { state, from } of queue) {
    let step = ''
    try {
      // what an actor does changes nothing in this
      if (!bounds.actor) model.checkIsTaken(state)
      const steps = model.next(state)
      for (;;) {
        step = 'a statement is carried out'
        const one = steps.next()
        if (one.done) break
        const [name, reached] = one.value
        step = name
        const key = keyOf(reached)
        if (seen.has(key)) continue
        seen.set(key, { from, step })
        model.check(reached)
        queue.push({ state: reached, from: key })
      }
    } catch (error) {
      if (!(error instanceof Violation)) throw error
      return { states: seen.size, violation: error.message, way: wayTo(from, step) }
    }
  }
  return { states: seen.size }
}
