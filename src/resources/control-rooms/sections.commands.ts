import { randomUUID } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { invalid, notFound } from '../../errors.ts'
import { checkTarget } from '../target.ts'
import { orderSections, sectionIdsOf } from './commands.ts'
import { getRoom, getSection } from './queries.ts'
import { lockedRoom, lockRoom, placed, touchRoom, writeRoom } from './room-target.ts'
import type { SectionCreation, SectionDeletion, SectionUpdate, SectionWritten } from './schema.ts'

type Written = z.output<typeof SectionWritten>

/** Adds a section to a room, at the end unless `orderIndex` says where. Throws notFound and targetChanged for the room. */
export function createSection(
  ctx: RecordContext,
  roomId: number,
  asked: z.output<typeof SectionCreation>,
): Promise<Written> {
  const id = randomUUID()
  return writeRoom(ctx, roomId, { type: 'createSection', asked }, async (tx) => {
    await lockRoom(ctx, tx, roomId, asked.ifUnchangedSince)
    const before = await sectionIdsOf(tx, roomId)
    await tx`insert into section (id, control_room_id, name, color_key, order_index)
      values (${id}, ${roomId}, ${asked.name}, ${asked.colorKey ?? null}, ${before.length})`
    await orderSections(tx, placed(before, id, asked.orderIndex))
    return {
      result: await written(tx, roomId, id),
      events: [{ type: 'section.created', sectionId: id, controlRoomId: roomId, name: asked.name }],
    }
  })
}

/** Changes name, colour key and place. Throws notFound, and targetChanged for the room. */
export function updateSection(
  ctx: RecordContext,
  { roomId, sectionId }: { roomId: number; sectionId: string },
  asked: z.output<typeof SectionUpdate>,
): Promise<Written> {
  return writeRoom(ctx, roomId, { type: 'updateSection', asked: { sectionId, ...asked } }, async (tx) => {
    const before = await lockSection(ctx, tx, { roomId, sectionId }, asked.ifUnchangedSince)
    const { name, colorKey, orderIndex } = asked
    if ([name, colorKey, orderIndex].every((value) => value === undefined)) {
      const { updatedAt } = await getRoom(ctx, roomId, tx)
      return { result: { ...(await getSection(tx, sectionId)), updatedAt }, events: [] }
    }
    await tx`update section set name = coalesce(${name ?? null}, name),
      color_key = ${colorKey === undefined ? tx`color_key` : colorKey} where id = ${sectionId}`
    if (orderIndex !== undefined) await orderSections(tx, placed(before, sectionId, orderIndex))
    return {
      result: await written(tx, roomId, sectionId),
      events: [{ type: 'section.updated', sectionId, controlRoomId: roomId, changed: { name, colorKey, orderIndex } }],
    }
  })
}

/** Deletes a section. Throws `invalid` while presets are in it, unless they are to go with it; notFound; targetChanged. */
export function deleteSection(
  ctx: RecordContext,
  { roomId, sectionId }: { roomId: number; sectionId: string },
  asked: z.output<typeof SectionDeletion>,
): Promise<undefined> {
  return writeRoom(ctx, roomId, { type: 'deleteSection', asked: { sectionId, ...asked } }, async (tx) => {
    const before = await lockSection(ctx, tx, { roomId, sectionId }, asked.ifUnchangedSince)
    const presets = await tx<
      { id: number }[]
    >`select id from preset where section_id = ${sectionId} order by order_index`
    if (presets.length > 0 && asked.presets !== 'delete')
      throw invalid(
        {
          'query.presets': { message: `the section has ${presets.length} presets: move them, or send presets=delete` },
        },
        'The section is not empty',
      )
    await tx`delete from section where id = ${sectionId}`
    await orderSections(
      tx,
      before.filter((id) => id !== sectionId),
    )
    await touchRoom(tx, roomId)
    const presetIds = presets.map(({ id }) => id)
    return {
      result: undefined,
      events: [{ type: 'section.deleted', sectionId, controlRoomId: roomId, presetIds }],
    }
  })
}

/** Answers the sections of the room in order. */
async function lockSection(
  ctx: RecordContext,
  tx: TransactionSql,
  { roomId, sectionId }: { roomId: number; sectionId: string },
  ifUnchangedSince: string | undefined,
): Promise<string[]> {
  const room = await lockedRoom(ctx, tx, roomId, ifUnchangedSince)
  const known = await sectionIdsOf(tx, roomId)
  if (!known.includes(sectionId)) throw notFound()
  checkTarget(room)
  return known
}

async function written(tx: TransactionSql, roomId: number, sectionId: string): Promise<Written> {
  const updatedAt = await touchRoom(tx, roomId)
  return { ...(await getSection(tx, sectionId)), updatedAt }
}
