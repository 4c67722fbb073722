import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createParsing, type Parsing, type ParsingOptions } from '../../src/parsing/pool.ts'
import { Unreadable } from '../../src/parsing/problem.ts'
import type { ParseOptions, Shape } from '../../src/parsing/table.ts'
import type { EvaluateJob, PushJob, SampleJob } from '../../src/parsing/work.ts'
import { sheetXml, workbook, workbookParts, zipped } from '../support/workbook.ts'

let parsing: Parsing
const faults: object[] = []
const log = { error: (fields: object) => void faults.push(fields) }
/** One that has time on a busy machine too, but for what is asked. */
const pool = (options: Partial<ParsingOptions> = {}) => {
  const made = createParsing({ log, jobMs: 10_000, trialMs: 10_000, waitMs: 60_000, ...options })
  onTestFinished(() => made.close())
  return made
}

beforeAll(async () => {
  // what is refused is told by its own reason, however busy the machine is; ending a job in time has a test of its own
  parsing = createParsing({ log, jobMs: 10_000 })
  parsing.warm()
})
afterAll(async () => {
  await parsing.close()
  expect(faults).toEqual([])
})

const of = (bytes: Buffer, options: ParseOptions = {}, shape: Shape = 'rows'): SampleJob => ({
  kind: 'sample',
  shape,
  options,
  at: 'sampleBase64',
  workbook: new Uint8Array(bytes),
})
const ofCsv = (csv: string): SampleJob => ({ kind: 'sample', shape: 'rows', options: {}, at: 'sample', csv })

const sample = async (job: SampleJob): Promise<unknown> => JSON.parse((await parsing.run(1, job)).sample)

/** The one thing that is wrong. */
async function refusal(run: Promise<unknown>): Promise<{ at: string; message: string }> {
  const error = await run.then(
    () => new Error('it was taken'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof Unreadable)) throw error
  expect(error.problems).toHaveLength(1)
  return error.problems[0] ?? { at: '', message: '' }
}

const cells = (row: number, ...values: string[]) =>
  `<row r="${row}">${values.map((value, index) => value.replace('<c', `<c r="${String.fromCharCode(65 + index)}${row}"`)).join('')}</row>`
const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
const number = (value: number, style = 0) => `<c s="${style}"><v>${value}</v></c>`

describe('[data source template] workbooks', () => {
  it('cells of every kind: text, shared text, numbers, booleans, days, moments, times, formulas, empty ones', async () => {
    const rows = [
      cells(
        1,
        text('team'),
        '<c t="s"><v>0</v></c>',
        text('points'),
        text('day'),
        text('at'),
        text('time'),
        text('home'),
        text('sum'),
      ),
      cells(
        2,
        text('North'),
        text('07'),
        number(12.5, 3),
        number(46_000, 1),
        number(46_000.75, 2),
        number(0.5, 4),
        '<c t="b"><v>1</v></c>',
        '<c><f>1+1</f><v>2</v></c>',
      ),
      cells(
        3,
        text('Öst &amp; Süd'),
        number(9),
        '<c/>',
        number(46_001, 1),
        number(46_001.25, 2),
        number(0.25, 4),
        '<c t="b"><v>0</v></c>',
        '<c t="str"><f>x</f><v>3</v></c>',
      ),
    ]
    expect(await sample(of(workbook(rows.join(''), ['number'])))).toEqual([
      {
        team: 'North',
        number: '07',
        points: 12.5,
        day: '2025-12-09',
        at: '2025-12-09T18:00:00',
        time: '12:00:00',
        home: true,
        sum: 2,
      },
      {
        team: 'Öst & Süd',
        number: '9',
        points: null,
        day: '2025-12-10',
        at: '2025-12-10T06:00:00',
        time: '06:00:00',
        home: false,
        sum: 3,
      },
    ])
  })

  it('a sheet by name or place, a range in it, and a cell', async () => {
    const bytes = zipped(
      workbookParts({
        One: sheetXml(cells(1, text('a'))),
        Two: sheetXml(cells(1, text('x'), text('y')) + cells(2, number(1), number(2))),
      }),
    )
    expect(await sample(of(bytes, { sheet: 'Two' }))).toEqual([{ x: 1, y: 2 }])
    expect(await sample(of(bytes, { sheet: 2, range: 'B1:B9' }))).toEqual([{ y: 2 }])
    expect(await sample(of(bytes, { sheet: 2, cell: 'B2' }, 'cell'))).toBe(2)
    expect(await refusal(sample(of(bytes, { sheet: 'Three' })))).toMatchObject({ at: 'config.sheet' })
  })
})

