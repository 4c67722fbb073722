import { z } from 'zod'
import type { MotionFile } from '../../motion/motion-file.ts'

/** The motion file of a graphic: its id among the assets, and its name in the bundle. */
export const MOTION_FILE = 'graphic.riv'
/** What the renderer needs to know of the state machine, beside the motion file. */
export const MANIFEST = 'graphic.json'

export const MIME_OF_MOTION = 'application/octet-stream'

/** Where an uploaded asset is in the bundle. */
export const assetName = (uniqueFileName: string) => `assets/${uniqueFileName}`

/** Where a file came from. spec: Motion graphics 24 */
export const Source = z.object({
  sourceKind: z.enum(['runtime', 'editable', 'archive']),
  originalFilename: z.string(),
  /** SHA-256 of the file as it was sent; null when it is not kept. */
  original: z.string().nullable(),
  /** Which file of the archive is used; empty when it is no archive. */
  selectedEntry: z.string(),
  editableSource: z.boolean(),
})
export type Source = z.output<typeof Source>

/** What a working copy or version knows of its files. The inspector has made `file`. */
export type Motion = { file: MotionFile | null; sources: Readonly<Record<string, Source>> }

export const NO_MOTION: Motion = { file: null, sources: {} }

/** As the row has it; only what we wrote ourselves is there. */
export const motionOf = (stored: unknown): Motion => (stored as Motion | null) ?? NO_MOTION
