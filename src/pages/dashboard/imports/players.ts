import { batchesOf, type Judged as JudgedRow, type Step } from './judged.ts'
import { alike, cellOf, lengthOf, mappingOf, type Row, rowsOf, type Sheet, unreadable } from './sheet.ts'

/** A column of players that a spreadsheet may have. */
export const COLUMNS = [
  ['', 'Not used'],
  ['number', 'Number'],
  ['firstName', 'First name'],
  ['lastName', 'Last name'],
  ['name', 'First and last name'],
  ['nameReversed', 'Last name, first name'],
  ['position', 'Position'],
  ['positionType', 'Kind of position'],
  ['gfxFirstName', 'First name on graphics'],
  ['gfxLastName', 'Last name on graphics'],
  ['captain', 'Captain (yes or no)'],
  ['place', 'Starts or bench'],
  ['id', 'Id of the player'],
] as const
export type Column = (typeof COLUMNS)[number][0]

/** What the API says of a player of a roster. */
export type Known = {
  id: number
  firstName: string
  lastName: string
  number: string | null
  position: string | null
  positionType: string | null
  gfxFirstName: string | null
  gfxLastName: string | null
  starter: boolean
  bench: boolean
  captain: boolean
}

/** The fields of a player as the API takes them; those that the row does not say are absent. */
export type Fields = {
  firstName?: string
  lastName?: string
  number?: string
  position?: string
  positionType?: string
  gfxFirstName?: string
  gfxLastName?: string
  captain?: boolean
  defaultStarter?: boolean
  defaultBench?: boolean
}

export type Judged = JudgedRow<Fields>

const HEADERS: Readonly<Record<string, Column>> = {
  ...{ no: 'number', nr: 'number', num: 'number', number: 'number', shirt: 'number', jersey: 'number', '#': 'number' },
  ...{ shirtnumber: 'number', jerseynumber: 'number', squadnumber: 'number', rückennummer: 'number', nummer: 'number' },
  ...{
    firstname: 'firstName',
    first: 'firstName',
    givenname: 'firstName',
    forename: 'firstName',
    vorname: 'firstName',
  },
  ...{ lastname: 'lastName', last: 'lastName', surname: 'lastName', familyname: 'lastName', nachname: 'lastName' },
  ...{ name: 'name', player: 'name', fullname: 'name', playername: 'name', spieler: 'name' },
  ...{ position: 'position', pos: 'position', positiontype: 'positionType', line: 'positionType' },
  ...{ gfxfirstname: 'gfxFirstName', gfxlastname: 'gfxLastName', captain: 'captain', kapitän: 'captain' },
  ...{ starter: 'place', starts: 'place', startsorbench: 'place', playerid: 'id', id: 'id' },
  ...{ firstnameongraphics: 'gfxFirstName', lastnameongraphics: 'gfxLastName', firstandlastname: 'name' },
}

const isNumber = (cell: string | undefined) => cell !== undefined && /^\d{1,3}$/.test(cell)

/** The rows of a text, and what its columns seem to be: by the names in its first line, or else by what is in them. */
export function sheetOf(text: string): Sheet {
  const rows = rowsOf(text)
  const [first] = rows
  if (!first) return { rows, header: undefined, mapping: [] }
  const named = mappingOf(first, (header) => HEADERS[header])
  if (named) return { rows: rows.slice(1), header: first.cells, mapping: named }
  const width = Math.max(...rows.slice(0, 50).map(({ cells }) => cells.length))
  const numbered = Array.from({ length: width }, (_, at) =>
    rows.slice(0, 50).filter(({ cells }) => isNumber(cells[at])),
  )
  const number = numbered.findIndex((found) => found.length * 2 > Math.min(50, rows.length))
  const texts = numbered.flatMap((_, at) => (at === number ? [] : [at]))
  const mapping = numbered.map((_, at): Column => {
    if (at === number) return 'number'
    const place = texts.indexOf(at)
    if (texts.length === 1) return place === 0 ? 'name' : ''
    return (['firstName', 'lastName', 'position'] as const)[place] ?? ''
  })
  return { rows, header: undefined, mapping }
}

const keyOf = (first: string, last: string) => alike(`${first} ${last}`)

const YES = /^(1|y|yes|true|x|c|\(c\)|captain|ja|oui|si|sí)$/i
const NO = /^(0|n|no|false|-|nein|non)$/i
const STARTS = /^(1|y|yes|true|x|start|starts|starter|starting|first|s)$/i
const BENCH = /^(0|n|no|false|bench|sub|substitute|b|reserve)$/i

const LIMITS = [
  ['number', 0, 3, 'The number'],
  ['firstName', 1, 35, 'The first name'],
  ['lastName', 1, 35, 'The last name'],
  ['position', 1, 255, 'The position'],
  ['positionType', 1, 255, 'The kind of position'],
  ['gfxFirstName', 1, 16, 'The first name on graphics'],
  ['gfxLastName', 1, 16, 'The last name on graphics'],
] as const

type Read = { fields: Fields; id: number | undefined; reasons: string[] }

