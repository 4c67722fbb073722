import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { inMemory } from '../../../src/pages/desk/kept-in-memory.ts'
import { Outbox, type Outcome } from '../../../src/pages/desk/outbox.ts'
import type { DeskCommand, Press } from '../../../src/pages/desk/press.ts'
import { seeded } from '../../support/random.ts'

const goal = (points: number): DeskCommand => ({ type: 'record', fact: { type: 'goal', points } })

/** A server that does a request once by its key, over a line that may go before it or with its answer. */
class Server {
  readonly done = new Map<string, Press>()
  readonly order: string[] = []
  /** What becomes of the next requests. */
  line: () => 'up' | 'down' | 'answerLost' = () => 'up'
  refuses = new Set<number>()

  async send(press: Press): Promise<Outcome> {
    const line = this.line()
    await turn()
    if (line === 'down') return { is: 'lost' }
    const known = this.done.get(press.id)
    // the same key with another body is what a server answers 409 to
    if (known) expect([known.command, known.at]).toEqual([press.command, press.at])
    const points = press.command.type === 'record' ? press.command.fact.points : undefined
    if (points !== undefined && this.refuses.has(points))
      return { is: 'refused', refusal: { status: 400, message: 'cannot be', details: [] } }
    if (!known) this.order.push(press.id)
    this.done.set(press.id, press)
    return line === 'answerLost' ? { is: 'lost' } : { is: 'taken' }
  }
}

/** A telephone: what is kept stays, the page comes and goes. */
class Telephone {
  readonly kept = inMemory()
  readonly server: Server
  time = 1_000_000
  offset = { ms: 0, measured: true }
  /** As far as the page knows. */
  up = false
  states: string[] = []
  #ids = 0
  #runs = 0
  outbox: Outbox

  constructor(server: Server) {
    this.server = server
    this.outbox = this.open()
  }

  open(): Outbox {
    // a page that was closed in the middle of something does nothing any more
    const life = { over: false }
    const whileOpen = <T>(work: () => Promise<T>): Promise<T> => (life.over ? new Promise<T>(() => {}) : work())
    this.close = () => {
      life.over = true
    }
    const { presses } = this.kept
    this.outbox = new Outbox({
      store: {
        all: () => whileOpen(presses.all),
        put: (press) => whileOpen(() => presses.put(press)),
        remove: (id) => whileOpen(() => presses.remove(id)),
      },
      send: (press) => whileOpen(() => this.server.send(press)),
      now: () => this.time++,
      offset: () => this.offset,
      newId: () => `id-${++this.#ids}`,
      changed: () => {},
      line: (state) => this.states.push(state),
      isUp: () => this.up,
      alone: (work) => work(),
      run: `run-${++this.#runs}`,
    })
    return this.outbox
  }

  close: () => void = () => {}
}

