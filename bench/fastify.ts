import Fastify from 'fastify'
import { type WebSocket, WebSocketServer } from 'ws'
import { markedKey, type Trigger } from './samples.ts'

/**
 * The server that a user would write in an afternoon: fastify with a schema for the body and one key, ws for the renderers, the
 * graphics on air in memory, gone with the process. It logs nothing, and answers and pushes as many bytes as the others.
 */
type Action = { action: string; presetId: number; variableValues: Record<string, string | number> }
type Overlay = { seq: number; graphics: Record<string, object>; renderers: Set<WebSocket> }

const frameBytes = Number(process.argv[2])
const trigger = JSON.parse(process.argv[3] ?? '{}') as Trigger
const graphic = { graphicId: trigger.graphicId, graphicName: 'reference', kind: 'code', url: '/' }
const about = JSON.stringify({ type: 'LOAD_GRAPHIC', payload: { ...graphic, data: '' } })
const data = '.'.repeat(Math.max(0, frameBytes - about.length - markedKey(trigger).length - 60))
const hello = '{"type":"HELLO","payload":{"width":1920,"height":1080}}'

const overlays = new Map<string, Overlay>()
const overlayOf = (id: string): Overlay => {
  const known = overlays.get(id)
  if (known) return known
  const overlay = { seq: 0, graphics: {}, renderers: new Set<WebSocket>() }
  overlays.set(id, overlay)
  return overlay
}

// what a client sends as a number stays one
const app = Fastify({ ajv: { customOptions: { coerceTypes: false } } })

const body = {
  type: 'object',
  required: ['action', 'presetId'],
  properties: {
    action: { enum: ['show', 'update', 'hide'] },
    presetId: { type: 'integer', minimum: 1 },
    variableValues: {
      type: 'object',
      additionalProperties: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
    },
  },
} as const

app.addHook('onRequest', async (request, reply) => {
  if (request.headers.authorization !== 'Bearer none') await reply.code(401).send({ message: 'unauthenticated' })
})

app.post<{ Params: { id: string }; Body: Action }>(
  '/rest/v2/overlays/:id/control-room/graphics',
  { schema: { body } },
  async ({ params, body: { presetId, variableValues } }) => {
    const overlay = overlayOf(params.id)
    overlay.seq++
    const shown = { ...graphic, presetId, seq: overlay.seq, variableValues }
    overlay.graphics[graphic.graphicId] = shown
    const frame = JSON.stringify({ type: 'LOAD_GRAPHIC', payload: { ...shown, data } })
    for (const renderer of overlay.renderers) renderer.send(frame)
    return { overlayId: params.id, manualGraphicState: overlay.graphics }
  },
)

const sockets = new WebSocketServer({ noServer: true })
app.server.on('upgrade', (request, socket, head) => {
  const key = /^\/overlay\/([^/]+)\/socket/.exec(request.url ?? '')?.[1]
  if (!key) return socket.destroy()
  sockets.handleUpgrade(request, socket, head, (renderer) => {
    const { renderers } = overlayOf(key)
    renderer.send(hello)
    renderer.on('message', (message) => {
      const said = JSON.parse(String(message)) as { payload: { showing?: unknown } }
      if (said.payload.showing) renderers.add(renderer)
    })
    renderer.on('close', () => renderers.delete(renderer))
  })
})

const url = await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ port: Number(new URL(url).port) })
process.on('disconnect', () => process.exit(0))
