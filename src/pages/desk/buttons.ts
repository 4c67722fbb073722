import { periodOf } from '../../../machines/play/periods.ts'
import { effectiveConfig, type FactType, sportOf } from '../../../machines/sports.ts'
import { worded } from '../../schema/worded.ts'
import { type Projected, wouldBe } from './model.ts'
import type { DeskCommand, FactSaid } from './press.ts'

/** A fact that one press records. */
export type FactButton = { type: string; label: string; points?: number; kinds: readonly string[] }

/** More buttons than that of both sides beside each other would be too small for a thumb: one side at a time. */
const BESIDE = 5

/** The facts that a side scores with; where the worth is open without a default, one button for each. */
export function scoringButtons(sport: string): FactButton[] {
  return typesOf(sport, ({ scoring, structural }) => scoring && !structural).flatMap(([type, { points, kinds }]) => {
    const names = Object.keys(kinds)
    if (typeof points === 'number' || points.default !== undefined) return [{ type, label: worded(type), kinds: names }]
    const { min, max } = points
    return Array.from({ length: max - min + 1 }, (_, index) => ({
      type,
      label: `${worded(type)} ${min + index}`,
      points: min + index,
      kinds: names,
    }))
  })
}

/** Whether the buttons of both sides fit beside each other. */
export const fitBeside = (sport: string): boolean => scoringButtons(sport).length <= BESIDE

/** What is only noted: cards, corners, substitutions, time-outs. */
export const notingButtons = (sport: string): FactButton[] =>
  typesOf(sport, ({ scoring, structural }, type) => !scoring && (!structural || type === 'timeout')).map(
    ([type, { kinds }]) => ({ type, label: worded(type), kinds: Object.keys(kinds) }),
  )

/** The worths that a fact of this type may have, where that is open. */
export function worthsOf(sport: string, type: string): number[] {
  const points = sportOf(sport).factTypes[type]?.points
  if (points === undefined || typeof points === 'number') return []
  return Array.from({ length: points.max - points.min + 1 }, (_, index) => points.min + index)
}

export const typeNames = (sport: string): string[] => Object.keys(sportOf(sport).factTypes)
export const factType = (sport: string, type: string): FactType | undefined => sportOf(sport).factTypes[type]

const typesOf = (sport: string, wanted: (fact: FactType, type: string) => boolean) =>
  Object.entries(sportOf(sport).factTypes).filter(([type, fact]) => wanted(fact, type))

/** What a second player of a fact did, for the facts that have one. */
const SECOND: Readonly<Record<string, string>> = {
  substitution: 'Going off',
  interchange: 'Going off',
  goalieChange: 'Going off',
  pitchingChange: 'Going off',
  wicket: 'Fielder',
  foul: 'Fouled',
}
export const secondOf = (sport: string, type: string): string | undefined =>
  SECOND[type] ?? (factType(sport, type)?.scoring ? 'Assist' : undefined)

/** In which order both players of a fact are asked for: who comes on, and who goes off. */
export const asksForBoth = (type: string): boolean => SECOND[type] === 'Going off'

/** `1st half started`, `Penalty goal`. */
export function factWords(
  { desk: { match }, config }: Pick<Projected, 'desk' | 'config'>,
  { type, period, periodType }: { type: string; period: number; periodType?: string | null },
): string {
  if (type !== 'periodStart' && type !== 'periodEnd') return worded(type)
  const { name } = periodOf(
    sportOf(match.sport),
    effectiveConfig(match.sport, config),
    period,
    periodType === 'shootout' ? period : 0,
  )
  return `${name} ${type === 'periodStart' ? 'started' : 'ended'}`
}

export type CourseButton = { key: string; label: string; command: DeskCommand; isNext: boolean }

/**
 * What may come next in the course of the match, the likeliest first; nothing that the server would refuse, by its own rules. Where those
 * cannot be followed here (the page is older than the server) it is left to the server.
 */
export function courseButtons(match: Projected): CourseButton[] {
  const buttons = likely(match)
  const possible = buttons.filter(({ command }) => wouldBe(match, command) === undefined)
  const [only, ...others] = possible
  if (!only) return buttons
  return others.length === 0 ? [{ ...only, isNext: true }] : possible
}

function likely({ desk: { match }, config: set, play }: Projected): CourseButton[] {
  const config = effectiveConfig(match.sport, set)
  const sport = sportOf(match.sport)
  const nameOf = (number: number) => periodOf(sport, config, number, 0).name
  const button = (type: string, label: string, isNext = false, more: FactSaid = {}): CourseButton => ({
    key: type,
    label,
    isNext,
    command: { type: 'record', fact: { type, ...more } },
  })
  const { state, period, clock, score } = play
  const next = (period?.number ?? 0) + 1
  const most = config.periodCount + (config.extraTime ? sport.overtime.count : 0)
  const start = next <= most ? [button('periodStart', `Start ${nameOf(next)}`, true)] : []
  const end = button('matchEnd', 'End the match')
  const level = score.home === score.away
  const shootout = config.shootout && level && (period?.number ?? 0) >= config.periodCount
  const kicks = shootout ? [button('shootoutStart', 'Start the shoot-out', next > most)] : []
  if (state === 'scheduled' || state === 'delayed') return start
  if (state === 'suspended') return [button('clockStart', 'Play goes on', true)]
  const isLast = (period?.number ?? 0) >= config.periodCount
  if (state === 'break') return isLast && !level ? [{ ...end, isNext: true }, ...start] : [...start, ...kicks, end]
  if (state !== 'live' || !period) return []
  if (period.type === 'shootout') return [{ ...end, isNext: true }]
  const clocks = !config.useClock
    ? []
    : [
        clock.running
          ? button('clockStop', 'Stop the clock', sport.clockStops)
          : button('clockStart', 'Start the clock', true),
      ]
  const over = button('periodEnd', `End ${period.name}`)
  // of sets the points themselves say when they are over
  const ends = sport.periodType === 'set' ? [] : isLast ? [over, end] : [over]
  return [...clocks, ...ends, ...(sport.periodType === 'set' ? [end] : [])]
}
