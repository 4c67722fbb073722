import { z } from 'zod'
import { IfUnchangedSince, Unchanged, UpdatedAt } from '../../schema/concurrency.ts'
import { Id, Timestamp, text } from '../../schema/fields.ts'
import { SPORTS, SportKey } from '../../schema/sport.ts'
import { UploadHeaders } from '../uploads.ts'

/** The type of a variable that operators set. spec: Motion graphics state machine */
export const ControlVariableType = z.enum([
  'string',
  'number',
  'boolean',
  'enum',
  'team',
  'player',
  'match',
  'fact',
  'teamStat',
  'set',
  'round',
  'court',
  'stat',
  'period',
  'ad',
])

/** spec: Motion graphics state machine */
export const ControlVariable = z.looseObject({
  id: text(1, 255),
  name: text(1, 255),
  type: ControlVariableType,
  defaultValue: z.union([z.boolean(), z.number(), z.string(), z.null()]).optional(),
  description: z.string().optional(),
  options: z.array(z.string()).optional(),
  exitMode: z.enum(['immediate', 'deferred']).optional(),
})

/** spec: Motion graphics state machine */
export const UserExpression = z.looseObject({
  id: text(1, 255),
  name: text(1, 255),
  expression: z.string().meta({
    description:
      'In CEL, over the parts of sport data and `sport`, `variables`, `selected`, `theme`, `dataSources`, and `expressions` before this one. ' +
      'Its value becomes `data.expressions.<name>`; null when it fails',
    examples: ['match.score.home + "–" + match.score.away'],
  }),
  description: z.string().nullable().optional(),
})

const EngineVersion = z.int().min(1).max(9_999).optional()

/** browser-source 1: an OBS of 2022 has Chromium 103. Designers have keys of their own in it, too. */
export const EngineMinimum = z
  .looseObject({ chromium: EngineVersion, firefox: EngineVersion, safari: EngineVersion })
  .meta({
    id: 'EngineMinimum',
    description:
      'Beta. The engines that the graphic is for, each with the oldest version: `{"chromium": 103}`. A show tells in `warnings` which connected renderer is none of them, and with `"require": true` is refused',
  })

/** Runtime, control variables and user expressions; other keys are kept as sent. spec: Code graphic */
export const CodeStateMachine = z
  .looseObject({
    runtime: z.looseObject({ entry: z.string().min(1).optional(), engine: EngineMinimum.optional() }).optional(),
    selectedSchemas: z.array(z.string()).optional(),
    controlVariables: z.array(ControlVariable).optional(),
    userExpressions: z.array(UserExpression).optional(),
  })
  .meta({ id: 'CodeStateMachine' })

/** One file as the client declares it. spec: Code graphics 21 */
export const BundleUpload = z.object({
  name: z.string().min(1).meta({ description: 'Path inside the bundle' }),
  mime: z.string().min(1),
  size: z.int32().min(0),
  hash: z.string().min(1).meta({ description: 'SHA-256 of the bytes in lower-case hexadecimal' }),
})

/** spec: Limits */
export const MAX_FILES = 2000
/** 2,000 files whose names have 255 characters, each escaped, and a state machine. */
export const MAX_LIST_BYTES = 8 * 1024 * 1024
const Files = z.array(BundleUpload).max(MAX_FILES)

/** spec: Code graphics 21 */
export const BundleFile = BundleUpload.extend({ version: z.int32(), updatedAt: Timestamp }).meta({ id: 'BundleFile' })

export const GraphicName = text(1, 255)
export const GraphicSports = z.array(SportKey).max(SPORTS.length)

/** spec: Themes 20 */
export const CodeGraphicCreation = z
  .object({
    name: GraphicName,
    sports: GraphicSports.optional().meta({ description: 'Those of the theme unless given' }),
    stateMachine: CodeStateMachine.optional(),
    ifUnchangedSince: IfUnchangedSince,
  })
  .meta({ id: 'CodeGraphicCreation', description: '`ifUnchangedSince` is compared with the theme' })

const EITHER = '`ifUnchangedSince` is compared with the graphic, and with the theme when it is not that of the graphic'

