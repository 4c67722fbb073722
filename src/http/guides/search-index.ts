import type { Guide } from './guide.ts'

/** What a search finds: `url` is relative to the folder above `/docs/`. */
export type Entry = {
  readonly title: string
  readonly page: string
  readonly url: string
  readonly text: string
  /** Commands and snippets, which are searched and not shown. */
  readonly code: string
}

/** As much of an OpenAPI document as a search needs. */
type Described = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { summary?: string; description?: string }>>>>
}

/** What the element of the reference calls an operation; it keeps its place as a query within the hash. */
const anchorOf = (method: string, path: string) => `${method}-${path.replace(/[\s#:?&={}-]+/g, '-')}`

const OPERATIONS = ['get', 'post', 'put', 'patch', 'delete']

/** An entry for each chapter of each guide, and one for each operation of the API. */
export function searchIndex(guides: readonly Guide[], { paths }: Described): Entry[] {
  const chapters = guides.flatMap((guide) =>
    guide.sections.map(({ title, id, text, code }) => ({
      title: title || guide.title,
      page: guide.title,
      url: `docs/${guide.name}${id && `#${id}`}`,
      text,
      code,
    })),
  )
  const operations = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => OPERATIONS.includes(method))
      .map(([method, { summary = '', description = '' }]) => ({
        title: summary,
        page: `${method.toUpperCase()} ${path}`,
        url: `docs#?route=${anchorOf(method, path)}`,
        text: description,
        code: path,
      })),
  )
  return [...chapters, ...operations]
}
