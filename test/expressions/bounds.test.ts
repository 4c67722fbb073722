import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { MAX_MS, TooCostly } from '../../src/expressions/budget.ts'
import { BrokenExpression, compile } from '../../src/expressions/compile.ts'
import { byName, ExpressionSet } from '../../src/expressions/expression-set.ts'
import { patternSize } from '../../src/expressions/pattern-size.ts'
import { MAX_INSTRUCTIONS, patternBytes } from '../../src/expressions/patterns.ts'
import { brokenExpressionRules } from '../../src/expressions/rules.ts'
import type { Scope } from '../../src/expressions/scope.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const facts = (length: number) => ({
  facts: Array.from({ length }, (_, minute) => ({ minute, name: 'Ståhlberg' })),
})
const many = facts(10_000)
const doubled = (times: number, step: string) => `[facts]${`.map(a, ${step})`.repeat(times)}`

const failure = (source: string, scope: Scope = facts(800)): Error => {
  const compiled = compile(source)
  try {
    compiled.evaluate(scope)
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error(`${source} gave a value`)
}

describe('an expression cannot hold up the process', () => {
  it.each([
    ['loops in loops over many items', 'facts.map(f, facts.map(g, f.minute * g.minute)).size()'],
    ['a quantifier that swallows errors', 'facts.exists(f, facts.exists(g, g.minute < 0))'],
    ['a logical operator that swallows errors', 'facts.map(f, facts.exists(g, g.minute < 0)).size() > 0 || true'],
    ['slow functions', 'facts.map(f, timestamp("2026-11-20T19:47:00Z").getHours("Europe/Oslo")).size()'],
    ['patterns that backtracking would never end', `facts.filter(f, "${'a'.repeat(50)}!".matches("(a+)+$")).size()`],
  ])('%s: it ends in time', (_, source) => {
    const compiled = compile(source)
    const before = process.cpuUsage()
    expect(() => compiled.evaluate(many)).toThrow(TooCostly)
    const { user, system } = process.cpuUsage(before)
    // the clock is looked at between steps, and whatever else the process does counts
    expect((user + system) / 1000).toBeLessThan(MAX_MS * 20)
  })

  it.each([
    ['lists', doubled(30, 'a + a'), /a list of more than/],
    ['texts', `"${'a'.repeat(100)}".split("!")${'.map(a, a + a + a + a)'.repeat(20)}`, /a text of more than/],
    [
      'replacements',
      `["a"]${'.map(a, a.replace("a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaa"))'.repeat(10)}`,
      /makes the text too long/,
    ],
    [
      'joined texts',
      `[facts.map(f, f.name + f.name + f.name)].map(a, (a + a).join("${'-'.repeat(50)}"))`,
      /a text of more than/,
    ],
    ['padding', '"a".padStart(1000000000, "b") + "c"', /a text of more than/],
    ['results', 'facts', /a result of more than/],
    ['texts as results', 'facts.map(f, f.name + f.name + f.name)', /a result of more than/],
    ['patterns', `"a".matches("${'a'.repeat(300)}")`, /a pattern of more than/],
  ])('what grows is bounded: %s', (_, source, message) => expect(failure(source).message).toMatch(message))

  it.each([
    ['look-around', '"a".matches("(?=a)")'],
    ['back references', String.raw`"aa".matches("(a)\1")`],
  ])('a pattern that RE2 does not have is refused: %s', (_, source) =>
    expect(failure(source, {}).message).toMatch(/error parsing regexp/),
  )

  it.each([
    ['the one that held the loop for two seconds', '\\p{L}{0,1000}'.repeat(14)],
    ['nested repeats', '((a{100}){100}){100}'],
    ['repeats that other parts hide', String.raw`(?i)[)(]\Q(\E(?:a(?s){9}{9}){10}|\){999}`],
    ['an alternation that is repeated', `(?:${'ab|'.repeat(40)}c){30}`],
    ['an anchored one', '^(?:\\p{L}?1){400}$'],
    ['wide ranges when case does not count', `(?i)${'[a-\\x{1000}]'.repeat(14)}`],
  ])('a pattern that is too large is refused before it is compiled: %s', (_, pattern) => {
    const compiling = vi.spyOn(RE2JS, 'compile')
    onTestFinished(() => void vi.restoreAllMocks())
    const [message, ofWritten] = patternOutcomes(pattern)
    expect(ofWritten).toBe(message)
    expect(message).toBe('a pattern that is too large with its repeats written out')
    expect(compiling).not.toHaveBeenCalled()
    expect(brokenExpressionRules(written({ title: `match.name.matches(r'${pattern}')` }))).toEqual([
      `user expression title: matches(): ${message}`,
    ])
  })

  it('as many patterns as one likes, put together from data, end in time: compiling counts', () => {
    const large = (index: number) => `${index}${'(?:a?b|c)'.repeat(10)}{9}`
    const patterns = Array.from({ length: 200 }, (_, index) => `(?i)[a-\u1000]\\p{L}{30,40}${large(index)}`)
    const compiled = compile('facts.map(f, f.name.matches(f.pattern)).size()')
    const before = process.cpuUsage()
    expect(() => compiled.evaluate({ facts: patterns.map((pattern) => ({ name: 'a', pattern })) })).toThrow(TooCostly)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(MAX_MS * 4)
  })

  it.each([
    ['what matching takes', '"é".padEnd(1700, "é").matches("(?:\\PN?){150}\\pN")'],
    ['maps that are equal', 'facts.map(f, match.one == match.two).size()'],
    ['maps that are looked for', 'facts.map(f, match.one in [match.two, match.three]).size()'],
    ['lists that are not unequal', 'facts.all(f, match.facts != players)'],
  ])('a step that takes as long as many counts as many: %s', (_, source) => {
    const large = Object.fromEntries(Array.from({ length: 8_000 }, (_, index) => [`k${index}`, [index, { a: index }]]))
    const copy = () => structuredClone(large)
    const list = () => [copy(), copy()]
    const scope = {
      ...facts(2_000),
      match: { one: copy(), two: copy(), three: copy(), facts: list() },
      players: list(),
    }
    const compiled = compile(source)
    const before = process.cpuUsage()
    expect(() => compiled.evaluate(scope)).toThrow(TooCostly)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(MAX_MS * 4)
  })

  it('comparing with little takes little, however large the other side is', () => {
    const scope = { facts: many.facts, match: { name: 'a' } }
    expect(compile('facts != [] && match != null && "name" in match && !(1 in [2, 3])').evaluate(scope)).toBe(true)
  })

  it('no pattern is larger than it was taken for', () => {
    const token = fc.constantFrom(
      ...String.raw`a b k . \pL \p{Lu} \P{L} [\pL] [^\pL\pN] [a-z] [^a] []a] [^]] [(] [[:alpha:]] \d \W \b ^ $ | ( ) (?: (?P<n> (?i) (?i:
        (?s) * + ? ?? {2} {3,} {0,5} {2,9} {0,30} {,3} {x} \Qab{3}\E \Q \E \x{263a} \x41 \( \) \[ \] \\ { } ] - \A \z \101 \12`.split(
        /\s+/,
      ),
    )
    // few kinds make deep ones that RE2 takes
    const tokens = fc.oneof(
      fc.array(token, { maxLength: 30 }),
      fc
        .array(token, { minLength: 2, maxLength: 4 })
        .chain((few) => fc.array(fc.constantFrom(...few), { minLength: 1, maxLength: 30 })),
    )
    let taken = 0
    fc.assert(
      fc.property(tokens, (parts) => {
        const pattern = parts.join('')
        const { instructions } = patternSize(pattern)
        if (instructions > MAX_INSTRUCTIONS) return
        const size = sizeInRe2(pattern)
        if (size === undefined) return
        taken++
        expect(size, pattern).toBeLessThanOrEqual(instructions)
      }),
      { numRuns: 4_000, seed: 15 },
    )
    expect(taken).toBeGreaterThan(500)
  })

  it('what is held of patterns is bounded in bytes, whoever made them', () => {
    collectGarbage()
    const before = process.memoryUsage().heapUsed
    for (let index = 0; index < 120; index++) compile(`"é1".matches("^(?:${index}\\\\pL?1){90}$")`).evaluate({})
    expect(patternBytes()).toBeLessThanOrEqual(64 * 2 ** 20)
    collectGarbage()
    // without a bound they are 190 MB
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(80 * 2 ** 20)
  })

  it('patterns that are written out are compiled with the expression, and none while it is evaluated', async () => {
    const set = new ExpressionSet(
      written({ one: 'match.name.matches("^Ev[a-z]+ton$")', two: String.raw`facts.all(f, f.name.matches(r"St\w+"))` }),
    )
    await set.prepare(async () => {})
    const compiling = vi.spyOn(RE2JS, 'compile')
    onTestFinished(() => void vi.restoreAllMocks())
    expect(byName(set.evaluate({ match: { name: 'Everton' }, ...facts(3) }))).toEqual({ one: true, two: false })
    expect(compiling).not.toHaveBeenCalled()
  })

  it('the patterns of one expression, and of all of a graphic, are bounded together', () => {
    const pattern = (index: number) => `"a".matches("${index}${'\\\\pL'.repeat(30)}")`
    const one = (from: number) => `${pattern(from)} || ${pattern(from + 1)}`
    const [rule] = brokenExpressionRules(written({ one: one(1) }))
    expect(rule).toBe('user expression one: matches(): patterns that are too large together')
    const several = Object.fromEntries([1, 2, 3].map((index) => [`e${index}`, pattern(index)]))
    expect(brokenExpressionRules(written(several))).toEqual([
      'user expression e3: matches(): patterns that are too large together',
    ])
  })

  it.each([
    ['its length', `"${'a'.repeat(2_000)}"`, /longer than 2000 characters/],
    ['its nodes', `1${' + 1'.repeat(400)}`, /Exceeded max/],
    ['its depth', `${'('.repeat(200)}1${')'.repeat(200)}`, /Exceeded max/],
    ['its loops', 'facts.map(a, facts.filter(b, facts.exists(c, c == a)))', /more than 2 loops inside each other/],
    ['its literal lists', `[${'1,'.repeat(300)}1]`, /Exceeded max/],
  ])('a source is bounded: %s', (_, source, message) => expect(() => compile(source)).toThrow(message))

  it('loops one after the other are not inside each other', () => {
    expect(compile('facts.filter(f, f.minute < 5).map(f, f.minute).filter(m, m > 2).size()').evaluate(facts(500))).toBe(
      2,
    )
  })

  it('nothing of JavaScript is in reach', () => {
    for (const source of [
      'facts.constructor',
      'facts.map(f, f.constructor)',
      '"a".constructor',
      'match.__proto__',
      'match["__proto__"]',
      'match.toString',
      'match.hasOwnProperty',
    ])
      expect(problem(source), source).toBeTypeOf('string')
    for (const source of [
      'globalThis',
      'process',
      'this',
      'constructor',
      'eval("1")',
      '(() => 1)()',
      'facts.map(toString)',
    ])
      expect(() => compile(source), source).toThrow(BrokenExpression)
  })
})

/** What comes of a pattern that is read from data, and of one that is written out. */
const patternOutcomes = (pattern: string) =>
  ['match.name.matches(variables.pattern)', `match.name.matches(r'${pattern}')`].map((source) => {
    try {
      return compile(source).evaluate({ match: { name: 'a' }, variables: { pattern } })
    } catch (error) {
      return error instanceof Error ? error.message : error
    }
  })

function sizeInRe2(pattern: string): number | undefined {
  try {
    return RE2JS.compile(pattern).programSize()
  } catch {
    return undefined
  }
}

const problem = (source: string) => {
  try {
    return compile(source).evaluate({ match: { name: 'x' }, facts: [{}] })
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}

const written = (expressions: Record<string, string>) =>
  Object.entries(expressions).map(([name, expression]) => ({ id: `id-${name}`, name, expression }))

describe('whatever is written', () => {
  const WORDS =
    String.raw`match facts teams expressions . .? [ ] ( ) { } , : ? + - * / % == < && || ! in "a" "\d" r"\x" b"x" 1 2.5
    0x1F 1u true null f map filter exists has size cel bind name score home matches join split replace padStart round timestamp
    duration string int optional none orValue sum slice // \ @ __proto__ """`.split(/\s+/)
  const word = fc.constantFrom(...WORDS)
  const phrase = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '))
  const source = fc.oneof(
    phrase,
    phrase.map((inner) => `facts.map(f, ${inner})`),
    fc.tuple(word, word).map(([method, given]) => `match.name.${method}(${given})`),
    fc.tuple(word, fc.integer({ min: 1, max: 500 })).map(([one, times]) => one.repeat(times)),
    fc.string({ maxLength: 60 }),
  )
  const data: Scope = { match: { name: 'x', score: { home: 2 }, period: null }, facts: [{ name: 'a' }], teams: null }

  it('is refused as broken, or gives JSON, or fails with a sentence', () => {
    fc.assert(
      fc.property(source, (text) => {
        const [row] = new ExpressionSet(written({ it: text })).evaluate(data)
        expect(JSON.parse(JSON.stringify(row?.value))).toEqual(row?.value)
        expect(row?.error ?? '').not.toMatch(/undefined|not a function|Cannot read|call stack/)
        expect(row?.ok).toBe(row?.error === null)
        expect(brokenExpressionRules(written({ it: text })).length > 0 ? row?.ok : false).toBe(false)
      }),
      { numRuns: 3_000, seed: 26 },
    )
  })

  it('no data is held once it was evaluated, in loops and bindings neither', async () => {
    const sources = ['facts.map(f, f.minute).size()', 'cel.bind(all, facts, all.exists(f, f.minute > 900))']
    const compiled = sources.map(compile)
    const evaluated = () => {
      const seen = facts(10)
      for (const one of compiled) one.evaluate(seen)
      return new WeakRef(seen.facts)
    }
    const ref = evaluated()
    await expect
      .poll(() => {
        collectGarbage()
        return ref.deref() === undefined
      })
      .toBe(true)
    expect(compiled.map((one) => one.evaluate(facts(2)))).toEqual([2, false])
  })
})

describe('the user expressions of a graphic', () => {
  it('each sees those before it; one that fails is null and says why', () => {
    const set = new ExpressionSet(
      written({
        home: 'match.score.home',
        line: 'expressions.home + " - " + match.score.away',
        late: 'match.period.name',
      }),
    )
    const scope = { match: { score: { home: 2, away: 1 }, period: null } }
    expect(byName(set.evaluate(scope))).toEqual({ home: 2, line: '2 - 1', late: null })
    expect(set.evaluate(scope).at(-1)).toEqual({
      id: 'id-late',
      name: 'late',
      expression: 'match.period.name',
      value: null,
      ok: false,
      error: 'No such key: name',
    })
  })

  it('a source that does not compile is null, and the others go on', () => {
    const set = new ExpressionSet(written({ broken: '1 +', good: '1 + 1' }))
    expect(byName(set.evaluate({}))).toEqual({ broken: null, good: 2 })
  })

  it('all together they have an end: those after it are null and say so', () => {
    const slow = 'facts.map(f, timestamp("2026-11-20T19:47:00Z").getHours("Europe/Oslo")).size()'
    const names = Array.from({ length: 40 }, (_, index) => `e${index}`)
    const set = new ExpressionSet(written(Object.fromEntries(names.map((name) => [name, slow]))))
    const before = process.cpuUsage()
    const found = set.evaluate(many)
    const { user, system } = process.cpuUsage(before)
    expect(found.at(-1)?.error).toBe('those before it took too long')
    expect((user + system) / 1000).toBeLessThan(MAX_MS * 30)
  })

  it('each quick enough by itself, together too slow: those that took most of the time twice running rest, the others go on', () => {
    let nowMs = 1
    vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
    vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: nowMs * 1_000, system: 0 }))
    onTestFinished(() => void vi.restoreAllMocks())
    const take = (ms: number) => {
      nowMs += ms
      return 1
    }
    const scope = (unluckyMs: number) => ({
      match: {
        get slow() {
          return take(MAX_MS * 0.8)
        },
        get unlucky() {
          return take(unluckyMs)
        },
      },
    })
    const logged: object[] = []
    const slow = Object.fromEntries(Array.from({ length: 4 }, (_, index) => [`slow${index}`, 'match.slow']))
    const set = new ExpressionSet(written({ unlucky: 'match.unlucky', ...slow, last: 'expressions.unlucky + 1' }), {
      warn: (fields) => void logged.push(fields),
    })
    expect(byName(set.evaluate(scope(MAX_MS * 0.8)))).toMatchObject({ unlucky: 1, slow2: 1, last: null })
    expect(logged).toEqual([])
    expect(byName(set.evaluate(scope(0)))).toMatchObject({ unlucky: 1, slow3: 1 })
    expect(logged).toEqual([0, 1, 2].map((index) => ({ expression: `slow${index}`, restMs: 60_000 })))
    expect(byName(set.evaluate(scope(0)))).toMatchObject({ unlucky: 1, slow0: null, slow3: 1, last: 2 })
  })

  it('one that took too long is not tried again for a while, and is logged', () => {
    const logged: object[] = []
    const set = new ExpressionSet(written({ slow: 'facts.map(f, facts.map(g, g)).size()', quick: 'size(facts)' }), {
      warn: (fields) => void logged.push(fields),
    })
    expect(byName(set.evaluate(many))).toEqual({ slow: null, quick: 10_000 })
    const again = set.evaluate({ facts: [] })
    expect(again.map(({ value }) => value)).toEqual([null, 0])
    expect(again[0]?.error).toBe('took too long; it is tried again later')
    expect(logged).toEqual([{ expression: 'slow', restMs: 60_000 }])
  })
})

