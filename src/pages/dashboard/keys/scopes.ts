/** The resources that scopes name, with the operations that each one opens. spec: Authentication 4 */
export const RESOURCES = [
  ['matches', 'Matches, facts, line-ups'],
  ['competitions', 'Competitions, theme profiles'],
  ['teams', 'Teams and their rosters'],
  ['players', 'Players and officials'],
  ['venues', 'Venues'],
  ['overlays', 'Overlays, graphics on air, as-run'],
  ['streams', 'Streams, inputs, destinations'],
  ['data-sources', 'Rows pushed into graphics'],
  ['themes', 'Themes, graphics, control rooms'],
  ['webhooks', 'What is told to other servers'],
] as const

export type Access = 'none' | 'read' | 'write'
export type Accesses = Readonly<Record<string, Access>>

/** The scopes that are asked for: write includes read. */
export const scopesOf = (accesses: Accesses): string[] =>
  RESOURCES.flatMap(([resource]) => {
    const access = accesses[resource] ?? 'none'
    return access === 'none' ? [] : [`${resource}:${access}`]
  })

/** The accesses that these scopes open, by resource. */
export const accessesOf = (scopes: readonly string[]): Accesses =>
  Object.fromEntries(
    RESOURCES.map(([resource]) => {
      const read = scopes.includes(`${resource}:read`) ? 'read' : 'none'
      return [resource, scopes.includes(`${resource}:write`) ? 'write' : read]
    }),
  )

/** `Write: overlays, streams. Read: matches.` */
export function scopesInWords(scopes: readonly string[]): string {
  const writes = scopes.filter((scope) => scope.endsWith(':write')).map((scope) => scope.replace(':write', ''))
  const reads = scopes
    .filter((scope) => scope.endsWith(':read'))
    .map((scope) => scope.replace(':read', ''))
    .filter((resource) => !writes.includes(resource))
  const named = (resources: readonly string[]) =>
    resources.length === RESOURCES.length ? 'everything' : resources.join(', ')
  return [writes.length > 0 && `Write: ${named(writes)}`, reads.length > 0 && `Read: ${named(reads)}`]
    .filter(Boolean)
    .join('. ')
}
