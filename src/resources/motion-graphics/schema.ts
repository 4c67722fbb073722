import { z } from 'zod'
import { IfUnchangedSince, Unchanged, UpdatedAt } from '../../schema/concurrency.ts'
import { Id, Timestamp } from '../../schema/fields.ts'
import { SportKey } from '../../schema/sport.ts'
import { BundleFile, type GraphicPath, GraphicName as Name, GraphicSports as Sports } from '../code-graphics/schema.ts'
import { MotionStateMachine } from './state-machine.schema.ts'

/** The holder of the graphic, and until when; both null when there is none. spec: Motion graphics list item */
const MotionLock = z
  .object({ holder: z.string().nullable(), expiresAt: Timestamp.nullable() })
  .meta({ id: 'MotionLock' })

const listed = {
  graphicId: z.string(),
  name: z.string(),
  sports: z.array(z.string()),
  updatedAt: UpdatedAt,
  publishedVersions: z.array(z.int32()),
  lock: MotionLock,
}

/** spec: Motion graphics 22 */
export const MotionGraphicList = z
  .array(z.object(listed).meta({ id: 'MotionGraphicListItem' }))
  .meta({ id: 'MotionGraphicList' })

/** The working copy. domain 5.12 */
export const MotionGraphic = z
  .object({
    ...listed,
    id: Id.meta({ description: 'Row id of the working copy; changes on every publish' }),
    type: z.literal('rive'),
    version: z.int32(),
    stateMachine: MotionStateMachine,
    artboards: z
      .array(
        z.object({
          name: z.string(),
          width: z.number(),
          height: z.number(),
          stateMachines: z.array(z.string()),
        }),
      )
      .meta({ description: 'What the motion file has, to choose from' }),
    files: z.array(BundleFile).meta({ description: 'What the working copy is served by' }),
    fileUrl: z.string().nullable().meta({ description: 'The motion file; null while there is none' }),
  })
  .meta({ id: 'MotionGraphic' })

export const MotionGraphicCreation = z
  .object({
    name: Name,
    sports: Sports.optional().meta({ description: 'Those of the theme unless given' }),
    ifUnchangedSince: IfUnchangedSince,
  })
  .meta({ id: 'MotionGraphicCreation', description: '`ifUnchangedSince` is compared with the theme' })

const EITHER = '`ifUnchangedSince` is compared with the graphic, and with the theme when it is not that of the graphic'

/** Only the members that are named change. */
export const MotionGraphicUpdate = z
  .object({ name: Name.optional(), sports: Sports.optional(), ifUnchangedSince: IfUnchangedSince })
  .meta({ id: 'MotionGraphicUpdate', description: `With a name, ${EITHER}` })

export const CLEARS = 'null clears it'

/** Only the members that are named change. */
export const MotionSettings = z
  .object({
    currentArtboard: z.string().meta({ description: 'One of the file; its first state machine unless one is named' }),
    currentStateMachine: z.string(),
    selectedSport: SportKey.nullable().meta({
      description: `The sport that previews begin with, and that is tried when a trial names none; ${CLEARS}`,
    }),
    selectedSchemas: z.array(z.string()).max(1_000).nullable().meta({ description: CLEARS }),
    scale: z.number().gt(0).max(100),
    x: z.number().min(-100_000).max(100_000),
    y: z.number().min(-100_000).max(100_000),
    renderer: z.enum(['webgl2', 'canvas']).nullable().meta({ description: CLEARS }),
    deferInitialShow: z.boolean(),
    ifUnchangedSince: IfUnchangedSince,
  })
  .partial()
  .meta({ id: 'MotionSettings' })

/** The answer to a write of one part of a working copy. spec: Motion graphics 25 */
export const MotionWrite = z
  .object({
    updatedAt: UpdatedAt,
    entityId: z
      .string()
      .nullable()
      .meta({ description: 'Id of what was created or changed; null for settings of the whole graphic' }),
    stateMachine: MotionStateMachine,
  })
  .meta({ id: 'MotionWrite' })

export const MotionPublication = z
  .object({ ifUnchangedSince: IfUnchangedSince })
  .prefault({})
  .meta({ id: 'MotionPublication', description: EITHER })

export const PublishedMotionGraphic = z
  .object({
    publishedVersion: z.int32(),
    graphic: MotionGraphic,
    updatedAt: UpdatedAt.meta({ description: 'Of the theme' }),
  })
  .meta({ id: 'PublishedMotionGraphic' })

const version = { graphicId: z.string(), version: z.int32(), publishedAt: Timestamp, fileUrl: z.string().nullable() }

export const MotionGraphicVersionList = z.array(z.object(version)).meta({ id: 'MotionGraphicVersionList' })

/** A published version with everything that makes it, for a client to copy. It never changes. */
export const MotionGraphicVersion = z
  .object({
    ...version,
    name: z.string(),
    type: z.literal('rive'),
    sports: z.array(z.string()),
    stateMachine: MotionStateMachine,
    files: z.array(
      z.object({ name: z.string(), mime: z.string(), size: z.int32(), hash: z.string(), url: z.string() }),
    ),
  })
  .meta({ id: 'MotionGraphicVersion' })

export const MotionGraphicParams = z
  .object({ themeId: Id, graphicId: z.string().min(1) })
  .meta({ id: 'MotionGraphicParams' })
export const MotionEntityParams = MotionGraphicParams.extend({ id: z.string().min(1) }).meta({
  id: 'MotionEntityParams',
})
export const MotionGraphicVersionParams = MotionGraphicParams.extend({ version: z.int32().min(1) }).meta({
  id: 'MotionGraphicVersionParams',
})
export const MotionGraphicRemoval = Unchanged.meta({ id: 'MotionGraphicRemoval', description: EITHER })

/** The graphic of a path, as what both kinds share takes it. */
export const inMotion = <Path extends { themeId: number; graphicId: string }>({ themeId, graphicId }: Path) =>
  ({ themeId, graphicId, kind: 'rive' }) satisfies GraphicPath