/** Replaces the size that each entry says it has, in both places where it says so. */
function lying(zip: Buffer, size: number): Buffer {
  const changed = Buffer.from(zip)
  for (const [mark, offset] of [
    ['PK\x01\x02', 24],
    ['PK\x03\x04', 22],
  ] as const)
    for (let at = changed.indexOf(mark, 0, 'latin1'); at >= 0; at = changed.indexOf(mark, at + 4, 'latin1'))
      changed.writeUInt32LE(size, at + offset)
  return changed
}

const bomb = (megabytes: number) =>
  zipped({ ...workbookParts({ One: sheetXml('') }), 'xl/big.xml': ' '.repeat(megabytes * 1_048_576) })

const BOMBS: [string, () => Buffer, RegExp][] = [
  ['100 MB of blanks', () => bomb(100), /unpacked; at most|times its size/],
  ['an entry a thousand times its size', () => bomb(20), /times its size/],
  ['entries that say they are little', () => lying(bomb(100), 1_000), /broken/],
  ['entries that say they are huge', () => lying(workbook(''), 0xff_ff_ff_f0), /unpacked; at most/],
  [
    'ten thousand files',
    () => zipped(Object.fromEntries(Array.from({ length: 10_000 }, (_, nth) => [`f${nth}.xml`, 'x']))),
    /10000 files/,
  ],
  [
    'entities that explode',
    () => workbook(`]><!DOCTYPE lolz [${'<!ENTITY lol "lol">'.repeat(100)}]>`),
    /document type/,
  ],
  [
    'a file behind a password',
    () => {
      const zip = workbook('')
      for (const [mark, offset] of [
        ['PK\x01\x02', 8],
        ['PK\x03\x04', 6],
      ] as const)
        for (let at = zip.indexOf(mark, 0, 'latin1'); at >= 0; at = zip.indexOf(mark, at + 4, 'latin1'))
          zip.writeUInt16LE(zip.readUInt16LE(at + offset) | 1, at + offset)
      return zip
    },
    /encrypted/,
  ],
  ['an old .xls', () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(512)]), /old \.xls/],
  ['half a workbook', () => workbook('').subarray(0, 400), /broken/],
  ['a zip that is no workbook', () => zipped({ 'readme.xml': '<a/>' }), /broken/],
  [
    'sheets that are no XML',
    () => zipped({ ...workbookParts({ One: 'no xml at all <<<' }) }),
    /broken|cannot be read|is empty/,
  ],
  [
    'one cell at the far corner',
    () => workbook('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'),
    /delete what is outside the table/,
  ],
  [
    'a sheet with a cell a million rows below',
    () => workbook(`${cells(1, text('a'))}<row r="1048576"><c r="A1048576"/></row>`),
    /delete what is outside/,
  ],
  ['a workbook of workbooks', () => zipped({ 'a.xlsx': zipped({ 'b.xlsx': bomb(20) }) }), /broken/],
]

