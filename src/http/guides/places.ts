import { posix } from 'node:path'

/** Pages that stand beside the guides' folder and are shown as guides, by their path in the repository; all others are in `docs/`. */
const BESIDE: Readonly<Record<string, string>> = {
  'README.md': 'overview',
  'docs/README.md': 'guides',
  'CONTRIBUTING.md': 'contributing',
  'SECURITY.md': 'reporting',
}

/** Pages that are made of more than their text. */
const MADE: Readonly<Record<string, string>> = { 'CHANGELOG.md': 'changes' }

/** What the page of a file is called below `/docs/`; undefined where a file has none. */
export const nameOf = (path: string): string | undefined => BESIDE[path] ?? /^docs\/([\w-]+)\.md$/.exec(path)?.[1]

/** Where a link of a guide leads: another page, a picture, elsewhere, or a file that only the repository has. */
export type Target =
  | { readonly kind: 'page'; readonly href: string }
  | { readonly kind: 'elsewhere'; readonly href: string }
  | { readonly kind: 'file'; readonly path: string }

/** Resolves what the guide at `from` (its path in the repository) writes, to an address that is relative to `/docs/`. */
export function targetOf(from: string, written: string): Target {
  if (/^[a-z]+:/.test(written)) return { kind: 'elsewhere', href: written }
  const [file = '', anchor] = written.split('#')
  const hash = anchor === undefined ? '' : `#${anchor}`
  const path = file === '' ? from : posix.join(posix.dirname(from), file)
  const name = nameOf(path) ?? MADE[path]
  if (name) return { kind: 'page', href: name === nameOf(from) && hash ? hash : name + hash }
  const picture = /^docs\/(pictures\/[\w-]+\.\w+)$/.exec(path)?.[1]
  return picture ? { kind: 'page', href: picture } : { kind: 'file', path }
}
