import { BlockList, isIP } from 'node:net'

/** Networks of a house or a studio. Not this machine, nor link-local addresses, among which are metadata services. */
const local = new BlockList()
local.addSubnet('10.0.0.0', 8, 'ipv4')
local.addSubnet('100.64.0.0', 10, 'ipv4')
local.addSubnet('172.16.0.0', 12, 'ipv4')
local.addSubnet('192.168.0.0', 16, 'ipv4')
local.addSubnet('fc00::', 7, 'ipv6')

/** Whether an IP address (no host name) is one of a local network. */
export function isLocalNetwork(address: string): boolean {
  const family = isIP(address)
  return family !== 0 && local.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** For messages: what an address of an OBS may be. */
export const ALLOWED = 'of a local network or the public internet'

/**
 * Why an OBS is not at this URL, as far as its text tells; undefined when nothing speaks against it yet. `refuses` is the rule for everything
 * else that a URL names. Names of the local network are what people have: they are looked at when they are connected to.
 */
export function refusedObs(url: string, refuses: (url: string) => string | undefined): string | undefined {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  const isThisMachine = /(^|\.)localhost\.?$/.test(host)
  if (isIP(host) === 0 && !isThisMachine) return undefined
  if (isLocalNetwork(host) || refuses(url) === undefined) return undefined
  return `${host} is not an address ${ALLOWED}; OUTBOUND_PRIVATE=on allows it`
}
