// V goes to the values
const KEYS = '1234567890QWERTYUIOPASDFGHJKLZXCBNM'

/** The key of each preset, in the order of the room; those beyond have none. */
export function keysOf(presetIds: readonly number[]): ReadonlyMap<number, string> {
  return new Map(presetIds.slice(0, KEYS.length).map((id, index) => [id, KEYS.charAt(index)]))
}

type Pressed = { key: string; code: string }

/** The character printed on the key that was pressed; the row of digits and its numbers on every layout, shifted or not. */
export function keyPressed({ key, code }: Pressed): string | undefined {
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1]
  if (digit !== undefined) return digit
  if (/^[a-z]$/i.test(key)) return key.toUpperCase()
  // a layout without Latin letters
  return /^Key([A-Z])$/.exec(code)?.[1]
}
