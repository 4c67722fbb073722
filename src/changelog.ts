import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One version of the API. Entries are never edited once released; a behaviour change adds one in the same commit. */
export type ChangeEntry = {
  readonly version: string
  /** ISO day. */
  readonly date: string
  readonly changes: readonly string[]
  /** Operations that became deprecated that day: `GET /v1/teams`. spec: Versioning 5 */
  readonly deprecates?: readonly string[]
}

/** Reads what CHANGELOG.md says, newest first, into entries, oldest first. Throws on a line that it does not understand. */
export function entriesOf(markdown: string): ChangeEntry[] {
  const [, ...entries] = markdown.split(/^## /m)
  return entries.reverse().map((text) => {
    const [, version, date, list = ''] =
      /^(\d+\.\d+\.\d+) · (\d{4}-\d\d-\d\d)\n\n((?:(?:- | {2})\S.*\n)+)\s*$/.exec(text) ?? []
    if (!version || !date) throw new Error(`CHANGELOG.md: not "VERSION · DATE" and a list: ${text.slice(0, 60)}`)
    const lines = list
      .split(/^- /m)
      .slice(1)
      .map((line) => line.trim().replace(/\n\s*/g, ' '))
    const deprecates = lines.flatMap((line) => /^Deprecated: `(.+)`$/.exec(line)?.[1] ?? [])
    const changes = lines.filter((line) => !line.startsWith('Deprecated: '))
    if (changes.length + deprecates.length !== lines.length)
      throw new Error(`CHANGELOG.md: ${version} deprecates what is no operation`)
    return { version, date, changes, ...(deprecates.length > 0 && { deprecates }) }
  })
}

/** The change history, oldest first; the newest version is that of the API description. spec: Versioning 6, 7 */
export const changelog: readonly ChangeEntry[] = entriesOf(
  // beside src, here and in a build
  readFileSync(join(import.meta.dirname, '../CHANGELOG.md'), 'utf8'),
)

/** The version of the newest entry. */
export const apiVersion = (entries: readonly ChangeEntry[]): string => entries.at(-1)?.version ?? '0.0.0'

/** The day on which an operation became deprecated. */
export const deprecatedOn = (entries: readonly ChangeEntry[], operation: string): string | undefined =>
  entries.find(({ deprecates }) => deprecates?.includes(operation))?.date

/** Everything that was deprecated, the oldest first: `[operation, since]`. */
export const deprecations = (entries: readonly ChangeEntry[]): [operation: string, since: string][] =>
  entries.flatMap(({ date, deprecates = [] }) => deprecates.map((operation): [string, string] => [operation, date]))
