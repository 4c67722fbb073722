/** The schema lets later members in; what there is now must all be described. */
export function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, member]) => [key, closed(member)])
  const open = 'properties' in value && !('additionalProperties' in value)
  return { ...Object.fromEntries(entries), ...(open && { additionalProperties: false }) }
}
