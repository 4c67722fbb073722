/** Programs that host a browser source, by the part that they put into its user agent. */
const HOSTS: readonly [name: string, pattern: RegExp][] = [
  ['OBS', /\bOBS\/(\d+(?:\.\d+)?)/],
  ['Streamlabs', /\b(?:SLOBS|Streamlabs)(?:\/(\d+(?:\.\d+)?))?/i],
  ['vMix', /\bvMix(?:[/ ](\d+(?:\.\d+)?))?/i],
  ['CasparCG', /\bCasparCG(?:[/ ](?:Server[/ ])?(\d+(?:\.\d+)?))?/i],
]
const ENGINES: readonly [name: string, pattern: RegExp][] = [
  ['Edge', /\bEdg\/(\d+)/],
  ['Chromium', /\b(?:HeadlessChrome|Chrome|Chromium)\/(\d+)/],
  ['Firefox', /\bFirefox\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* Safari/],
]

function found(kinds: typeof HOSTS, userAgent: string): string[] {
  for (const [name, pattern] of kinds) {
    const match = pattern.exec(userAgent)
    if (match) return [match[1] === undefined ? name : `${name} ${match[1]}`]
  }
  return []
}

const MAX_KEPT = 1000
// the same few of a production: their sockets share one text
const kept = new Map<string, string>()

/** Host and engine of a renderer from its user agent: `OBS 31.0, Chromium 127`; `unknown` for anything else. */
export function engineOf(userAgent: string): string {
  const known = kept.get(userAgent)
  if (known !== undefined) return known
  const text = [...found(HOSTS, userAgent), ...found(ENGINES, userAgent)].join(', ') || 'unknown'
  if (kept.size >= MAX_KEPT) kept.clear()
  kept.set(userAgent, text)
  return text
}
