const LOCAL = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Whether only programs on this computer can open the address. */
export const isLocal = (url: string): boolean => LOCAL.test(new URL(url).hostname)

/**
 * An address that the server gave, as it can be opened from where this page was opened: a server that was not told its
 * public address says `localhost`.
 */
export function hereUrl(url: string, { hostname, origin }: Pick<Location, 'hostname' | 'origin'> = location): string {
  if (!isLocal(url) || LOCAL.test(hostname)) return url
  return origin + url.slice(new URL(url).origin.length)
}

/** As `hereUrl` of an address that video goes to or comes from, whose port is not that of pages. */
export const hereMediaUrl = (url: string, { hostname }: Pick<Location, 'hostname'> = location): string =>
  isLocal(url) ? url.replace(/^(\w+:\/\/)[^/:?]+/, `$1${hostname}`) : url
