import type { z } from 'zod'
import type * as plans from '../../../resources/game-plans/schema.ts'
import { newKey } from '../../ui/new-key.ts'

export type GamePlan = z.output<typeof plans.GamePlan>
export type Rule = GamePlan['rules'][number]
export type Trigger = Rule['trigger']
export type End = Rule['end']
export type RuleValue = NonNullable<Rule['variableValues']>[string]

/** A rule while it is worked at. Null for a preset is a gap that has to be filled before it can be saved. */
export type Draft = Omit<Rule, 'presetId'> & {
  presetId: number | null
  /** The graphic that a template looked for in vain. */
  wanted?: string | undefined
}

export const DEFAULTS = {
  enabled: true,
  delaySeconds: 0,
  priority: 50,
  onInterrupt: 'drop',
  maxAgeSeconds: 30,
  cooldownSeconds: 0,
  every: 1,
  once: false,
} as const

/** A rule that is begun; ids are made here, so that a rule is the same one before and after it was saved. */
export const newDraft = (trigger: Trigger): Draft => ({
  ...DEFAULTS,
  id: newKey(),
  name: '',
  trigger,
  presetId: null,
  end: { afterSeconds: 8 },
})

type Sent = Omit<Draft, 'wanted' | 'presetId'> & { presetId: number | null }

/** A rule as it is sent. Members that say nothing are left out. */
export function sentOf({ wanted: _wanted, condition, layer, variableValues, ...rest }: Draft): Sent {
  return {
    ...rest,
    name: rest.name.trim(),
    ...(condition?.trim() && { condition }),
    ...(layer?.trim() && { layer: layer.trim() }),
    ...(variableValues && Object.keys(variableValues).length > 0 && { variableValues }),
  }
}

/** The same text for the same value, in whatever order its members stand. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  members.sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`
}

/** Whether two rules mean the same. */
export const isSame = (one: Draft, other: Draft): boolean => canonical(sentOf(one)) === canonical(sentOf(other))