describe('[data source template] what is made to harm', () => {
  it.each(BOMBS)('%s: refused with a reason, while the loop goes on', async (_, make, reason) => {
    const bytes = make()
    const delay = monitorEventLoopDelay({ resolution: 10 })
    const job = of(bytes)
    delay.enable()
    const { at, message } = await refusal(parsing.run(1, job))
    delay.disable()
    expect(at).toBe('sampleBase64')
    expect(message).toMatch(reason)
    // far below the time that the thread may take
    expect(delay.max / 1e6).toBeLessThan(500)
    // whoever comes next is served
    expect(await sample(ofCsv('a\n1'))).toEqual([{ a: 1 }])
  })

  it.each([
    ['a million columns', `${'a,'.repeat(1_000_000)}\n1`, /columns/],
    ['a quote that is never closed', `a,b\n"${'x,\n'.repeat(300_000)}`, /never closed/],
    ['NUL', 'a,b\n1,\0', /NUL/],
    ['too many rows', `a\n${'1\n'.repeat(400_000)}`, /rows/],
    ['only delimiters', ',,,\n,,,\n', /empty/],
    ['a name that objects use', 'a,__proto__\n1,2', /refused/],
  ])('a CSV with %s is refused with a reason', async (_, csv, reason) => {
    expect(await refusal(parsing.run(1, ofCsv(csv)))).toEqual({ at: 'sample', message: expect.stringMatching(reason) })
  })

  it('a job that takes too long is ended, and the pool goes on', async () => {
    const slow = pool({ jobMs: 1_000 })
    const rows = Array.from({ length: 5_000 }, (_, index) => ({ text: 'x'.repeat(150), index: { of: [index] } }))
    // comparing every row with every other one
    const schema = JSON.stringify({
      allOf: Array.from({ length: 20 }, () => ({ uniqueItems: true, items: { type: 'object' } })),
    })
    const push: PushJob = { kind: 'push', shape: 'rows', options: {}, schema, content: { rows } }
    expect(await refusal(slow.run(1, push))).toMatchObject({ message: 'takes more than 1 s to read' })
    // where a new thread of a busy machine takes longer than that for the first one, too, whoever asks again is served
    await vi.waitFor(async () => expect(await slow.run(1, ofCsv('a\n1'))).toHaveProperty('sample', '[{"a":1}]'))
  })

  it('a job that takes too much memory is ended, and the process goes on', async () => {
    const small = pool({ memoryMb: 16 })
    expect(await refusal(small.run(1, ofCsv(`${'a,'.repeat(2_000_000)}\n1`)))).toMatchObject({
      at: 'sample',
      message: 'takes too much memory to read',
    })
    expect(await small.run(1, ofCsv('a\n1'))).toHaveProperty('sample', '[{"a":1}]')
  })

  it('a long name of a column is not repeated without end', async () => {
    const rows = Array.from({ length: 5_000 }, (_, index) => ({ [`${'name'.repeat(30)}${index % 256}`]: 1 }))
    const push: PushJob = { kind: 'push', shape: 'rows', options: {}, schema: '{}', content: { rows } }
    expect(await refusal(parsing.run(1, push))).toMatchObject({
      at: 'rows',
      message: expect.stringMatching(/characters/),
    })
    const csv = `${Array.from({ length: 256 }, (_, index) => 'name'.repeat(30) + index).join()}\n${'1\n'.repeat(5_000)}`
    expect(await refusal(parsing.run(1, { ...push, content: { csv } }))).toMatchObject({ at: 'csv' })
  })

  it('a pattern that backtracks elsewhere runs in linear time', async () => {
    const schema = JSON.stringify({ type: 'string', pattern: '^(a+)+$' })
    const push: PushJob = {
      kind: 'push',
      shape: 'cell',
      options: {},
      schema,
      content: { value: `${'a'.repeat(50_000)}b` },
    }
    expect(await refusal(parsing.run(1, push))).toMatchObject({
      at: 'value',
      message: expect.stringContaining('pattern'),
    })
  })
})

