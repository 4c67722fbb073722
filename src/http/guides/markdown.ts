import { Lexer, type Token, type Tokens } from 'marked'

export type Heading = { readonly depth: number; readonly text: string; readonly id: string }

/** The tokens of a page with the id that each heading has, as GitHub makes them. */
export type Parsed = { readonly tokens: readonly Token[]; readonly headings: ReadonlyMap<Token, Heading> }

/** The text of a heading or a paragraph without its marks. */
export function plain(tokens: readonly Token[] | undefined): string {
  return (tokens ?? [])
    .map((token) => ('tokens' in token && token.tokens ? plain(token.tokens) : 'text' in token ? token.text : ''))
    .join('')
}

/** `What of a "theme"?` is `what-of-a-theme`. */
const slugOf = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

export function parse(markdown: string): Parsed {
  const tokens = new Lexer({ gfm: true }).lex(markdown)
  const headings = new Map<Token, Heading>()
  const used = new Map<string, number>()
  for (const token of tokens) {
    if (token.type !== 'heading') continue
    const { depth } = token as Tokens.Heading
    const text = plain(token.tokens)
    const slug = slugOf(text)
    const times = used.get(slug) ?? 0
    used.set(slug, times + 1)
    headings.set(token, { depth, text, id: times === 0 ? slug : `${slug}-${times}` })
  }
  return { tokens, headings }
}
