import { lookup as askSystem, Resolver } from 'node:dns'
import { readFileSync } from 'node:fs'
import type { LookupFunction } from 'node:net'

/** Of each of the two tries. */
const ANSWER_WITHIN_MS = 2_500
const TRIES = 2
/** A machine comes to another network, with other name servers, which are read once for each resolver; so is its list of hosts. */
const RENEWED_AFTER_MS = 10_000
const LIST_OF_HOSTS = '/etc/hosts'
/** The name servers know of no such address, or there are none: the system may, by its search domains. */
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'])

/** `localhost`, names without a dot, and those of the network at hand are no matter of name servers. */
const isOfSystem = (hostname: string) => !hostname.includes('.') || /(^|\.)(localhost|local)\.?$/i.test(hostname)

/** The names of a list of hosts: whoever runs the machine says where they lead, whatever name servers know. Without such a list none. */
function namesIn(list: string): ReadonlySet<string> {
  try {
    const lines = readFileSync(list, 'utf8').toLowerCase().split('\n')
    return new Set(lines.flatMap((line) => line.replace(/#.*/, '').trim().split(/\s+/).slice(1)))
  } catch {
    return new Set()
  }
}

type Setup = {
  /** Name servers, with ports; those of the system unless said. */
  servers?: readonly string[]
  withinMs?: number
  /** Asked for names that no name server knows, and for those of its list. */
  system?: LookupFunction
  /** The path of that list. */
  hosts?: string
}

/**
 * Addresses of a host, asked of the name servers over sockets. The system's own way takes one of a few threads that files and passwords need as
 * well, and keeps it for as long as a name server is silent: a handful of dead names would hold up everybody.
 */
export function createNames({
  servers,
  withinMs = ANSWER_WITHIN_MS,
  system = askSystem,
  hosts = LIST_OF_HOSTS,
}: Setup = {}): LookupFunction {
  let known: { resolver: Resolver; listed: ReadonlySet<string> } | undefined
  let madeAt = 0
  const current = () => {
    if (known && performance.now() - madeAt < RENEWED_AFTER_MS) return known
    const resolver = new Resolver({ timeout: withinMs, tries: TRIES })
    if (servers) resolver.setServers(servers)
    known = { resolver, listed: namesIn(hosts) }
    madeAt = performance.now()
    return known
  }

  const asked = (resolver: Resolver, hostname: string, family: 4 | 6) =>
    new Promise<{ found: { address: string; family: number }[]; code: string | undefined }>((resolve) => {
      const ended = (error: NodeJS.ErrnoException | null, addresses: string[] = []) =>
        resolve({ found: addresses.map((address) => ({ address, family })), code: error?.code })
      if (family === 4) resolver.resolve4(hostname, ended)
      else resolver.resolve6(hostname, ended)
    })

  return (hostname, options, callback) => {
    const { resolver, listed } = current()
    if (isOfSystem(hostname) || listed.has(hostname.toLowerCase().replace(/\.$/, '')))
      return system(hostname, options, callback)
    const { family } = options
    const families: readonly (4 | 6)[] = family === 4 || family === 6 ? [family] : [4, 6]
    void Promise.all(families.map((family) => asked(resolver, hostname, family))).then((answers) => {
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
