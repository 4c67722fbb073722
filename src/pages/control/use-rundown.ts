import type { Live } from '../live/follow.ts'
import { type OperatedRundown, targetOf } from './desk.ts'
import type { Room, Rundown, RundownItem } from './model.ts'
import type { Send } from './use-commands.ts'
import { useRundownList } from './use-room.ts'

/** The rundown of the overlay; undefined when it has no items. Each move says where this page has seen it: two presses at once are one. */
export function useRundown(live: Live, room: Room, send: Send): OperatedRundown | undefined {
  const { items = [] } = useRundownList(live.roomRevision) ?? {}
  if (items.length === 0) return undefined
  const { cuedId, takenId } = live.rundown
  const presetOf = ({ presetId }: RundownItem) => room.presets.find(({ id }) => id === presetId)
  const cued = items.find(({ id }) => id === cuedId)
  const after = items.findIndex(({ id }) => id === takenId) + 1
  const say = (command: Parameters<Send>[1]) => void send(targetOf.rundown, command, targetOf.rundown)
  return {
    items,
    takenId,
    cued,
    following: cued ? undefined : items.slice(after).find(({ problem }) => problem === null),
    nameOf: (item) => item.name ?? presetOf(item)?.name ?? 'A preset that is gone',
    aboutOf: (item) => aboutOf(item, item.name === undefined ? undefined : presetOf(item)?.name),
    isOnAir: ({ id, presetId }) =>
      id === takenId && [...live.onAir.values()].some((graphic) => graphic.presetId === presetId),
    next: () => say({ action: 'next', ifPosition: cuedId }),
    previous: () => say({ action: 'previous', ifPosition: cuedId }),
    cue: (itemId) => say({ action: 'cueItem', itemId, ifPosition: cuedId }),
  }
}

const aboutOf = ({ variableValues = {} }: Rundown['items'][number], presetName: string | undefined) =>
  [presetName, ...Object.values(variableValues).filter((value) => typeof value === 'string' && value !== '')]
    .filter(Boolean)
    .join(' · ')
