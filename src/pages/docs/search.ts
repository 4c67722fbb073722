import MiniSearch from 'minisearch'

/** As `src/http/guides/search-index.ts` writes them. */
type Entry = Readonly<Record<'title' | 'page' | 'url' | 'text' | 'code', string>>

/** The folder above `/docs`, wherever a proxy has put it. */
const root = new URL('..', document.querySelector<HTMLScriptElement>('script[src$="docs/search.js"]')?.src)
const MOST = 24

let index: Promise<MiniSearch<Entry & { id: number }>> | undefined

async function load() {
  const answer = await fetch(new URL('docs/search.json', root))
  if (!answer.ok) throw new Error(`${answer.status}`)
  const entries: Entry[] = await answer.json()
  const made = new MiniSearch<Entry & { id: number }>({
    fields: ['title', 'page', 'text', 'code'],
    storeFields: ['title', 'page', 'url', 'text'],
    searchOptions: {
      boost: { title: 4, page: 2, code: 0.5 },
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    },
  })
  made.addAll(entries.map((entry, id) => ({ ...entry, id })))
  return made
}

function element<K extends keyof HTMLElementTagNameMap>(name: K, attributes: Record<string, string> = {}, text = '') {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.textContent = text
  return made
}

/** Some words around the first that was found, with all of them marked. */
function excerpt(text: string, terms: readonly string[]): HTMLElement {
  const words = terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const found = new RegExp(words.join('|') || '$^', 'gi')
  const at = Math.max(0, text.search(found))
  const from = at < 60 ? 0 : text.indexOf(' ', at - 60) + 1
  const part = text.slice(from, from + 180)
  const line = element('small', {}, from > 0 ? '… ' : '')
  let end = 0
  for (const match of part.matchAll(found)) {
    line.append(part.slice(end, match.index), element('mark', {}, match[0]))
    end = match.index + match[0].length
  }
  line.append(part.slice(end), from + 180 < text.length ? ' …' : '')
  return line
}

const dialog = element('dialog', { class: 'search', 'aria-label': 'Search the documents' })
const field = element('input', {
  type: 'search',
  'aria-label': 'Search guides and operations',
  placeholder: 'Search guides and operations',
  autocomplete: 'off',
  spellcheck: 'false',
})
const count = element('p', { role: 'status' })
const list = element('ul')
const closing = element('button', { type: 'button' }, 'Close')
const bar = element('div')
bar.append(field, closing)
dialog.append(bar, count, list)

/** Only the newest question is answered. */
let asked = 0

async function look() {
  asked += 1
  const mine = asked
  const words = field.value.trim()
  if (words === '') {
    list.replaceChildren()
    count.textContent = 'Arrow keys move, Enter opens, Esc closes.'
    return
  }
  index ??= load()
  const made = await index.catch(() => {
    // the next one tries anew
    index = undefined
    return undefined
  })
  if (mine !== asked) return
  const every = made?.search(words, { combineWith: 'AND' }) ?? []
  const results = every.length > 0 ? every : (made?.search(words) ?? [])
  count.textContent = !made
    ? 'The search cannot be loaded just now.'
    : results.length === 0
      ? 'Nothing is called like that.'
      : `${results.length} found`
  list.replaceChildren(
    ...results.slice(0, MOST).map(({ title, page, url, text, terms }) => {
      const link = element('a', { href: new URL(String(url), root).href })
      link.append(element('b', {}, title), element('span', {}, page), excerpt(String(text), terms))
      const item = element('li')
      item.append(link)
      return item
    }),
  )
}

function open() {
  if (dialog.open) return
  dialog.showModal()
  field.select()
  void look()
}

/** Up and down go through the field and the links. */
function move(by: number) {
  const stops = [field, ...list.querySelectorAll('a')]
  const at = stops.findIndex((stop) => stop.contains(document.activeElement))
  stops[Math.min(stops.length - 1, Math.max(0, at + by))]?.focus()
}

const writes = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

function start() {
  const button = element('button', { type: 'button', class: 'find', 'aria-keyshortcuts': '/ Control+K' }, 'Search ')
  button.append(element('kbd', { 'aria-hidden': 'true' }, '/'))
  document.querySelector('.places .door')?.before(button)
  document.body.append(dialog)
  button.addEventListener('click', open)
  closing.addEventListener('click', () => dialog.close())
  field.addEventListener('input', () => void look())
  // a click beside it
  dialog.addEventListener('click', ({ target }) => target === dialog && dialog.close())
  // the page may be the one that is open
  list.addEventListener('click', ({ target }) => target instanceof Element && target.closest('a') && dialog.close())
  dialog.addEventListener('keydown', (event) => {
    const first = list.querySelector('a')
    // the field would only be emptied by it
    if (event.key === 'Escape') dialog.close()
    else if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter' && event.target === field && first) first.click()
    else return
    event.preventDefault()
  })
  addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey } = event
    const asks = key === 'k' ? ctrlKey || metaKey : key === '/' && !ctrlKey && !metaKey && !altKey
    // in the reference the field lies within an element of its own
    if (!asks || (key === '/' && writes(event.composedPath()[0] ?? null))) return
    event.preventDefault()
    open()
  })
}
start()
