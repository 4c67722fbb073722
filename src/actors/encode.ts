/** JSON texts of immutable objects, made once however many commits they are part of. */
const texts = new WeakMap<object, string>()

/**
 * The text of `JSON.stringify(value)` for plain data that is never changed in place. What lies deeper than `levels` is remembered
 * per object, so a state of which one part changed is serialized for that part only.
 */
export function encodeShared(value: unknown, levels: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (levels === 0) {
    const known = texts.get(value)
    if (known !== undefined) return known
    const text = JSON.stringify(value)
    texts.set(value, text)
    return text
  }
  if (Array.isArray(value)) return `[${value.map((item) => encodeShared(item, levels - 1)).join()}]`
  let text = '{'
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined) continue
    if (text.length > 1) text += ','
    text += `${JSON.stringify(key)}:${encodeShared(item, levels - 1)}`
  }
  return `${text}}`
}
