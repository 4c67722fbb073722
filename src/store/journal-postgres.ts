import type { Sql } from 'postgres'
import {
  type Change,
  ChangeRefused,
  type Committed,
  type DueTimer,
  type IdempotencyRow,
  type Journal,
  type Ref,
  RowsLocked,
  type StoredActor,
} from '../actors/journal.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { type CommitLine, isLocked, openCommitLine } from './commit-line.ts'
import { type Projection, statement, statementsFor } from './commit-statement.ts'

/** A pool as the journal needs it: its statements wait for each lock this long at most. */
export type JournalPool = {
  connections: number
  lockTimeoutMs: number
  pagesAreCached: boolean
  idleSeconds?: null
}

export type JournalOptions = {
  /** Opens pools of its own for commits and claims: a slow read on `sql` never delays one, and one that hangs can be thrown away. */
  connect: (pool: JournalPool) => Sql
  sql: Sql
  /** A commit that has not answered by then counts as unknown. */
  commitWithinMs?: number
  /** How the state of kinds that are also records gets into the rows of those records. */
  projections?: readonly Projection[]
  /** Seals the answers that are kept. */
  secrets: Secrets
}

type Row = {
  ref: string
  organization_id: number
  seq: number
  epoch: number
  machine_version: number
  snapshot: unknown
}

/**
 * Longer than any lock of a healthy node is held. Actors are locked without waiting; a commit may still wait for other locks:
 * the row of a record, an Idempotency-Key of which a lost commit is under way, a table under maintenance.
 */
const COMMIT_LOCK_MS = 50
/** A claim waits for the commit of a lost connection; the node that needs the actor claims again. */
const CLAIM_LOCK_MS = 250
const CLAIM_CONNECTIONS = 4
/** A command that another node may have carried out was sent seconds ago. */
const NEWEST = 1_000

/**
 * The records of actors that somebody may wake on behalf of others while they are deleted. Until the actor's row is there the record
 * is not deleted; the statement that deletes it deletes the actor's row after it.
 */
const RECORDS: Readonly<Record<string, string>> = { destination: 'stream_destination', input: 'stream_input' }

