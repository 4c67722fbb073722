/** How one JSON value becomes another, as the server says it. */
export type Patch =
  | { set: unknown }
  | { members: Readonly<Record<string, Patch>>; gone: readonly string[] }
  | { keep: number; items: readonly unknown[] }

/** The value after a patch; parts that stay are the same objects. */
export function patched(before: unknown, patch: Patch | null): unknown {
  if (!patch) return before
  if ('set' in patch) return patch.set
  if ('items' in patch) return [...(Array.isArray(before) ? before.slice(0, patch.keep) : []), ...patch.items]
  const after: Record<string, unknown> = typeof before === 'object' && before !== null ? { ...before } : {}
  for (const [name, change] of Object.entries(patch.members)) after[name] = patched(after[name], change)
  for (const name of patch.gone) delete after[name]
  return after
}
