/**
 * What a migration may do that is newer than the last release: that release serves beside it, and must go on to work. The SQL is read
 * word by word, and whatever is not known to be harmless is refused.
 */

/** What came with migrations that the release does not know: nothing of it is used by the release. */
export type Added = { readonly tables: Set<string>; readonly columns: Set<string> }

export const nothingAdded = (): Added => ({ tables: new Set(), columns: new Set() })

/** Names what the release does not use any more: above the statement that takes it away. */
const UNUSED = /^--\s*unused since (\S+?):? /m

/** Rows of these are written all the time: to build an index of one in a transaction makes every command wait. */
const GROWING = new Set(['journal', 'paint', 'renderer_session', 'idempotency'])

type Statement = { readonly text: string; readonly unusedSince: string | undefined }

/** Each statement that could break the release, and why; in order of the files, `added` grows with them. */
export function faultsOf(sql: string, release: string, added: Added): string[] {
  return statementsOf(sql).flatMap(({ text, unusedSince }) => {
    const why = judge(text, added)
    if (why === undefined) return []
    if (unusedSince === undefined) return [`${shortened(text)}: ${why}`]
    if (!isReleased(unusedSince, release)) return [`${shortened(text)}: ${unusedSince} is no release before this one`]
    return []
  })
}

const shortened = (text: string) => (text.length > 80 ? `${text.slice(0, 79)}…` : text)

/** Whether a version is the last release, or older. */
function isReleased(version: string, release: string): boolean {
  const [one, last] = [version, release].map((text) => text.split('.').map(Number)) as [number[], number[]]
  if (one.length !== 3 || one.some((part) => !Number.isInteger(part))) return false
  const differs = one.findIndex((part, at) => part !== last[at])
  return differs < 0 || (one[differs] ?? 0) < (last[differs] ?? 0)
}

/** One blank between words, comments left out; text in quotes and bodies of functions stays in one piece. */
const TOKEN = /--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'|"(?:[^"]|"")*"|[\w.]+|\s+|[^\s\w]/g

function statementsOf(sql: string): Statement[] {
  const statements: Statement[] = []
  let words = ''
  let comments = ''
  for (const [token] of `${sql};`.matchAll(TOKEN)) {
    if (token.startsWith('--')) comments += `${token}\n`
    else if (token.startsWith('/*') || /^\s+$/.test(token)) words += ' '
    else if (token !== ';') words += /^['"$]/.test(token) ? token : token.toLowerCase()
    else {
      const text = words.replace(/\s+/g, ' ').trim()
      if (text !== '') {
        statements.push({ text, unusedSince: UNUSED.exec(comments)?.[1] })
        comments = ''
      }
      words = ''
    }
  }
  return statements
}

const NAME = String.raw`(?:public\.)?"?(\w+)"?`
const matcher = (pattern: string) => new RegExp(`^${pattern.replaceAll('NAME', NAME)}`)
const CREATE_TABLE = matcher('create (?:unlogged )?table (?:if not exists )?NAME ?(?=\\(|as )')
const CREATE_INDEX = matcher('create (unique )?index (?:if not exists )?(?:(?!on )\\S+ )?on NAME')
const ALTER_TABLE = matcher('alter table (?:if exists )?(?:only )?NAME ')
const INSERT = matcher('insert into NAME')
const UPDATE = matcher('update NAME (?:(?:as )?(?!set )\\w+ )?set ')
const EMPTY = matcher('(?:delete from|truncate(?: table)?|drop table(?: if exists)?) NAME')
const HARMLESS = /^(?:create (?:function|view|type|sequence|trigger|schema|domain) |comment on )/
const ADD_COLUMN = matcher(
  'add (?:column )?(?:if not exists )?(?!constraint |check |unique |primary |foreign |exclude )NAME ',
)

/** Why the last release may not live with a statement; undefined when it may. */
function judge(whole: string, added: Added): string | undefined {
  // words in texts mean nothing
  const text = whole.replace(/'(?:[^']|'')*'/g, "''")
  const { tables, columns } = added
  const table = CREATE_TABLE.exec(text)?.[1]
  if (table !== undefined) {
    tables.add(table)
    return foreign(text, tables)
  }
  const [, unique, indexed = ''] = CREATE_INDEX.exec(text) ?? []
  if (indexed !== '') {
    if (tables.has(indexed)) return undefined
    if (unique) return 'it refuses what the release writes; a new table may have it'
    return GROWING.has(indexed)
      ? `${indexed} grows without end: nothing could be written until the index is built`
      : undefined
  }
  const altered = ALTER_TABLE.exec(text)
  if (altered) {
    const [head, name = ''] = altered
    if (tables.has(name)) return undefined
    return partsOf(text.slice(head.length))
      .map((part) => judgeChange(name, part, added))
      .find((why) => why !== undefined)
  }
  const inserted = INSERT.exec(text)?.[1]
  if (inserted !== undefined)
    return tables.has(inserted) ? undefined : 'the release does not expect rows that it did not write'
  const updated = UPDATE.exec(text)
  if (updated) {
    const [head, name = ''] = updated
    const isOwn = (column: string) => tables.has(name) || columns.has(`${name}.${column}`)
    const other = columnsSet(text.slice(head.length)).find((column) => !isOwn(column))
    return other === undefined ? undefined : `the release reads ${other}: fill new columns only`
  }
  const emptied = EMPTY.exec(text)?.[1]
  if (emptied !== undefined && !text.includes(',')) return tables.has(emptied) ? undefined : 'the release may use it'
  if (HARMLESS.test(text)) return undefined
  return 'only what adds is known to leave the release whole'
}

/** One of the changes of an `alter table` of a table that the release knows. */
function judgeChange(table: string, change: string, { tables, columns }: Added): string | undefined {
  if (/^set \(/.test(change)) return undefined
  const column = ADD_COLUMN.exec(change)?.[1]
  if (column === undefined) return 'only new columns are known to leave the release whole'
  columns.add(`${table}.${column}`)
  const filled = /\b(default|generated)\b/.test(change)
  if (/\b(not null|primary key)\b/.test(change) && !filled)
    return 'the release writes no such column: it needs a default'
  if (/\b(unique|primary key)\b/.test(change) && filled) return 'every row that the release writes has the same in it'
  return foreign(change, tables)
}

/** A row that refers to what the release deletes must not keep it from that. */
function foreign(text: string, tables: ReadonlySet<string>): string | undefined {
  for (const [, table = '', rest = ''] of text.matchAll(
    /\breferences (?:public\.)?"?(\w+)"?([^,]*(?:\([^)]*\))?[^,]*)/g,
  ))
    if (!tables.has(table) && !/\bon delete (cascade|set null|set default)\b/.test(rest))
      return `the release could not delete from ${table}: it needs on delete`
  return undefined
}

/** The parts between commas that stand in no brackets, up to a word that ends them. */
function partsOf(text: string, end?: RegExp): string[] {
  const parts = ['']
  let depth = 0
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '(') depth++
    if (token === ')') depth--
    if (depth === 0 && end?.test(token)) break
    if (token === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += token
  }
  return parts.map((part) => part.trim())
}

/** The columns that an `update` writes, from what follows its `set`. */
function columnsSet(text: string): string[] {
  return partsOf(text, /^(from|where)$/).flatMap((part) => {
    const [, one, several = ''] = /^(?:"?(\w+)"? ?=|\(([^)]*)\) ?=)/.exec(part) ?? []
    return one === undefined ? several.split(',').map((name) => name.trim()) : [one]
  })
}
