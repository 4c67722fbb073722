import type { Change } from '../actors/journal.ts'
import { REPAIRED } from '../jobs.ts'
import type { Secrets } from '../secrets/secrets.ts'

/** JSON text never holds it raw, so it can part the values of a column in one parameter. */
const SEPARATOR = '\u001f'

/** Parts of a `with` that write the records of one kind from `projected (ref, kind, id, record jsonb)`. */
export type Projection = readonly string[]

type Columns = readonly (readonly [name: string, type: string])[]
/** `unnest` over one text parameter per column: both sides only split and join, which beats array literals and JSON. */
const rows = (columns: Columns, first: number, ordinality: '' | 'with ordinality' = '') => {
  const values = columns.map(([, type], index) => {
    const split = `string_to_array($${first + index}, E'\\x1f')`
    return type === 'text' ? split : `${split}::${type}[]`
  })
  const names = [...columns.map(([name]) => name), ...(ordinality && ['nth'])]
  return `unnest(${values.join(', ')}) ${ordinality} as given(${names.join(', ')})`
}

const ACTORS: Columns = [
  ['ref', 'text'],
  ['base', 'bigint'],
  ['epoch', 'bigint'],
  ['seq', 'bigint'],
  ['machine_version', 'integer'],
  ['snapshot', 'text'],
]
const ENTRIES: Columns = [
  ['ref', 'text'],
  ['seq', 'bigint'],
  ['command_id', 'uuid'],
  ['request_id', 'text'],
  ['principal', 'text'],
  ['command', 'text'],
  ['events', 'text'],
]
const CANCELS: Columns = [
  ['ref', 'text'],
  ['name', 'text'],
]
const TIMERS: Columns = [...CANCELS, ['due_in_ms', 'double precision'], ['event', 'text']]
const OUTBOX: Columns = [
  ['ref', 'text'],
  ['kind', 'text'],
  ['payload', 'text'],
]
const KEYS: Columns = [
  ['ref', 'text'],
  ['organization_id', 'integer'],
  ['key', 'text'],
]
const IDEMPOTENCY: Columns = [
  ...KEYS,
  ['method', 'text'],
  ['path', 'text'],
  ['body_hash', 'text'],
  ['status', 'integer'],
  ['body', 'text'],
]

const ASIDES: Columns = [
  ['ref', 'text'],
  ['seq', 'bigint'],
  ['facts', 'text'],
]

const PROJECTIONS: Columns = [
  ['ref', 'text'],
  ['record', 'text'],
]

/**
 * What is free is locked first: a row that somebody else has locked is left out instead of waited for. live-path 4
 * The fence: a row moves only from the seq and epoch that its owner knows; everything else is inserted from what moved. The place
 * of a row that was changed after the statement began is a new one, which this statement does not see: it counts as fenced.
 */
const moved = (free: string, { column = '', value = '', from = '' } = {}) => `
  free as (
    select ref, ctid as place from actor where ref = any(string_to_array($1, E'\\x1f')) ${free} for no key update skip locked
  ), moved as (
    update actor set seq = given.seq, snapshot = given.snapshot::json, machine_version = given.machine_version,
      updated_at = now()
    from ${rows(ACTORS, 1)} join free using (ref)
    where actor.ctid = free.place and actor.seq = given.base and actor.epoch = given.epoch
    returning actor.ref, actor.organization_id
  ), journaled as (
    insert into journal (ref, seq, at, organization_id, command_id, request_id, principal, command, events${column})
    select given.ref, given.seq, now(), organization_id, command_id, request_id, principal::json, command::json, events::json${value}
    from ${rows(ENTRIES, 7)} join moved using (ref) ${from}
  )`

const result = (repeated: string) => `
  select coalesce(array_agg(ref), '{}') as moved, (select coalesce(array_agg(ref), '{}') from free) as free,
    ${repeated} as repeated, extract(epoch from now())::float8 * 1000 as at from moved`

