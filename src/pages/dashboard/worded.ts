/** `rugbyUnion` -> `Rugby union`, `penaltyGoal` -> `Penalty goal`. */
export function worded(key: string): string {
  const words = key.replace(/([A-Z0-9]+)/g, ' $1').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
