import { lookup } from 'node:dns/promises'
import { refusedUrl } from './url-guard.ts'

const RESOLVED_WITHIN_MS = 5_000

/**
 * Why a URL that somebody named is not connected to now: its name leads to an address that is not permitted, or nowhere. For
 * people; holds nothing of the URL. Undefined when it may be. Every address that the name has must be permitted.
 */
export async function refusedNow(
  text: string,
  permits: (address: string) => boolean,
  resolve: (host: string) => Promise<readonly { address: string }[]> = (host) => lookup(host, { all: true }),
): Promise<string | undefined> {
  if (refusedUrl(text, permits) !== undefined) return REFUSED
  const host = new URL(text).hostname.replace(/^\[|\]$/g, '')
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('late')), RESOLVED_WITHIN_MS)
  })
  try {
    const found = await Promise.race([resolve(host), late])
    if (found.length === 0) return UNKNOWN
    return found.every(({ address }) => permits(address)) ? undefined : REFUSED
  } catch {
    return UNKNOWN
  } finally {
    clearTimeout(timer)
  }
}

const REFUSED = 'The address is not on the public internet; OUTBOUND_PRIVATE=on allows it'
const UNKNOWN = 'The host name is unknown'
