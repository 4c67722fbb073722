import { z } from 'zod'
import { Id, Timestamp, text } from '../../schema/fields.ts'

/** What operators set on a graphic. spec: Motion graphics state machine */
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
])

/** spec: Motion graphics state machine */
export const ControlVariable = z.looseObject({
  id: z.string().min(1),
  name: z.string().min(1),
  type: ControlVariableType,
  defaultValue: z.union([z.boolean(), z.number(), z.string(), z.null()]).optional(),
  description: z.string().optional(),
  options: z.array(z.string()).optional(),
  exitMode: z.enum(['immediate', 'deferred']).optional(),
})

/** Runtime, control variables and user expressions; other keys are kept as sent. spec: Code graphic */
export const CodeStateMachine = z
  .looseObject({
    runtime: z.looseObject({ entry: z.string().min(1).optional() }).optional(),
    selectedSchemas: z.array(z.string()).optional(),
    controlVariables: z.array(ControlVariable).optional(),
    userExpressions: z.array(z.looseObject({ id: z.string(), name: z.string(), expression: z.string() })).optional(),
  })
  .meta({ id: 'CodeStateMachine' })

/** One file as the client declares it. spec: Code graphics 21 */
export const BundleUpload = z.object({
  name: z.string().min(1),
  mime: z.string().min(1),
  size: z.int32().min(0),
  hash: z.string().min(1),
})

/** spec: Code graphics 21 */
export const BundleFile = BundleUpload.extend({ version: z.int32(), updatedAt: Timestamp }).meta({ id: 'BundleFile' })

/** spec: Themes 20 */
export const CodeGraphicCreation = z
  .object({
    name: text(1, 255),
    sports: z.array(z.string()).optional(),
    stateMachine: CodeStateMachine.optional(),
  })
  .meta({ id: 'CodeGraphicCreation' })

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
  })
  .meta({ id: 'CodeGraphic' })

export const CodeGraphicList = z.array(CodeGraphic).meta({ id: 'CodeGraphicList' })
export const CodeGraphicParams = z
  .object({ themeId: Id, graphicId: z.string().min(1) })
  .meta({ id: 'CodeGraphicParams' })
