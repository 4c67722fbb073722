import { byText } from './listing.ts'

/** A name as a folder: lower-case letters and digits, joined by hyphens. */
const plain = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60) || 'graphic'

/** Folders for names, no two alike but for capitals; the same for the same names in any order. Those that are `known` stay. */
export function slugsFor(
  names: readonly string[],
  known: ReadonlyMap<string, string> = new Map(),
): Map<string, string> {
  const slugs = new Map([...known].filter(([name]) => names.includes(name)))
  const taken = new Set([...slugs.values()].map((slug) => slug.toLowerCase()))
  for (const name of [...names].sort(byText)) {
    if (slugs.has(name)) continue
    const base = plain(name)
    let slug = base
    for (let count = 2; taken.has(slug); count++) slug = `${base}-${count}`
    taken.add(slug)
    slugs.set(name, slug)
  }
  return slugs
}
