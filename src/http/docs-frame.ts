export type DocsPage = {
  /** Of `/docs`: '' for the reference itself, else `start`, `live`, `changes` or the name of a guide. */
  name: string
  /** Which of the places it belongs to; left out, its own. */
  place?: string
  title: string
  /** HTML, as all that follows. */
  lead: string
  body: string
  /** What stands beside, for pages that are long. */
  aside?: string
  /** What stands on the other side. */
  beside?: string
  /** Wider than a column of text. */
  wide?: boolean
  scripts?: string
}

const PLACES = [
  ['guides', 'Guides'],
  ['start', 'Get started'],
  ['', 'API reference'],
  ['live', 'Live sockets'],
  ['changes', 'Changes'],
] as const

export const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Text with what stands in backticks as code. */
export const marked = (text: string) => escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>')

/** A page of the documents, each with the way to all others. Addresses are relative, so that it also works below a path. */
export function docsPage(page: DocsPage): string {
  const { name, place: here = name, title, lead, body, aside, beside, wide = false, scripts = '' } = page
  const root = name === '' ? '' : '../'
  const places = PLACES.map(([place, label]) => {
    const current = place === here ? ' aria-current="page"' : ''
    return `<a href="${root}docs${place && `/${place}`}"${current}>${label}</a>`
  })
  const columns = beside ? 'columns three' : aside ? 'columns' : 'column'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}docs/docs.css">
</head>
<body>
<a class="skip" href="#main">To the content</a>
<nav class="places" aria-label="Documentation">
<b>Tally</b>
<div>${places.join('')}</div>
<a class="door" href="${root}dashboard">Dashboard</a>
</nav>
<div class="${wide ? 'wide' : beside ? 'page broad' : 'page'}">
<header>
<h1>${escaped(title)}</h1>
${lead}
</header>
<div class="${columns}">
${aside ? `<aside>${aside}</aside>` : ''}
<main id="main" tabindex="-1">
${body}
</main>
${beside ? `<aside class="beside">${beside}</aside>` : ''}
</div>
</div>
${scripts}
<script type="module" src="${root}docs/search.js"></script>
</body>
</html>
`
}

/** Commands as they are typed, with a button that copies them. */
export const commands = (text: string) =>
  `<div class="commands"><pre tabindex="0"><code>${escaped(text)}</code></pre><button type="button">Copy</button></div>`

/** Makes the buttons of `commands` work; without a clipboard the text is selected. */
export const COPIES = `<script>
addEventListener('click', async ({ target }) => {
  const box = target.closest('.commands')
  if (!box || target.tagName !== 'BUTTON') return
  const text = box.querySelector('code')
  try {
    await navigator.clipboard.writeText(text.textContent)
    target.textContent = 'Copied'
  } catch {
    getSelection().selectAllChildren(text)
    target.textContent = 'Selected'
  }
  setTimeout(() => { target.textContent = 'Copy' }, 2000)
})
</script>`
