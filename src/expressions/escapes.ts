const CHARACTERS = '\\?"\'`abfnrtv'
const NUMERIC = /^(?:[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})/

/** The context of this place in a source: nothing, a comment, or a string with the quotes that end it. */
type Inside = { quote: string; raw: boolean } | undefined

export type Unescaped = { text: string /** Where in the source a place of the text is. */; placeOf(at: number): number }

/**
 * The source with every unknown escape of a string literal spelled out, so that `"\d+"` is the pattern that it looks like
 * and `"\n"` is a line feed. Raw strings and byte strings stay as they are. spec: Versioning 7
 */
export function withEscapes(source: string): Unescaped {
  const added: number[] = []
  let text = ''
  let inside: Inside
  let at = 0
  const take = (length: number) => {
    text += source.slice(at, at + length)
    at += length
  }
  while (at < source.length) {
    if (inside === undefined) {
      if (source.startsWith('//', at)) take(lineEnd(source, at) - at)
      else {
        inside = opening(source, at)
        take(inside?.quote.length ?? 1)
      }
    } else if (source.startsWith(inside.quote, at)) {
      take(inside.quote.length)
      inside = undefined
    } else if (source[at] === '\\') {
      if (!inside.raw && !isEscape(source, at + 1)) {
        added.push(text.length)
        text += '\\'
      }
      take(2)
    } else take(1)
  }
  return { text, placeOf: (place) => place - added.filter((one) => one < place).length }
}

function lineEnd(source: string, at: number) {
  const end = source.indexOf('\n', at)
  return end < 0 ? source.length : end
}

const isEscape = (source: string, at: number) =>
  at >= source.length || CHARACTERS.includes(source[at] ?? '') || NUMERIC.test(source.slice(at, at + 9))

/** The string that starts here. A prefix belongs to it only when it is no end of a name. */
function opening(source: string, at: number): Inside {
  const quote = source[at]
  if (quote !== '"' && quote !== "'") return undefined
  const prefixed = /[rRbB]/.test(source[at - 1] ?? '') && !/\w/.test(source[at - 2] ?? '')
  const triple = quote.repeat(3)
  return { quote: source.startsWith(triple, at) ? triple : quote, raw: prefixed }
}
