import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DESTINATIONS } from '../support/media-wishes.ts'
import { MediaWorld } from '../support/media-world.ts'

const COMMANDS = ['start', 'stop', 'goLive', 'publish', 'unpublish', 'overlay'] as const
const STEPS = 60
const SEEDS = 16

async function step(world: MediaWorld): Promise<void> {
  const chance = world.chance()
  if (chance < 0.5) world.command(COMMANDS[Math.floor(world.chance() * COMMANDS.length)] ?? 'start')
  else if (chance < 0.55) world.flip()
  else if (chance < 0.62) world.send()
  else if (chance < 0.67) world.leave(world.chance() < 0.5)
  else if (chance < 0.7) await world.crashEngine()
  else if (chance < 0.74) await world.crashServer()
  else if (chance < 0.86) world.breakOne()
  else {
    const id = DESTINATIONS[Math.floor(world.chance() * DESTINATIONS.length)] ?? 11
    if (!world.refusing.delete(id)) world.refusing.add(id)
  }
  const waits = [0, 50, 200, 1_000, 6_000]
  await world.pass(waits[Math.floor(world.chance() * waits.length)] ?? 0)
}

const stateOf = (world: MediaWorld) => ({
  phase: world.stream.context.phase,
  input: world.input.context.phase,
  error: world.stream.context.error,
  destinations: DESTINATIONS.map((id) => ({
    id,
    phase: world.destinations.get(id)?.context.phase,
    relays: world.running(id).length,
  })),
  programs: world.programs.filter(({ over }) => !over).length,
})

describe('[issue 5.1] whatever happens in whatever order', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test.each(Array.from({ length: SEEDS }, (_, n) => [n + 1, n % 2 === 1] as const))(
    'once it is quiet everything runs as it is wanted, and nothing twice (seed %i, burned in %s)',
    async (seed, burn) => {
      const world = new MediaWorld(seed, burn)
      for (let n = 0; n < STEPS; n++) await step(world)
      world.refusing.clear()
      await world.pass(20_000)
      for (const command of ['start', 'goLive', 'publish'] as const) {
        if (world.chance() < 0.8) world.command(command)
        await world.pass(3_000)
      }
      world.send()
      await world.pass(60_000)
      const { phase, publishing } = world.stream.context
      const runs = phase === 'running'
      const told = world.log.slice(-80).join('\n')
      expect(world.faults, told).toEqual([])
      expect(stateOf(world), told).toEqual({
        phase: runs ? 'running' : 'stopped',
        input: 'live',
        error: runs ? null : world.stream.context.error,
        destinations: DESTINATIONS.map((id) =>
          publishing.includes(id) ? { id, phase: 'connected', relays: 1 } : { id, phase: 'stopped', relays: 0 },
        ),
        programs: runs && burn ? 1 : 0,
      })
    },
  )
})
