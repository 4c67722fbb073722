import { z } from 'zod'
import { GamePlanRule, MAX_RULES, ruleFields } from '../resources/game-plans/schema.ts'
import type { RoomDetailAnswer } from './answers.ts'

/** The game plan of a folder, beside `theme.json`. */
export const PLAN_FILE = 'game-plan.json'

const { presetId: _, ...withoutPreset } = ruleFields
const Name = z.string().min(1)

const PresetReference = z
  .union([
    Name,
    z.strictObject({ name: Name, section: Name.optional(), controlRoom: Name.optional(), graphic: Name.optional() }),
  ])
  .meta({
    description: 'The name of a preset of theme.json, with its section and so on where the name alone is not enough',
  })

const RuleEntry = z.strictObject({
  id: z.string().min(1).max(100).optional(),
  ...withoutPreset,
  preset: PresetReference,
})

/** `game-plan.json`: the rules of a theme profile, with presets by name. */
export const GamePlanManifest = z
  .strictObject({ $schema: z.string().optional(), rules: z.array(RuleEntry).max(MAX_RULES) })
  .meta({ title: 'Tally game plan', description: 'game-plan.json of a theme as files' })

export type RuleEntry = z.output<typeof RuleEntry>
type Reference = z.output<typeof PresetReference>

export const GamePlanAnswer = z.object({ rules: z.array(GamePlanRule), updatedAt: z.string() })
type Rule = z.output<typeof GamePlanRule>

/** A preset by everything that names it. */
export type PresetPlace = { id: number; name: string; section: string; controlRoom: string; graphic: string }

export const placesOf = (rooms: readonly RoomDetailAnswer[]): PresetPlace[] =>
  rooms.flatMap(({ name: controlRoom, sections, presets }) =>
    presets.map(({ id, name, sectionId, graphicName: graphic }) => {
      const section = sections.find((one) => one.id === sectionId)?.name ?? ''
      return { id, name, section, controlRoom, graphic }
    }),
  )

const NAMES = ['section', 'controlRoom', 'graphic'] as const

/** The presets that a reference may mean. */
export function meant<P extends Omit<PresetPlace, 'id'>>(reference: Reference, places: readonly P[]): P[] {
  const asked = typeof reference === 'string' ? { name: reference } : reference
  const found = places.filter((place) =>
    Object.entries(asked).every(([key, value]) => value === undefined || place[key as keyof typeof place] === value),
  )
  // two that nothing tells apart: the first is meant, as everywhere in a folder
  return NAMES.every((name) => name in asked) ? found.slice(0, 1) : found
}

/** The shortest reference that means just this preset. */
function referenceTo(place: PresetPlace, places: readonly PresetPlace[]): Reference {
  if (meant(place.name, places).length === 1) return place.name
  const { name, section, controlRoom, graphic } = place
  const longer = [
    { name, section },
    { name, section, controlRoom },
  ]
  return longer.find((one) => meant(one, places).length === 1) ?? { name, section, controlRoom, graphic }
}

/** A rule of the server as the folder has it; undefined when its preset is gone. */
export function entryOf({ presetId, ...rule }: Rule, places: readonly PresetPlace[]): RuleEntry | undefined {
  const place = places.find(({ id }) => id === presetId)
  return place && { ...rule, preset: referenceTo(place, places) }
}

/** A rule of the folder as the server takes it; undefined when no preset, or more than one, is meant. */
export function ruleOf({ preset, ...rule }: RuleEntry, places: readonly PresetPlace[]) {
  const [found, other] = meant(preset, places)
  return found && !other ? { ...rule, presetId: found.id } : undefined
}