describe('the pool', () => {
  it('one owner waits for itself and not for others, and each gets its own answer in order', async () => {
    const own = pool({ threads: 2 })
    const done: string[] = []
    const run = async (owner: number, nth: number) => {
      const { sample: text } = await own.run(owner, ofCsv(`a\n${nth}`))
      expect(text).toBe(`[{"a":${nth}}]`)
      done.push(`${owner}/${nth}`)
    }
    await Promise.all([1, 2, 3].flatMap((owner) => Array.from({ length: 20 }, (_, nth) => run(owner, nth))))
    for (const owner of [1, 2, 3])
      expect(done.filter((one) => one.startsWith(`${owner}/`))).toEqual(
        Array.from({ length: 20 }, (_, nth) => `${owner}/${nth}`),
      )
  })

  it('what waited too long is not done any more, since its sender was told so', async () => {
    const brief = pool({ threads: 1, waitMs: 20 })
    // the first has to wait for the libraries of its thread
    const answers = await Promise.allSettled(Array.from({ length: 3 }, () => brief.run(1, ofCsv('a\n1'))))
    expect(answers.map((answer) => (answer.status === 'fulfilled' ? 200 : answer.reason.status))).toEqual([
      200, 503, 503,
    ])
    await expect(brief.run(1, ofCsv('a\n1'))).resolves.toBeDefined()
  })

  it('one owner is served after another, however much others have waiting', async () => {
    const own = pool({ threads: 1 })
    await own.run(9, ofCsv('a\n1'))
    const done: number[] = []
    const run = (owner: number) => own.run(owner, ofCsv('a\n1')).then(() => done.push(owner))
    const floods = [1, 2].flatMap((owner) => Array.from({ length: 30 }, () => run(owner)))
    await run(3)
    expect(done.length).toBeLessThan(6)
    await Promise.all(floods)
  })

  it('what one owner may have waiting is bounded, and others are taken all the same', async () => {
    const own = pool({ threads: 1, maxWaitingOfOne: 3 })
    const flood = Array.from({ length: 10 }, () => own.run(1, ofCsv('a\n1')))
    const other = own.run(2, ofCsv('a\n1'))
    expect((await Promise.allSettled(flood)).filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
    await expect(other).resolves.toBeDefined()
  })

  const expression = (name: string, source: string) => ({ id: name, name, expression: source })
  const slow = Array.from({ length: 20 }, (_, index) =>
    expression(`e${index}`, 'facts.map(f, timestamp("2026-11-20T19:47:00Z").getHours("Europe/Oslo")).size()'),
  )
  const trial = (expressions = slow): EvaluateJob => ({
    kind: 'evaluate',
    expressions,
    bound: [expression('bound', 'expressions.one + 1')],
    scope: JSON.stringify({ facts: Array.from({ length: 5_000 }, () => ({})) }),
  })

  it('tries expressions: each sees those before it, and what is bound sees them all', async () => {
    const { userExpressions, bound } = await parsing.run(
      1,
      trial([expression('one', '20 + 1'), expression('bad', '1 +')]),
    )
    expect(userExpressions.map(({ value, ok }) => ({ value, ok }))).toEqual([
      { value: 21, ok: true },
      { value: null, ok: false },
    ])
    expect(bound[0]).toMatchObject({ value: 22, error: null })
  })

  it('expressions that take longer than they may are ended with their thread, and nobody else is', async () => {
    const brief = pool({ trialMs: 20 })
    await brief.run(1, ofCsv('a\n1'))
    const [ended, other] = await Promise.allSettled([brief.run(1, trial()), brief.run(1, ofCsv('a\n2'))])
    expect(ended).toMatchObject({ reason: { problems: [{ at: '', message: 'takes more than 0.02 s to evaluate' }] } })
    expect(other).toMatchObject({ status: 'fulfilled' })
    await expect(brief.run(1, ofCsv('a\n3'))).resolves.toBeDefined()
  })

  it('however many try expressions, what is pushed meanwhile finds a thread', async () => {
    const own = pool()
    await Promise.all([own.run(1, ofCsv('a\n1')), own.run(2, ofCsv('a\n1'))])
    const order: string[] = []
    const trials = [1, 2, 3].map((owner) => own.run(owner, trial()).then(() => order.push('trial')))
    await own.run(1, ofCsv('a\n1')).then(() => order.push('push'))
    await Promise.all(trials)
    expect(order[0]).toBe('push')
  })

  it('more than may wait is refused as unavailable, and so is everything after the end', async () => {
    const small = pool({ threads: 1, maxWaiting: 3 })
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => small.run(1, ofCsv('a\n1'))))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
    for (const answer of answers) if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ status: 503 })
    const last = small.run(1, ofCsv('a\n1'))
    await small.close()
    await expect(last).rejects.toMatchObject({ status: 503 })
    await expect(small.run(1, ofCsv('a\n1'))).rejects.toMatchObject({ status: 503 })
  })
})
