import { backoffMs } from './backoff.ts'
import type { DestinationWish, Observation } from './ports.ts'

/** The relay of a destination as seen. `ending`: asked to stop, its process is still there. */
export type Relaying = {
  state: 'opening' | 'flowing' | 'failed' | 'ending'
  attempt: number
  /** Of the source, when it failed. */
  generation: number
  /** Why it failed. */
  error: string
  /** Whether its source and its target are still the wanted ones. */
  current: boolean
}

/** The source that the relays of a stream read. */
export type Feed = { up: boolean; generation: number }

export type DestinationStep = {
  /** The observation for its actor; another step follows when the actor has it. */
  report?: Observation
  act?: 'start' | 'stop' | 'forget' | 'keep'
}

type Told = { now: number; random: number; organizationId: number }

/**
 * The next step for one destination, by the wish, the state of its actor and its relay as seen. A relay outlives a gap of its
 * source: the actor's next attempt takes it over (`keep`).
 */
export function destinationStep(
  wish: DestinationWish,
  relay: Relaying | undefined,
  feed: Feed,
  told: Told,
): DestinationStep {
  const { organizationId } = told
  const of = { organizationId, destinationId: wish.destinationId }
  const alive = relay?.state === 'opening' || relay?.state === 'flowing'
  const stop: DestinationStep = alive ? { act: 'stop' } : {}
  switch (wish.phase) {
    case 'stopped':
      return relay?.state === 'failed' ? { act: 'forget' } : stop
    case 'retrying': {
      const cameUp = feed.up && feed.generation > (relay?.state === 'failed' ? relay.generation : 0)
      return cameUp ? { ...stop, report: { type: 'destination.inputUp', ...of } } : stop
    }
    case 'connecting': {
      if (!relay) return feed.up ? { act: 'start' } : {}
      if (relay.state === 'ending') return {}
      if (relay.state === 'failed') return failed(wish, relay, feed, told)
      if (!relay.current) return stop
      if (relay.attempt !== wish.attempt) return { act: 'keep' }
      if (relay.state === 'opening' || !feed.up) return {}
      const at = new Date(told.now).toISOString()
      return { report: { type: 'destination.connected', ...of, attempt: wish.attempt, at } }
    }
    case 'connected': {
      if (!feed.up) return { report: { type: 'destination.inputDown', ...of } }
      if (relay?.state === 'failed') return failed(wish, relay, feed, told)
      const sends = relay?.state === 'flowing' && relay.current && relay.attempt === wish.attempt
      return sends ? {} : { ...stop, report: { type: 'destination.lost', ...of } }
    }
  }
}

function failed(wish: DestinationWish, relay: Relaying, feed: Feed, told: Told): DestinationStep {
  // an earlier attempt is known, and a source that went away is no fault of the far end
  if (relay.attempt !== wish.attempt || !feed.up || feed.generation !== relay.generation) return { act: 'forget' }
  const retryInMs = backoffMs(wish.failures + 1, told.random)
  return {
    report: {
      type: 'destination.failed',
      organizationId: told.organizationId,
      destinationId: wish.destinationId,
      attempt: wish.attempt,
      error: relay.error,
      retryInMs,
      nextRetryDate: new Date(told.now + retryInMs).toISOString(),
    },
  }
}
