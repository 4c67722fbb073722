import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { Context, ReadContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { overlaysOfRoom } from '../overlays/queries.ts'
import { exactly } from '../target.ts'
import { getTheme } from '../themes/queries.ts'
import type { Preset, PresetWithGraphic } from './presets.schema.ts'
import type { ControlRoom, ControlRoomDetail, Section } from './schema.ts'

type Room = z.output<typeof ControlRoom>
type RoomRow = Omit<Room, 'sections'>
type SectionRow = z.output<typeof Section> & { roomId: number }

const roomColumns = (sql: ISql) =>
  sql`id, theme_id as "themeId", name, default_mode as "defaultMode", ${exactly(sql)} as "updatedAt"`

/** The organization's rooms, of one theme when it is given. Throws notFound for a theme that is not its own. */
export async function listRooms(ctx: Context, themeId: number | undefined): Promise<Room[]> {
  const { sql } = ctx.db
  if (themeId !== undefined) await getTheme(ctx, themeId)
  const rooms = await sql<RoomRow[]>`
    select ${roomColumns(sql)} from control_room
    where organization_id = ${ctx.organizationId} ${themeId === undefined ? sql`` : sql`and theme_id = ${themeId}`}
    order by id`
  const sections = await sectionsOf(
    sql,
    rooms.map(({ id }) => id),
  )
  return rooms.map((room) => ({ ...room, sections: sections.get(room.id) ?? [] }))
}

/** Throws notFound, also for another organization's. spec: Authentication 11 */
export async function getRoom(ctx: ReadContext, roomId: number, sql: ISql = ctx.db.sql): Promise<Room> {
  const [room] = await sql<RoomRow[]>`
    select ${roomColumns(sql)} from control_room
    where organization_id = ${ctx.organizationId} and id = ${roomId}`
  if (!room) throw notFound()
  return { ...room, sections: (await sectionsOf(sql, [roomId])).get(roomId) ?? [] }
}

/** spec: Control rooms 30 */
export async function getRoomDetail(ctx: Context, roomId: number): Promise<z.output<typeof ControlRoomDetail>> {
  const room = await getRoom(ctx, roomId)
  const [theme, presets, overlays] = await Promise.all([
    themeOf(ctx, room.themeId),
    presetRows(ctx, roomId),
    ctx.scopes.has('overlays:read') ? overlaysOfRoom(ctx, roomId) : undefined,
  ])
  return {
    ...room,
    theme,
    presets,
    ...(overlays && { overlays }),
  }
}

async function themeOf({ db: { sql } }: Context, themeId: number) {
  const [theme] = await sql<z.output<typeof ControlRoomDetail>['theme'][]>`
    select id, name, active_version as "activeVersion" from theme where id = ${themeId}`
  if (!theme) throw notFound()
  return theme
}

export const listSections = async (ctx: Context, roomId: number) => (await getRoom(ctx, roomId)).sections

/** By section, then in the order operators see them. They stay when a theme activation omits their graphic. */
export async function listPresets(ctx: Context, roomId: number): Promise<z.output<typeof Preset>[]> {
  await getRoom(ctx, roomId)
  const presets = await presetRows(ctx, roomId)
  return presets.map(({ graphicName: _, ...preset }) => preset)
}

/** Throws notFound, also for one of another room and a room of another organization. */
export async function getPreset(ctx: Context, roomId: number, presetId: number): Promise<PresetShape> {
  await getRoom(ctx, roomId)
  return findPreset(ctx.db.sql, roomId, presetId)
}

/** The caller has checked that the room is the organization's. Throws notFound. */
export async function findPreset(sql: ISql, roomId: number, presetId: number): Promise<PresetShape> {
  const [preset] = await sql<PresetShape[]>`
    select ${presetColumns(sql)} where p.control_room_id = ${roomId} and p.id = ${presetId}`
  if (!preset) throw notFound()
  return preset
}

/** A section with its place; the room is the organization's. */
export async function getSection(sql: ISql, sectionId: string) {
  const [row] = await sql<{ id: string; name: string; colorKey: string | null; orderIndex: number }[]>`
    select id, name, color_key as "colorKey", order_index as "orderIndex" from section where id = ${sectionId}`
  if (!row) throw notFound()
  return coloured(row)
}

type PresetShape = z.output<typeof PresetWithGraphic>

const presetColumns = (sql: ISql) => sql`
  p.id, p.control_room_id as "controlRoomId", p.section_id as "sectionId", p.graphic_id as "graphicId", p.name,
  p.order_index as "orderIndex", p.variable_values as "variableValues",
  p.exposed_variables as "exposedVariables", ${exactly(sql, 'p.updated_at')} as "updatedAt",
  coalesce(g.name, '') as "graphicName"
  from preset p
  join section s on s.id = p.section_id
  left join graphic g on g.id = p.graphic_id`

const presetRows = ({ db: { sql } }: Context, roomId: number) => sql<PresetShape[]>`
  select ${presetColumns(sql)} where p.control_room_id = ${roomId} order by s.order_index, p.order_index, p.id`

/** A section as it is shown: one without a colour key has none. */
const coloured = <T extends { colorKey: string | null }>({ colorKey, ...section }: T) =>
  colorKey === null ? section : { ...section, colorKey }

async function sectionsOf(sql: ISql, roomIds: readonly number[]) {
  const rows = await sql<(SectionRow & { colorKey: string | null })[]>`
    select id, name, color_key as "colorKey", control_room_id as "roomId" from section
    where control_room_id = any(${[...roomIds]}) order by order_index, id`
  const byRoom = new Map<number, z.output<typeof Section>[]>()
  for (const { roomId, ...section } of rows) {
    const sections = byRoom.get(roomId) ?? []
    sections.push(coloured(section))
    byRoom.set(roomId, sections)
  }
  return byRoom
}
