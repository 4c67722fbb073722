import { notOurPage } from '../errors.ts'
import type { HttpRequest } from '../http/message.ts'

const READS = new Set(['GET', 'HEAD'])

/**
 * Throws notOurPage when a browser says that another page than ours asks, and for a write without the header that neither a form
 * nor another origin can send. `publicUrl` is an origin of ours beside the one that the request was sent to.
 */
export function requireOurPage(request: Pick<HttpRequest, 'method' | 'header'>, publicUrl: string): void {
  const site = request.header('sec-fetch-site')
  if (site === 'cross-site' || site === 'same-site') throw notOurPage()
  const origin = request.header('origin')
  if (origin !== '' && !isOurs(origin, request.header('host'), publicUrl)) throw notOurPage()
  if (!READS.has(request.method) && request.header('x-requested-with') !== 'tally') throw notOurPage()
}

function isOurs(origin: string, host: string, publicUrl: string): boolean {
  if (origin === new URL(publicUrl).origin) return true
  return host !== '' && /^https?:\/\/[^/]+$/.test(origin) && origin.replace(/^https?:\/\//, '') === host
}
