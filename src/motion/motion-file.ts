/** The contents of a motion file (.riv). Names are those of the designer; sizes are in pixels, `size` in bytes. */
export type MotionFile = {
  /** Of the format. */
  version: { major: number; minor: number }
  artboards: MotionArtboard[]
  viewModels: MotionViewModel[]
  assets: MotionAsset[]
}

export type MotionArtboard = {
  name: string
  width: number
  height: number
  stateMachines: { name: string; inputs: MotionInput[] }[]
  /** Name of the view model that it is bound to; null when it is bound to none. */
  viewModel: string | null
}

export type MotionInput = {
  name: string
  type: 'boolean' | 'number' | 'trigger'
  /** Null for a trigger, which has no value. */
  defaultValue: boolean | number | null
}

export type MotionViewModel = {
  /** Its name, which is unique within the file. */
  id: string
  name: string
  properties: MotionProperty[]
}

export const PROPERTY_TYPES = [
  'string',
  'number',
  'boolean',
  'color',
  'enum',
  'trigger',
  'image',
  'list',
  'artboard',
  'other',
] as const

export type MotionProperty = {
  /** Names from the view model down, joined by `/`. */
  path: string
  type: (typeof PROPERTY_TYPES)[number]
  /** The values of an enum. */
  enumValues?: string[]
  /** Its value until it is set, as text; a colour as `#rrggbbaa`. Only where a value can be told. */
  defaultValue?: string
}

export type MotionAsset = {
  /** As numbered by the designer's editor. */
  id: string
  name: string
  type: 'image' | 'font' | 'audio'
  uniqueFileName: string
  /** False when the file only names it. */
  embedded: boolean
  /** Of the embedded bytes; 0 when there are none. */
  size: number
}

/** The file is unusable. `message` is fit for the person who sent it. */
export class UnusableMotionFile extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(reason)
    this.reason = reason
  }
}
