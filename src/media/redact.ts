const URL_IN_TEXT = /\b([a-z][a-z0-9+.-]*):\/\/[^\s'"<>]+/gi
/** Shorter parts of a URL are words such as `live` or `app`. */
const SHORTEST_SECRET = 6
const NO_SECRET = /^(\d{1,8}|publish|request|listener|caller)$/

/** The parts of these arguments that people must not read: keys, tokens, stream ids, passwords. */
export function secretsOf(args: readonly string[]): string[] {
  const secrets = new Set<string>()
  for (const arg of args) {
    if (!arg.includes('://')) continue
    const [, rest = ''] = arg.split(/:\/\/(.*)/s)
    const [address = '', query = ''] = rest.split(/\?(.*)/s)
    const [host = '', ...path] = address.split('/')
    const values = query.split('&').map((pair) => pair.slice(pair.indexOf('=') + 1))
    const userInfo = host.includes('@') ? host.slice(0, host.lastIndexOf('@')).split(':') : []
    for (const part of [...path, ...values.flatMap((value) => [value, ...value.split(/[:,=]/)]), ...userInfo]) {
      for (const text of [part, decoded(part)])
        if (text.length >= SHORTEST_SECRET && !NO_SECRET.test(text)) secrets.add(text)
    }
  }
  // the longest first: a part of it may be a secret too
  return [...secrets].sort((a, b) => b.length - a.length)
}

/** Text for logs and people: of a URL only its scheme is left, and no secret anywhere. */
export const redact = (text: string, secrets: readonly string[] = []): string =>
  secrets.reduce((clean, secret) => clean.replaceAll(secret, '***'), text.replace(URL_IN_TEXT, '$1://…'))

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
