import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

/** What a sport's schema says of data. It lets later members in; what there is now must all be described. */
export const closedValidator = (schema: object): ValidateFunction =>
  // used a few times: what is made soon is better than what is fast
  new Ajv2020({ strict: false, validateFormats: false, allErrors: true, code: { optimize: false } }).compile(
    closed(schema) as object,
  )

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, member]) => [key, closed(member)])
  const open = 'properties' in value && !('additionalProperties' in value)
  return { ...Object.fromEntries(entries), ...(open && { additionalProperties: false }) }
}
