import { isIPv6 } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type Endpoint, isLoopback, parseNodeUrl } from '../node-url.ts'

/** Where other nodes reach this one, with the host as in a URL. */
export function nodeAddress({ url, port }: Pick<Config['node'], 'url' | 'port'>): Endpoint {
  if (url === undefined) return { host: hostname(), port }
  const address = parseNodeUrl(url)
  return isIPv6(address.host) ? { ...address, host: `[${address.host}]` } : address
}

/**
 * Of this node alone, and the same at its next start, also where several nodes share `DATA_DIR`: what a run left behind is ended and
 * removed by the next one, which would take what a neighbour has there for such a rest.
 */
export function ownMediaFolder({ dataDir, redisUrl, place, node }: Config): string {
  if (!redisUrl) return join(dataDir, 'media')
  const { host, port } = nodeAddress(node)
  // nodes of one machine that one process keeps: their addresses are others at each start
  if (place !== undefined && node.url !== undefined && isLoopback(node.url))
    return join(dataDir, place === 1 ? 'media' : `media-${place}`)
  return join(dataDir, `media-${host.replace(/[^\w.-]+/g, '_')}-${port}`)
}
