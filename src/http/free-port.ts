import { connect, createServer } from 'node:net'

/**
 * Rejects when somebody answers there: uWS by itself would share the port with a stale server. Its exclusive mode is no help, since
 * it refuses a port on which connections of a killed server are still ending, and a restart would have to wait a minute.
 */
export const mustBeFree = (host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    if (port === 0) return resolve()
    const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host
    const probe = connect({ host: reachable, port, timeout: 1_000 })
    const free = () => {
      probe.destroy()
      resolve()
    }
    probe
      .once('error', free)
      .once('timeout', free)
      .once('connect', () => {
        probe.destroy()
        reject(new Error(`cannot listen on ${host}:${port}: the address is taken`))
      })
  })

/** A port of this host that nobody has now. */
export const freePort = (host: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, host, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
