import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { GRAPHICS_FOLDER } from './folder.ts'
import type { BundleFile, LocalGraphic } from './local-graphic.ts'

const READ = /\.(html?|css)$/i
// addresses that a script builds are seen by a preview only
const ADDRESS = /\s(?:src|href|poster)\s*=\s*(["'])(.*?)\1|\burl\(\s*(?:(["'])(.*?)\3|([^"'()\s]+))/gi
const COMMENT = /<!--[\s\S]*?-->|\/\*[\s\S]*?\*\//g
/** A folder, or filled in later. */
const NO_FILE = /^$|[/.]$|[{}$]/
const ELSEWHERE = /^([a-z][a-z0-9+.-]*:|\/\/|#)/i

/**
 * Addresses in pages and style sheets of code graphics that their bundles do not hold, a line each: addresses from the root
 * (a bundle is served below one of its own) and files that are missing or spelled otherwise. They may be meant so; nothing is refused.
 */
export async function lostAddresses(graphics: readonly LocalGraphic[]): Promise<string[]> {
  const lines: string[] = []
  for (const { type, slug, files } of graphics) {
    if (type !== 'code') continue
    for (const file of files.filter(({ name }) => READ.test(name)))
      for (const problem of lostOf(file, await readFile(file.path, 'utf8'), files))
        lines.push(`${GRAPHICS_FOLDER}/${slug}/${file.name} asks for ${problem}`)
  }
  return lines
}

function lostOf({ name: from }: BundleFile, text: string, files: readonly BundleFile[]): Set<string> {
  const names = new Map(files.map(({ name }) => [name.toLowerCase(), name]))
  const lost = new Set<string>()
  for (const [, , attribute, , quoted, bare] of text.replace(COMMENT, '').matchAll(ADDRESS)) {
    const address = (attribute?.replaceAll('&amp;', '&') ?? quoted ?? bare ?? '').trim()
    if (ELSEWHERE.test(address) || NO_FILE.test(address)) continue
    if (address.startsWith('/')) {
      lost.add(`${address}, which is not in the bundle: addresses are relative (Vite: base: './')`)
      continue
    }
    const path = decoded(posix.join(posix.dirname(from), address.replace(/[?#].*$/, '')))
    const like = names.get(path.toLowerCase())
    if (like !== path) lost.add(`${address}, which is not in the bundle${like ? `: it has ${like}` : ''}`)
  }
  return lost
}

/** As the browser asks for it. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