const NO_KEYS = result(`'{}'::int[]`)
const LEAN = `with ${moved('')} ${NO_KEYS}`

/**
 * The same where one actor has one entry, as nearly always while commands come one by one: it takes the same parameters, has nothing to split and
 * to join, and costs PostgreSQL a fifth less. docs/performance.md: what PostgreSQL costs
 */
const SINGLE = `with free as (
    select ref, ctid as place from actor where ref = $1 for no key update skip locked
  ), moved as (
    update actor set seq = $4::bigint, snapshot = $6::text::json, machine_version = $5::integer, updated_at = now()
    from free where actor.ctid = free.place and actor.seq = $2::bigint and actor.epoch = $3::bigint
    returning actor.ref, actor.organization_id
  ), journaled as (
    insert into journal (ref, seq, at, organization_id, command_id, request_id, principal, command, events)
    select $7, $8::bigint, now(), organization_id, $9::uuid, $10, $11::text::json, $12::text::json, $13::text::json from moved
  ) ${NO_KEYS}`

/**
 * An actor of which one command has an Idempotency-Key with a row moves nothing: what is folded after that command stands on it. Each
 * key is one look at the index that its row is about to be written to. Rows that are too old to count are told like others.
 */
const keyed = (asides = {}) => `with known as materialized (
    select nth, ref from ${rows(KEYS, 14, 'with ordinality')}
    where (select true from idempotency kept where kept.organization_id = given.organization_id and kept.key = given.key limit 1)
  ), ${moved('and ref not in (select ref from known)', asides)}, answered as (
    insert into idempotency (organization_id, key, method, path, body_hash, status, body)
    select given.organization_id, key, method, path, decode(body_hash, 'hex'), status, coalesce(body, '')
    from ${rows(IDEMPOTENCY, 14)} join moved using (ref)
  )`

const RESULT = result(`(select coalesce(array_agg(nth::int), '{}') from known)`)

/** Facts that few commands leave, which stand beside the others. */
const WITH_ASIDES = {
  column: ', asides',
  value: ', aside.facts::json',
  from: `left join (select * from ${rows(ASIDES, 31)}) as aside on aside.ref = given.ref and aside.seq = given.seq`,
}

const FULL = `${keyed(WITH_ASIDES)}, cancelled as (
    delete from timer using ${rows(CANCELS, 22)}
    where timer.ref = given.ref and timer.name = given.name and given.ref in (select ref from moved)
  ), armed as (
    insert into timer (ref, name, due_at, event)
    select ref, name, now() + due_in_ms * interval '1 millisecond', event::json
    from ${rows(TIMERS, 24)} join moved using (ref)
    on conflict (ref, name) do update set due_at = excluded.due_at, event = excluded.event
    returning ref, name, due_at
  ), announced as (
    insert into outbox (kind, payload)
    select 'timer', json_build_object('ref', ref, 'name', name, 'dueAt', due_at) from armed
    union all
    select kind, payload::json from ${rows(OUTBOX, 28)} join moved using (ref)
  )`

/** What moved of the kinds that are also records, for the statements of their projections. */
const projected = (first: number) => `
  projected as materialized (
    select ref, split_part(ref, '/', 1) as kind, split_part(ref, '/', 2)::int as id, record::jsonb as record
    from ${rows(PROJECTIONS, first)} join moved using (ref)
  )`

export type Statements = { keyed: string; full: string; withRecords: string; replace: string }

/** The texts for these projections. */
export function statementsFor(projections: readonly Projection[]): Statements {
  const writes = projections.flat().join(', ')
  const records = (first: number) => (writes === '' ? '' : `, ${projected(first)}, ${writes}`)
  return {
    keyed: `${keyed()} ${RESULT}`,
    full: `${FULL} ${RESULT}`,
    withRecords: `${FULL}${records(34)} ${RESULT}`,
    replace: `
      with moved as (
        update actor set snapshot = $3::text::json, machine_version = $4::int, updated_at = now()
        where ref = $1 and epoch = $2::bigint
        returning ref
      ), announced as (
        insert into outbox (kind, payload)
        select 'reaction', json_build_object('event', '${REPAIRED}', 'ref', ref) from moved
      )${records(5)} select ref from moved`,
  }
}

