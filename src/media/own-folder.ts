import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config.ts'

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** Where other nodes reach this one. It may be written without a scheme. */
export function nodeAddress({ url, port }: Pick<Config['node'], 'url' | 'port'>): { host: string; port: string } {
  if (url === undefined) return { host: hostname(), port: String(port) }
  const parsed = new URL(url.includes('://') ? url.replace(/^(tls|https?):/, 'ws:') : `ws://${url}`)
  return { host: parsed.hostname, port: parsed.port || '80' }
}

/**
 * Of this node alone, and the same at its next start, also where several nodes share `DATA_DIR`: what a run left behind is ended and
 * removed by the next one, which would take what a neighbour has there for such a rest.
 */
export function ownMediaFolder({ dataDir, redisUrl, place, node }: Config): string {
  if (!redisUrl) return join(dataDir, 'media')
  const { host, port } = nodeAddress(node)
  // nodes of one machine that one process keeps: their addresses are others at each start
  if (place !== undefined && LOOPBACK.test(host)) return join(dataDir, place === 1 ? 'media' : `media-${place}`)
  return join(dataDir, `media-${host.replace(/[^\w.-]+/g, '_')}-${port}`)
}
