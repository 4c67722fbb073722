import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Column,
  type Fields,
  type Judged,
  judge,
  type Known,
  sheetOf,
  stepsOf,
} from '../../../src/pages/dashboard/imports/players.ts'
import { rowsOf } from '../../../src/pages/dashboard/imports/sheet.ts'

let next = 1
const known = (firstName: string, lastName: string, more: Partial<Known> = {}): Known => ({
  ...{ id: next++, firstName, lastName, number: '', position: null, positionType: null },
  ...{ gfxFirstName: null, gfxLastName: null, starter: false, bench: false, captain: false },
  ...more,
})
const judged = (text: string, roster: readonly Known[] = []) => {
  const { rows, mapping } = sheetOf(text)
  return judge(rows, mapping, roster)
}
const kinds = (all: readonly Judged[]) => all.map(({ line, is }) => [line, is])
const reasonsOf = (all: readonly Judged[]) =>
  all.flatMap((row) => (row.is === 'wrong' ? [[row.line, row.reasons.join('; ')]] : []))

/** The roster after an import, as the API does it. */
function written(roster: readonly Known[], all: readonly Judged[]): Known[] {
  const shown = ({ defaultStarter, defaultBench, ...rest }: Fields) => ({
    ...rest,
    ...(defaultStarter !== undefined && { starter: defaultStarter }),
    ...(defaultBench !== undefined && { bench: defaultBench }),
  })
  const changes = new Map(all.flatMap((row) => (row.is === 'changed' ? [[row.id, shown(row.fields)] as const] : [])))
  const made = all.flatMap((row) => (row.is === 'new' ? [known('', '', shown(row.fields))] : []))
  return [...roster.map((player) => ({ ...player, ...changes.get(player.id) })), ...made]
}

describe('[issue 21.5] lines of a spreadsheet', () => {
  it('are parted by tabs, semicolons or commas, and quoted cells may hold line breaks', () => {
    const cells = [
      ['1', 'Ada', 'Berg, "Zed"'],
      ['2', 'Bo\nLee', 'Ås'],
    ]
    for (const mark of ['\t', ';', ',']) {
      const text = cells.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(mark)).join('\r\n')
      expect(rowsOf(`\ufeff${text}\r\n\r\n3${mark}Cy${mark}Dee`)).toEqual([
        { line: 1, cells: cells[0] },
        { line: 2, cells: cells[1] },
        { line: 5, cells: ['3', 'Cy', 'Dee'] },
      ])
    }
  })

  it('name their columns in any order and language that is known, or are told by what is in them', () => {
    expect(sheetOf('Nachname;Vorname;Nr.;Verein\nBerg;Ada;7;X').mapping).toEqual([
      'lastName',
      'firstName',
      'number',
      '',
    ])
    expect(sheetOf('7\tAda\tBerg\tForward\n8\tBo\tLee\tBack').mapping).toEqual([
      ...(['number', 'firstName', 'lastName', 'position'] as Column[]),
    ])
    expect(sheetOf('Ada Berg\nBo Lee')).toMatchObject({ mapping: ['name'], header: undefined })
    expect(sheetOf('')).toEqual({ rows: [], header: undefined, mapping: [] })
  })

  it('make, change or leave a player, whom case and spaces do not hide', () => {
    const roster = [known('Ada', 'Berg', { number: '7' }), known('Zoë', 'Lee', { number: '8', position: 'Back' })]
    const all = judged('number,first name,last name,position\n7,ADA,berg,\n8,Zoë,LEE,Wing\n9,New,Comer,', roster)
    expect(all).toMatchObject([
      { line: 2, is: 'changed', id: roster[0]?.id, fields: { firstName: 'ADA', lastName: 'berg' } },
      { line: 3, is: 'changed', fields: { position: 'Wing' }, before: { position: 'Back' } },
      { line: 4, is: 'new', fields: { number: '9', firstName: 'New', lastName: 'Comer' } },
    ])
    expect(kinds(judged('number,first name,last name\n07,Ada,Berg\n8,Zoë,Lee', roster))).toEqual([
      [2, 'changed'],
      [3, 'same'],
    ])
  })

  it('tell what is wrong with them, by line: duplicates, too long, missing, unreadable', () => {
    const roster = [known('Twin', 'One', { number: '4' }), known('Twin', 'One', { number: '5' })]
    const text = [
      'number,first name,last name,captain,starts,id',
      '1,Ada,Berg,,,',
      '2,ada,BERG,,,',
      '1234,Long,Number,,,',
      ',,Nobody,,,',
      '3,Only,,,,',
      `4,${'x'.repeat(36)},Long,,,`,
      '5,Cap,Tain,perhaps,,',
      '6,Twin,One,,,',
      '5,Twin,One,,starts,',
      '7,Un,Known,,,999999',
      '8,B\ufffdd,Encoding,,,',
    ].join('\n')
    const all = judged(text, roster)
    expect(reasonsOf(all)).toEqual([
      [3, 'The same player as in line 2'],
      [4, 'The number has 4 characters, and may have 3'],
      [5, 'The first name is missing'],
      [6, 'The last name is missing'],
      [7, 'The first name has 36 characters, and may have 35'],
      [8, '“perhaps” says neither that it is the captain nor that it is not'],
      [9, 'Several players of the roster have this name: the number or the id must say who it is'],
      [11, 'Player 999999 is not on the roster'],
      [12, expect.stringContaining('save the file as UTF-8')],
    ])
    expect(all.find(({ line }) => line === 10)).toMatchObject({ is: 'changed', fields: { defaultStarter: true } })
  })

  it('share a number with a note, not with a fault', () => {
    const [, other] = judged('number,name\n9,Ada Berg\n9,Bo Lee')
    expect(other).toMatchObject({ is: 'new', notes: ['Number 9 is that of Ada Berg, too'] })
  })

  it('ten thousand of which twelve are wrong: these are told, all others can be imported, in less than a second', () => {
    const wrong = new Set(Array.from({ length: 12 }, (_, index) => 17 + index * 811))
    const lines = Array.from({ length: 10_000 }, (_, index) =>
      wrong.has(index + 2) ? `${index % 100};;Nameless ${index}` : `${index % 100};First ${index};Last ${index}`,
    )
    const startedAt = performance.now()
    const all = judged(['no;first name;last name', ...lines].join('\r\n'))
    expect(performance.now() - startedAt).toBeLessThan(2_000)
    expect(reasonsOf(all).map(([line]) => line)).toEqual([...wrong])
    const steps = stepsOf(1, all)
    expect(steps.every(({ lines: some }) => some.length <= 200)).toBe(true)
    const sent = steps.flatMap((step) => step.lines)
    expect(sent.length).toBe(9_988)
    expect(new Set(sent).size).toBe(9_988)
    expect(sent.some((line) => wrong.has(line))).toBe(false)
  })
})