describe('[CODE_GRAPHIC_INVALID] the rules that expressions break, as sentences', () => {
  it('names each: syntax, unknown names and functions, kinds that do not go together, order, names and ids', () => {
    expect(brokenExpressionRules(written({ title: 'match.name.upper()', line: 'expressions.title + "!"' }))).toEqual([])
    expect(
      brokenExpressionRules([
        { id: '1', name: 'syntax', expression: 'match.name +' },
        { id: '2', name: 'function', expression: 'shout(match.name)' },
        { id: '3', name: 'method', expression: 'match.name.shout()' },
        { id: '4', name: 'name', expression: 'player.name' },
        { id: '5', name: 'kinds', expression: '"a" * 2' },
        { id: '6', name: 'early', expression: 'expressions.later' },
        { id: '7', name: 'itself', expression: 'expressions["itself"]' },
        { id: '8', name: 'later', expression: '1' },
        { id: '8', name: 'later', expression: '1' },
        { id: '9', name: '__proto__', expression: '1' },
        { id: '10', name: '', expression: '' },
      ]),
    ).toEqual([
      'user expression syntax: Unexpected token: EOF (at character 13)',
      "user expression function: found no matching overload for 'shout(dyn)' (at character 1)",
      "user expression method: found no matching overload for 'dyn.shout()' (at character 1)",
      'user expression name: Unknown variable: player (at character 1)',
      'user expression kinds: no such overload: string * int (at character 1)',
      'user expression early: expressions.later is read, but no expression before it has this name',
      'user expression itself: expressions.itself is read, but no expression before it has this name',
      'user expression later: the name is used twice',
      'user expression id 8 is used twice',
      'user expression __proto__: the name is reserved',
      'user expression 10: Unexpected token: EOF (at character 1)',
      'user expression 10: the name is empty',
    ])
    const large = Object.fromEntries(
      Array.from({ length: 100 }, (_, nth) => [`e${nth}`, `1${' + match.a'.repeat(150)}`]),
    )
    expect(brokenExpressionRules(written(large))).toEqual([
      'user expression e22: with those before it, it has more than 10000 nodes',
    ])
    const crowd = Array.from({ length: 101 }, (_, index) => ({ id: `${index}`, name: `e${index}`, expression: '1' }))
    expect(brokenExpressionRules(crowd)).toEqual(['a graphic has at most 100 user expressions'])
  })
})
