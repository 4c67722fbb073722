import type { Token, Tokens } from 'marked'
import { type Heading, parse, plain } from './markdown.ts'
import { nameOf } from './places.ts'
import { type Rendering, render } from './render.ts'

/** A part of a page that a search finds. */
export type Section = { readonly title: string; readonly id: string; readonly text: string; readonly code: string }

export type Guide = {
  readonly name: string
  readonly title: string
  /** HTML of the first sentence, which says for whom the page is, and of all that follows. */
  readonly lead: string
  readonly body: string
  /** What the contents beside the page list. */
  readonly headings: readonly Heading[]
  readonly sections: readonly Section[]
}

/** Reads a guide: its title, whom it is for, and its chapters. */
export function guideOf(markdown: string, rendering: Rendering): Guide {
  const parsed = parse(markdown)
  const [title, lead, ...rest] = parsed.tokens.filter(({ type }) => type !== 'space')
  const name = nameOf(rendering.from)
  if (!name || title?.type !== 'heading' || lead?.type !== 'paragraph')
    throw new Error(`${rendering.from}: a guide begins with its title and a sentence`)
  const headings = rest.flatMap((token) => parsed.headings.get(token) ?? [])
  return {
    name,
    title: plain(title.tokens),
    lead: render([lead], parsed, rendering),
    body: render(rest, parsed, rendering),
    headings,
    sections: sectionsOf([lead, ...rest], (token) => parsed.headings.get(token)),
  }
}

function sectionsOf(tokens: readonly Token[], headingOf: (token: Token) => Heading | undefined): Section[] {
  const sections = [{ title: '', id: '', texts: [] as string[], codes: [] as string[] }]
  for (const token of tokens) {
    const heading = headingOf(token)
    if (heading) sections.push({ title: heading.text, id: heading.id, texts: [], codes: [] })
    else if (token.type === 'code') sections.at(-1)?.codes.push(token.text)
    else sections.at(-1)?.texts.push(textOf(token))
  }
  const joined = (parts: readonly string[]) => parts.join(' ').replace(/\s+/g, ' ').trim()
  return sections.map(({ texts, codes, ...named }) => ({ ...named, text: joined(texts), code: joined(codes) }))
}

/** What is read aloud of a block: tables and lists by their cells and items. */
function textOf(token: Token): string {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows].flatMap((row) => row.map((cell) => plain(cell.tokens))).join(' ')
  }
  if (token.type === 'list')
    return (token as Tokens.List).items.map((item) => item.tokens.map(textOf).join(' ')).join(' ')
  return 'tokens' in token && token.tokens ? plain(token.tokens) : 'text' in token ? String(token.text) : ''
}
