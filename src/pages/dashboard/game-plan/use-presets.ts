import { useCallback, useEffect, useState } from 'react'
import { api } from '../api.ts'
import type { Preset, Room, RoomDetail } from '../shapes.ts'

/** Presets as they are chosen from: those of the room that the profile names first. */
export type PresetGroup = { readonly title: string; readonly presets: readonly Preset[] }

export type Presets = {
  readonly groups: readonly PresetGroup[]
  /** Those of the room of the profile; only they are shown where that room is used. */
  readonly ofProfile: readonly Preset[]
  nameOf(id: number): string | undefined
  find(id: number): Preset | undefined
}

function presetsOf(rooms: readonly RoomDetail[], profileRoomId: number): Presets {
  const sorted = [...rooms].sort((one, other) => Number(other.id === profileRoomId) - Number(one.id === profileRoomId))
  const groups = sorted.flatMap((room) =>
    room.sections.map((section) => ({
      title: room.id === profileRoomId ? section.name : `${room.name}: ${section.name}`,
      presets: room.presets.filter(({ sectionId }) => sectionId === section.id),
    })),
  )
  const byId = new Map(sorted.flatMap(({ presets }) => presets.map((preset) => [preset.id, preset])))
  return {
    groups: groups.filter(({ presets }) => presets.length > 0),
    ofProfile: sorted.find(({ id }) => id === profileRoomId)?.presets ?? [],
    nameOf: (id) => byId.get(id)?.name,
    find: (id) => byId.get(id),
  }
}

/** The presets of all control rooms of a theme; undefined while they are read. */
export function usePresets(themeId: number | undefined, profileRoomId: number | undefined) {
  const [presets, setPresets] = useState<Presets>()
  const [error, setError] = useState<unknown>()
  const reload = useCallback(async () => {
    if (themeId === undefined || profileRoomId === undefined) return
    try {
      const rooms = await api<Room[]>('GET', `/v2/control-rooms?themeId=${themeId}`)
      const details = await Promise.all(rooms.map(({ id }) => api<RoomDetail>('GET', `/v2/control-rooms/${id}`)))
      setPresets(presetsOf(details, profileRoomId))
      setError(undefined)
    } catch (failure) {
      setError(failure)
    }
  }, [themeId, profileRoomId])
  useEffect(() => {
    void reload()
  }, [reload])
  return { presets, error, reload }
}
