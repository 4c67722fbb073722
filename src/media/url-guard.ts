const OUTSIDE = 'not on the public internet; OUTBOUND_PRIVATE=on allows it'

/**
 * Why a URL that somebody names is not connected to, as far as its text tells: an address that is not permitted, in any spelling
 * that resolvers take, or a name that only this network knows. Undefined when nothing speaks against it yet.
 */
export function refusedUrl(text: string, permits: (address: string) => boolean): string | undefined {
  const host = hostOf(text)
  if (host === undefined) return 'not a URL with a host'
  const isAddress = host.includes(':') || /^\d+(\.\d+){3}$/.test(host)
  if (isAddress) return permits(host) ? undefined : `${host} is ${OUTSIDE}`
  const isLocal = !host.includes('.') || /\.(localhost|local|internal|home\.arpa)$/.test(host)
  // a configuration that may reach this machine may name it
  return isLocal && !permits('127.0.0.1') ? `${host} is ${OUTSIDE}` : undefined
}

/** The host as `http` writes it: an IPv4 address with four decimal parts however it is spelled, one of IPv6 without brackets. */
export function hostOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { hostname } = new URL(text)
  if (hostname === '' || !URL.canParse(`http://${hostname}/`)) return undefined
  return new URL(`http://${hostname}/`).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}
