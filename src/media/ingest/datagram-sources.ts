import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

/** Where a datagram says that it comes from. Anybody who can write packets can write any address there. */
export type Source = { address: string; port: number }

const KNOWN_FOR_MS = 5_000

/** Addresses that no single machine has: answers would go nowhere, to everybody, or to this machine. */
const nobody = new BlockList()
nobody.addSubnet('0.0.0.0', 8, 'ipv4')
nobody.addSubnet('224.0.0.0', 4, 'ipv4')
nobody.addSubnet('240.0.0.0', 4, 'ipv4')
nobody.addAddress('::', 'ipv6')
nobody.addSubnet('ff00::', 8, 'ipv6')

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** As it is written without a zone, and without the prefix that an IPv4 address has on a socket of both. */
export const plain = (address: string) => address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')

/**
 * Tells whether a datagram may be answered: not at port 0, not at an address that no machine has, and not to ourselves, since two
 * ends that answer each other do so for ever. `ownPorts` are those that our own sockets have now.
 */
export function createAnswerable(ownPorts: (port: number) => boolean, now: () => number = () => performance.now()) {
  let own = new Set<string>()
  let knownAt = Number.NEGATIVE_INFINITY
  const isOurs = (address: string, family: 'ipv4' | 'ipv6') => {
    if (loopback.check(address, family)) return true
    if (now() - knownAt > KNOWN_FOR_MS) {
      knownAt = now()
      own = new Set(Object.values(networkInterfaces()).flatMap((all) => all?.map((one) => plain(one.address)) ?? []))
    }
    return own.has(address)
  }

  return ({ address: written, port }: Source): boolean => {
    if (!Number.isInteger(port) || port < 1 || port > 65_535) return false
    const address = plain(written)
    const version = isIP(address)
    if (version === 0) return false
    const family = version === 4 ? 'ipv4' : 'ipv6'
    return !nobody.check(address, family) && !(ownPorts(port) && isOurs(address, family))
  }
}
