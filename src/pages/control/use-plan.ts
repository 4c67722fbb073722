import { useMemo } from 'react'
import type { Live } from '../live/follow.ts'
import { type OperatedPlan, targetOf } from './desk.ts'
import type { Room } from './model.ts'
import { layersOf } from './plan-layers.ts'
import type { Send } from './use-commands.ts'

/** The game plan of the overlay and what may be said to it; undefined when it has no rules. */
export function usePlan(
  { plan: state, overlay }: Pick<Live, 'plan' | 'overlay'>,
  { rules, presets, overlay: read }: Room,
  send: Send,
): OperatedPlan | undefined {
  const layers = useMemo(() => layersOf(rules, presets, state), [rules, presets, state])
  if (rules.length === 0) return undefined
  const say = (target: string, command: Parameters<Send>[1], line?: string) => void send(target, command, line)
  return {
    state,
    rules,
    layers,
    isOn: state?.autoMode ?? overlay?.autoMode ?? read.autoMode,
    pauseOrResume: () => say(targetOf.plan, { action: state?.paused ? 'resume' : 'pause' }, targetOf.plan),
    hold: (layer) => say(targetOf.layer(layer), { action: 'hold', layer }, targetOf.layer(layer)),
    release: (layer) =>
      layer === undefined
        ? say(targetOf.layers, { action: 'release' })
        : say(targetOf.layer(layer), { action: 'release', layer }, targetOf.layer(layer)),
    fire: (ruleId) => say(targetOf.rule(ruleId), { action: 'fire', ruleId }),
    switchTo: (autoMode) => say(targetOf.plan, { action: 'automatic', autoMode }, targetOf.plan),
  }
}