/** The journal on PostgreSQL: one statement per commit, so one round trip and one transaction. */
export function createPostgresJournal({
  connect,
  sql,
  commitWithinMs = 1_500,
  projections = [],
  secrets,
}: JournalOptions): Journal & {
  /** Opens the connections and has PostgreSQL prepare what each command takes: each would otherwise wait for that in turn. Writes nothing. */
  warm(): Promise<void>
  close(): Promise<void>
} {
  // else the planner reads the whole table of actors to find twenty rows whose places it knows
  const pagesAreCached = true
  const newLine = () =>
    openCommitLine(
      // no show waits for it, however long nothing was shown
      () => connect({ connections: 1, lockTimeoutMs: COMMIT_LOCK_MS, pagesAreCached, idleSeconds: null }),
      commitWithinMs,
    )
  const main = newLine()
  const lines = [main]
  // as many as commits were ever alone at the same time
  const idle: CommitLine[] = []
  const another = () => {
    const line = newLine()
    lines.push(line)
    return line
  }
  const claims = connect({ connections: CLAIM_CONNECTIONS, lockTimeoutMs: CLAIM_LOCK_MS, pagesAreCached })
  const statements = statementsFor(projections)

  const stored = (row: Row | undefined): StoredActor | undefined =>
    row && {
      ref: row.ref as Ref,
      organizationId: row.organization_id,
      seq: row.seq,
      epoch: row.epoch,
      machineVersion: row.machine_version,
      snapshot: row.snapshot,
    }

  const commitOn = async (line: CommitLine, changes: readonly Change[]): Promise<Committed> => {
    const [text, parameters, outboxRows] = prepared(() => statement(changes, statements, secrets))
    const { moved, free, repeated, at } = await line.send(text, parameters)
    return { moved: new Set(moved), repeated: told(changes, repeated), locked: missing(changes, free), at, outboxRows }
  }

  const claimed = (ref: string) => claims<Row[]>`
    update actor set epoch = epoch + 1 where ref = ${ref}
    returning ref, organization_id, seq, epoch, machine_version, snapshot`

  return {
    async warm() {
      const claimsOfNobody = Array.from({ length: CLAIM_CONNECTIONS }, () => claimed(NOBODY.ref))
      const commits = NOBODYS_COMMITS.map((change) => commitOn(main, [change]))
      await Promise.all([...claimsOfNobody, ...commits])
    },

    async claim(ref) {
      try {
        const [row] = await claimed(ref)
        return stored(row)
      } catch (error) {
        throw isLocked(error) ? new RowsLocked('a claim waited for a lock in vain', { cause: error }) : error
      }
    },

    async peek(ref) {
      const [row] = await sql<Row[]>`
        select ref, organization_id, seq, epoch, machine_version, snapshot from actor where ref = ${ref}`
      return stored(row)
    },

    async create(ref, organizationId, machineVersion, snapshot) {
      const [kind = '', id = ''] = ref.split('/')
      const record = RECORDS[kind]
      await claims`
        insert into actor (ref, organization_id, machine_version, snapshot)
        select ${ref}::text, ${organizationId}::integer, ${machineVersion}::integer, ${snapshot}::text::json
        ${record ? claims`from ${claims(record)} where id = ${Number(id)} for key share` : claims``}
        on conflict do nothing`
    },

    commit: (changes) => commitOn(main, changes),

    async commitAlone(change) {
      const line = idle.pop() ?? another()
      try {
        const committed = await commitOn(line, [change])
        if (!committed.locked.has(change.ref) || (await line.isThere(change.ref))) return committed
        return { ...committed, locked: NONE }
      } finally {
        idle.push(line)
      }
    },

    async dueTimer(ref, name) {
      const [row] = await sql<DueTimer[]>`
        select event, extract(epoch from now)::float8 * 1000 as at,
          extract(epoch from now - due_at)::float8 * 1000 as "lateMs"
        from timer, clock_timestamp() as now where ref = ${ref} and name = ${name} and due_at <= now`
      return row
    },

    async dropTimer(ref, name, at) {
      // one that somebody has locked is looked at again
      await sql`
        delete from timer where ctid = any(array(
          select ctid from timer
          where ref = ${ref} and name = ${name} and due_at <= to_timestamp(${at}::float8 / 1000) for update skip locked))`
    },

    async find(ref, seqs) {
      if (seqs.length === 0) return new Map()
      const found = await claims<{ seq: number; command_id: string; at: Date }[]>`
        select seq, command_id, at from journal where ref = ${ref} and seq in ${claims(seqs)}`
      return new Map(found.map(({ seq, command_id, at }) => [seq, { commandId: command_id, at: at.getTime() }]))
    },

    async holds(ref, commandId) {
      const [row] = await claims<{ there: boolean }[]>`
        select coalesce(bool_or(command_id = ${commandId}), false) as there
        from (select command_id from journal where ref = ${ref} order by seq desc limit ${NEWEST}) as newest`
      return row?.there ?? false
    },

    async *all(ref) {
      const wanted = ref === undefined ? sql`` : sql`where ref = ${ref}`
      const cursor = sql<Row[]>`
        select ref, organization_id, seq, epoch, machine_version, snapshot from actor ${wanted} order by ref`.cursor(
        100,
      )
      for await (const batch of cursor)
        for (const row of batch) {
          const actor = stored(row)
          if (actor) yield actor
        }
    },

    async facts(ref) {
      const found = await sql<{ events: { type: string }[]; asides: { type: string }[] | null }[]>`
        select events, asides from journal where ref = ${ref} order by seq`
      return found.flatMap(({ events, asides }) => [...events, ...(asides ?? [])])
    },

    async replace(ref, epoch, machineVersion, snapshot, projection) {
      const row = [ref, epoch, snapshot, machineVersion]
      // a kind without a record projects no row
      const record = projections.length === 0 ? [] : projection === undefined ? ['', ''] : [ref, projection]
      const moved = await sql.unsafe(statements.replace, [...row, ...record])
      return moved.length === 1
    },

    async close() {
      await Promise.all([...lines.map((line) => line.close()), claims.end({ timeout: 1 })])
    },
  }
}

const NONE: ReadonlySet<never> = new Set()

/** A command of an actor that there never is: nothing moves, and so nothing is written. */
const NOBODY: Change = {
  ...{ ref: 'nobody/0', organizationId: 0, baseSeq: 0, epoch: 0, seq: 1, machineVersion: 0, snapshot: '{}' },
  entries: [
    {
      ...{ seq: 1, commandId: '00000000-0000-0000-0000-000000000000', requestId: '' },
      ...{ principal: { type: 'system', name: 'nobody' }, command: '{}', events: '[]' },
    },
  ],
  ...{ timers: [], outbox: [], idempotency: [] },
}

/** One for each statement of a command: alone, with an Idempotency-Key, with timers, of a record. */
const NOBODYS_COMMITS: readonly Change[] = [
  NOBODY,
  {
    ...NOBODY,
    idempotency: [
      {
        ...{ organizationId: 0, key: '', method: '', path: '', bodyHash: '' },
        ...{ status: 0, body: '', plain: true },
      },
    ],
  },
  { ...NOBODY, timers: [{ name: '', cancel: true }] },
  { ...NOBODY, projection: '{}' },
]

/** The rows of Idempotency-Keys at these places, counted from 1 over all changes. */
function told(changes: readonly Change[], places: readonly number[]): ReadonlySet<IdempotencyRow> {
  if (places.length === 0) return NONE
  const rows = changes.flatMap(({ idempotency }) => idempotency)
  return new Set(places.flatMap((place) => rows[place - 1] ?? []))
}

/** Those that were not there to be locked. */
function missing(changes: readonly Change[], free: readonly Ref[]): ReadonlySet<Ref> {
  if (free.length === changes.length) return NONE
  const locked = new Set(changes.map(({ ref }) => ref))
  for (const ref of free) locked.delete(ref)
  return locked
}

/** A change that cannot be encoded for the database was never sent. */
function prepared<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    throw new ChangeRefused('a commit cannot be written', { cause: error })
  }
}
