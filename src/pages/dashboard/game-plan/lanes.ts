import { unmetWords } from '../../ui/conditions.ts'
import type { Draft, RuleValue } from './draft.ts'

/** One line of what a plan does in a match of virtual time; `matchMs` counts from its beginning. */
export type Line = {
  matchMs: number
  at: string
  ruleId: string
  name: string
  outcome: 'fired' | 'suppressed' | 'withdrawn' | null
  reason: string | null
  graphicName: string | null
  action: 'show' | 'update' | 'hide' | null
  /** Values that a show or an update sets over the preset. */
  variableValues?: Readonly<Record<string, RuleValue>> | null
}

/** A graphic on air: from when until when, and what it has on at each time. */
export type Bar = {
  ruleId: string
  name: string
  graphicName: string | null
  fromMs: number
  toMs: number
  values: readonly { fromMs: number; values: Line['variableValues'] }[]
}
/** Something that was not shown, or not to the end. */
export type Mark = { ruleId: string; name: string; atMs: number; outcome: 'suppressed' | 'withdrawn'; why: string }
export type Lane = { name: string; bars: Bar[]; marks: Mark[] }
export type Span = { fromMs: number; toMs: number }

const MARGIN_MS = 30_000

/** From the first line to the last, and a little around. */
export function spanOf(lines: readonly Line[]): Span {
  const times = lines.map(({ matchMs }) => matchMs)
  return { fromMs: Math.min(0, ...times) - MARGIN_MS, toMs: Math.max(0, ...times) + MARGIN_MS }
}

type Open = Omit<Bar, 'toMs' | 'values'> & { values: { fromMs: number; values: Line['variableValues'] }[] }

/** The graphics of each layer, in the order in which layers appear; a layer is that of the rule, else its graphic. */
export function lanesOf(lines: readonly Line[], rules: readonly Pick<Draft, 'id' | 'layer' | 'condition'>[]): Lane[] {
  const layers = new Map(rules.map(({ id, layer }) => [id, layer]))
  const lanes = new Map<string, Lane>()
  const open = new Map<Lane, Open>()
  const close = (lane: Lane, toMs: number) => {
    const bar = open.get(lane)
    open.delete(lane)
    if (bar) lane.bars.push({ ...bar, toMs })
  }
  for (const line of lines) {
    const { matchMs, ruleId, name, outcome, reason, graphicName, action, variableValues } = line
    const title = layers.get(ruleId) ?? graphicName ?? name
    const lane = lanes.get(title) ?? { name: title, bars: [], marks: [] }
    lanes.set(title, lane)
    if (outcome === 'suppressed' || outcome === 'withdrawn')
      lane.marks.push({
        ruleId,
        name,
        atMs: matchMs,
        outcome,
        why: reasonWords(reason ?? '', conditionOf(ruleId, rules)),
      })
    if (action === 'show') {
      close(lane, matchMs)
      open.set(lane, {
        ruleId,
        name,
        graphicName,
        fromMs: matchMs,
        values: [{ fromMs: matchMs, values: variableValues }],
      })
    }
    if (action === 'update') open.get(lane)?.values.push({ fromMs: matchMs, values: variableValues })
    if (action === 'hide' && open.get(lane)?.ruleId === ruleId) close(lane, matchMs)
  }
  for (const lane of lanes.values()) close(lane, spanOf(lines).toMs)
  return [...lanes.values()]
}

/** The graphics on air at a moment, the one that was shown first at the bottom. */
export function onAirAt(lanes: readonly Lane[], atMs: number): (Bar & { layer: string })[] {
  const bars = lanes.flatMap(({ name, bars: all }) => all.map((bar) => ({ ...bar, layer: name })))
  const found = bars.filter(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs)
  return found.sort((one, other) => one.fromMs - other.fromMs)
}

/** The values that a bar has on air at a moment. */
export const valuesAt = ({ values }: Pick<Bar, 'values'>, atMs: number): Line['variableValues'] =>
  [...values].reverse().find(({ fromMs }) => fromMs <= atMs)?.values

/** Why a rule did not show its graphic, or not to the end. */
const REASONS: Readonly<Record<string, string>> = {
  held: 'an operator has the layer',
  paused: 'the plan was paused',
  priority: 'something that does not yield was on',
  cooldown: 'too soon after the last time',
  once: 'it was shown once already',
  every: 'it was not its turn',
  tooOld: 'it was told too late, or waited for too long',
  condition: 'its condition did not hold',
  conditionFailed: 'its condition could not be worked out',
  noBrands: 'this overlay shows no brands',
  noBrand: 'it has no brand to show',
  presetInvalid: 'its preset cannot be shown with these values',
  disabled: 'it is off',
  autoModeOff: 'the overlay was not automatic',
}

type Conditioned = Pick<Draft, 'id' | 'condition'>

/** `condition`: of the rule, for what did not hold of it. */
export const reasonWords = (reason: string, condition?: string): string =>
  (reason === 'condition' && unmetWords(condition ?? '')) || (REASONS[reason] ?? reason)

export const conditionOf = (ruleId: string, rules: readonly Conditioned[]) =>
  rules.find(({ id }) => id === ruleId)?.condition

/** What to do about a rule that is never shown. */
const HELP: Readonly<Record<string, string>> = {
  noBrand: ' Choose a brand in the rule, or put brands into the sponsor slots of this profile.',
}

/** The rules whose time came and that were never shown, with the reason that was told most, and what to do about it. */
export function neverShown(
  lines: readonly Line[],
  rules: readonly Conditioned[],
): Map<string, { name: string; why: string }> {
  const shown = new Set(lines.flatMap(({ action, ruleId }) => (action === 'show' ? [ruleId] : [])))
  const told = new Map<string, { name: string; reasons: Map<string, number> }>()
  for (const { ruleId, name, outcome, reason } of lines) {
    if (outcome !== 'suppressed' || shown.has(ruleId)) continue
    const { reasons } = told.get(ruleId) ?? { reasons: new Map<string, number>() }
    reasons.set(reason ?? '', (reasons.get(reason ?? '') ?? 0) + 1)
    told.set(ruleId, { name, reasons })
  }
  const whyOf = (ruleId: string, reasons: ReadonlyMap<string, number>) => {
    const [[most] = ['']] = [...reasons].sort(([, one], [, other]) => other - one)
    return `${reasonWords(most, conditionOf(ruleId, rules))}.${HELP[most] ?? ''}`
  }
  return new Map([...told].map(([id, { name, reasons }]) => [id, { name, why: whyOf(id, reasons) }]))
}

/** `−15:00`, `0:08`, `1:02:03`: since the match began. */
export function matchTime(ms: number): string {
  const seconds = Math.abs(Math.round(ms / 1_000))
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  const time = hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
  return ms < 0 && seconds > 0 ? `−${time}` : time
}

const STEPS_MS = [10, 30, 60, 300, 600, 900, 1_800, 3_600, 7_200].map((seconds) => seconds * 1_000)

/** Where an axis has its numbers: at round times, at most so many. */
export function ticksOf({ fromMs, toMs }: Span, most: number): number[] {
  const step = STEPS_MS.find((one) => (toMs - fromMs) / one <= most) ?? 14_400_000
  const first = Math.ceil(fromMs / step) * step
  return Array.from({ length: Math.max(0, Math.floor((toMs - first) / step) + 1) }, (_, index) => first + index * step)
}
