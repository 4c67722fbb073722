export type Pair<L, R> = { local: L; remote?: R }

/**
 * Pairs the entries of a folder with those of a server, by key; of several with one key the first goes with the first. Entries
 * left of the server are `extra`.
 */
export function pairUp<L extends object, R extends object>(
  local: readonly L[],
  remote: readonly R[],
  keyOfLocal: (one: L) => string,
  keyOfRemote: (one: R) => string,
): { pairs: Pair<L, R>[]; extra: R[] } {
  const waiting = new Map<string, R[]>()
  for (const one of remote) {
    const key = keyOfRemote(one)
    const same = waiting.get(key)
    if (same) same.push(one)
    else waiting.set(key, [one])
  }
  const pairs = local.map((one) => {
    const found = waiting.get(keyOfLocal(one))?.shift()
    return found === undefined ? { local: one } : { local: one, remote: found }
  })
  const taken = new Set(pairs.map((pair) => pair.remote))
  return { pairs, extra: remote.filter((one) => !taken.has(one)) }
}
