import { apiVersion, type ChangeEntry, deprecations } from '../changelog.ts'
import { docsPage, escaped, marked } from './docs-frame.ts'
import { sunsetOf } from './headers.ts'

const day = (date: Date) => date.toISOString().slice(0, 10)

/** The change history for machines: `{version, entries: [{version, date, changes, deprecates: [{operation, deprecated, sunset}]}]}`, newest first. */
export const changesData = (changes: readonly ChangeEntry[]) => ({
  version: apiVersion(changes),
  entries: [...changes].reverse().map(({ version, date, changes: lines, deprecates = [] }) => ({
    version,
    date,
    changes: lines,
    deprecates: deprecates.map((operation) => ({ operation, deprecated: date, sunset: day(sunsetOf(date)) })),
  })),
})

const spelled = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
const time = (date: string) => `<time datetime="${date}">${spelled.format(new Date(date))}</time>`

const warning = (operation: string, since: string) =>
  `<li class="warning"><b>Deprecated:</b> <code>${escaped(operation)}</code> works until ${time(day(sunsetOf(since)))}.</li>`

function entry({ version, date, changes, deprecates = [] }: ChangeEntry, index: number): string {
  const lines = [
    ...changes.map((line) => `<li>${marked(line)}</li>`),
    ...deprecates.map((operation) => warning(operation, date)),
  ]
  const newest = index === 0 ? '<span class="newest">newest</span>' : ''
  return `<section id="${version}">
<h2><a href="#${version}">${version}</a> ${time(date)} ${newest}</h2>
<ul>
${lines.join('\n')}
</ul>
</section>`
}

function deprecated(changes: readonly ChangeEntry[]): string {
  const rows = deprecations(changes).map(
    ([operation, since]) =>
      `<tr><td><code>${escaped(operation)}</code></td><td>${time(since)}</td><td>${time(day(sunsetOf(since)))}</td></tr>`,
  )
  const table = `<table><thead><tr><th>Operation</th><th>Since</th><th>Works until</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>`
  return `<div class="deprecated" id="deprecated"><h2>Deprecated operations</h2>
${rows.length > 0 ? table : '<p class="none">None.</p>'}</div>`
}

/** The change history for people, newest first. Addresses are relative, so that it also works below a path. spec: Versioning 4 to 7 */
export function changesPage(changes: readonly ChangeEntry[]): string {
  const newestFirst = [...changes].reverse()
  const contents = newestFirst.map(
    ({ version, date }) => `<li><a href="#${version}"><span>${version}</span> <small>${date}</small></a></li>`,
  )
  return docsPage({
    name: 'changes',
    title: 'Changes of the Tally API',
    lead: `<p>Every change of behaviour, newest first; the version of the API is that of the newest entry. A field of a Beta operation that is
removed or renamed keeps working for at least 30 days after its entry, a deprecated operation for at least 12 months.</p>
<nav aria-label="This page"><a href="#deprecated">Deprecated operations</a> <a href="changes.json">For machines</a></nav>`,
    aside: `<ol>${contents.join('\n')}</ol>`,
    body: `<div class="history">
${newestFirst.map(entry).join('\n')}
</div>
${deprecated(changes)}`,
  })
}
