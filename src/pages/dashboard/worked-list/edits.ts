import { newKey } from '../../ui/new-key.ts'

/** Something of a list that is worked at as a whole and saved as a whole. */
export type Item = { readonly id: string; readonly name: string }

export type Edited<T> = {
  readonly items: readonly T[]
  /** Removed items, and where each stood; the last one comes back first. */
  readonly removed: readonly { items: readonly { item: T; index: number }[] }[]
}

export type Edit<T> =
  | { type: 'replace'; items: readonly T[] }
  | { type: 'change'; item: T }
  | { type: 'add'; items: readonly T[]; at?: number }
  | { type: 'duplicate'; id: string }
  | { type: 'remove'; ids: readonly string[] }
  | { type: 'restore' }
  | { type: 'move'; id: string; to: number }
  | { type: 'order'; ids: readonly string[] }

const inserted = <T>(items: readonly T[], at: number, added: readonly T[]) => [
  ...items.slice(0, at),
  ...added,
  ...items.slice(at),
]

/** One step of work at a list. */
export function edit<T extends Item>({ items, removed }: Edited<T>, step: Edit<T>): Edited<T> {
  switch (step.type) {
    case 'replace':
      return { items: step.items, removed: [] }
    case 'change':
      return { items: items.map((item) => (item.id === step.item.id ? step.item : item)), removed }
    case 'add':
      return { items: inserted(items, step.at ?? items.length, step.items), removed }
    case 'duplicate': {
      const index = items.findIndex(({ id }) => id === step.id)
      const item = items[index]
      return item ? { items: inserted(items, index + 1, [{ ...item, id: newKey() }]), removed } : { items, removed }
    }
    case 'remove': {
      const gone = items.flatMap((item, index) => (step.ids.includes(item.id) ? [{ item, index }] : []))
      if (gone.length === 0) return { items, removed }
      return { items: items.filter(({ id }) => !step.ids.includes(id)), removed: [...removed, { items: gone }] }
    }
    case 'restore': {
      const last = removed.at(-1)
      if (!last) return { items, removed }
      const back = last.items.reduce(
        (all, { item, index }) => inserted(all, Math.min(index, all.length), [item]),
        [...items],
      )
      return { items: back, removed: removed.slice(0, -1) }
    }
    case 'move': {
      const item = items.find(({ id }) => id === step.id)
      if (!item) return { items, removed }
      const others = items.filter(({ id }) => id !== step.id)
      return { items: inserted(others, Math.max(0, Math.min(step.to, others.length)), [item]), removed }
    }
    case 'order':
      return {
        items: [...items].sort((one, other) => step.ids.indexOf(one.id) - step.ids.indexOf(other.id)),
        removed,
      }
  }
}
