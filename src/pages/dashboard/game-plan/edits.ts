import { newKey } from '../../ui/new-key.ts'
import type { Draft } from './draft.ts'

export type Edited = {
  readonly rules: readonly Draft[]
  /** What was removed, and where it stood; the last one comes back first. */
  readonly removed: readonly { rules: readonly { rule: Draft; index: number }[] }[]
}

export type Edit =
  | { type: 'replace'; rules: readonly Draft[] }
  | { type: 'change'; rule: Draft }
  | { type: 'add'; rules: readonly Draft[]; at?: number }
  | { type: 'duplicate'; id: string }
  | { type: 'remove'; ids: readonly string[] }
  | { type: 'restore' }
  | { type: 'move'; id: string; to: number }
  | { type: 'order'; ids: readonly string[] }

const inserted = (rules: readonly Draft[], at: number, added: readonly Draft[]) => [
  ...rules.slice(0, at),
  ...added,
  ...rules.slice(at),
]

/** One step of work at a plan. */
export function edit({ rules, removed }: Edited, step: Edit): Edited {
  switch (step.type) {
    case 'replace':
      return { rules: step.rules, removed: [] }
    case 'change':
      return { rules: rules.map((rule) => (rule.id === step.rule.id ? step.rule : rule)), removed }
    case 'add':
      return { rules: inserted(rules, step.at ?? rules.length, step.rules), removed }
    case 'duplicate': {
      const index = rules.findIndex(({ id }) => id === step.id)
      const rule = rules[index]
      return rule ? { rules: inserted(rules, index + 1, [{ ...rule, id: newKey() }]), removed } : { rules, removed }
    }
    case 'remove': {
      const gone = rules.flatMap((rule, index) => (step.ids.includes(rule.id) ? [{ rule, index }] : []))
      if (gone.length === 0) return { rules, removed }
      return { rules: rules.filter(({ id }) => !step.ids.includes(id)), removed: [...removed, { rules: gone }] }
    }
    case 'restore': {
      const last = removed.at(-1)
      if (!last) return { rules, removed }
      const back = last.rules.reduce(
        (all, { rule, index }) => inserted(all, Math.min(index, all.length), [rule]),
        [...rules],
      )
      return { rules: back, removed: removed.slice(0, -1) }
    }
    case 'move': {
      const rule = rules.find(({ id }) => id === step.id)
      if (!rule) return { rules, removed }
      const others = rules.filter(({ id }) => id !== step.id)
      return { rules: inserted(others, Math.max(0, Math.min(step.to, others.length)), [rule]), removed }
    }
    case 'order':
      return {
        rules: [...rules].sort((one, other) => step.ids.indexOf(one.id) - step.ids.indexOf(other.id)),
        removed,
      }
  }
}
