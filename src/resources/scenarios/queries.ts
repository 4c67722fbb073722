import type { z } from 'zod'
import type { MatchConfig } from '../../../machines/match-model.ts'
import { notFound } from '../../errors.ts'
import { SPORTS, type SportKey } from '../../schema/sport.ts'
import type { Cast } from './cast.ts'
import { type ScenarioFilter, type ScenarioSummary, SITUATIONS } from './schema.ts'
import { type Scenes, scene } from './script.ts'
import { SCRIPTS } from './scripts.ts'
import { type Moment, Story } from './story.ts'

/** A moment of an invented match. */
export type FoundScenario = ScenarioSummary & Moment

/** Every sport has these. */
const COMMON: Scenes = {
  'pre-match': scene('preMatch', 'Line-ups are in', 'Before the start: everybody is named, nothing has happened'),
  postponed: scene('stopped', 'Postponed', 'There will be no play today'),
}

const scenesOf = (sport: SportKey): Scenes => ({ ...COMMON, ...SCRIPTS[sport].scenes })

const summaries = new Map<SportKey, readonly ScenarioSummary[]>()

/** The scenarios of a sport in the order of a match, without their data. */
export function scenariosOf(sport: SportKey): readonly ScenarioSummary[] {
  const known = summaries.get(sport)
  if (known) return known
  const found = Object.entries(scenesOf(sport))
    .map(([name, { situation, ...rest }]) => ({ id: `${sport}-${name}`, sport, situation, ...rest }))
    .sort((one, other) => SITUATIONS.indexOf(one.situation) - SITUATIONS.indexOf(other.situation))
  summaries.set(sport, found)
  return found
}

/** domain 5.11 */
export function listScenarios({ sport, limit, offset }: z.output<typeof ScenarioFilter>) {
  const all = sport ? scenariosOf(sport) : SPORTS.flatMap(scenariosOf)
  const scenarios = all.slice(offset, offset + limit)
  return { scenarios, total: all.length, returned: scenarios.length }
}

const tales = new Map<SportKey, ReadonlyMap<string, Moment>>()

/** Undefined when there is none of this id. The matches of a sport are played when one of their scenarios is asked for first. */
export function findScenario(id: string): FoundScenario | undefined {
  const sport = SPORTS.find((one) => id.startsWith(`${one}-`))
  const summary = sport && scenariosOf(sport).find((one) => one.id === id)
  if (!sport || !summary) return undefined
  const tale = tales.get(sport) ?? tell(sport)
  tales.set(sport, tale)
  const told = tale.get(id.slice(sport.length + 1))
  if (!told) throw new Error(`nothing tells of ${id}`)
  return { ...summary, ...told }
}

/** Throws notFound. domain 5.11 */
export function getScenario(id: string): Omit<FoundScenario, 'parts'> {
  const found = findScenario(id)
  if (!found) throw notFound()
  const { parts: _, ...shown } = found
  return shown
}

function tell(sport: SportKey): ReadonlyMap<string, Moment> {
  const told = new Map<string, Moment>()
  const { cast, tell } = SCRIPTS[sport]
  let number = 0
  const open = (config: Partial<MatchConfig> = {}, other: Cast = cast) =>
    new Story(sport, other, { number: ++number, config }, (name, moment) => told.set(name, moment))
  const before = open()
  before.scene('pre-match')
  before.scene('postponed', 'postponed')
  tell(open)
  return told
}
