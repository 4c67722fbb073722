import { isIPv6 } from 'node:net'

/** Where a connection goes. */
export type Endpoint = { readonly host: string; readonly port: number }

const SHAPE = /^(?:(?:tls|https?):\/\/)?(?:\[(?<six>[^\]]+)\]|(?<name>[\w.-]+)):(?<port>\d{1,5})\/?$/i

/** Reads a `NODE_URL`: `tls://host:port`, `http(s)://host:port` or `host:port`; only host and port count, both are needed. */
export function parseNodeUrl(url: string): Endpoint {
  const { six, name, port } = SHAPE.exec(url.trim())?.groups ?? {}
  const host = six ?? name
  const number = Number(port)
  if (!host || (six !== undefined && !isIPv6(six)) || !(number >= 1 && number <= 65_535))
    throw new Error('NODE_URL must be a host and a port, as in tls://node-1:4001 or tls://[fd00::1]:4001')
  return { host, port: number }
}

/** Whether only processes of the same machine reach it. */
export const isLoopback = (url: string): boolean => /^(localhost|127(\.\d+){3}|::1)$/i.test(parseNodeUrl(url).host)

/** The `NODE_URL` of a listener. */
export const nodeUrl = ({ host, port }: Endpoint) => `tls://${isIPv6(host) ? `[${host}]` : host}:${port}`
