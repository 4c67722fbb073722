import { z } from 'zod'
import { IfUnchangedSince, Unchanged, UpdatedAt } from '../../schema/concurrency.ts'
import { Id, text } from '../../schema/fields.ts'
import { OrderIndex, PresetWithGraphic } from './presets.schema.ts'

/** spec: Control room, section, preset */
export const Section = z
  .object({ id: z.string(), name: z.string(), colorKey: z.string().optional() })
  .meta({ id: 'Section' })

/** show-control: Pictures */
export const RoomMode = z.enum(['direct', 'preview']).meta({
  id: 'RoomMode',
  description:
    'Beta. What a press on a preset does on the page of the room: `direct` shows it, `preview` cues it, and a take puts it on air. Operators may choose otherwise',
})

/** spec: Control room, section, preset */
export const ControlRoom = z
  .object({
    id: Id,
    themeId: Id,
    name: z.string(),
    defaultMode: RoomMode,
    sections: z.array(Section),
    updatedAt: UpdatedAt,
  })
  .meta({
    id: 'ControlRoom',
    description: 'Sections in the order operators see them; they are written with their room',
  })

/** spec: Control rooms 30 */
export const ControlRoomDetail = ControlRoom.extend({
  theme: z.object({ id: Id, name: z.string(), activeVersion: z.int32().nullable() }).meta({ id: 'ControlRoomTheme' }),
  presets: z.array(PresetWithGraphic),
  overlays: z
    .array(
      z.object({ id: Id, name: z.string(), matchId: Id, monitoringUrl: z.url() }).meta({ id: 'ControlRoomOverlay' }),
    )
    .optional()
    .meta({ description: 'The overlays that use the room; only with overlays:read' }),
}).meta({ id: 'ControlRoomDetail' })

export const ControlRoomList = z.array(ControlRoom).meta({ id: 'ControlRoomList' })
export const SectionList = z.array(Section).meta({ id: 'SectionList' })

const RoomName = text(1, 255)
const colorKey = text(1, 64).meta({ description: 'What the tools of operators tell sections apart by' })
const section = { name: RoomName, colorKey: colorKey.optional() }

/** `ifUnchangedSince` is that of the theme. */
export const ControlRoomCreation = z
  .object({
    themeId: Id,
    name: RoomName,
    defaultMode: RoomMode.default('direct'),
    sections: z.array(z.object(section)).max(100).default([]).meta({ description: 'In order' }),
    ifUnchangedSince: IfUnchangedSince,
  })
  .meta({ id: 'ControlRoomCreation' })

export const ControlRoomUpdate = z
  .object({
    name: RoomName.optional(),
    defaultMode: RoomMode.optional(),
    sectionIds: z
      .array(z.string().min(1))
      .max(1_000)
      .optional()
      .meta({ description: 'Every section of the room in its new order' }),
    ifUnchangedSince: IfUnchangedSince,
  })
  .meta({ id: 'ControlRoomUpdate' })

export const SectionCreation = z
  .object({ ...section, orderIndex: OrderIndex.optional(), ifUnchangedSince: IfUnchangedSince })
  .meta({ id: 'SectionCreation', description: 'At the end unless `orderIndex` says where' })

export const SectionUpdate = z
  .object({
    name: RoomName.optional(),
    colorKey: colorKey.nullable().optional().meta({ description: 'Null takes it away' }),
    orderIndex: OrderIndex.optional(),
    ifUnchangedSince: IfUnchangedSince,
  })
  .meta({ id: 'SectionUpdate' })

/** `updatedAt` is the new one of the room. */
export const SectionWritten = Section.extend({
  orderIndex: z.int32(),
  updatedAt: UpdatedAt.meta({ description: 'That of the control room' }),
}).meta({ id: 'SectionWritten' })

export const RoomParams = z.object({ roomId: Id }).meta({ id: 'RoomParams' })
export const SectionParams = z.object({ roomId: Id, sectionId: z.string().min(1) }).meta({ id: 'SectionParams' })
export const RoomFilter = z.object({ themeId: Id.optional() }).meta({ id: 'RoomFilter' })
export const SectionDeletion = Unchanged.extend({
  presets: z.enum(['delete']).optional().meta({ description: '`delete`: with the presets that are in it' }),
}).meta({ id: 'SectionDeletion' })
