/** A URL with its host replaced by the address that was checked, so that its name cannot lead elsewhere the next time. */
export const atAddress = (url: string, address: string): string =>
  url.replace(
    /^([a-z]+:\/\/(?:[^/@?]*@)?)(\[[^\]]*\]|[^/:?]*)/i,
    (_all, before: string) => before + (address.includes(':') ? `[${address}]` : address),
  )

/** RTMP to the address that was checked, while the server is told the name that it was asked by. */
export function rtmpAtAddress(url: string, address: string): { options: readonly string[]; url: string } {
  const { host, pathname, search } = new URL(url)
  // an application with a query of its own is told as it stands
  if (search.includes('/')) return { options: [], url }
  const [, application = '', instance, name] = pathname.split('/')
  const app = name === undefined ? application : `${application}/${instance}`
  return { options: ['-rtmp_tcurl', `rtmp://${host}/${app}`], url: atAddress(url, address) }
}
