import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { within } from '../waiting/within.ts'
import { hostOf, refusedUrl } from './url-guard.ts'

const RESOLVED_WITHIN_MS = 5_000

export type Address = { address: string; family: number }
/** Every address that a name has now. */
export type Resolve = (host: string) => Promise<readonly { address: string }[]>

const system: Resolve = (host) => lookup(host, { all: true })

/**
 * Where the host of a URL that somebody named is now, or why it is not connected to: its name leads to an address that is not
 * permitted, or nowhere. Every address that the name has must be permitted. The reason is for people and holds nothing of the URL.
 */
export async function addressesNow(
  text: string,
  permits: (address: string) => boolean,
  resolve: Resolve = system,
): Promise<{ addresses: readonly Address[] } | { refused: string }> {
  const host = hostOf(text)
  if (host === undefined || refusedUrl(text, permits) !== undefined) return { refused: REFUSED }
  try {
    const found = await within(RESOLVED_WITHIN_MS, resolve(host), () => new Error('late'))
    const addresses = found.map(({ address }) => ({ address, family: isIP(address) }))
    if (addresses.length === 0) return { refused: UNKNOWN }
    return addresses.every(({ address }) => permits(address)) ? { addresses } : { refused: REFUSED }
  } catch {
    return { refused: UNKNOWN }
  }
}

const REFUSED = 'The address is not on the public internet; OUTBOUND_PRIVATE=on allows it'
const UNKNOWN = 'The host name is unknown'
