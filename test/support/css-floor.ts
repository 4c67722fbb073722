/** The oldest engine that hosts a page: OBS 27.2. */
export const FLOOR = 95

/** A declaration, or a rule with what is in it. */
export type Declaration = { property: string; value: string }
export type Rule = { prelude: string; declarations: Declaration[]; rules: Rule[] }

type Where = 'at-rule' | 'selector' | 'property' | 'value'
/** What came later, and with which Chromium (MDN compatibility data 8.1.9). */
const FEATURES: readonly [where: Where, since: number, what: RegExp][] = [
  ['at-rule', 99, /^@layer/],
  ['at-rule', 101, /^@font-palette-values/],
  ['at-rule', 104, /^@media.*[<>]/],
  ['at-rule', 105, /^@container/],
  ['at-rule', 117, /^@starting-style/],
  ['at-rule', 118, /^@scope/],
  ['at-rule', 118, /prefers-reduced-transparency/],
  ['at-rule', 120, /\(scripting/],
  ['at-rule', 125, /^@position-try/],
  ['at-rule', 126, /^@view-transition/],
  ['selector', 105, /:has\(/],
  ['selector', 105, /:modal|::highlight/],
  ['selector', 110, /(?<!-webkit-):autofill/],
  ['selector', 111, /:nth-(last-)?child\([^)]* of |::view-transition/],
  ['selector', 114, /:popover-open/],
  ['selector', 119, /:user-(in)?valid/],
  ['selector', 120, /&|:dir\(/],
  ['selector', 125, /:state\(/],
  ['selector', 131, /::details-content/],
  ['selector', 133, /:open(?![-\w])/],
  ['property', 97, /^font-synthesis-/],
  ['property', 99, /^text-emphasis/],
  ['property', 101, /^font-palette$/],
  ['property', 104, /^(translate|rotate|scale|object-view-box)$/],
  ['property', 105, /^container/],
  ['property', 106, /^hyphenate-character$/],
  ['property', 110, /^initial-letter$/],
  ['property', 111, /^view-transition/],
  ['property', 112, /^animation-composition$/],
  ['property', 114, /^(text-wrap|white-space-collapse)/],
  ['property', 115, /^(animation-(timeline|range)|scroll-timeline|view-timeline)/],
  ['property', 117, /^(transition-behavior|overlay)$/],
  ['property', 120, /^mask(?!-type)/],
  ['property', 121, /^scrollbar-(color|width)$/],
  ['property', 123, /^(field-sizing|text-spacing)/],
  ['property', 125, /^(anchor-|position-(anchor|area|try))/],
  ['property', 129, /^interpolate-size$/],
  ['property', 133, /^text-box/],
  ['property', 136, /^print-color-adjust$/],
  ['value', 105, /\b\d*\.?\d+(cqw|cqh|cqi|cqb|cqmin|cqmax)\b/],
  ['value', 106, /\b\d*\.?\d+ic\b/],
  ['value', 108, /\b\d*\.?\d+[dsl]v([hwib]|min|max)\b/],
  ['value', 111, /\b(color-mix|oklch|oklab|lch|lab|color|sin|cos|tan|asin|acos|atan2?|pow|sqrt|hypot|exp)\(/],
  ['value', 111, /\b\d*\.?\d+(rlh|lh)\b/],
  ['value', 113, /(?<![-\w])(linear|image-set)\(/],
  ['value', 117, /\bsubgrid\b/],
  ['value', 118, /\b\d*\.?\d+r?cap\b/],
  ['value', 119, /\b(rgba?|hsla?|hwb)\(from /],
  ['value', 123, /\blight-dark\(/],
  ['value', 125, /(?<![-\w])(round|mod|rem|anchor(-size)?)\(/],
  ['value', 129, /\bcalc-size\(/],
  ['value', 137, /(?<![-\w])if\(/],
  ['value', 138, /(?<![-\w])(abs|sign)\(/],
]

/** Whether an engine of this version lacks something of a text of this kind. */
const lacks = (where: Where, text: string, version: number) =>
  FEATURES.some(([kind, since, what]) => kind === where && since > version && what.test(text))

/** Whether an engine drops the whole rule. */
export const dropsRule = ({ prelude }: Rule, version: number) =>
  lacks(prelude.startsWith('@') ? 'at-rule' : 'selector', prelude, version)

/** Whether an engine drops the declaration. */
export const dropsDeclaration = ({ property, value }: Declaration, version: number) =>
  lacks('property', property, version) || lacks('value', value, version)

/** Reads a style sheet: rules with rules in them, at-rules without a block left out. */
export function parseCss(css: string): Rule[] {
  return block(tokens(css.replace(/\/\*.*?\*\//gs, ''))).rules
}

/** Strings and addresses hold any character, and are no structure. */
const tokens = (css: string) =>
  (css.match(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|url\((?!["'])[^)]*\)|[{};]|[^{};"'u]+|u/gs) ?? [])[Symbol.iterator]()

function block(from: Iterator<string>): Omit<Rule, 'prelude'> {
  const found: Omit<Rule, 'prelude'> = { declarations: [], rules: [] }
  let text = ''
  const declare = () => {
    const [, property, value] = /^([-\w]+)\s*:\s*(.+)$/s.exec(text.trim()) ?? []
    if (property !== undefined && value !== undefined) found.declarations.push({ property, value: value.trim() })
    text = ''
  }
  for (let next = from.next(); !next.done; next = from.next()) {
    const token = next.value
    if (token === '{') {
      found.rules.push({ prelude: text.trim(), ...block(from) })
      text = ''
    } else if (token === '}') break
    else if (token === ';') declare()
    else text += token
  }
  declare()
  return found
}

/** The style sheet as an engine of this version reads it: without the rules and declarations that it does not understand. */
export function readBy(rules: readonly Rule[], version: number): string {
  return rules
    .filter((rule) => !dropsRule(rule, version))
    .map(({ prelude, declarations, rules: inner }) => {
      const kept = declarations.filter((one) => !dropsDeclaration(one, version))
      return `${prelude}{${kept.map(({ property, value }) => `${property}:${value};`).join('')}${readBy(inner, version)}}`
    })
    .join('\n')
}
