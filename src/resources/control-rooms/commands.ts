import { randomUUID } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import type { Values } from '../../../machines/overlay.ts'
import type { RecordContext } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { getTheme } from '../themes/queries.ts'
import { getRoom } from './queries.ts'

/** Creates a control room of a theme with its sections in order. Answers as `getRoom`. */
export function createRoom(
  ctx: RecordContext,
  asked: { themeId: number; name: string; sections: readonly { name: string; colorKey?: string }[] },
) {
  return ctx.db.write(ctx, { ref: 'control-room/new', type: 'create', asked }, async (tx) => {
    await getTheme(ctx, asked.themeId, tx)
    const [room] = await tx<{ id: number }[]>`
      insert into control_room (organization_id, theme_id, name)
      values (${ctx.organizationId}, ${asked.themeId}, ${asked.name}) returning id`
    if (!room) throw new Error('an insert returned no row')
    for (const [index, section] of asked.sections.entries())
      await tx`insert into section (id, control_room_id, name, color_key, order_index)
        values (${randomUUID()}, ${room.id}, ${section.name}, ${section.colorKey ?? null}, ${index})`
    return {
      ref: `control-room/${room.id}`,
      result: await getRoom(ctx, room.id, tx),
      events: [{ type: 'controlRoom.created', controlRoomId: room.id, themeId: asked.themeId, name: asked.name }],
    }
  })
}

type PresetCreation = {
  sectionId: string
  graphicId: string
  name: string
  variableValues: Values
  exposedVariables: readonly string[]
}

/** Adds a preset at the end of its section. Answers its id. */
export async function createPreset(ctx: RecordContext, roomId: number, asked: PresetCreation): Promise<{ id: number }> {
  const command = { ref: `control-room/${roomId}`, type: 'createPreset', asked }
  const preset = await ctx.db.write(ctx, command, async (tx) => {
    await checkPreset(ctx, tx, roomId, asked)
    const [row] = await tx<{ id: number }[]>`
      insert into preset (control_room_id, section_id, graphic_id, name, order_index, variable_values, exposed_variables)
      select ${roomId}, ${asked.sectionId}, ${asked.graphicId}, ${asked.name}, coalesce(max(order_index) + 1, 0),
        ${tx.json(asked.variableValues)}::jsonb, ${[...asked.exposedVariables]}::text[]
      from preset where section_id = ${asked.sectionId}
      returning id`
    if (!row) throw new Error('an insert returned no row')
    await tx`select pg_notify('catalog', ${JSON.stringify({ room: roomId })})`
    return { result: row, events: [{ type: 'preset.created', presetId: row.id, controlRoomId: roomId }] }
  })
  ctx.catalog.forget({ room: roomId })
  return preset
}

async function checkPreset(ctx: RecordContext, tx: TransactionSql, roomId: number, asked: PresetCreation) {
  const room = await getRoom(ctx, roomId, tx)
  if (!room.sections.some(({ id }) => id === asked.sectionId))
    throw invalid({ 'body.sectionId': { message: 'not a section of the control room', value: asked.sectionId } })
  const [graphic] = await tx`select 1 from graphic where id = ${asked.graphicId} and theme_id = ${room.themeId}`
  if (!graphic)
    throw invalid({ 'body.graphicId': { message: 'not a graphic of the theme of the room', value: asked.graphicId } })
}
