import { newKey } from '../../ui/new-key.ts'
import type { Rundown } from '../shapes.ts'
import type { ListKind } from '../worked-list/use-worked-list.ts'

type Sent = Omit<Rundown['items'][number], 'problem' | 'name'>

/** An item while it is worked at. An empty name stands for that of its preset. */
export type DraftItem = Sent & { name: string }

export const newDraft = (presetId: number): DraftItem => ({ id: newKey(), presetId, name: '', untilNext: true })

/** An item as it is sent. Members that say nothing are left out. */
function sentOf({ name, variableValues = {}, durationSeconds, ...rest }: DraftItem) {
  const called = name.trim()
  const values = Object.entries(variableValues).sort(([one], [other]) => (one < other ? -1 : 1))
  return {
    id: rest.id,
    presetId: rest.presetId,
    untilNext: rest.untilNext,
    ...(called !== '' && { name: called }),
    ...(values.length > 0 && { variableValues: Object.fromEntries(values) }),
    ...(durationSeconds !== undefined && { durationSeconds }),
  }
}

export const isSame = (one: DraftItem, other: DraftItem) =>
  JSON.stringify(sentOf(one)) === JSON.stringify(sentOf(other))

export const ITEMS: ListKind<DraftItem, Rundown> = {
  member: 'items',
  itemsOf: ({ items }) => items.map(({ problem: _, name = '', ...item }) => ({ ...item, name })),
  sentOf,
  isSame,
}
