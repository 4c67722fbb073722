import { randomUUID } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import { ownRecords } from '../ownership.ts'
import { lockTheme } from '../target.ts'
import { getRoom } from './queries.ts'
import { lockRoom, touchRoom, writeRoom } from './room-target.ts'
import type { ControlRoom, ControlRoomCreation, ControlRoomUpdate } from './schema.ts'

type Room = z.output<typeof ControlRoom>
type Creation = Omit<z.output<typeof ControlRoomCreation>, 'sections' | 'defaultMode'> & {
  defaultMode?: Room['defaultMode']
  sections: readonly { name: string; colorKey?: string | undefined }[]
}

/** Creates a control room of a theme with its sections in order. Throws notFound, forbidden and targetChanged for the theme. */
export function createRoom(ctx: RecordContext, asked: Creation): Promise<Room> {
  return ctx.db.write(ctx, { ref: 'control-room/new', type: 'create', asked }, async (tx) => {
    await ownRecords(ctx, tx, 'theme', [asked.themeId])
    await lockTheme(ctx, tx, asked.themeId, asked.ifUnchangedSince)
    const [room] = await tx<{ id: number }[]>`
      insert into control_room (organization_id, theme_id, name, default_mode)
      values (${ctx.organizationId}, ${asked.themeId}, ${asked.name}, ${asked.defaultMode ?? 'direct'}) returning id`
    if (!room) throw new Error('an insert returned no row')
    const sections = asked.sections.map((section) => ({ ...section, id: randomUUID() }))
    await tx`insert into section (id, control_room_id, name, color_key, order_index)
      select s->>'id', ${room.id}, s->>'name', s->>'colorKey', place - 1
      from json_array_elements(${JSON.stringify(sections)}::text::json) with ordinality as o (s, place)`
    return {
      ref: `control-room/${room.id}`,
      result: await getRoom(ctx, room.id, tx),
      events: [{ type: 'controlRoom.created', controlRoomId: room.id, themeId: asked.themeId, name: asked.name }],
    }
  })
}

/** Changes the name, the mode and the order of the sections. Throws notFound and targetChanged. */
export function updateRoom(
  ctx: RecordContext,
  roomId: number,
  asked: z.output<typeof ControlRoomUpdate>,
): Promise<Room> {
  return writeRoom(ctx, roomId, { type: 'update', asked }, async (tx) => {
    await lockRoom(ctx, tx, roomId, asked.ifUnchangedSince)
    const { name, defaultMode, sectionIds } = asked
    if (name === undefined && defaultMode === undefined && !sectionIds)
      return { result: await getRoom(ctx, roomId, tx), events: [] }
    if (sectionIds) await orderSections(tx, await checkOrder(tx, roomId, sectionIds))
    await touchRoom(tx, roomId, { name, defaultMode })
    return {
      result: await getRoom(ctx, roomId, tx),
      events: [{ type: 'controlRoom.updated', controlRoomId: roomId, changed: { name, defaultMode, sectionIds } }],
    }
  })
}

/**
 * Deletes a room with its sections and presets. Throws `invalid` while a theme profile or an overlay uses it; graphics that
 * its presets have on air stay there and can be hidden.
 */
export function deleteRoom(ctx: RecordContext, roomId: number, ifUnchangedSince?: string): Promise<undefined> {
  return writeRoom(ctx, roomId, { type: 'delete' }, async (tx) => {
    await lockRoom(ctx, tx, roomId, ifUnchangedSince)
    await mustBeUnused(tx, roomId)
    await tx`delete from control_room where id = ${roomId}`
    return { result: undefined, events: [{ type: 'controlRoom.deleted', controlRoomId: roomId }] }
  })
}

async function mustBeUnused(tx: TransactionSql, roomId: number) {
  const users = await tx<{ kind: string; id: number }[]>`
    select 'default of theme profile' as kind, id from theme_profile
      where default_control_room_id = ${roomId} and archived_at is null
    union all
    select 'used by overlay', id from overlay where control_room_id = ${roomId}
    order by kind, id limit 20`
  if (users.length === 0) return
  const message = users.map(({ kind, id }) => `${kind} ${id}`).join(', ')
  throw invalid({ 'path.roomId': { message, value: roomId } }, 'The control room is in use')
}

/** The sections of a room in order. */
export async function sectionIdsOf(tx: TransactionSql, roomId: number): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id from section where control_room_id = ${roomId} order by order_index, id`
  return rows.map(({ id }) => id)
}

/** Numbers the sections of a room anew, all of which are given. */
export async function orderSections(tx: TransactionSql, sectionIds: readonly string[]) {
  await tx`
    update section set order_index = o.place - 1
    from unnest(${[...sectionIds]}::text[]) with ordinality as o (id, place)
    where section.id = o.id and order_index <> o.place - 1`
}

async function checkOrder(tx: TransactionSql, roomId: number, asked: readonly string[]) {
  const known = await sectionIdsOf(tx, roomId)
  const details: FieldErrors = {}
  for (const [index, id] of asked.entries()) {
    if (asked.indexOf(id) !== index) details[`body.sectionIds[${index}]`] = { message: 'named twice', value: id }
    else if (!known.includes(id))
      details[`body.sectionIds[${index}]`] = { message: 'not a section of the control room', value: id }
  }
  const left = known.filter((id) => !asked.includes(id))
  if (left.length > 0) details['body.sectionIds'] = { message: `leaves out ${left.join(', ')}` }
  if (Object.keys(details).length > 0) throw invalid(details)
  return asked
}
