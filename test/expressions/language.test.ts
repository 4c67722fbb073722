import { describe, expect, it } from 'vitest'
import { compile } from '../../src/expressions/compile.ts'
import { PARTS, type Scope } from '../../src/expressions/scope.ts'
import { sportDataSchema } from '../../src/resources/matches/sport-data.schema.ts'

const scope: Scope = {
  sport: 'football',
  match: { name: null, score: { home: 2, away: 1 }, period: null, clock: { valueMs: 2_723_400 } },
  teams: { home: { name: 'Norrvik', abbreviation: 'NOR' }, away: null },
  facts: [
    { type: 'goal', side: 'home', playerName: 'Ståhlberg', minute: 12, points: 1 },
    { type: 'yellowCard', side: 'away', playerName: 'Okafor', minute: 31, points: 0 },
    { type: 'goal', side: 'home', playerName: 'Holm', minute: 44, points: 1 },
  ],
  variables: { title: 'Half time', number: '07', count: 3, shown: true },
  theme: { 'main colour': '#123456' },
  dataSources: { table: [{ team: 'Norrvik', points: 31 }] },
}

const given = (source: string, data: Scope = scope) => compile(source).evaluate(data)
const problemOf = (source: string, data: Scope = scope) => {
  try {
    return { value: given(source, data) }
  } catch (error) {
    return error instanceof Error ? error.message : error
  }
}

describe('numbers of data and of expressions are one kind of number', () => {
  it.each([
    ['match.score.home + 1', 3],
    ['1 + match.score.home', 3],
    ['match.score.home - match.score.away', 1],
    ['2 * match.score.home', 4],
    ['match.score.home / 4', 0.5],
    ['1 / match.score.home', 0.5],
    ['match.score.home % 2', 0],
    ['7 % match.score.home', 1],
    ['-match.score.home', -2],
    ['match.score.home == 2 && 2 == match.score.home && match.score.home != 3', true],
    ['match.score.home > 1 && 1 < match.score.home', true],
    ['match.score.home in [1, 2]', true],
    ['facts[match.score.away].playerName', 'Okafor'],
    ['facts[size(facts) - 1].playerName', 'Holm'],
    ['size(facts)', 3],
    ['7 / 2', 3],
  ])('%s is %j', (source, value) => expect(given(source)).toBe(value))

  it.each([
    ['match.score.home + "-" + match.score.away', '2-1'],
    ['"No. " + 7', 'No. 7'],
    ['variables.title + " " + variables.count', 'Half time 3'],
    ['match.score.home / 4 + "!"', '0.5!'],
    ['"shown: " + variables.shown', 'shown: true'],
    ['variables.number + ""', '07'],
  ])('a text joined with a number has no .0: %s is %j', (source, value) => expect(given(source)).toBe(value))
})

describe('a result is plain JSON', () => {
  it.each([
    ['[1, "a", 2.5, null, true]', [1, 'a', 2.5, null, true]],
    ['{"home": match.score.home, "list": [1]}', { home: 2, list: [1] }],
    ['match.score', { home: 2, away: 1 }],
    ['facts.map(f, f.minute + 1)', [13, 32, 45]],
    ['timestamp("2026-11-20T19:47:00Z")', '2026-11-20T19:47:00.000Z'],
    ['match.?period', null],
    ['match.?period.?name', null],
    ['1.0 / 0.0', null],
    ['variables.count > 2 ? variables.title : null', 'Half time'],
    ['variables.count > 9 ? 1 : "none"', 'none'],
  ])('%s', (source, value) => expect(given(source)).toEqual(value))

  it.each(['type(1)', 'duration("1h")', 'b"bytes"', 'google'])('%s is nothing that JSON has', (source) =>
    expect(problemOf(source)).toBe('a result that JSON does not have'),
  )

  it('a member named __proto__ or constructor changes no prototype', () => {
    const made = given('{"__proto__": {"admin": true}, "constructor": 1, "a": 2}')
    expect(made).toEqual({ a: 2 })
    const rows = JSON.parse('{"row": {"__proto__": {"admin": true}}}')
    expect((given('dataSources.row', { dataSources: rows }) as { admin?: boolean }).admin).toBeUndefined()
  })
})

