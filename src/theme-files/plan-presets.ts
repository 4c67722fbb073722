import { isDeepStrictEqual } from 'node:util'
import { PresetAnswer, type RoomDetailAnswer } from './answers.ts'
import type { PresetEntry } from './manifest.ts'
import { type Pair, pairUp } from './pairs.ts'
import { type Kept, type Session, type Step, since, sinceQuery } from './session.ts'

/** A room while it is written, as later steps must know it. */
export type RoomState = {
  roomId: number
  /** Undefined when it is not known now. */
  updatedAt: string | undefined
}

/** A section of the folder; its id is known once it is made. */
export type PlannedSection = { name: string; presets: readonly PresetEntry[]; id: string }

type Stored = Pick<RoomDetailAnswer, 'sections' | 'presets'> & { graphicIds: ReadonlySet<string> }

const NONE: Stored = { sections: [], presets: [], graphicIds: new Set() }

type Placed = { section: PlannedSection; entry: PresetEntry }

/**
 * The presets of a room, by section and name; one that is in another section now is moved. A preset keeps its graphic, so one
 * of another graphic is another preset, also when that one is gone and another has its name. Presets that only the server has
 * follow those of the folder.
 */
export function planPresets(
  room: string,
  state: RoomState,
  sections: readonly PlannedSection[],
  { sections: storedSections, presets: stored, graphicIds }: Stored = NONE,
) {
  const local = sections.flatMap((section) => section.presets.map((entry): Placed => ({ section, entry })))
  const isGone = ({ graphicId }: PresetAnswer) => !graphicIds.has(graphicId)
  const { pairs, extra: unpaired } = pairAcross(
    local,
    stored.filter((preset) => !isGone(preset)),
  )
  const extra = [...unpaired, ...stored.filter(isGone)]
  const steps: Step[] = []
  // as the server will have it, step by step; a new preset stands there as its pair
  const order = new Map<string, (number | Placed)[]>()
  for (const { sectionId, id } of stored) order.set(sectionId, [...(order.get(sectionId) ?? []), id])
  for (const section of sections) {
    const here = pairs.filter((pair) => pair.local.section === section)
    const ids = (section.id !== '' && order.get(section.id)) || []
    for (const [place, { local: placed, remote }] of here.entries()) {
      const name = `${room} / ${section.name} / ${placed.entry.name}`
      if (!remote) {
        steps.push(createPreset(name, state, placed, place))
        ids.splice(place, 0, placed)
        continue
      }
      const moves = remote.sectionId !== section.id || ids[place] !== remote.id
      if (moves) {
        const from = order.get(remote.sectionId) ?? []
        from.splice(from.indexOf(remote.id), 1)
        ids.splice(place, 0, remote.id)
      }
      steps.push(...updatePreset(name, state, placed, remote, moves ? place : undefined))
    }
  }
  const wayTo = (preset: PresetAnswer) =>
    `${room} / ${storedSections.find(({ id }) => id === preset.sectionId)?.name ?? ''} / ${preset.name}`
  return {
    steps,
    prune: extra.map((preset) => deletePreset(wayTo(preset), state, preset)),
    kept: extra.map((preset): Kept => ({ kind: 'preset', name: wayTo(preset) })),
  }
}

function pairAcross(
  local: readonly Placed[],
  stored: readonly PresetAnswer[],
): { pairs: Pair<Placed, PresetAnswer>[]; extra: PresetAnswer[] } {
  const inPlace = pairUp(
    local,
    stored,
    ({ section, entry }) => JSON.stringify([section.id, entry.name, entry.graphic]),
    ({ sectionId, name, graphicName }) => JSON.stringify([sectionId, name, graphicName]),
  )
  const moved = pairUp(
    inPlace.pairs.filter(({ remote }) => !remote).map((pair) => pair.local),
    inPlace.extra,
    ({ entry }) => JSON.stringify([entry.name, entry.graphic]),
    ({ name, graphicName }) => JSON.stringify([name, graphicName]),
  )
  const found = new Map(moved.pairs.map((pair) => [pair.local, pair.remote]))
  const pairs = inPlace.pairs.map((pair) => {
    const remote = pair.remote ?? found.get(pair.local)
    return remote ? { local: pair.local, remote } : { local: pair.local }
  })
  return { pairs, extra: moved.extra }
}

const createPreset = (name: string, state: RoomState, { section, entry }: Placed, orderIndex: number): Step => ({
  change: { action: 'create', kind: 'preset', name },
  async run(session) {
    const { variableValues, exposedVariables } = entry
    const body = {
      sectionId: section.id,
      graphicId: graphicIdOf(session, entry),
      name: entry.name,
      orderIndex,
      variableValues,
      exposedVariables,
      ...since(state.updatedAt),
    }
    const made = await session.api.write('POST', `/v2/control-rooms/${state.roomId}/presets`, body, PresetAnswer)
    // one moment for the room and the preset in it
    if (state.updatedAt !== undefined) state.updatedAt = made.updatedAt
  },
})

function graphicIdOf({ graphics }: Session, { graphic }: PresetEntry): string {
  const found = graphics.get(graphic)
  if (!found) throw new Error(`neither the folder nor the server has a graphic ${graphic}`)
  return found.graphicId
}

function updatePreset(
  name: string,
  state: RoomState,
  { section, entry }: Placed,
  stored: PresetAnswer,
  place: number | undefined,
): Step[] {
  const values = !isDeepStrictEqual(entry.variableValues, stored.variableValues)
  const exposed = !isDeepStrictEqual(entry.exposedVariables, stored.exposedVariables)
  if (!values && !exposed && place === undefined) return []
  const changed = [
    ...(values ? ['variableValues'] : []),
    ...(exposed ? ['exposedVariables'] : []),
    ...(place === undefined ? [] : ['place']),
  ]
  return [
    {
      change: { action: 'update', kind: 'preset', name, changed },
      async run({ api }) {
        const body = {
          ...(values && { variableValues: entry.variableValues }),
          ...(exposed && { exposedVariables: entry.exposedVariables }),
          ...(place !== undefined && { orderIndex: place, sectionId: section.id }),
          ...since(stored.updatedAt),
        }
        await api.write('PATCH', `/v2/control-rooms/${state.roomId}/presets/${stored.id}`, body, PresetAnswer)
        // a move is a write of the room too, whose moment the answer does not tell
        if (place !== undefined) state.updatedAt = undefined
      },
    },
  ]
}

const deletePreset = (name: string, state: RoomState, { id, updatedAt }: PresetAnswer): Step => ({
  change: { action: 'delete', kind: 'preset', name },
  run: ({ api }) => api.delete(`/v2/control-rooms/${state.roomId}/presets/${id}${sinceQuery(updatedAt)}`),
})
