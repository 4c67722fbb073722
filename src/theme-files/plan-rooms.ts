import { RoomAnswer, type RoomDetailAnswer, SectionWritten, Written } from './answers.ts'
import type { LocalTheme } from './folder.ts'
import type { RoomEntry } from './manifest.ts'
import { pairUp } from './pairs.ts'
import { type PlannedSection, planPresets, type RoomState } from './plan-presets.ts'
import type { RemoteTheme } from './remote.ts'
import { type Kept, type Step, since, sinceQuery, sinceTheme } from './session.ts'

type Section = RoomDetailAnswer['sections'][number]
type Plan = { steps: Step[]; prune: Step[]; kept: Kept[] }

/** The control rooms with their sections and presets, by name. */
export function planRooms({ controlRooms }: LocalTheme, remote: RemoteTheme | undefined): Plan {
  const nameOf = ({ name }: { name: string }) => name
  const { pairs, extra } = pairUp(controlRooms, remote?.rooms ?? [], nameOf, nameOf)
  const graphicIds = new Set(remote?.theme.graphics.map(({ graphicId }) => graphicId))
  const plans = pairs.map((pair) =>
    pair.remote ? updateRoom(pair.local, pair.remote, graphicIds) : createRoom(pair.local),
  )
  return {
    steps: plans.flatMap(({ steps }) => steps),
    prune: [...plans.flatMap(({ prune }) => prune), ...extra.map(deleteRoom)],
    kept: [...plans.flatMap(({ kept }) => kept), ...extra.map(({ name }): Kept => ({ kind: 'controlRoom', name }))],
  }
}

/** A room with its sections is one request. */
function createRoom(room: RoomEntry): Plan {
  const state: RoomState = { roomId: 0, updatedAt: undefined }
  const sections = room.sections.map(
    (section): PlannedSection => ({ name: section.name, presets: section.presets, id: '' }),
  )
  const create: Step = {
    change: { action: 'create', kind: 'controlRoom', name: room.name },
    async run(session) {
      const body = {
        themeId: session.themeId,
        name: room.name,
        ...(room.defaultMode !== undefined && { defaultMode: room.defaultMode }),
        sections: room.sections.map(({ name, colorKey }) => ({ name, ...(colorKey !== undefined && { colorKey }) })),
        ...sinceTheme(session),
      }
      const made = await session.api.write('POST', '/v2/control-rooms', body, RoomAnswer)
      state.roomId = made.id
      state.updatedAt = made.updatedAt
      for (const [index, section] of sections.entries()) section.id = made.sections[index]?.id ?? ''
    },
  }
  return { steps: [create, ...planPresets(room.name, state, sections).steps], prune: [], kept: [] }
}

function updateRoom(room: RoomEntry, stored: RoomDetailAnswer, graphicIds: ReadonlySet<string>): Plan {
  const state: RoomState = { roomId: stored.id, updatedAt: stored.updatedAt }
  const nameOf = ({ name }: { name: string }) => name
  const { pairs, extra } = pairUp(room.sections, stored.sections, nameOf, nameOf)
  const sections = pairs.map(
    ({ local, remote }): PlannedSection => ({
      name: local.name,
      presets: local.presets,
      id: remote?.id ?? '',
    }),
  )
  const steps = pairs.flatMap(({ local, remote }, index): Step[] => {
    const planned = sections[index]
    if (!planned) return []
    if (!remote) return [createSection(room.name, state, local, planned)]
    return remote.colorKey === local.colorKey ? [] : [recolour(room.name, state, local, remote)]
  })
  const { defaultMode } = room
  if (defaultMode !== undefined && defaultMode !== (stored.defaultMode ?? 'direct'))
    steps.push(changeRoom(room.name, state, 'defaultMode', () => ({ defaultMode })))
  steps.push(
    ...reorder(
      room.name,
      state,
      sections,
      pairs.map(({ remote }) => remote),
      extra,
      stored.sections,
    ),
  )
  const presets = planPresets(room.name, state, sections, { ...stored, graphicIds })
  return {
    steps: [...steps, ...presets.steps],
    prune: [...presets.prune, ...extra.map((section) => deleteSection(room.name, state, section))],
    kept: [...presets.kept, ...extra.map(({ name }): Kept => ({ kind: 'section', name: `${room.name} / ${name}` }))],
  }
}

const createSection = (
  room: string,
  state: RoomState,
  { name, colorKey }: RoomEntry['sections'][number],
  planned: PlannedSection,
): Step => ({
  change: { action: 'create', kind: 'section', name: `${room} / ${name}` },
  async run({ api }) {
    const body = { name, ...(colorKey !== undefined && { colorKey }), ...since(state.updatedAt) }
    const made = await api.write('POST', `/v2/control-rooms/${state.roomId}/sections`, body, SectionWritten)
    planned.id = made.id
    state.updatedAt = made.updatedAt
  },
})

const recolour = (
  room: string,
  state: RoomState,
  { colorKey = null }: { colorKey?: string | undefined | null },
  { id, name }: Section,
): Step => ({
  change: { action: 'update', kind: 'section', name: `${room} / ${name}`, changed: ['colorKey'] },
  async run({ api }) {
    const path = `/v2/control-rooms/${state.roomId}/sections/${encodeURIComponent(id)}`
    const { updatedAt } = await api.write('PATCH', path, { colorKey, ...since(state.updatedAt) }, Written)
    state.updatedAt = updatedAt
  },
})

/** The sections of the folder in its order, then those that only the server has. */
function reorder(
  room: string,
  state: RoomState,
  sections: readonly PlannedSection[],
  remotes: readonly (Section | undefined)[],
  extra: readonly Section[],
  stored: readonly Section[],
): Step[] {
  // new sections go to the end
  const before = [...stored.map(({ id }) => id), ...remotes.flatMap((remote, index) => (remote ? [] : [index]))]
  const after = [...remotes.map((remote, index) => remote?.id ?? index), ...extra.map(({ id }) => id)]
  if (before.every((one, index) => one === after[index])) return []
  const ids = () => [...sections.map(({ id }) => id), ...extra.map(({ id }) => id)]
  return [changeRoom(room, state, 'sections', () => ({ sectionIds: ids() }))]
}

/** `body`: as of its turn, when sections that are new have ids. */
const changeRoom = (room: string, state: RoomState, changed: string, body: () => object): Step => ({
  change: { action: 'update', kind: 'controlRoom', name: room, changed: [changed] },
  async run({ api }) {
    const path = `/v2/control-rooms/${state.roomId}`
    const { updatedAt } = await api.write('PATCH', path, { ...body(), ...since(state.updatedAt) }, Written)
    state.updatedAt = updatedAt
  },
})

const deleteSection = (room: string, state: RoomState, { id, name }: Section): Step => ({
  change: { action: 'delete', kind: 'section', name: `${room} / ${name}` },
  run: ({ api }) => api.delete(`/v2/control-rooms/${state.roomId}/sections/${encodeURIComponent(id)}`),
})

const deleteRoom = ({ id, name, updatedAt }: RoomDetailAnswer): Step => ({
  change: { action: 'delete', kind: 'controlRoom', name },
  run: ({ api }) => api.delete(`/v2/control-rooms/${id}${sinceQuery(updatedAt)}`),
})
