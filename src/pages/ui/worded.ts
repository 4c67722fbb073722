/** `rugbyUnion` -> `Rugby union`, `penaltyGoal` -> `Penalty goal`. */
export function worded(key: string): string {
  const words = key.replace(/([A-Z0-9]+)/g, ' $1').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** A value that a graphic was given: `On`, `3`, `Commentary`. */
export const valueWorded = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'On' : 'Off') : String(value)
