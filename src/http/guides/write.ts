import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { type Guide, guideOf } from './guide.ts'
import { parse, plain } from './markdown.ts'
import { type Group, guidePage } from './page.ts'
import { sizeOfPicture } from './picture.ts'
import { nameOf } from './places.ts'
import type { Size } from './render.ts'
import { searchIndex } from './search-index.ts'

/** The files of the repository that are shown as guides. */
export function guideFiles(root: string): string[] {
  const inDocs = readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)
  return [...readdirSync(root), ...inDocs].filter((path) => nameOf(path) !== undefined).sort()
}

/** Reads all guides of the repository at `root`. */
export async function readGuides(root: string): Promise<Guide[]> {
  const sizes = new Map<string, Size>()
  for (const name of readdirSync(join(root, 'docs/pictures'))) {
    const size = sizeOfPicture(readFileSync(join(root, 'docs/pictures', name)))
    if (!size) throw new Error(`docs/pictures/${name} is neither PNG nor lossy WebP`)
    sizes.set(`pictures/${name}`, size)
  }
  const sizeOf = (picture: string) => {
    const size = sizes.get(picture)
    if (!size) throw new Error(`there is no docs/${picture}`)
    return size
  }
  return guideFiles(root).map((from) => guideOf(readFileSync(join(root, from), 'utf8'), { from, sizeOf }))
}

/** The headings of `docs/README.md` with the guides that they list; those that nobody lists are last. */
export function groupsOf(list: string, guides: readonly Guide[]): Group[] {
  const groups: { title: string; guides: Guide[] }[] = []
  for (const token of parse(list).tokens)
    if (token.type === 'heading' && token.depth === 2) groups.push({ title: plain(token.tokens), guides: [] })
    else if (token.type === 'list')
      for (const [, path = ''] of token.raw.matchAll(/\]\(([^)#]+\.md)\)/g)) {
        const name = nameOf(posix.join('docs', path))
        const guide = guides.find((one) => one.name === name)
        if (guide) groups.at(-1)?.guides.push(guide)
      }
  return groups
}

/** Writes the pages of the guides, their pictures and the index of the search into a build. */
export async function writeGuides(root: string, dist: string): Promise<void> {
  const guides = await readGuides(root)
  const groups = groupsOf(readFileSync(join(root, 'docs/README.md'), 'utf8'), guides)
  // apart from what the build compresses: the server puts its address in
  const pages = join(dist, 'guides')
  rmSync(pages, { recursive: true, force: true })
  mkdirSync(pages, { recursive: true })
  for (const guide of guides) writeFileSync(join(pages, `${guide.name}.html`), guidePage(guide, groups))
  const pictures = join(dist, 'docs/pictures')
  rmSync(pictures, { recursive: true, force: true })
  cpSync(join(root, 'docs/pictures'), pictures, { recursive: true })
  const described = JSON.parse(readFileSync(join(dist, 'docs/swagger.json'), 'utf8'))
  writeFileSync(join(dist, 'docs/search.json'), JSON.stringify(searchIndex(guides, described)))
}
