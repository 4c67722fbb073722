/** A button of a control room: a preset, with the colour of its section. */
export type Button = { presetId: number; name: string; sectionId: string; color: string | null }