describe('[versioning.7] expression escapes such as \\n and \\d are now read correctly', () => {
  it.each([
    [String.raw`"a\nb"`, 'a\nb'],
    [String.raw`'tab\there'`, 'tab\there'],
    [String.raw`"a\\b"`, 'a\\b'],
    [String.raw`"\d+"`, '\\d+'],
    [String.raw`"\s\w\.\-"`, '\\s\\w\\.\\-'],
    [String.raw`"\\d"`, '\\d'],
    [String.raw`"it\'s \"quoted\""`, `it's "quoted"`],
    [String.raw`"\u00e5 \x41 \101 \U0001F3C6"`, 'å A A 🏆'],
    [String.raw`"\u00g \x4 \9"`, '\\u00g \\x4 \\9'],
    [String.raw`r"\n\d"`, '\\n\\d'],
    [String.raw`R'\q'`, '\\q'],
    [String.raw`"""\d"quoted"\n"""`, '\\d"quoted"\n'],
    [String.raw`'''it's \d'''`, "it's \\d"],
    ['"one" // a "comment \\d\n+ "two"', 'onetwo'],
    [String.raw`{"r": 1}.r == 1 ? "\d" : ""`, '\\d'],
  ])('%s', (source, value) => expect(given(source)).toBe(value))

  it.each([
    [String.raw`variables.number.matches("^\d+$")`, true],
    [String.raw`variables.title.matches("^\d+$")`, false],
    [String.raw`variables.title.matches("\btime\b")`, true],
    [String.raw`variables.title.matches(r"^\w+\s\w+$")`, true],
    [String.raw`variables.title.split("\s").size()`, 1],
    ['variables.title.matches("(?i)HALF")', true],
  ])('as a pattern: %s', (source, value) => expect(given(source)).toBe(value))

  it('a place in an error is that of the source, not of what was made of it', () => {
    expect(problemOf(String.raw`"\d\d" + foo`)).toBe('Unknown variable: foo (at character 10)')
  })
})

describe('the scope', () => {
  it('knows every part of sport data, and what a graphic has beside them', () => {
    expect([...PARTS]).toEqual(Object.keys(sportDataSchema('football').shape))
    for (const sport of ['tennis', 'cricket', 'baseball'] as const)
      expect(Object.keys(sportDataSchema(sport).shape)).toEqual([...PARTS])
  })

  it.each([
    ['sport', 'football'],
    ['theme["main colour"]', '#123456'],
    ['dataSources.table[0].points', 31],
    ['dataSources.table.filter(row, row.team == teams.home.name)[0].points', 31],
    ['has(match.period.name) ? match.period.name : "before the match"', 'before the match'],
    ['teams.away == null ? "to be named" : teams.away.name', 'to be named'],
    ['venue == null', true],
    ['facts.filter(f, f.type == "goal").map(f, f.playerName + " " + f.minute).join(", ")', 'Ståhlberg 12, Holm 44'],
    ['facts.exists(f, f.type == "redCard")', false],
    ['cel.bind(goals, facts.filter(f, f.type == "goal"), size(goals) > 1 ? goals[0].minute : 0)', 12],
  ])('%s is %j', (source, value) => expect(given(source)).toEqual(value))

  it.each([
    'match.period.name',
    'teams.away.name',
    'facts[9].minute',
    'dataSources.missing',
    'selected.player.lastName',
    'match.name.upper()',
    'variables.title + facts',
    '!variables.title',
    'int("x")',
    'match.score.home.matches("2")',
    'match.score.matches(facts)',
    'facts.join(", ")',
    'variables.title.join(", ")',
    'facts.map(f, f.playerName).join(facts)',
    'facts.map(f, f.playerName).sum()',
  ])('what fails says so: %s', (source) => expect(problemOf(source)).toBeTypeOf('string'))
})

describe('the functions of the guide', () => {
  it.each([
    ['teams.home.name.upper()', 'NORRVIK'],
    ['"ÅÄÖ".lower()', 'åäö'],
    ['" a ".trim()', 'a'],
    ['string(variables.count).padStart(3, "0")', '003'],
    ['"ab".padEnd(4, ".")', 'ab..'],
    ['"a-b-c".replace("-", " ")', 'a b c'],
    ['"a,b".split(",")', ['a', 'b']],
    ['[1, 2].map(n, n * 10).join("/")', '10/20'],
    ['facts.map(f, f.minute).join("/")', '12/31/44'],
    ['[].join(",")', ''],
    ['round(2.5)', 3],
    ['round(-2.5)', -3],
    ['round(1.005, 2)', 1.01],
    ['round(match.score.home)', 2],
    ['round(1e21)', 1e21],
    ['round(0.0000004, 7)', 0.0000004],
    ['round(0.0000004, 6)', 0],
    ['floor(2.9)', 2],
    ['ceil(2.1)', 3],
    ['abs(-3)', 3],
    ['min(match.score.home, 9)', 2],
    ['max(1, match.score.home)', 2],
    ['fixed(2.345, 2)', '2.35'],
    ['fixed(2, 1)', '2.0'],
    ['formatClock(match.clock.valueMs)', '45:23'],
    ['formatClock(5400000)', '90:00'],
    ['formatClock(-1500)', '-00:01'],
    [
      'ordinal(1) + ordinal(2) + ordinal(3) + ordinal(4) + ordinal(11) + ordinal(22) + ordinal(112)',
      '1st2nd3rd4th11th22nd112th',
    ],
    ['facts.map(f, f.points).sum()', 2],
    ['facts.slice(0, 1)[0].minute', 12],
    ['facts.slice(-5, variables.count).size()', 3],
    ['facts.reverse()[0].minute', 44],
  ])('%s is %j', (source, value) => expect(given(source)).toEqual(value))
})