describe('what waits on a telephone', () => {
  test('[show-control] it is kept before anybody is told, sent in order, and gone once it was taken', async () => {
    const server = new Server()
    const telephone = new Telephone(server)
    server.line = () => 'down'
    const pressed = [await telephone.outbox.press(goal(1)), await telephone.outbox.press(goal(2))]
    await telephone.outbox.flush()
    expect((await telephone.kept.presses.all()).map(({ id }) => id)).toEqual(pressed.map(({ id }) => id))
    expect(telephone.states.at(-1)).toBe('lost')
    server.line = () => 'up'
    await telephone.outbox.flush()
    expect(server.order).toEqual(pressed.map(({ id }) => id))
    expect([telephone.outbox.presses, telephone.states.at(-1)]).toEqual([[], 'idle'])
  })

  test('[show-control] what was never sent is corrected and taken back where it is; what may have arrived is followed by another press', async () => {
    const server = new Server()
    const telephone = new Telephone(server)
    server.line = () => 'down'
    const tried = await telephone.outbox.press(goal(1))
    await telephone.outbox.flush()
    const [first, second] = [await telephone.outbox.press(goal(2)), await telephone.outbox.press(goal(3))]
    await telephone.outbox.correct({ press: first.id }, { playerId: 9 })
    await telephone.outbox.erase({ press: second.id })
    await telephone.outbox.erase({ press: tried.id })
    const kept = await telephone.kept.presses.all()
    expect(kept.map(({ command }) => command)).toEqual([
      goal(1),
      { type: 'record', fact: { type: 'goal', points: 2, playerId: 9 } },
      { type: 'erase', target: { press: tried.id } },
    ])
  })

  test('[show-control] what is refused waits for a person and holds up nobody', async () => {
    const server = new Server()
    const telephone = new Telephone(server)
    server.refuses.add(1)
    const bad = await telephone.outbox.press(goal(1))
    const good = await telephone.outbox.press(goal(2))
    await telephone.outbox.flush()
    expect(server.order).toEqual([good.id])
    expect(telephone.outbox.presses).toMatchObject([{ id: bad.id, refusal: { message: 'cannot be' } }])
    const again = await telephone.outbox.retry(bad.id, goal(4))
    expect([again === bad.id, telephone.outbox.presses.at(0)?.id]).toEqual([false, again])
    await telephone.outbox.flush()
    expect(telephone.outbox.presses).toEqual([])
    expect([...server.done.values()].map(({ command }) => command)).toContainEqual(goal(4))
  })

  test('[show-control] what is said of a press that was refused is kept in it, also what was said before anybody knew', async () => {
    const server = new Server()
    const telephone = new Telephone(server)
    server.refuses.add(1).add(2)
    telephone.up = true
    const bad = await telephone.outbox.press(goal(1))
    // its answer is on the way, as is that of the next one
    await telephone.outbox.correct({ press: bad.id }, { playerId: 9 })
    await telephone.outbox.flush()
    expect(telephone.outbox.presses).toMatchObject([{ id: bad.id, command: { fact: { points: 1, playerId: 9 } } }])
    await telephone.outbox.correct({ press: bad.id }, { period: 2 })
    expect(telephone.outbox.presses).toMatchObject([
      { refusal: { message: 'cannot be' }, command: { fact: { playerId: 9, period: 2 } } },
    ])
    const taken = await telephone.outbox.press(goal(2))
    await telephone.outbox.erase({ press: taken.id })
    await telephone.outbox.flush()
    expect(telephone.outbox.presses).toHaveLength(1)
    await telephone.outbox.erase({ press: bad.id })
    await telephone.outbox.flush()
    expect([await telephone.kept.presses.all(), server.order]).toEqual([[], []])
  })

  test('[show-control] a telephone whose clock is an hour off: the time that is measured later puts right what was pressed in this run', async () => {
    const server = new Server()
    const telephone = new Telephone(server)
    telephone.offset = { ms: 0, measured: false }
    server.line = () => 'down'
    // held by a page that never got as far as sending
    const press = await telephone.outbox.press(goal(1))
    telephone.close()
    const untried = { ...press, tried: false }
    await telephone.kept.presses.put(untried)
    telephone.open()
    await telephone.outbox.load()
    const later = await telephone.outbox.press(goal(2))
    telephone.offset = { ms: 3_600_000, measured: true }
    server.line = () => 'up'
    await telephone.kept.presses.put({ ...later, tried: false })
    await telephone.outbox.flush()
    expect(server.done.get(later.id)?.at).toBe(later.local + 3_600_000)
    // of another run nobody knows better than was known then
    expect(server.done.get(press.id)?.at).toBe(press.at)
  })

  test.each(Array.from({ length: 60 }, (_, seed) => seed))(
    '[show-control] however lines come and go and pages are closed, nothing is lost and nothing doubled: seed %i',
    async (seed) => {
      const random = seeded(seed)
      const server = new Server()
      const telephone = new Telephone(server)
      server.line = () => random.pick(['up', 'down', 'answerLost'])
      const wanted: number[] = []
      for (let step = 0; step < 40; step++) {
        const dice = random.next()
        telephone.up = random.chance(0.5)
        if (dice < 0.5) {
          wanted.push(step)
          // durable once it resolves; whatever comes after
          await telephone.outbox.press(goal(step))
        } else if (dice < 0.7) {
          void telephone.outbox.flush()
        } else if (dice < 0.85) {
          telephone.close()
          telephone.open()
          await telephone.outbox.load()
          void telephone.outbox.flush()
        }
        for (let wait = random.below(4); wait > 0; wait--) await turn()
      }
      server.line = () => 'up'
      telephone.close()
      telephone.open()
      await telephone.outbox.load()
      await telephone.outbox.flush()
      const taken = server.order.map((id) => {
        const command = server.done.get(id)?.command
        return command?.type === 'record' ? command.fact.points : undefined
      })
      expect(taken).toEqual(wanted)
      expect(await telephone.kept.presses.all()).toEqual([])
      const times = server.order.map((id) => server.done.get(id)?.at ?? 0)
      expect(times).toEqual([...times].sort((one, other) => one - other))
    },
  )
})
