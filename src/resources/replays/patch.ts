import type { Patch } from './schema.ts'

/** The patch that makes one JSON value of another; undefined when they are the same. */
export function difference(before: unknown, after: unknown): Patch | undefined {
  if (Object.is(before, after)) return undefined
  if (Array.isArray(before) && Array.isArray(after)) return ofArrays(before, after)
  if (isObject(before) && isObject(after)) return ofObjects(before, after)
  return { set: after }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Lists of a match grow at their end: the elements they share from the start are kept. */
function ofArrays(before: readonly unknown[], after: readonly unknown[]): Patch | undefined {
  const common = Math.min(before.length, after.length)
  let keep = 0
  while (keep < common && difference(before[keep], after[keep]) === undefined) keep++
  return keep === before.length && keep === after.length ? undefined : { keep, items: after.slice(keep) }
}

function ofObjects(before: Record<string, unknown>, after: Record<string, unknown>): Patch | undefined {
  const members: Record<string, Patch> = {}
  for (const [name, value] of Object.entries(after)) {
    if (value === undefined) continue
    const change = name in before ? difference(before[name], value) : { set: value }
    if (change) members[name] = change
  }
  const gone = Object.keys(before).filter((name) => before[name] !== undefined && after[name] === undefined)
  if (Object.keys(members).length + gone.length === 0) return undefined
  return { members, gone }
}
