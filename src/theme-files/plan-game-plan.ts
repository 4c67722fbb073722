import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { RoomDetailAnswer, RoomListAnswer } from './answers.ts'
import { type Api, Refusal } from './api.ts'
import type { LocalTheme } from './folder.ts'
import { FolderError } from './folder-error.ts'
import {
  GamePlanAnswer,
  meant,
  PLAN_FILE,
  type PresetPlace,
  placesOf,
  type RuleEntry,
  ruleOf,
} from './game-plan-file.ts'
import type { RemoteTheme } from './remote.ts'
import { type Kept, type Step, since } from './session.ts'

/** Whose game plan the folder has: that of the competition's profile with the theme, or of one of several. */
export type PlanOwner = { competitionId?: number | undefined; profileId?: number | undefined }

/** The game plan of a theme profile as the server has it. */
export type RemoteGamePlan = z.output<typeof GamePlanAnswer> & { path: string; name: string }

const ProfilesAnswer = z.array(
  z.object({ id: z.number(), themeId: z.number(), name: z.string(), isDefault: z.boolean() }),
)

/** Undefined when nobody said whose. Throws Refusal when there is no such profile, or several. */
export async function readGamePlan(
  api: Api,
  themeId: number | undefined,
  { competitionId, profileId }: PlanOwner,
): Promise<RemoteGamePlan | undefined> {
  if (competitionId === undefined) return undefined
  const profiles = await api.get(`/v2/competitions/${competitionId}/theme-profiles`, ProfilesAnswer)
  const worn = profiles.filter((one) => one.themeId === themeId && (profileId ?? one.id) === one.id)
  const profile = worn.length === 1 ? worn[0] : worn.find(({ isDefault }) => isDefault)
  if (!profile)
    throw new Refusal(
      worn.length === 0
        ? `competition ${competitionId} has no ${profileId === undefined ? '' : `profile ${profileId} `}with this theme: attach the theme to it first`
        : `profiles ${worn.map(({ id }) => id).join(' and ')} have this theme: say which with --profile`,
      0,
    )
  const path = `/v2/competitions/${competitionId}/theme-profiles/${profile.id}/game-plan`
  return { ...(await api.get(path, GamePlanAnswer)), path, name: profile.name }
}

type Plan = { steps: Step[]; prune: Step[]; kept: Kept[] }

/** The game plan of a folder, after the presets that it names. */
export function planGamePlan(
  local: LocalTheme,
  remote: RemoteTheme | undefined,
  stored: RemoteGamePlan | undefined,
): Plan {
  const nothing: Plan = { steps: [], prune: [], kept: [] }
  const places = placesOf(remote?.rooms ?? [])
  if (local.gamePlan) checkReferences(local.gamePlan, [...localPlaces(local), ...places])
  if (!stored) return nothing
  const named = { kind: 'gamePlan', name: stored.name } as const
  if (!local.gamePlan) {
    if (stored.rules.length === 0) return nothing
    return { ...nothing, prune: [replacing(stored, [], 'delete')], kept: [named] }
  }
  const step = replacing(stored, local.gamePlan, 'update')
  return plansTheSame(local.gamePlan, stored, places) ? nothing : { ...nothing, steps: [step] }
}

/** A rule without an id stays the one of its name. */
function withId(entry: RuleEntry, stored: RemoteGamePlan['rules']): RuleEntry {
  if (entry.id !== undefined) return entry
  const [found, other] = stored.filter(({ name }) => name === entry.name)
  return found && !other ? { ...entry, id: found.id } : entry
}

/** Whether the rules of a folder mean those of the server, however they name their presets. */
export function plansTheSame(entries: readonly RuleEntry[], { rules }: RemoteGamePlan, places: readonly PresetPlace[]) {
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value))
  return isDeepStrictEqual(plain(rulesOf(entries, rules, places)), plain(rules))
}

/** What the server would store; null for a rule whose preset it has not. */
const rulesOf = (entries: readonly RuleEntry[], stored: RemoteGamePlan['rules'], places: readonly PresetPlace[]) =>
  entries.map((entry) => ruleOf(withId(entry, stored), places) ?? null)

const replacing = (stored: RemoteGamePlan, entries: readonly RuleEntry[], action: 'update' | 'delete'): Step => ({
  change: { action, kind: 'gamePlan', name: stored.name, ...(action === 'update' && { changed: ['rules'] }) },
  run: ({ api, themeId }) => putGamePlan(api, themeId, stored, entries),
})

/** Replaces a stored plan by rules whose presets are those of the theme. Throws FolderError when it has one of them not. */
export async function putGamePlan(
  api: Api,
  themeId: number,
  { path, updatedAt, rules: stored }: RemoteGamePlan,
  entries: readonly RuleEntry[],
): Promise<void> {
  const rooms = await api.get(`/v2/control-rooms?themeId=${themeId}`, RoomListAnswer)
  const details = await Promise.all(rooms.map(({ id }) => api.get(`/v2/control-rooms/${id}`, RoomDetailAnswer)))
  const places = placesOf(details)
  checkReferences(entries, places)
  const rules = rulesOf(entries, stored, places)
  await api.write('PUT', path, { rules, ...since(updatedAt) }, GamePlanAnswer)
}

type Nameable = Omit<PresetPlace, 'id'>

const localPlaces = ({ controlRooms }: LocalTheme): Nameable[] =>
  controlRooms.flatMap(({ name: controlRoom, sections }) =>
    sections.flatMap(({ name: section, presets }) =>
      presets.map(({ name, graphic }) => ({ name, section, controlRoom, graphic })),
    ),
  )

/** Throws FolderError naming each rule whose preset is none, or may be several. */
function checkReferences(rules: readonly RuleEntry[], places: readonly Nameable[]): void {
  const ways = new Map(
    places.map((place) => [JSON.stringify([place.controlRoom, place.section, place.name, place.graphic]), place]),
  )
  const known = [...ways.values()]
  const wrong = rules.flatMap(({ preset }, index) => {
    const found = meant(preset, known)
    if (found.length === 1) return []
    const asked = typeof preset === 'string' ? preset : Object.values(preset).join(', ')
    const ways = found.map(({ controlRoom, section, name, graphic }) =>
      [controlRoom, section, name, graphic].join(' / '),
    )
    return [
      `${PLAN_FILE}: rules[${index}].preset: ` +
        (found.length === 0
          ? `there is no preset ${asked}; there is ${[...new Set(known.map(({ name }) => name))].join(', ') || 'none'}`
          : `${asked} may be ${ways.join(' or ')}`),
    ]
  })
  if (wrong.length > 0) throw new FolderError(wrong)
}
