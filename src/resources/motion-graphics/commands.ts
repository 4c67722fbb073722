import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { RecordContext } from '../../context.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import { sourceOf } from '../../motion/source-of.ts'
import type { GraphicPath } from '../code-graphics/schema.ts'
import { graphicRef, lockThemeAndDraft } from '../code-graphics/working-copy.ts'
import { insertGraphic, publishDraft, updateGraphic } from '../graphic-writes.ts'
import { lockTheme } from '../target.ts'
import { getWrittenMotionGraphic } from './queries.ts'
import type { MotionGraphic, MotionGraphicCreation, MotionGraphicUpdate, PublishedMotionGraphic } from './schema.ts'
import { inMotion } from './schema.ts'
import { MOTION_FILE } from './sources.ts'
import { EMPTY } from './state-machine.schema.ts'
import { byName } from './state-machine.ts'
import { draftOf, type MotionDraft } from './working-copy.ts'

/** Creates an empty motion graphic; its file comes with an import. domain 5.12 */
export function createMotionGraphic(
  ctx: RecordContext,
  themeId: number,
  { name, sports, ifUnchangedSince }: z.output<typeof MotionGraphicCreation>,
): Promise<z.output<typeof MotionGraphic>> {
  const path = inMotion({ themeId, graphicId: randomUUID() })
  const command = { ref: graphicRef(path.graphicId), type: 'create', asked: { name, sports } }
  return ctx.db.write(ctx, command, async (tx) => {
    await lockTheme(ctx, tx, themeId, ifUnchangedSince)
    const events = await insertGraphic(tx, path, { name, sports, stateMachine: EMPTY })
    return { result: await getWrittenMotionGraphic(ctx, tx, path), events }
  })
}

/** Renames a motion graphic, or changes the sports of its working copy. */
export function updateMotionGraphic(
  ctx: RecordContext,
  path: GraphicPath,
  { name, sports, ifUnchangedSince }: z.output<typeof MotionGraphicUpdate>,
): Promise<z.output<typeof MotionGraphic>> {
  return updateGraphic(ctx, path, {
    name,
    ifUnchangedSince,
    asked: { name, sports },
    change:
      sports && ((tx) => tx`update graphic_draft set sports = ${sports}::text[] where graphic_id = ${path.graphicId}`),
    read: (tx) => getWrittenMotionGraphic(ctx, tx, path),
  })
}

/**
 * Publishes the working copy as an immutable version; the working copy goes on as the next one, under a new id. Throws
 * invalid when there is nothing to play.
 */
export function publishMotionGraphic(
  ctx: RecordContext,
  path: GraphicPath,
  { ifUnchangedSince }: { ifUnchangedSince?: string | undefined } = {},
): Promise<z.output<typeof PublishedMotionGraphic>> {
  const { graphicId } = path
  return ctx.db.write(ctx, { ref: graphicRef(graphicId), type: 'publish' }, async (tx) => {
    const draft = draftOf(await lockThemeAndDraft(ctx, tx, path, ifUnchangedSince))
    const unusable = whyUnusable(draft)
    if (Object.keys(unusable).length > 0) throw invalid(unusable, 'The graphic cannot be published')
    const updatedAt = await publishDraft(tx, path)
    return {
      result: {
        publishedVersion: draft.version,
        graphic: await getWrittenMotionGraphic(ctx, tx, path),
        updatedAt,
      },
      events: [{ type: 'graphic.published', graphicId, version: draft.version }],
    }
  })
}

function whyUnusable({ files, motion, stateMachine }: MotionDraft): FieldErrors {
  const { currentArtboard, currentStateMachine, assets, dataBindings, controlVariables } = stateMachine
  if (!motion.file || !files.some(({ name }) => name === MOTION_FILE))
    return { files: { message: 'there is no motion file yet' } }
  const artboard = byName(motion.file.artboards, currentArtboard)
  if (!artboard) return { 'stateMachine.currentArtboard': { message: 'the file has no such artboard' } }
  const isPlayed = currentStateMachine === '' || byName(artboard.stateMachines, currentStateMachine)
  const details: FieldErrors = isPlayed
    ? {}
    : { 'stateMachine.currentStateMachine': { message: 'the artboard has no such state machine' } }
  for (const { unresolved, expression, exposed, name, id, type } of assets)
    if (
      unresolved &&
      exposed?.required &&
      !sourceOf({ expression, exposed, isPicture: type === 'image' }, controlVariables)
    )
      details[`stateMachine.assets.${id}`] = {
        message: `${exposed.name || name} is required, and nothing is drawn for it`,
      }
  for (const { value = '', expression, exposed, name, id, viewModelProperty } of dataBindings)
    if (
      exposed?.required &&
      value.trim() === '' &&
      !sourceOf({ expression, exposed, isPicture: viewModelProperty.type === 'image' }, controlVariables)
    )
      details[`stateMachine.dataBindings.${id}`] = {
        message: `${exposed.name || name} is required, and nothing gives it a value`,
      }
  return details
}