/** Only the members that are named change. */
export const CodeGraphicUpdate = z
  .object({
    name: GraphicName.optional(),
    sports: GraphicSports.optional(),
    stateMachine: CodeStateMachine.optional(),
    ifUnchangedSince: IfUnchangedSince,
  })
  .meta({ id: 'CodeGraphicUpdate', description: `With a name, ${EITHER}` })

/** spec: Code graphic (working copy) */
export const CodeGraphic = z
  .object({
    graphicId: z.string(),
    id: Id,
    name: z.string(),
    type: z.literal('code'),
    version: z.int32(),
    sports: z.array(z.string()),
    stateMachine: z.record(z.string(), z.unknown()),
    assets: z.array(BundleFile),
    publishedVersions: z.array(z.int32()),
    lock: z.object({ userName: z.string() }).meta({ id: 'Lock' }).nullable(),
    bundleUrl: z
      .string()
      .nullable()
      .optional()
      .meta({ description: 'Entry of the working copy, to look at it as it is; null while it has no files' }),
    updatedAt: UpdatedAt.optional(),
  })
  .meta({ id: 'CodeGraphic' })

export const CodeGraphicList = z.array(CodeGraphic).meta({ id: 'CodeGraphicList' })

/** spec: Code graphics 21 */
export const BundleReplacement = z
  .object({
    files: Files,
    stateMachine: CodeStateMachine.optional(),
    uploadSessionId: z.uuidv4().optional(),
    ifUnchangedSince: IfUnchangedSince,
  })
  .meta({ id: 'BundleReplacement', description: 'The whole file set: every file left out is deleted' })

/** spec: Code graphics 21 */
export const BundleUploadCreation = z
  .object({ files: Files, uploadSessionId: z.uuidv4().optional(), ifUnchangedSince: IfUnchangedSince })
  .meta({
    id: 'BundleUploadCreation',
    description: 'The same list again, or the id of the session, goes on with an open session',
  })

/** spec: Code graphics 21 */
export const BundleUploadSession = z
  .object({
    uploadSessionId: z.uuidv4(),
    expiresAt: Timestamp,
    files: z.array(
      z.object({
        name: z.string(),
        url: z.string().nullable().meta({ description: 'Null when the bytes are there already' }),
        method: z.literal('PUT'),
        headers: UploadHeaders,
      }),
    ),
  })
  .meta({ id: 'BundleUploadSession' })

export const CodeGraphicPublication = z
  .object({ ifUnchangedSince: IfUnchangedSince })
  .prefault({})
  .meta({ id: 'CodeGraphicPublication', description: EITHER })

export const PublishedCodeGraphic = z
  .object({
    publishedVersion: z.int32(),
    graphic: CodeGraphic,
    updatedAt: UpdatedAt.meta({ description: 'Of the theme' }),
  })
  .meta({ id: 'PublishedCodeGraphic' })

const version = { graphicId: z.string(), version: z.int32(), publishedAt: Timestamp, bundleUrl: z.string().nullable() }

export const CodeGraphicVersionList = z.array(z.object(version)).meta({ id: 'CodeGraphicVersionList' })

/** A published version with everything that makes it, for a client to copy. It never changes. */
export const CodeGraphicVersion = z
  .object({
    ...version,
    name: z.string(),
    type: z.literal('code'),
    sports: z.array(z.string()),
    stateMachine: z.record(z.string(), z.unknown()),
    files: z.array(
      z.object({ name: z.string(), mime: z.string(), size: z.int32(), hash: z.string(), url: z.string() }),
    ),
  })
  .meta({ id: 'CodeGraphicVersion' })

export const HeldLock = z.object({ userName: z.string(), expiresAt: Timestamp }).meta({ id: 'HeldLock' })

export const CodeGraphicParams = z
  .object({ themeId: Id, graphicId: z.string().min(1) })
  .meta({ id: 'CodeGraphicParams' })
export const CodeGraphicVersionParams = CodeGraphicParams.extend({ version: z.int32().min(1) }).meta({
  id: 'CodeGraphicVersionParams',
})
export const CodeGraphicRemoval = Unchanged.meta({ id: 'CodeGraphicRemoval', description: EITHER })

export type GraphicKind = 'code' | 'rive' | 'ograf'

/** A graphic as paths name it; a code graphic unless said. */
export type GraphicPath = z.output<typeof CodeGraphicParams> & { kind?: GraphicKind }
