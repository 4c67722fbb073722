import { z } from 'zod'
import { RoomMode } from '../resources/control-rooms/schema.ts'
import { SlotChoice } from '../resources/control-variables.ts'
import { SetValue } from '../schema/set-value.ts'

/** The used parts of the API's answers; everything else in them is left alone. */

const Versions = z.array(z.number())

export const ThemeAnswer = z.object({
  id: z.number(),
  name: z.string(),
  sports: z.array(z.string()),
  activeVersion: z.number().nullable(),
  versions: Versions,
  updatedAt: z.string(),
  graphics: z.array(
    z.object({ graphicId: z.string(), name: z.string(), type: z.string(), publishedVersions: Versions }),
  ),
})
export const ThemeListAnswer = z.object({
  themes: z.array(z.object({ id: z.number(), name: z.string() })),
  total: z.number(),
})

export const VariableAnswer = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(['string', 'number', 'boolean', 'enum']),
  defaultValue: z.string().nullable(),
  description: z.string().nullable(),
  enumOptions: z.array(z.string()).nullable(),
  isStyle: z.boolean(),
})
export const VariableListAnswer = z.object({ updatedAt: z.string(), variables: z.array(VariableAnswer) })

const FileAnswer = z.object({ name: z.string(), mime: z.string(), size: z.number(), hash: z.string() })
const StateMachine = z.record(z.string(), z.unknown())

export const GraphicAnswer = z.object({
  graphicId: z.string(),
  name: z.string(),
  sports: z.array(z.string()),
  stateMachine: StateMachine,
  assets: z.array(FileAnswer),
  publishedVersions: Versions,
  /** The entry of the working copy; null while it has no files. */
  bundleUrl: z.string().nullable(),
  updatedAt: z.string(),
})
export const GraphicListAnswer = z.array(GraphicAnswer)

/** OGraf graphics; the manifest of one is among its files. */
export const OgrafListAnswer = z.array(
  GraphicAnswer.omit({ stateMachine: true, assets: true, bundleUrl: true }).extend({
    files: z.array(FileAnswer),
    manifestUrl: z.string(),
  }),
)

/** A published version: manifest and files. One of OGraf has no state machine. */
export const GraphicVersionAnswer = z.object({
  graphicId: z.string(),
  version: z.number(),
  name: z.string(),
  sports: z.array(z.string()),
  stateMachine: StateMachine.default({}),
  files: z.array(FileAnswer.extend({ url: z.string() })),
})

/** The working copy of a motion graphic, of which a list tells the id only. */
export const MotionListAnswer = z.array(z.object({ graphicId: z.string() }))
export const MotionAnswer = z.object({
  graphicId: z.string(),
  name: z.string(),
  sports: z.array(z.string()),
  stateMachine: StateMachine,
  files: z.array(FileAnswer),
  publishedVersions: Versions,
  /** The motion file; null while there is none. */
  fileUrl: z.string().nullable(),
  updatedAt: z.string(),
})
export const MotionUploadAnswer = z.object({
  jobId: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
})
export const ImportAnswer = z.object({ state: z.string(), error: z.string().nullable() })
export const MotionWritten = z.object({ updatedAt: z.string(), stateMachine: StateMachine })

export const TemplateAnswer = z.object({
  id: z.number(),
  alias: z.string(),
  sourceType: z.enum(['csv', 'xlsx']),
  shape: z.enum(['cell', 'kv', 'rows']),
  config: z.record(z.string(), z.unknown()).nullable(),
  schema: z.record(z.string(), z.unknown()),
  sample: z.unknown(),
  /** Of the bytes of the sample; null for one that was not kept. */
  sampleHash: z.string().nullish(),
  description: z.string().nullable(),
  updatedAt: z.string(),
})
export const TemplateListAnswer = z.object({ dataSourceTemplates: z.array(TemplateAnswer) })

export const SampleAnswer = z.object({ sampleBase64: z.string() })

export const ThemeVersionAnswer = z.object({
  version: z.number(),
  notes: z.string().nullable(),
  graphics: z.array(z.object({ graphicId: z.string(), name: z.string(), type: z.string(), version: z.number() })),
})

export const PublishedThemeAnswer = z.object({ version: z.number(), updatedAt: z.string() })
export const ActivatedAnswer = z.object({ activeVersion: z.number(), updatedAt: z.string() })

export const UploadsAnswer = z.object({
  uploadSessionId: z.string(),
  files: z.array(
    z.object({ name: z.string(), url: z.string().nullable(), headers: z.record(z.string(), z.string()).nullish() }),
  ),
})

const Section = z.object({ id: z.string(), name: z.string(), colorKey: z.string().optional() })
const Values = z.record(z.string(), z.union([SlotChoice, SetValue]))
export const PresetAnswer = z.object({
  id: z.number(),
  sectionId: z.string(),
  graphicId: z.string(),
  graphicName: z.string(),
  name: z.string(),
  orderIndex: z.number(),
  variableValues: Values,
  exposedVariables: z.array(z.string()),
  updatedAt: z.string(),
})
export const RoomAnswer = z.object({
  id: z.number(),
  name: z.string(),
  sections: z.array(Section),
  /** Left out by a server of a release before. */
  defaultMode: RoomMode.optional(),
  updatedAt: z.string(),
})
export const RoomListAnswer = z.array(RoomAnswer)
export const RoomDetailAnswer = RoomAnswer.extend({ presets: z.array(PresetAnswer) })

export const Written = z.object({ updatedAt: z.string() })
export const SectionWritten = Section.extend({ updatedAt: z.string() })

export type ThemeAnswer = z.output<typeof ThemeAnswer>
export type VariableAnswer = z.output<typeof VariableAnswer>
export type GraphicAnswer = z.output<typeof GraphicAnswer>
export type RoomDetailAnswer = z.output<typeof RoomDetailAnswer>
export type PresetAnswer = z.output<typeof PresetAnswer>
export type MotionAnswer = z.output<typeof MotionAnswer>
export type TemplateAnswer = z.output<typeof TemplateAnswer>
export type ThemeVersionAnswer = z.output<typeof ThemeVersionAnswer>
export type GraphicVersionAnswer = z.output<typeof GraphicVersionAnswer>
