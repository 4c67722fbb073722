const SEGMENTS: Readonly<Record<string, string>> = { rive: 'motion-graphics', ograf: 'ograf-graphics' }
const WORDS: Readonly<Record<string, string>> = { code: 'Code', rive: 'Motion', ograf: 'OGraf' }

/** Of the paths of a graphic, by its type. */
export const segmentOf = (type: string): string => SEGMENTS[type] ?? 'code-graphics'

/** The type of a graphic as people read it. */
export const kindWorded = (type: string): string => WORDS[type] ?? type
