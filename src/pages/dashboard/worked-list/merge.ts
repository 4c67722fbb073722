import type { Item } from './edits.ts'

/** Changes of a list by somebody else, by names. */
export type Foreign = {
  added: readonly string[]
  changed: readonly string[]
  removed: readonly string[]
  reordered: boolean
}

/** Whether two of a list mean the same. */
export type Same<T> = (one: T, other: T) => boolean

const byId = <T extends Item>(items: readonly T[]) => new Map(items.map((item) => [item.id, item]))

/** The changes of `theirs` to the list that was read. */
export function foreignChanges<T extends Item>(read: readonly T[], theirs: readonly T[], isSame: Same<T>): Foreign {
  const [before, after] = [byId(read), byId(theirs)]
  const kept = (items: readonly T[], others: ReadonlyMap<string, T>) =>
    items.flatMap(({ id }) => (others.has(id) ? [id] : [])).join()
  return {
    added: theirs.flatMap(({ id, name }) => (before.has(id) ? [] : [name])),
    changed: theirs.flatMap((item) => {
      const was = before.get(item.id)
      return was && !isSame(was, item) ? [item.name] : []
    }),
    removed: read.flatMap(({ id, name }) => (after.has(id) ? [] : [name])),
    reordered: kept(read, after) !== kept(theirs, before),
  }
}

type Three<T> = { read: readonly T[]; mine: readonly T[]; theirs: readonly T[] }

/**
 * Both in one: what only one of the two changed is taken from that one, what both changed is mine. The order is mine; what they
 * added stands behind the one that it followed with them.
 */
export function mergeItems<T extends Item>({ read, mine, theirs }: Three<T>, isSame: Same<T>): T[] {
  const [before, after] = [byId(read), byId(theirs)]
  const merged = mine.flatMap((item) => {
    const was = before.get(item.id)
    const their = after.get(item.id)
    if (!was) return [item]
    const isMine = !isSame(was, item)
    // they removed it: it stays only where I have changed it
    if (!their) return isMine ? [item] : []
    return [isMine ? item : their]
  })
  for (const [index, item] of theirs.entries()) {
    const mineToo = merged.some(({ id }) => id === item.id)
    const was = before.get(item.id)
    // I removed it: it comes back only where they have changed it
    if (mineToo || (was && isSame(was, item))) continue
    const previous = theirs[index - 1]
    merged.splice(merged.findIndex(({ id }) => id === previous?.id) + 1, 0, item)
  }
  return merged
}