describe('[issue 21.5] any list', () => {
  const letters = fc.stringMatching(/^[A-Za-zÆØÅæøå]{1,8}$/)
  const person = fc.record({ first: letters, last: letters, number: fc.integer({ min: 0, max: 99 }).map(String) })
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
  const textOf = (people: readonly { first: string; last: string; number: string }[]) =>
    [
      'number,first name,last name',
      ...people.map((one) => [one.number, one.first, one.last].map(quoted).join(',')),
    ].join('\n')

  it('imported twice changes nothing the second time: nothing is doubled', () => {
    fc.assert(
      fc.property(fc.array(person, { maxLength: 40 }), fc.array(person, { maxLength: 20 }), (had, people) => {
        const roster = written([], judged(textOf(had)))
        const once = written(roster, judged(textOf(people), roster))
        const again = judged(textOf(people), once)
        expect(again.filter(({ is }) => is === 'new' || is === 'changed')).toEqual([])
        const names = once.map(({ firstName, lastName }) => `${firstName} ${lastName}`.toLowerCase())
        expect(new Set(names).size).toBe(names.length)
      }),
    )
  })

  it('each line is told once, in order, and what is written is what was said', () => {
    fc.assert(
      fc.property(fc.array(person, { minLength: 1, maxLength: 40 }), (people) => {
        const all = judged(textOf(people))
        expect(all.map(({ line }) => line)).toEqual(people.map((_, index) => index + 2))
        for (const row of all) {
          const said = people[row.line - 2]
          if (row.is === 'new')
            expect(row.fields).toEqual({ number: said?.number, firstName: said?.first, lastName: said?.last })
        }
        const sent = stepsOf(1, all).flatMap(({ lines }) => lines)
        expect(sent).toEqual(all.filter(({ is }) => is === 'new' || is === 'changed').map(({ line }) => line))
      }),
    )
  })

  it('of any text is read to the end without a fault of the page', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const { rows, mapping } = sheetOf(text)
        expect(judge(rows, mapping, []).length).toBe(rows.length)
        const lines = rows.map(({ line }) => line)
        expect(lines).toEqual([...lines].sort((one, other) => one - other))
      }),
    )
  })
})
