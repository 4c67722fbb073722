import { useEffect, useState } from 'react'
import { api } from '../api.ts'
import type { Overlay, RoomDetail } from '../shapes.ts'

/** Presets by id. */
export type Presets = ReadonlyMap<number, RoomDetail['presets'][number]>

/** The presets of the rooms of these overlays; those that were deleted have no name any more. */
export function usePresets(overlays: readonly Pick<Overlay, 'controlRoomId'>[]): Presets {
  const [presets, setPresets] = useState<Presets>(new Map())
  const ids = [...new Set(overlays.flatMap(({ controlRoomId }) => controlRoomId ?? []))].join(',')
  useEffect(() => {
    if (ids === '') return
    let over = false
    // names are all that is lost when a room cannot be read
    Promise.allSettled(ids.split(',').map((id) => api<RoomDetail>('GET', `/v2/control-rooms/${id}`))).then(
      (answers) => {
        const rooms = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
        if (!over)
          setPresets(new Map(rooms.flatMap((room) => room.presets.map((preset) => [preset.id, preset] as const))))
      },
    )
    return () => {
      over = true
    }
  }, [ids])
  return presets
}
