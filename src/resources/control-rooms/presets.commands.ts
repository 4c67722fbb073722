import type { TransactionSql } from 'postgres'
import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import { type GivenValues, valueErrors, wrongValue } from '../control-variables.ts'
import { asRead, checkTarget, thisWrite } from '../target.ts'
import { sectionIdsOf } from './commands.ts'
import { findManifest, type Manifest } from './manifest.queries.ts'
import type { PresetCreation, PresetUpdate, PresetWithGraphic } from './presets.schema.ts'
import { findPreset } from './queries.ts'
import { lockRoom, placed, touchRoom, writeRoom } from './room-target.ts'

type Shape = z.output<typeof PresetWithGraphic>
type PresetPath = { roomId: number; presetId: number }

/** Adds a preset to a section, at its end unless `orderIndex` says where. Throws notFound and targetChanged for the room. */
export function createPreset(
  ctx: RecordContext,
  roomId: number,
  asked: Omit<z.output<typeof PresetCreation>, 'exposedVariables'> & {
    exposedVariables?: readonly string[] | undefined
  },
): Promise<Shape> {
  return writeRoom(ctx, roomId, { type: 'createPreset', asked: noted(asked) }, async (tx) => {
    const { themeId } = await lockRoom(ctx, tx, roomId, asked.ifUnchangedSince)
    const sections = await sectionIdsOf(tx, roomId)
    const manifest = await findManifest(tx, themeId, asked.graphicId)
    refuse({
      ...wrongSection(sections, asked.sectionId),
      ...(manifest?.usable
        ? wrongVariables(manifest.variables, asked)
        : { 'body.graphicId': { message: 'not a graphic of the theme of the room', value: asked.graphicId } }),
    })
    const exposed = asked.exposedVariables ?? [...(manifest?.variables.keys() ?? [])]
    const before = await presetIdsOf(tx, asked.sectionId)
    // one moment for both, so that a client that makes several can go on with the `updatedAt` of this answer
    const updatedAt = await touchRoom(tx, roomId)
    const [row] = await tx<{ id: number }[]>`
      insert into preset (control_room_id, section_id, graphic_id, name, order_index, variable_values, exposed_variables,
        updated_at)
      values (${roomId}, ${asked.sectionId}, ${asked.graphicId}, ${asked.name}, ${before.length},
        ${tx.json(asked.variableValues)}::jsonb, ${[...exposed]}::text[], ${updatedAt}::text::timestamptz)
      returning id`
    if (!row) throw new Error('an insert returned no row')
    await orderPresets(tx, asked.sectionId, placed(before, row.id, asked.orderIndex))
    return {
      result: await findPreset(tx, roomId, row.id),
      events: [{ type: 'preset.created', presetId: row.id, controlRoomId: roomId, graphicId: asked.graphicId }],
    }
  })
}

/**
 * Changes the fields that were sent of a preset; its place also counts in another section. A graphic on air keeps its values until
 * the next command. Throws notFound, and targetChanged for the preset.
 */
export function updatePreset(
  ctx: RecordContext,
  place: PresetPath,
  asked: z.output<typeof PresetUpdate>,
): Promise<Shape> {
  const { roomId, presetId } = place
  const note = { presetId, ...noted(asked) }
  return writeRoom(ctx, roomId, { type: 'updatePreset', asked: note }, async (tx) => {
    const { themeId } = await lockRoom(ctx, tx, roomId)
    const stored = await lockPreset(tx, place, asked.ifUnchangedSince)
    const sectionId = asked.sectionId ?? stored.sectionId
    refuse({
      ...(asked.graphicId !== undefined &&
        asked.graphicId !== stored.graphicId && {
          'body.graphicId': { message: 'a preset keeps its graphic', value: asked.graphicId },
        }),
      ...wrongSection(await sectionIdsOf(tx, roomId), sectionId),
      ...(setsVariables(asked) &&
        wrongVariables((await findManifest(tx, themeId, stored.graphicId))?.variables, asked)),
    })
    const { name, variableValues, exposedVariables, orderIndex } = asked
    const changes = [name, variableValues, exposedVariables, orderIndex, asked.sectionId]
    if (changes.every((value) => value === undefined))
      return { result: await findPreset(tx, roomId, presetId), events: [] }
    await tx`
      update preset set updated_at = ${thisWrite(tx)}, name = coalesce(${name ?? null}, name),
        variable_values = ${variableValues ? tx`${tx.json(variableValues)}::jsonb` : tx`variable_values`},
        exposed_variables = ${exposedVariables ? tx`${exposedVariables}::text[]` : tx`exposed_variables`}
      where id = ${presetId}`
    if (sectionId !== stored.sectionId || orderIndex !== undefined)
      await move(tx, roomId, presetId, { from: stored.sectionId, to: sectionId, place: orderIndex })
    return {
      result: await findPreset(tx, roomId, presetId),
      events: [{ type: 'preset.updated', presetId, controlRoomId: roomId, changed: note }],
    }
  })
}

