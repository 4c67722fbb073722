import { BlockList, isIP } from 'node:net'

/** Addresses outside the public internet: our own network, this machine, metadata services, reserved and test ranges. */
const notPublicV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const
/** Within the only public range 2000::/3: special purposes, documentation, and tunnels that carry an IPv4 address. */
const notPublicV6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const refused = new BlockList()
for (const [net, bits] of notPublicV4) refused.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of notPublicV6) refused.addSubnet(net, bits, 'ipv6')
const unicastV6 = new BlockList()
unicastV6.addSubnet('2000::', 3, 'ipv6')

/** Whether an IP address (no host name) is one of the public internet. Anything that is no address is not. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  // an address of IPv4 in the clothes of IPv6 is outside of 2000::/3
  if (family === 6) return unicastV6.check(address, 'ipv6') && !refused.check(address, 'ipv6')
  return family === 4 && !refused.check(address, 'ipv4')
}
