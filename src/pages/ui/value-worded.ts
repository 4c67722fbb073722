/** A value that a graphic was given: `On`, `3`, `Commentary`; of an OGraf graphic also `Ada, Lovelace`. */
export function valueWorded(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'On' : 'Off'
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.values(value).map(valueWorded).join(', ')
}
