import { type Draft, isSame } from './draft.ts'

/** What somebody else did to a plan, by the names of rules. */
export type Foreign = {
  added: readonly string[]
  changed: readonly string[]
  removed: readonly string[]
  reordered: boolean
}

const byId = (rules: readonly Draft[]) => new Map(rules.map((rule) => [rule.id, rule]))

/** What `theirs` did to the plan that was read. */
export function foreignChanges(read: readonly Draft[], theirs: readonly Draft[]): Foreign {
  const [before, after] = [byId(read), byId(theirs)]
  const kept = (rules: readonly Draft[], others: ReadonlyMap<string, Draft>) =>
    rules.flatMap(({ id }) => (others.has(id) ? [id] : [])).join()
  return {
    added: theirs.flatMap(({ id, name }) => (before.has(id) ? [] : [name])),
    changed: theirs.flatMap((rule) => {
      const was = before.get(rule.id)
      return was && !isSame(was, rule) ? [rule.name] : []
    }),
    removed: read.flatMap(({ id, name }) => (after.has(id) ? [] : [name])),
    reordered: kept(read, after) !== kept(theirs, before),
  }
}

/**
 * Both in one: what only one of the two changed is taken from that one, what both changed is mine. The order is mine; what they
 * added stands behind the rule that it followed with them.
 */
export function mergeRules(read: readonly Draft[], mine: readonly Draft[], theirs: readonly Draft[]): Draft[] {
  const [before, after] = [byId(read), byId(theirs)]
  const merged = mine.flatMap((rule) => {
    const was = before.get(rule.id)
    const their = after.get(rule.id)
    if (!was) return [rule]
    const isMine = !isSame(was, rule)
    // they removed it: it stays only where I have changed it
    if (!their) return isMine ? [rule] : []
    return [isMine ? rule : their]
  })
  for (const [index, rule] of theirs.entries()) {
    const mineToo = merged.some(({ id }) => id === rule.id)
    const was = before.get(rule.id)
    // I removed it: it comes back only where they have changed it
    if (mineToo || (was && isSame(was, rule))) continue
    const previous = theirs[index - 1]
    merged.splice(merged.findIndex(({ id }) => id === previous?.id) + 1, 0, rule)
  }
  return merged
}
