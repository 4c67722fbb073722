import { type LiveMessage, liveMessages } from '../../src/realtime/followers/live-protocol.ts'
import { type FakeSocket, type Studio, settle } from './studio.ts'

type Of<Type extends LiveMessage['type']> = Extract<LiveMessage, { type: Type }>['payload']

/** The messages of a follower, each checked against its schema. */
export function told(socket: FakeSocket): LiveMessage[] {
  return socket.frames.map((text) => {
    const message = JSON.parse(text)
    liveMessages[message.type as LiveMessage['type']].strict().parse(message.payload)
    return message
  })
}

/** Those of one type. */
export const payloads = <Type extends LiveMessage['type']>(socket: FakeSocket, type: Type): Of<Type>[] =>
  told(socket).flatMap((message) => (message.type === type ? [message.payload as Of<Type>] : []))

/** The newest of one type. */
export const last = <Type extends LiveMessage['type']>(socket: FakeSocket, type: Type): Of<Type> => {
  const found = payloads(socket, type).at(-1)
  if (!found) throw new Error(`no ${type} was told`)
  return found
}

/** A page, panel or script that follows overlay 1, by a token unless the path is `keyPath`. */
export const follow = async (studio: Studio, path = '/monitor/{token}/socket', query = '') => {
  const token = path.startsWith('/monitor') ? 'monitoring-1' : 'control-1'
  const socket = await studio.upgrade(path, { token, overlayId: '1' }, query)
  if (!socket) throw new Error('the upgrade was refused')
  await settle()
  return socket
}

/** Where API keys follow. */
export const keyPath = '/rest/v2/overlays/{overlayId}/socket'
