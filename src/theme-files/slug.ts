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

/** Folders for names, no two alike whatever the file system makes of capitals; the same for the same names in any order. */
export function slugsFor(names: readonly string[]): Map<string, string> {
  const taken = new Set<string>()
  const slugs = new Map<string, string>()
  for (const name of [...names].sort(byText)) {
    const base = plain(name)
    let slug = base
    for (let count = 2; taken.has(slug); count++) slug = `${base}-${count}`
    taken.add(slug)
    slugs.set(name, slug)
  }
  return slugs
}
