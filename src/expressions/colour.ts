const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i

/**
 * The CSS colour that a value means where a colour is bound: `#rgb`, `#rrggbb` or `#rrggbbaa` as it is, a finite number as
 * ARGB (4294901760 is red). Undefined for every other value, a numeric string too: it is ignored. spec: Versioning 7
 */
export function colourOf(value: unknown): string | undefined {
  if (typeof value === 'string') return HEX.test(value) ? value : undefined
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  // as 32 bits, so that a negative number is what it is in languages whose integers have a sign
  const argb = (value >>> 0).toString(16).padStart(8, '0')
  return `#${argb.slice(2)}${argb.slice(0, 2)}`
}
