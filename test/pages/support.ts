import { setImmediate as turn } from 'node:timers/promises'
import type { Logger } from 'pino'
import { expect, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import type { HttpReply } from '../../src/http/message.ts'
import { type Production, produce } from '../resources/support.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { httpRequest, type Sent } from '../support/http.ts'

/** What somebody may have who was given one address. */
export type Secret = { kind: 'key' | 'control' | 'monitor' | 'desk' | 'preview' | 'replay'; value: string }

export type House = Omit<Production, 'close'> & { secrets: Secret[] }

const last = (url: unknown) => String(url).split('/').at(-1) ?? ''

/** A production with every kind of address that opens something without a key. */
export async function house(app: TestApp): Promise<House> {
  const production = await produce(app)
  const { overlay, themeId, call, presets } = production
  const preview = await call('POST', `/v2/themes/${themeId}/code-graphics/${presets[0]?.graphicId}/previews`, {})
  const replay = await call('POST', `/v2/overlays/${overlay.id}/replays`, {})
  const match = await call('GET', `/v2/matches/${production.matchId}`)
  expect([preview.status, replay.status]).toEqual([201, 201])
  return {
    ...production,
    secrets: [
      { kind: 'key', value: overlay.key },
      { kind: 'control', value: last(overlay.controlRoomUrl) },
      { kind: 'monitor', value: last(overlay.monitoringUrl) },
      { kind: 'desk', value: last(match.body.deskUrl) },
      { kind: 'preview', value: last(preview.body.url) },
      { kind: 'replay', value: last(replay.body.url) },
    ],
  }
}

/** A server with two organizations, and ways to ask it anything. */
export async function startHouses(log?: Logger) {
  const app = await startApp({}, undefined, log)
  const [own, other] = [await house(app), await house(app)]
  return {
    app,
    own,
    other,
    /** A request as it came over the wire, with a path that no client has tidied up. */
    async ask(method: string, url: string, sent?: Sent): Promise<HttpReply> {
      const request = httpRequest(method, url, sent)
      // refusals wait for nothing: thousands of them in a row would keep timers and connections from their turn
      await turn()
      const reply = await app.app.request(request)
      // a machine that stood still for two seconds says nothing about who may
      return reply.status === 503 ? app.app.request(request) : reply
    },
    knock: (path: string, headers: Record<string, string> = {}) => knock(app, path, headers),
  }
}

export type Houses = Awaited<ReturnType<typeof startHouses>>

export type Knocked = {
  /** 101, or how the upgrade was refused. */
  status: Promise<number>
  closed: Promise<number>
  socket: WebSocket
}

/** Tries to open a socket. */
function knock({ origin }: TestApp, path: string, headers: Record<string, string>): Knocked {
  const socket = new WebSocket(`${origin.replace('http', 'ws')}${path}`, { headers })
  onTestFinished(() => socket.terminate())
  socket.on('error', () => {})
  return {
    socket,
    closed: new Promise((resolve) => socket.on('close', resolve)),
    status: new Promise((resolve) => {
      socket.on('open', () => resolve(101))
      socket.on('unexpected-response', (_request, response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
    }),
  }
}

export const secretOf = ({ secrets }: House, kind: Secret['kind']): string =>
  secrets.find((secret) => secret.kind === kind)?.value ?? ''
