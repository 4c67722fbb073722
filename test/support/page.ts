import { once } from 'node:events'
import { expect, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { LiveMessage } from '../../src/realtime/followers/live-protocol.ts'

/** What a follower with an API key is told. */
export const follow = (origin: string, overlayId: number, apiKey: string, cursor = '') =>
  hearing(
    new WebSocket(`${origin.replace('http', 'ws')}/rest/v2/overlays/${overlayId}/socket?cursor=${cursor}`, {
      headers: { Authorization: `Bearer ${apiKey}` },
    }),
  )

/** What a page of an overlay is told. */
export const open = (origin: string, page: string) =>
  hearing(new WebSocket(`${origin.replace('http', 'ws')}${page}/socket`))

async function hearing(socket: WebSocket) {
  onTestFinished(() => socket.terminate())
  const told: LiveMessage[] = []
  socket.on('message', (text) => told.push(JSON.parse(String(text))))
  await once(socket, 'open')
  const of = <Type extends LiveMessage['type']>(type: Type) =>
    told.filter((message): message is Extract<LiveMessage, { type: Type }> => message.type === type)
  await vi.waitFor(() => expect(told.length).toBeGreaterThan(0))
  return {
    socket,
    of,
    seq: () => Math.max(...[...of('SNAPSHOT'), ...of('CHANGE')].map(({ payload }) => payload.seq)),
    changes: () => of('CHANGE').map(({ payload }) => payload.seq),
    /** `painted` of the graphic that was shown last, as `1 of 2`. */
    lamp() {
      const all = told.flatMap(({ type, payload }) => {
        if (type === 'SNAPSHOT') return payload.onAir
        if (type === 'CHANGE') return payload.shown
        return type === 'PAINTED' ? payload.graphics : []
      })
      const seq = Math.max(...all.map((graphic) => graphic.seq))
      const found = all.findLast((graphic) => graphic.seq === seq)
      return found && `${found.painted.renderers} of ${found.painted.of}`
    },
    /** The renderers of the overlay, wherever they are connected. */
    renderers() {
      // the first SNAPSHOT has them all unless the machine is busy, and the next list does then
      const list = of('RENDERERS').at(-1) ?? of('SNAPSHOT').at(-1)
      return list?.payload.renderers.map(({ name }) => name).sort()
    },
  }
}

/** A control room, as a socket. */
export type Page = Awaited<ReturnType<typeof follow>>
