import { expect, test } from 'vitest'
import { tellWhatEnded } from '../../src/media/after-start.ts'
import type { DestinationWish, InputWish, Observation, StreamWish } from '../../src/media/ports.ts'

const destination = (destinationId: number, phase: DestinationWish['phase']): DestinationWish => ({
  destinationId,
  phase,
  attempt: 2,
  failures: 0,
  target: { protocol: 'rtmp', url: 'rtmp://far.example/app/key', latencyMs: 200 },
})
const stream: StreamWish = {
  streamId: 5,
  organizationId: 1,
  phase: 'running',
  run: 3,
  inputId: 9,
  burn: null,
  overlayHidden: false,
  liveDue: false,
  error: null,
  destinations: [destination(6, 'connected'), destination(7, 'retrying'), destination(8, 'connecting')],
}
const input: InputWish = {
  inputId: 9,
  organizationId: 1,
  phase: 'live',
  session: 'of the last server',
  error: null,
  kind: 'push',
  streamKey: 'key',
  sourceUrl: '',
  latencyMs: 200,
  wanted: true,
}

async function toldOf(wish: StreamWish | undefined, phase: InputWish['phase']): Promise<Observation[]> {
  const told: Observation[] = []
  const wishes = {
    all: async () => ({ inputs: [], streamIds: [5] }),
    stream: async () => wish,
    input: async () => ({ ...input, phase }),
    streamOf: async () => 5,
    streamsWith: async () => [5],
  }
  await tellWhatEnded(wishes, async (seen) => void told.push(seen))
  return told
}

test('[issue 5.8] after a start what was live and connected is told to be gone, what waits and retries goes on', async () => {
  expect(await toldOf(stream, 'live')).toEqual([
    { type: 'input.lost', organizationId: 1, inputId: 9 },
    { type: 'destination.inputDown', organizationId: 1, destinationId: 6 },
  ])
  expect(await toldOf({ ...stream, inputId: null, destinations: [destination(7, 'stopped')] }, 'live')).toEqual([])
  expect(await toldOf(undefined, 'live')).toEqual([])
  expect(await toldOf({ ...stream, destinations: [] }, 'reconnecting')).toEqual([])
})
