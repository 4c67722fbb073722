import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dropsDeclaration, dropsRule, FLOOR, parseCss, type Rule, readBy } from '../support/css-floor.ts'

const DIST = join(import.meta.dirname, '../../dist')

/** What an engine of the floor does without, and why nobody misses it. */
const DONE_WITHOUT: Readonly<Record<string, string>> = {
  // the choice beside it is drawn in the same colour by a rule of its own
  '.chip:has(input:checked)': 'an edge in a colour that the text has, too',
}

/** Every style sheet as it is served: files, and those that pages carry. */
function styleSheets(): [name: string, css: string][] {
  const files = ['pages', 'docs', 'demo'].flatMap((folder) =>
    readdirSync(join(DIST, folder), { recursive: true }).map((name) => join(folder, String(name))),
  )
  const read = (name: string) => readFileSync(join(DIST, name), 'utf8')
  const styles = (html: string) => Array.from(html.matchAll(/<style[^>]*>(.*?)<\/style>/gs), ([, css = '']) => css)
  return [
    ...files.filter((name) => name.endsWith('.css')).map((name): [string, string] => [name, read(name)]),
    ...files
      .filter((name) => name.endsWith('.html'))
      .flatMap((name) => styles(read(name)).map((css): [string, string] => [name, css])),
  ]
}

/** What is said in no way that an engine of the floor understands. */
const unsaid = (rules: readonly Rule[]): string[] =>
  rules.flatMap((rule) => {
    if (dropsRule(rule, FLOOR)) return rule.prelude in DONE_WITHOUT ? [] : [rule.prelude]
    const said = new Set<string>()
    const lost = rule.declarations.flatMap((one) => {
      if (!dropsDeclaration(one, FLOOR)) said.add(one.property)
      return said.has(one.property) ? [] : [`${rule.prelude} { ${one.property}: ${one.value} }`]
    })
    return [...lost, ...unsaid(rule.rules)]
  })

test('[browser-source 1] every style sheet says all that it says to the oldest engine that hosts a page', () => {
  const sheets = styleSheets()
  expect(sheets.length).toBeGreaterThan(15)
  const rules = sheets.flatMap(([, css]) => parseCss(css))
  expect(rules.length).toBeGreaterThan(500)
  expect(sheets.flatMap(([name, css]) => unsaid(parseCss(css)).map((what) => `${name}: ${what}`))).toEqual([])
})

test('what is done without is there', () => {
  const preludes = new Set(styleSheets().flatMap(([, css]) => parseCss(css).map(({ prelude }) => prelude)))
  expect(Object.keys(DONE_WITHOUT).filter((prelude) => !preludes.has(prelude))).toEqual([])
})

test('the check finds what an older engine drops, and reads the rest as it is', () => {
  const css = `@media (min-width: 1px) { .a { color: red; color: oklch(50% 0.1 20); width: 10dvw } }
    .b:has(.c, .d) { color: blue } .e { background: url(data:x;y{z}); content: "}:has("; height: 1vh; height: 1dvh }`
  const rules = parseCss(css)
  expect(unsaid(rules)).toEqual(['.a { width: 10dvw }', '.b:has(.c, .d)'])
  expect(readBy(rules, FLOOR)).toBe(
    '@media (min-width: 1px){.a{color:red;}}\n.e{background:url(data:x;y{z});content:"}:has(";height:1vh;}',
  )
})

/** What came to scripts later, and is no part of a longer name. A library may ask first whether it is there. */
const LATER_IN_SCRIPTS: readonly [since: number, what: RegExp][] = [
  [97, /\.findLast(Index)?\(/g],
  [98, /(?<![\w.$])structuredClone\(/g],
  [99, /\.showPicker\(/g],
  [105, /[^\w]:has\(/g],
  [110, /\.(toReversed|toSpliced)\(/g],
  [111, /(color-mix|oklch|oklab|light-dark)\(/g],
  [117, /\b(Object|Map)\.groupBy\(/g],
  [119, /\bPromise\.withResolvers\(/g],
  [120, /\bURL\.canParse\(/g],
  [121, /\bArray\.fromAsync\(/g],
  [122, /\bIterator\.from\(/g],
  [124, /\bAbortSignal\.(timeout|any)\(/g],
  [128, /\bPromise\.try\(/g],
]

test('no script of a page calls what the oldest engine does not have', () => {
  const scripts = readdirSync(join(DIST, 'pages'), { recursive: true })
    .map(String)
    .filter((name) => /\.(js|html)$/.test(name))
  expect(scripts.length).toBeGreaterThan(10)
  const found = scripts.flatMap((name) => {
    const text = readFileSync(join(DIST, 'pages', name), 'utf8')
    return LATER_IN_SCRIPTS.flatMap(([since, what]) =>
      since > FLOOR ? Array.from(text.matchAll(what), ([match]) => `${name}: ${match}`) : [],
    )
  })
  expect(found).toEqual([])
})
