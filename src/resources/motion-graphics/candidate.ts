import { z } from 'zod'
import type { MotionFile } from '../../motion/motion-file.ts'
import { endingOf, Source } from './sources.ts'

const Bytes = z.object({ mime: z.string(), size: z.number(), hash: z.string() })
const Picture = Bytes.extend({ width: z.number().optional(), height: z.number().optional() })

/** The inspector has made it, or the row it was read from. */
const Inspected = z.custom<MotionFile>((value) => typeof value === 'object' && value !== null)

/**
 * The result of reading an uploaded file, to be applied to a working copy: a motion file with the assets that came with it, only
 * its editable source (`runtime` and `motion` are null), or one asset.
 */
export const Candidate = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('motion'),
    runtime: Bytes.nullable(),
    motion: Inspected.nullable(),
    assets: z.array(Picture.extend({ uniqueFileName: z.string() })),
    source: Source,
  }),
  z.object({ kind: z.literal('asset'), file: Picture, source: Source }),
])
export type Candidate = z.output<typeof Candidate>

type Format = { mime: string; type: 'image' | 'font' | 'audio'; begins(bytes: Uint8Array): boolean }

const text = (bytes: Uint8Array, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))
const isPng = (bytes: Uint8Array) => text(bytes, 0, 8) === '\x89PNG\r\n\x1a\n'
const isJpeg = (bytes: Uint8Array) => text(bytes, 0, 3) === '\xff\xd8\xff'
const isRiff = (form: string) => (bytes: Uint8Array) => text(bytes, 0, 4) === 'RIFF' && text(bytes, 8, 12) === form
const isFont = (bytes: Uint8Array) => ['\x00\x01\x00\x00', 'OTTO', 'true', 'ttcf'].includes(text(bytes, 0, 4))
const isMp3 = (bytes: Uint8Array) =>
  text(bytes, 0, 3) === 'ID3' || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0)

/** Files that the runtime can draw or play, by the ending of their name, and how such a file begins. */
const FORMATS: Readonly<Record<string, Format>> = {
  png: { mime: 'image/png', type: 'image', begins: isPng },
  jpg: { mime: 'image/jpeg', type: 'image', begins: isJpeg },
  jpeg: { mime: 'image/jpeg', type: 'image', begins: isJpeg },
  webp: { mime: 'image/webp', type: 'image', begins: isRiff('WEBP') },
  ttf: { mime: 'font/ttf', type: 'font', begins: isFont },
  otf: { mime: 'font/otf', type: 'font', begins: isFont },
  wav: { mime: 'audio/wav', type: 'audio', begins: isRiff('WAVE') },
  mp3: { mime: 'audio/mpeg', type: 'audio', begins: isMp3 },
  flac: { mime: 'audio/flac', type: 'audio', begins: (bytes) => text(bytes, 0, 4) === 'fLaC' },
}

export const ASSET_ENDINGS: readonly string[] = Object.keys(FORMATS)
/** Endings of files that are uploaded as motion file. */
export const MOTION_ENDINGS: readonly string[] = ['riv', 'rev', 'zip']

/** The format that a name announces; undefined for one that is no asset. */
export const formatOf = (name: string): Format | undefined => {
  const ending = endingOf(name)
  return Object.hasOwn(FORMATS, ending) ? FORMATS[ending] : undefined
}

/** The endings of assets of a type. */
export const endingsOf = (type: Format['type']) => ASSET_ENDINGS.filter((ending) => FORMATS[ending]?.type === type)