/** The one statement that makes the changes durable; `outboxRows`: how many rows it leaves there at most. */
export function statement(
  changes: readonly Change[],
  { keyed, full, withRecords }: Statements,
  secrets: Secrets,
): [text: string, parameters: string[], outboxRows: number] {
  const actors = new Table(ACTORS)
  const entries = new Table(ENTRIES)
  const cancels = new Table(CANCELS)
  const timers = new Table(TIMERS)
  const outbox = new Table(OUTBOX)
  const idempotency = new Table(IDEMPOTENCY)
  const asides = new Table(ASIDES)
  const projections = new Table(PROJECTIONS)
  for (const change of changes) {
    const { ref } = change
    actors.add(ref, change.baseSeq, change.epoch, change.seq, change.machineVersion, change.snapshot)
    for (const entry of change.entries) {
      const { seq, commandId, requestId, principal, command, events } = entry
      entries.add(ref, seq, commandId, requestId, principalText(principal), command, events)
      if (entry.asides !== undefined) asides.add(ref, seq, entry.asides)
    }
    // several steps of one actor in one commit: the last word on each timer counts
    const last = new Map(change.timers.map((timer) => [timer.name, timer]))
    for (const timer of last.values()) {
      if ('cancel' in timer) cancels.add(ref, timer.name)
      else timers.add(ref, timer.name, timer.dueInMs, JSON.stringify(timer.event))
    }
    if (change.projection !== undefined) projections.add(ref, change.projection)
    for (const { kind, payload } of change.outbox) outbox.add(ref, kind, JSON.stringify(payload))
    for (const row of change.idempotency) {
      const path = row.path.replaceAll(SEPARATOR, '%1F')
      const body = row.plain
        ? row.body
        : secrets.seal('idempotency', `${row.organizationId}/${row.key}`, { body: row.body })
      idempotency.add(ref, row.organizationId, row.key, row.method, path, row.bodyHash, row.status, body)
    }
  }
  const parameters = [...actors.parameters(), ...entries.parameters()]
  const outboxRows = timers.size + outbox.size
  const more = outboxRows + cancels.size + asides.size + projections.size > 0
  const isSingle = actors.size === 1 && entries.size === 1
  if (!more && idempotency.size === 0) return [isSingle ? SINGLE : LEAN, parameters, 0]
  parameters.push(...idempotency.parameters())
  if (!more) return [keyed, parameters, 0]
  for (const given of [cancels, timers, outbox, asides]) parameters.push(...given.parameters())
  if (projections.size === 0) return [full, parameters, outboxRows]
  return [withRecords, [...parameters, ...projections.parameters()], outboxRows]
}

/** Rows on their way into `unnest`: a text per column. A class and no literal with a getter. docs/performance.md: old space */
class Table {
  readonly #columns: Columns
  /** Of most tables of a commit there are none. */
  #values: (string | number)[][] | undefined
  size = 0

  constructor(columns: Columns) {
    this.#columns = columns
  }

  add(...row: (string | number)[]): void {
    this.size++
    if (this.#values) {
      // the hottest loop of a commit: no iterator, no pairs
      for (let index = 0; index < row.length; index++) this.#values[index]?.push(row[index] ?? '')
    } else this.#values = row.map((value) => [value])
  }

  parameters(): string[] {
    return this.#values?.map((column) => column.join(SEPARATOR)) ?? this.#columns.map(() => '')
  }
}

const principalTexts = new WeakMap<object, string>()

/** The principal of a key is one object for as long as the key is cached. */
function principalText(principal: object): string {
  const known = principalTexts.get(principal)
  if (known !== undefined) return known
  const text = JSON.stringify(principal)
  principalTexts.set(principal, text)
  return text
}
