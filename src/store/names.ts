import { lookup as askSystem, Resolver } from 'node:dns'
import type { LookupFunction } from 'node:net'

/** Of each of the two tries. */
const ANSWER_WITHIN_MS = 2_500
const TRIES = 2
/** A machine comes to another network, with other name servers, which are read once for each resolver. */
const RENEWED_AFTER_MS = 10_000
/** The name servers know of no such address, or there are none: the system may, by its list of hosts or its search domains. */
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'])

/** `localhost`, names without a dot, and those of the network at hand are no matter of name servers. */
const isOfSystem = (hostname: string) => !hostname.includes('.') || /(^|\.)(localhost|local)\.?$/i.test(hostname)

type Setup = {
  /** Name servers, with ports; those of the system unless said. */
  servers?: readonly string[]
  withinMs?: number
  /** Asked for names that no name server knows. */
  system?: LookupFunction
}

/**
 * Addresses of a host, asked of the name servers over sockets. The system's own way takes one of a few threads that files and passwords need as
 * well, and keeps it for as long as a name server is silent: a handful of dead names would hold up everybody.
 */
export function createNames({ servers, withinMs = ANSWER_WITHIN_MS, system = askSystem }: Setup = {}): LookupFunction {
  let resolver: Resolver | undefined
  let madeAt = 0
  const current = (): Resolver => {
    if (resolver && performance.now() - madeAt < RENEWED_AFTER_MS) return resolver
    resolver = new Resolver({ timeout: withinMs, tries: TRIES })
    if (servers) resolver.setServers(servers)
    madeAt = performance.now()
    return resolver
  }

  const asked = (hostname: string, family: 4 | 6) =>
    new Promise<{ found: { address: string; family: number }[]; code: string | undefined }>((resolve) => {
      const ended = (error: NodeJS.ErrnoException | null, addresses: string[] = []) =>
        resolve({ found: addresses.map((address) => ({ address, family })), code: error?.code })
      if (family === 4) current().resolve4(hostname, ended)
      else current().resolve6(hostname, ended)
    })

  return (hostname, options, callback) => {
    if (isOfSystem(hostname)) return system(hostname, options, callback)
    const { family } = options
    const families: readonly (4 | 6)[] = family === 4 || family === 6 ? [family] : [4, 6]
    void Promise.all(families.map((family) => asked(hostname, family))).then((answers) => {
      const found = answers.flatMap((answer) => answer.found)
      const [first] = found
      if (!first) {
        if (answers.every(({ code }) => code === undefined || UNKNOWN.has(code)))
          return system(hostname, options, callback)
        const code = answers.find((answer) => answer.code && !UNKNOWN.has(answer.code))?.code
        return callback(Object.assign(new Error(`no address of ${hostname}`), { code }), '', 0)
      }
      if (options.all) callback(null, found)
      else callback(null, first.address, first.family)
    })
  }
}
