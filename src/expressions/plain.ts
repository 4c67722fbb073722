import { Optional } from '@marcbachmann/cel-js'

export type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

/** Characters of the JSON of one result. */
export const MAX_RESULT = 16_384

/** Neither infinity nor -0 is there in JSON. */
const finite = (value: number) => (Number.isFinite(value) ? value || 0 : null)

const tooLarge = () => new Error(`a result of more than ${MAX_RESULT} characters of JSON`)

/** The result of an expression as JSON: whole numbers are numbers, moments are text, missing values are null. */
export function plain(value: unknown): Json {
  let left = MAX_RESULT
  const converted = (one: unknown): Json => {
    // each value takes a character at least
    if (--left < 0) throw tooLarge()
    switch (typeof one) {
      case 'string':
      case 'boolean':
        return one
      case 'bigint':
      case 'number':
        return finite(Number(one))
      case 'undefined':
        return null
      case 'object':
        return ofObject(one)
      default:
        throw new Error('a result that JSON does not have')
    }
  }
  const ofObject = (one: object | null): Json => {
    if (one === null) return null
    if (Array.isArray(one)) return one.map(converted)
    if (one instanceof Optional) return one.hasValue() ? converted(one.value()) : null
    if (one instanceof Date) return one.toISOString()
    if (one.constructor === Object || one.constructor === undefined)
      return Object.fromEntries(Object.entries(one).map(([name, member]) => [name, converted(member)]))
    throw new Error('a result that JSON does not have')
  }
  const result = converted(value)
  if (JSON.stringify(result).length > MAX_RESULT) throw tooLarge()
  return result
}
