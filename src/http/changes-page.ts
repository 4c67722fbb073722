import { apiVersion, type ChangeEntry, deprecations } from '../changelog.ts'
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

const STYLE = `
  :root {
    color-scheme: light dark;
    --ink: #1a202c; --soft: #5b6675; --line: #e1e6ee; --paper: #fff; --tint: #f5f7fa; --mark: #0b6b4f; --warn: #8a4b00;
    --warn-tint: #fff6e8; --warn-line: #f1d9b3;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --ink: #e6e9ef; --soft: #9aa5b5; --line: #2c3442; --paper: #12161d; --tint: #1b212b; --mark: #5fd0ab; --warn: #f2c078;
      --warn-tint: #2a2113; --warn-line: #5a4520;
    }
  }
  * { box-sizing: border-box; }
  html { scroll-behavior: smooth; scroll-padding-top: 24px; }
  body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 system-ui, sans-serif; }
  a { color: var(--mark); text-underline-offset: 3px; }
  code { background: var(--tint); border: 1px solid var(--line); border-radius: 4px; padding: 1px 5px;
    font: 0.86em/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
  .page { max-width: 1060px; margin: 0 auto; padding: 0 24px 96px; }
  header { padding: 48px 0 32px; border-bottom: 1px solid var(--line); }
  header h1 { margin: 0 0 8px; font-size: 32px; line-height: 1.2; letter-spacing: -0.01em; }
  header p { margin: 0; color: var(--soft); max-width: 64ch; }
  header nav { margin-top: 16px; display: flex; flex-wrap: wrap; gap: 4px 20px; }
  .columns { display: grid; grid-template-columns: 160px minmax(0, 1fr); gap: 48px; }
  aside { padding-top: 40px; }
  aside ol { list-style: none; margin: 0; padding: 0; position: sticky; top: 24px; font-variant-numeric: tabular-nums; }
  aside a { display: flex; justify-content: space-between; padding: 3px 0; color: inherit; text-decoration: none; }
  aside a:hover { color: var(--mark); }
  aside small { color: var(--soft); }
  section, .deprecated { padding-top: 40px; }
  section h2, .deprecated h2 { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 14px; margin: 0 0 10px; font-size: 22px;
    line-height: 1.3; font-variant-numeric: tabular-nums; }
  section h2 a { color: inherit; text-decoration: none; }
  section h2 a:hover { text-decoration: underline; }
  section time { font-size: 15px; font-weight: 400; color: var(--soft); }
  .newest { align-self: center; font-size: 12px; font-weight: 600; color: var(--mark); border: 1px solid currentColor; border-radius: 99px;
    padding: 0 9px; }
  section ul { margin: 0; padding-left: 20px; max-width: 72ch; }
  section li { margin: 4px 0; }
  section li::marker { color: var(--soft); }
  .warning { list-style: none; margin: 10px 0 0 -20px; padding: 8px 14px; background: var(--warn-tint);
    border: 1px solid var(--warn-line); border-radius: 6px; }
  .warning b { color: var(--warn); }
  table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
  th { text-align: left; font-size: 13px; font-weight: 600; color: var(--soft); }
  th, td { padding: 8px 16px 8px 0; border-bottom: 1px solid var(--line); }
  .none { margin: 0; color: var(--soft); }
  @media (max-width: 720px) { .columns { display: block; } aside { display: none; } header { padding-top: 28px; } }`

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Text of an entry: what stands in backticks is code. */
const marked = (text: string) => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>')

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
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tally API changes</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<div class="page">
<header>
<h1>Changes of the Tally API</h1>
<p>Every change of behaviour, newest first; the version of the API is that of the newest entry. A field of a Beta operation that is
removed or renamed keeps working for at least 30 days after its entry, a deprecated operation for at least 12 months.</p>
<nav><a href="../docs">Reference</a> <a href="#deprecated">Deprecated operations</a> <a href="changes.json">For machines</a></nav>
</header>
<div class="columns">
<aside><ol>
${contents.join('\n')}
</ol></aside>
<main>
${newestFirst.map(entry).join('\n')}
${deprecated(changes)}
</main>
</div>
</div>
</body>
</html>
`
}
