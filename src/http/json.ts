import { isUtf8 } from 'node:buffer'
import { type FieldErrors, malformedBody } from '../errors.ts'

/** Deeper JSON would overflow the stack of functions that walk it later. */
const MAX_DEPTH = 64
const QUOTE = 0x22
const BACKSLASH = 0x5c
const BAD_TEXT = /[\0\p{Surrogate}]/u

/** A number of so many digits may be too large for a double, and so may any with an exponent. */
const MANY_DIGITS = 309

/** Facts about JSON that are seen without parsing it. */
function glance(json: Buffer): { tooDeep: boolean; largeNumbers: boolean } {
  let depth = 0
  let digits = 0
  let largeNumbers = false
  let inString = false
  for (let i = 0; i < json.length; i++) {
    const byte = json[i] ?? 0
    if (inString) {
      if (byte === BACKSLASH) i++
      else if (byte === QUOTE) inString = false
    } else if (byte >= 0x30 && byte <= 0x39) {
      if (++digits === MANY_DIGITS) largeNumbers = true
    } else {
      // an exponent, and not the end of `true`
      if (digits > 0 && (byte === 0x65 || byte === 0x45)) largeNumbers = true
      digits = 0
      if (byte === QUOTE) inString = true
      else if (byte === 0x5b || byte === 0x7b) {
        if (++depth > MAX_DEPTH) return { tooDeep: true, largeNumbers }
      } else if (byte === 0x5d || byte === 0x7d) depth--
    }
  }
  return { tooDeep: false, largeNumbers }
}

/** `body.files[3].size` */
export const fieldPath = (base: string, keys: readonly PropertyKey[]) =>
  keys.reduce<string>((path, key) => path + (typeof key === 'number' ? `[${key}]` : `.${String(key)}`), base)

/** Whether PostgreSQL can store the text: no NUL, no half of a surrogate pair. */
export const isStorable = (text: string) => !BAD_TEXT.test(text)

function findUnstorable(value: unknown, path: readonly PropertyKey[], details: FieldErrors): void {
  if (typeof value === 'string') {
    if (!isStorable(value))
      details[fieldPath('body', path)] = { message: 'NUL characters and lone surrogates are refused' }
  } else if (typeof value === 'number') {
    // it would be read back as null
    if (!Number.isFinite(value)) details[fieldPath('body', path)] = { message: 'this number is too large' }
  } else if (Array.isArray(value))
    for (const [index, item] of value.entries()) findUnstorable(item, [...path, index], details)
  else if (value !== null && typeof value === 'object')
    for (const [key, item] of Object.entries(value)) {
      if (key === '__proto__' || !isStorable(key))
        details[fieldPath('body', [...path, key])] = { message: 'this key is refused' }
      findUnstorable(item, [...path, key], details)
    }
}

/** Parses a request body, naming in `details` every text, number and key that cannot be stored. Throws malformedBody. */
export function readJson(body: Buffer, details: FieldErrors): unknown {
  if (!isUtf8(body)) throw malformedBody('The body is not UTF-8')
  const { tooDeep, largeNumbers } = glance(body)
  if (tooDeep) throw malformedBody(`The body is nested deeper than ${MAX_DEPTH} levels`)
  let value: unknown
  try {
    value = JSON.parse(body.toString())
  } catch {
    throw malformedBody()
  }
  // valid JSON can only spell those characters with an escape, so most bodies need no walk
  if (body.includes('\\u') || body.includes('__proto__') || largeNumbers) findUnstorable(value, [], details)
  return value
}