/** The fields that one row says. An empty cell says nothing. */
function read(row: Pick<Row, 'cells'>, mapping: readonly string[]): Read {
  const said = (column: Column) => cellOf(row, mapping, column)
  const reasons: string[] = []
  const fields: Fields = {}
  const full = said('name')
  if (full !== '') {
    const [first = '', ...rest] = full.split(/\s+/)
    // a player with one name has it twice
    Object.assign(fields, { firstName: first, lastName: rest.join(' ') || first })
  }
  const reversed = said('nameReversed')
  if (reversed !== '') {
    const [last = '', first = ''] = reversed.split(',').map((part) => part.trim())
    Object.assign(fields, { firstName: first || last, lastName: last })
  }
  for (const [column, min, max, what] of LIMITS) {
    const value = said(column)
    if (value !== '') fields[column] = value
    const length = lengthOf(fields[column] ?? '')
    if (fields[column] !== undefined && (length < min || length > max))
      reasons.push(`${what} has ${length} characters, and may have ${max}`)
  }
  for (const text of Object.values(fields))
    if (typeof text === 'string') {
      const fault = unreadable(text)
      if (fault) reasons.push(fault)
    }
  const captain = said('captain')
  if (YES.test(captain)) fields.captain = true
  else if (NO.test(captain)) fields.captain = false
  else if (captain !== '') reasons.push(`“${captain}” says neither that it is the captain nor that it is not`)
  const place = said('place')
  if (STARTS.test(place)) Object.assign(fields, { defaultStarter: true, defaultBench: false })
  else if (BENCH.test(place)) Object.assign(fields, { defaultStarter: false, defaultBench: true })
  else if (place !== '') reasons.push(`“${place}” is neither a start nor the bench`)
  const id = said('id')
  if (id !== '' && !/^[1-9]\d{0,9}$/.test(id)) reasons.push(`“${id}” is no id`)
  return { fields, id: /^[1-9]\d{0,9}$/.test(id) ? Number(id) : undefined, reasons }
}

/** The value of a field as the roster has it. */
const OF: { readonly [Field in keyof Fields]-?: (known: Known) => Fields[Field] | null } = {
  firstName: ({ firstName }) => firstName,
  lastName: ({ lastName }) => lastName,
  number: ({ number }) => number ?? '',
  position: ({ position }) => position,
  positionType: ({ positionType }) => positionType,
  gfxFirstName: ({ gfxFirstName }) => gfxFirstName,
  gfxLastName: ({ gfxLastName }) => gfxLastName,
  captain: ({ captain }) => captain,
  defaultStarter: ({ starter }) => starter,
  defaultBench: ({ bench }) => bench,
}

/** The fields of a row that differ from the player who is there. */
function changesOf(fields: Fields, known: Known): { fields: Fields; before: Fields } {
  const names = (Object.keys(fields) as (keyof Fields)[]).filter((name) => fields[name] !== OF[name](known))
  const pick = (value: (name: keyof Fields) => unknown) =>
    Object.fromEntries(names.map((name) => [name, value(name)])) as Fields
  return { fields: pick((name) => fields[name]), before: pick((name) => OF[name](known) ?? '') }
}

/**
 * What an import does with each row, in the order of the file: a player is found on the roster by id, or by name (and number, where
 * two have one name), and is never made twice. A wrong row is told, and hinders no other.
 */
export function judge(rows: readonly Row[], mapping: readonly string[], roster: readonly Known[]): Judged[] {
  const byId = new Map(roster.map((player) => [player.id, player]))
  const byName = new Map<string, Known[]>()
  for (const player of roster) {
    const key = keyOf(player.firstName, player.lastName)
    byName.set(key, [...(byName.get(key) ?? []), player])
  }
  /** The line that has taken a player of the roster, or a name. */
  const taken = new Map<string, number>()
  const numbers = new Map<string, string>()
  for (const player of roster) if (player.number) numbers.set(player.number, `${player.firstName} ${player.lastName}`)

  return rows.map(({ line, cells }): Judged => {
    const { fields, id, reasons } = read({ cells }, mapping)
    const known = id === undefined ? undefined : byId.get(id)
    const first = fields.firstName ?? known?.firstName
    const last = fields.lastName ?? known?.lastName
    const name = [first, last].filter(Boolean).join(' ')
    const wrong = (...more: string[]): Judged => ({ line, name, is: 'wrong', reasons: [...reasons, ...more] })
    if (id !== undefined && !known) return wrong(`Player ${id} is not on the roster`)
    if (first === undefined) return wrong('The first name is missing')
    if (last === undefined) return wrong('The last name is missing')
    if (reasons.length > 0) return wrong()
    const named = known ? [known] : (byName.get(keyOf(first, last)) ?? [])
    const among = named.length > 1 ? named.filter(({ number }) => (number ?? '') === (fields.number ?? '')) : named
    if (named.length > 1 && among.length !== 1)
      return wrong('Several players of the roster have this name: the number or the id must say who it is')
    const [found] = among
    const key = found ? `id ${found.id}` : `name ${keyOf(first, last)}`
    const before = taken.get(key)
    if (before !== undefined) return wrong(`The same player as in line ${before}`)
    taken.set(key, line)
    const notes: string[] = []
    const owner = fields.number ? numbers.get(fields.number) : undefined
    if (owner !== undefined && keyOf(owner, '') !== keyOf(first, last))
      notes.push(`Number ${fields.number} is that of ${owner}, too`)
    else if (fields.number) numbers.set(fields.number, name)
    if (!found) return { line, name, is: 'new', fields, notes }
    const changes = changesOf(fields, found)
    if (Object.keys(changes.fields).length === 0) return { line, name, is: 'same', id: found.id, notes }
    return { line, name, is: 'changed', id: found.id, ...changes, notes }
  })
}

/** The requests that write the rows to the roster of a team. */
export const stepsOf = (teamId: number, judged: readonly Judged[]): Step[] =>
  batchesOf(judged, { path: `/v1/teams/${teamId}/players/batch`, member: 'players' })