/** Deletes a preset; its graphic on air stays there and can be hidden. Throws notFound, and targetChanged for the preset. */
export function deletePreset(ctx: RecordContext, place: PresetPath, ifUnchangedSince?: string): Promise<undefined> {
  const { roomId, presetId } = place
  return writeRoom(ctx, roomId, { type: 'deletePreset', asked: { presetId } }, async (tx) => {
    await lockRoom(ctx, tx, roomId)
    const { sectionId } = await lockPreset(tx, place, ifUnchangedSince)
    await tx`delete from preset where id = ${presetId}`
    await orderPresets(tx, sectionId, await presetIdsOf(tx, sectionId))
    await touchRoom(tx, roomId)
    return { result: undefined, events: [{ type: 'preset.deleted', presetId, controlRoomId: roomId }] }
  })
}

type Sent = { variableValues?: GivenValues | undefined; exposedVariables?: readonly string[] | undefined }

const setsVariables = ({ variableValues, exposedVariables }: Sent) => Boolean(variableValues ?? exposedVariables)

/** A request as it is journaled: the names of the variables it set without their values, since a text may be long. */
const noted = <T extends Sent>({ variableValues, ...asked }: T) => ({
  ...asked,
  ...(variableValues && { variables: Object.keys(variableValues) }),
})

function refuse(details: FieldErrors) {
  if (Object.keys(details).length > 0) throw invalid(details)
}

const wrongSection = (sections: readonly string[], sectionId: string): FieldErrors =>
  sections.includes(sectionId)
    ? {}
    : { 'body.sectionId': { message: 'not a section of the control room', value: sectionId } }

const NONE: Manifest = new Map()

function wrongVariables(manifest: Manifest = NONE, { variableValues = {}, exposedVariables = [] }: Sent): FieldErrors {
  const details: FieldErrors = {
    ...valueErrors(variableValues, (name, value) => wrongValue(manifest.get(name), value)),
  }
  for (const [index, name] of exposedVariables.entries()) {
    const message = manifest.has(name) ? 'named twice' : 'the graphic has no such variable'
    if (!manifest.has(name) || exposedVariables.indexOf(name) !== index)
      details[`body.exposedVariables[${index}]`] = { message, value: name }
  }
  return details
}

type Stored = { sectionId: string; graphicId: string }

async function lockPreset(
  tx: TransactionSql,
  { roomId, presetId }: PresetPath,
  ifUnchangedSince?: string,
): Promise<Stored> {
  const [preset] = await tx<(Stored & { unchanged: boolean })[]>`
    select section_id as "sectionId", graphic_id as "graphicId", ${asRead(tx, ifUnchangedSince)} as unchanged
    from preset where id = ${presetId} and control_room_id = ${roomId} for update`
  return checkTarget(preset)
}

async function presetIdsOf(tx: TransactionSql, sectionId: string): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`
    select id from preset where section_id = ${sectionId} order by order_index, id`
  return rows.map(({ id }) => id)
}

/** Puts these presets into a section, all that shall be in it, numbered anew. The others keep their `updatedAt`: only their place moved. */
async function orderPresets(tx: TransactionSql, sectionId: string, presetIds: readonly number[]) {
  await tx`
    update preset set section_id = ${sectionId}, order_index = o.place - 1
    from unnest(${[...presetIds]}::int[]) with ordinality as o (id, place)
    where preset.id = o.id and (order_index <> o.place - 1 or section_id <> ${sectionId})`
}

async function move(
  tx: TransactionSql,
  roomId: number,
  presetId: number,
  { from, to, place }: { from: string; to: string; place: number | undefined },
) {
  const there = await presetIdsOf(tx, to)
  await orderPresets(tx, to, placed(there, presetId, place))
  if (from !== to) await orderPresets(tx, from, await presetIdsOf(tx, from))
  await touchRoom(tx, roomId)
}
