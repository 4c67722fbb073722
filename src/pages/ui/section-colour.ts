const COLOURS: Readonly<Record<string, string>> = {
  green: '#3ddc84',
  blue: '#5b9dff',
  red: '#ff7a85',
  yellow: '#ffd84d',
  orange: '#ff9f4a',
  purple: '#b48cff',
  pink: '#ff8fd0',
  teal: '#3fd6d0',
  brown: '#c99a6b',
  grey: '#9aa7c4',
}
/** The names that have a colour of their own. */
export const SECTION_COLOURS: readonly string[] = Object.keys(COLOURS)
const PALETTE = Object.values(COLOURS)
const NONE = '#66759c'

/** The colour of a section by its `colorKey`: a known name, `#rrggbb` as it is, anything else always the same one of ours. */
export function sectionColour(colorKey: string | undefined): string {
  if (colorKey === undefined) return NONE
  const key = colorKey.trim().toLowerCase()
  if (/^#[0-9a-f]{6}$/.test(key)) return key
  const known = Object.entries(COLOURS).find(([name]) => name === (key === 'gray' ? 'grey' : key))
  if (known) return known[1]
  const sum = Array.from(key).reduce((hash, letter) => (hash * 31 + (letter.codePointAt(0) ?? 0)) % 9_973, 7)
  return PALETTE[sum % PALETTE.length] ?? NONE
}
