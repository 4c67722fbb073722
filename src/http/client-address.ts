import { isIP } from 'node:net'
import type { HttpRequest } from './message.ts'

/**
 * From where a request came. Behind so many proxies of ours it is the address that the outermost of them added to
 * X-Forwarded-For; anybody can write the entries before it.
 */
export function clientAddress(request: Pick<HttpRequest, 'header' | 'remoteAddress'>, proxies: number): string {
  const forwarded = proxies > 0 ? request.header('x-forwarded-for').split(',').at(-proxies)?.trim() : undefined
  return plain(forwarded !== undefined && isIP(forwarded) > 0 ? forwarded : request.remoteAddress)
}

/** The network whose attempts count together: an address, or of IPv6 the /64 that one subscriber has. */
export const networkOf = (address: string): string =>
  isIP(address) === 6 ? `${hextets(address).slice(0, 4).join(':')}::/64` : address

/** An address of IPv4 in the clothes of IPv6 is one of IPv4. */
function plain(address: string): string {
  if (isIP(address) !== 6) return address
  const parts = hextets(address)
  if (parts.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return address
  return parts
    .slice(6)
    .flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255])
    .join('.')
}

/** The eight parts in hexadecimal, without leading zeros. */
function hextets(address: string): string[] {
  const canonical = new URL(`http://[${address.replace(/%.*/, '')}]`).hostname.slice(1, -1)
  const [head = [], tail] = canonical.split('::').map((half) => half.split(':').filter((part) => part !== ''))
  if (!tail) return head
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail]
}
