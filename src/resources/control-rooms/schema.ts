import { z } from 'zod'
import { Id } from '../../schema/fields.ts'

/** spec: Control room, section, preset */
export const Section = z
  .object({ id: z.string(), name: z.string(), colorKey: z.string().optional() })
  .meta({ id: 'Section' })

/** spec: Control room, section, preset */
export const ControlRoom = z
  .object({ id: Id, themeId: Id, name: z.string(), sections: z.array(Section) })
  .meta({ id: 'ControlRoom' })

/** spec: Control room, section, preset */
export const Preset = z
  .object({
    id: Id,
    controlRoomId: Id,
    sectionId: z.string(),
    graphicId: z.string(),
    name: z.string(),
    orderIndex: z.int32(),
    variableValues: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    exposedVariables: z.array(z.string()),
  })
  .meta({ id: 'Preset' })

/** spec: Control rooms 30 */
export const ControlRoomDetail = ControlRoom.extend({
  theme: z.object({ id: Id, name: z.string(), activeVersion: z.int32().nullable() }).meta({ id: 'ControlRoomTheme' }),
  presets: z.array(Preset.extend({ graphicName: z.string() }).meta({ id: 'PresetWithGraphic' })),
  overlays: z
    .array(
      z.object({ id: Id, name: z.string(), matchId: Id, monitoringUrl: z.url() }).meta({ id: 'ControlRoomOverlay' }),
    )
    .optional()
    .meta({ description: 'The overlays that use the room; only with overlays:read' }),
}).meta({ id: 'ControlRoomDetail' })

export const ControlRoomList = z.array(ControlRoom).meta({ id: 'ControlRoomList' })
export const SectionList = z.array(Section).meta({ id: 'SectionList' })
export const PresetList = z.array(Preset).meta({ id: 'PresetList' })

export const RoomParams = z.object({ roomId: Id }).meta({ id: 'RoomParams' })
export const RoomFilter = z.object({ themeId: Id.optional() }).meta({ id: 'RoomFilter' })
