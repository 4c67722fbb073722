import { api } from '../api.ts'
import type { ImportedOgraf, OverlayList, RoomDetail } from '../shapes.ts'

export type Graphic = Pick<ImportedOgraf['graphics'][number], 'graphicId' | 'name' | 'warnings'>
/** Where graphics of a kind are in the API. */
export type Segment = 'ograf-graphics' | 'code-graphics'

/** Where the graphics can be shown now: the control pages of the overlays that use the room. */
export type InUse = { version: number; pages: { name: string; url: string }[] }

/**
 * Publishes graphics, makes a theme version with them the active one, and gives those that have no preset in the room one, in its last
 * section. Without a room they are only published.
 */
export async function putToUse(
  { themeId, segment, roomId }: { themeId: number; segment: Segment; roomId: number | undefined },
  graphics: readonly Graphic[],
): Promise<InUse> {
  for (const { graphicId } of graphics)
    await api('POST', `/v2/themes/${themeId}/${segment}/${graphicId}/publish`, { body: {} })
  const { version } = await api<{ version: number }>('POST', `/v2/themes/${themeId}/versions`, {
    body: { activate: true },
  })
  if (roomId === undefined) return { version, pages: [] }
  await addPresets(roomId, graphics)
  const { overlays } = await api<OverlayList>('GET', '/v2/overlays?limit=1000')
  const pages = overlays
    .filter((overlay) => overlay.controlRoomId === roomId)
    .flatMap(({ name, controlRoomUrl }) => (controlRoomUrl ? [{ name, url: controlRoomUrl }] : []))
  return { version, pages }
}

async function addPresets(roomId: number, graphics: readonly Graphic[]) {
  const room = await api<RoomDetail>('GET', `/v2/control-rooms/${roomId}`)
  const sectionId = room.sections.at(-1)?.id
  const known = new Set(room.presets.map(({ graphicId }) => graphicId))
  if (sectionId === undefined) throw new Error('The control room has no section: give it one first')
  for (const { graphicId, name } of graphics)
    if (!known.has(graphicId))
      await api('POST', `/v2/control-rooms/${roomId}/presets`, { body: { sectionId, graphicId, name } })
}
