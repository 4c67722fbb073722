import { expect, test } from 'vitest'
import { type DeskOf, Desks } from '../../src/realtime/desks.ts'
import type { Socket, SocketEvents, UpgradeRequest } from '../../src/realtime/socket.ts'

const DESK: DeskOf = { matchId: 7, organizationId: 1, wasOpened: true }
const request = { params: { token: 'old' } } as Partial<UpgradeRequest> as UpgradeRequest

/** Desks of which one match has the given address; a telephone is let in by steps. */
function pitch() {
  const at = { address: 'old' }
  const desks = new Desks({
    clock: { wall: () => 0, after: () => () => {} },
    find: async (token) => (token === at.address ? DESK : undefined),
    opened() {},
  })
  const ends: number[] = []
  const socket: Socket = {
    subscribe() {},
    unsubscribe() {},
    bufferedBytes: () => 0,
    send: () => true,
    end: (code) => void ends.push(code),
  }
  const open = (telephone: SocketEvents) => telephone.open(socket)
  return { at, desks, ends, open }
}

async function letIn({ desks }: ReturnType<typeof pitch>): Promise<SocketEvents> {
  const telephone = await desks.endpoint().accept(request)
  if (!telephone) throw new Error('the desk has this address')
  return telephone
}

test('[show-control] a telephone whose address is replaced while it is on its way in is shut out', async () => {
  const place = pitch()
  const telephone = await letIn(place)
  place.at.address = 'new'
  await place.desks.changed(DESK.matchId)
  place.open(telephone)
  await expect.poll(() => place.ends).toEqual([1008])
})

test('[show-control] a telephone stays when the address of another match was replaced on its way in', async () => {
  const place = pitch()
  const telephone = await letIn(place)
  await place.desks.changed(DESK.matchId + 1)
  place.open(telephone)
  // one that is there is asked after it
  await place.desks.changed()
  expect(place.ends).toEqual([])
})
