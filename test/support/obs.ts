import { createHash, randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'

type Input = { inputName: string; inputKind: string; inputSettings: Record<string, unknown> }
type Options = {
  password?: string
  inputs?: Input[]
  /** Takes the connection and says nothing; `after` Hello: takes the password and says nothing more. */
  silent?: boolean | 'after'
  /** Says this instead of Hello. */
  greeting?: string
}

export type ObsDouble = {
  readonly url: string
  /** Every request that it was asked, in order. */
  readonly asked: { requestType: string; requestData?: Record<string, unknown> }[]
  /** The names of the inputs whose button was pressed. */
  refreshed(): unknown[]
  readonly connections: () => number
  close(): Promise<void>
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64')

/** obs-websocket 5 as its protocol says it, as far as a client of ours goes: Hello, Identify with authentication, requests. */
export async function obsDouble(options: Options = {}, port = 0): Promise<ObsDouble> {
  const asked: ObsDouble['asked'] = []
  let connections = 0
  const server = new WebSocketServer({
    port,
    host: '127.0.0.1',
    handleProtocols: (offered) => (offered.has('obswebsocket.json') ? 'obswebsocket.json' : false),
  })
  await new Promise<void>((resolve) => server.on('listening', resolve))
  server.on('connection', (socket) => {
    connections++
    socket.on('error', () => {})
    if (options.silent === true) return
    if (options.greeting !== undefined) return socket.send(options.greeting)
    talk(socket, options, asked)
  })
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    refreshed: () =>
      asked
        .filter(({ requestType }) => requestType === 'PressInputPropertiesButton')
        .map(({ requestData }) => requestData?.inputName),
    connections: () => connections,
    close: () =>
      new Promise<void>((resolve) => {
        for (const socket of server.clients) socket.terminate()
        server.close(() => resolve())
      }),
  }
}

function talk(socket: WebSocket, { password, inputs = [], silent }: Options, asked: ObsDouble['asked']): void {
  const challenge = randomBytes(32).toString('base64')
  const salt = randomBytes(32).toString('base64')
  const say = (op: number, d: object) => socket.send(JSON.stringify({ op, d }))
  let identified = false
  socket.on('message', (data) => {
    const { op, d } = JSON.parse(String(data)) as { op: number; d: Record<string, unknown> }
    if (!identified) {
      if (op !== 1) return socket.close(4007, 'not identified')
      if (d.rpcVersion !== 1) return socket.close(4010, 'unsupported RPC version')
      const proof = password === undefined ? undefined : sha256(sha256(password + salt) + challenge)
      if (proof !== undefined && d.authentication !== proof) return socket.close(4009, 'Authentication failed.')
      identified = true
      if (silent !== 'after') say(2, { negotiatedRpcVersion: 1 })
      return
    }
    if (op !== 6) return socket.close(4006, 'unknown op code')
    const {
      requestType,
      requestId,
      requestData = {},
    } = d as {
      requestType: string
      requestId: string
      requestData?: Record<string, unknown>
    }
    asked.push({ requestType, requestData })
    const answer = (responseData?: object) =>
      say(7, { requestType, requestId, requestStatus: { result: true, code: 100 }, responseData })
    const refuse = (code: number, comment: string) =>
      say(7, { requestType, requestId, requestStatus: { result: false, code, comment } })
    const input = inputs.find(({ inputName }) => inputName === requestData.inputName)
    if (requestType === 'GetInputList')
      return answer({ inputs: inputs.filter(({ inputKind }) => inputKind === requestData.inputKind) })
    if (!input) return refuse(600, 'No source was found')
    if (requestType === 'GetInputSettings')
      return answer({ inputSettings: input.inputSettings, inputKind: input.inputKind })
    if (requestType === 'PressInputPropertiesButton')
      return requestData.propertyName === 'refreshnocache' ? answer() : refuse(600, 'Unable to find a property')
    refuse(204, 'unknown request type')
  })
  say(0, {
    obsWebSocketVersion: '5.5.4',
    rpcVersion: 1,
    ...(password !== undefined && { authentication: { challenge, salt } }),
  })
}
