import { COPIES, docsPage, escaped } from '../docs-frame.ts'
import type { Guide } from './guide.ts'
import type { Heading } from './markdown.ts'

/** The guides in the order in which they are listed, under the headings of `docs/README.md`. */
export type Group = {
  readonly title: string
  readonly guides: readonly { readonly name: string; readonly title: string }[]
}

const contents = (headings: readonly Heading[]) =>
  headings
    .filter(({ depth }) => depth <= 3)
    .map(
      ({ depth, id, text }) => `<li${depth === 3 ? ' class="deeper"' : ''}><a href="#${id}">${escaped(text)}</a></li>`,
    )
    .join('\n')

/** The page of a guide: all guides on one side, its own chapters on the other. */
export function guidePage(guide: Guide, groups: readonly Group[]): string {
  const list = groups.map(({ title, guides }) => {
    const items = guides.map(({ name, title }) => {
      const here = name === guide.name ? ' aria-current="page"' : ''
      return `<li><a href="${name}"${here}>${escaped(title)}</a></li>`
    })
    return `<li class="group">${escaped(title)}</li>\n${items.join('\n')}`
  })
  const own = contents(guide.headings)
  const folded = own && `<details class="chapters"><summary>On this page</summary><ol>${own}</ol></details>\n`
  return docsPage({
    name: guide.name,
    place: 'guides',
    title: guide.title,
    lead: guide.lead,
    aside: `<nav aria-label="Guides"><ol>${list.join('\n')}</ol></nav>`,
    body: folded + guide.body,
    ...(own && { beside: `<nav aria-label="On this page"><ol><li class="group">On this page</li>${own}</ol></nav>` }),
    scripts: COPIES,
  })
}
