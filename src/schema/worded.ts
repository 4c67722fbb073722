/** A name of code as people read it: `rugbyUnion` -> `Rugby union`, `home_score` -> `Home score`, `Point1` -> `Point 1`. */
export function worded(key: string): string {
  const words = key
    .replace(/[_-]+/g, ' ')
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, (_, before: string, after: string) => `${before} ${after.toLowerCase()}`)
    .replace(/(\p{L})(\d)/gu, '$1 $2')
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
