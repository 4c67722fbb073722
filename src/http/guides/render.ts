import { Parser, Renderer, type Token, type Tokens } from 'marked'
import { commands, escaped } from '../docs-frame.ts'
import type { Parsed } from './markdown.ts'
import { plain } from './markdown.ts'
import { targetOf } from './places.ts'

export type Size = { readonly width: number; readonly height: number }

export type Rendering = {
  /** The path of the guide in the repository. */
  readonly from: string
  /** How large a picture is, by its address below `/docs/`, so that nothing moves when it comes. */
  sizeOf(picture: string): Size
}

/** The HTML of tokens: links lead to pages, commands can be copied, wide tables scroll by themselves. */
export function render(tokens: readonly Token[], { headings }: Parsed, { from, sizeOf }: Rendering): string {
  const renderer = new Renderer()
  renderer.heading = function (token: Tokens.Heading) {
    const id = headings.get(token)?.id ?? ''
    const text = this.parser.parseInline(token.tokens)
    return `<h${token.depth} id="${id}">${text} <a class="anchor" href="#${id}" aria-label="Link to ${escaped(plain(token.tokens))}">#</a></h${token.depth}>\n`
  }
  renderer.link = function ({ href, tokens }: Tokens.Link) {
    const text = this.parser.parseInline(tokens)
    const target = targetOf(from, href)
    // the server has pages, not the repository
    if (target.kind === 'file') return `<span class="file" title="${escaped(target.path)}">${text}</span>`
    return `<a href="${escaped(target.href)}">${text}</a>`
  }
  renderer.image = ({ href, text }: Tokens.Image) => {
    const target = targetOf(from, href)
    if (target.kind !== 'page') throw new Error(`${from}: a picture is below docs/pictures, not ${href}`)
    const { width, height } = sizeOf(target.href)
    const picture = `<img src="${target.href}" alt="${escaped(text)}" width="${width}" height="${height}" loading="lazy">`
    return `<a class="picture" href="${target.href}">${picture}</a>`
  }
  renderer.code = ({ text, lang }: Tokens.Code) =>
    lang === 'sh' ? commands(text) : `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`
  const table = renderer.table
  renderer.table = function (token: Tokens.Table) {
    return `<div class="scrolls" tabindex="0">${table.call(this, token)}</div>\n`
  }
  renderer.html = ({ text }: Tokens.HTML | Tokens.Tag) => {
    throw new Error(`${from}: guides are text without HTML, not ${text.trim()}`)
  }
  return Parser.parse([...tokens], { renderer })
}
