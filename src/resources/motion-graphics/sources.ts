import { z } from 'zod'
import type { MotionFile } from '../../motion/motion-file.ts'
import { EMPTY_SHELF, type Shelf } from './shelf.ts'

/** The motion file of a graphic: its id among the assets, and its name in the bundle. */
export const MOTION_FILE = 'graphic.riv'
/** The file that tells the renderer of the state machine, beside the motion file. */
export const MANIFEST = 'graphic.json'

export const MIME_OF_MOTION = 'application/octet-stream'

/** The ending of a file name in lower case, without its dot. */
export const endingOf = (name: string) => /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/** Where an uploaded asset is in the bundle. */
export const assetName = (uniqueFileName: string) => `assets/${uniqueFileName}`

/** Where a file came from. spec: Motion graphics 24 */
export const Source = z.object({
  sourceKind: z.enum(['runtime', 'editable', 'archive']),
  originalFilename: z.string(),
  /** The file as it was sent; null when it is not kept. */
  original: z.object({ hash: z.string(), size: z.number() }).nullable(),
  /** Which file of the archive is used; empty when it is no archive. */
  selectedEntry: z.string(),
  editableSource: z.boolean(),
})
export type Source = z.output<typeof Source>

/** The files of a working copy or version. The inspector has made `file`. */
export type Motion = { file: MotionFile | null; sources: Readonly<Record<string, Source>>; shelf: Shelf }

export const NO_MOTION: Motion = { file: null, sources: {}, shelf: EMPTY_SHELF }

/** The column as read; only values that we wrote ourselves are there. */
export const motionOf = (stored: unknown): Motion => ({ ...NO_MOTION, ...(stored as Motion | null) })

/** Where the file of an asset came from, whatever the asset's name; undefined when it was not sent by itself. */
export const sourceOf = ({ sources }: Motion, assetId: string): Source | undefined =>
  Object.hasOwn(sources, assetId) ? sources[assetId] : undefined

/** The bundle of a file that is kept as it was sent: its one file. */
export const originalName = ({ originalFilename }: Source) => `original.${endingOf(originalFilename)}`
export const originalFiles = (source: Source, { hash, size }: NonNullable<Source['original']>) => [
  { name: originalName(source), mime: MIME_OF_MOTION, size, hash },
]
