export type ManifestPreset = {
  name: string
  graphic: string
  variableValues?: Readonly<Record<string, unknown>>
  exposedVariables?: string[]
}

/** A control room of `theme.json`. */
export type ManifestRoom = {
  name: string
  defaultMode?: string
  sections?: { name: string; colorKey?: string; presets?: ManifestPreset[] }[]
}
