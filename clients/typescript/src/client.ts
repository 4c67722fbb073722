import { TallyError } from './error.ts'
import { type Following, follow, type Target } from './follow.ts'
import { type Asking, addressOf, type Connection, limitOf, send } from './request.ts'
import type { Answer, Arguments, LiveMessage, Method, PathsWith } from './types.ts'

/** One function for each method; paths are those of the reference. Each throws `TallyError` for what is no success. */
export type Tally = {
  [M in Method]: <Path extends PathsWith<M>>(path: Path, ...asked: Arguments<M, Path>) => Promise<Answer<M, Path>>
} & {
  /**
   * What happens on an overlay, for as long as the loop runs. By its id with the client's key, or by `controlRoomUrl` or `monitoringUrl`, which are
   * secrets themselves and need no key: browsers cannot send one with a socket.
   */
  follow(overlay: number | string, following?: Following): AsyncGenerator<LiveMessage, void, undefined>
}

/** A client of one server. It keeps no connection open and needs no closing. */
export function createTally(connection: Connection): Tally {
  const call =
    (method: Method) =>
    (path: string, asked?: Asking): Promise<unknown> =>
      send(connection, method, path, asked)
  const calls = { get: call('get'), post: call('post'), put: call('put'), patch: call('patch'), delete: call('delete') }
  return {
    ...(calls as Pick<Tally, Method>),
    follow: (overlay, following) => follow(targetOf(connection, overlay), following),
  }
}

function targetOf(connection: Connection, overlay: number | string): Target {
  if (typeof overlay === 'string')
    return { url: `${webSocketOf(overlay)}/socket`, check: (signal) => isThere(connection, overlay, signal) }
  const path = { overlayId: overlay }
  return {
    url: webSocketOf(addressOf(connection.url, '/v2/overlays/{overlayId}/socket', { path })),
    async check(signal) {
      await send({ ...connection, retryForMs: 0 }, 'get', '/v2/overlays/{overlayId}', {
        path,
        ...(signal && { signal }),
      })
    },
    ...(connection.key !== undefined && { key: connection.key }),
  }
}

const webSocketOf = (url: string) => url.replace(/^http/, 'ws').replace(/\/+$/, '')

async function isThere(connection: Connection, page: string, signal?: AbortSignal): Promise<void> {
  const fetched = connection.fetch ?? globalThis.fetch
  const { status } = await fetched(page, { cache: 'no-store', signal: limitOf(connection, signal) })
  if (status === 404) throw new TallyError('There is no such page', { status })
}
