import type { Logger } from 'pino'
import type { Sql, TransactionSql } from 'postgres'
import { exactly } from '../resources/target.ts'
import { due } from '../resources/webhooks/commands.ts'
import { type DueDelivery, type Happening, tell } from '../resources/webhooks/tell.ts'
import type { Registry } from './registry.ts'
import { happeningsOf, rehearsingAfter, TELLING_ACTORS, type TellingRow } from './told.ts'

/** So many actors are looked at at once. */
const AT_ONCE = 3
const BATCH_ROWS = 500
const SWEEP_LIMIT = 500
/** A graphic that no renderer has painted so long after it was due on the screens is told. */
const PAINTED_WITHIN_SECONDS = 5

type Parts = {
  sql: Sql
  registry: Registry
  /** Deliveries that are due now. */
  made(deliveries: readonly DueDelivery[]): void
  /** Whether a webhook is for this node to serve. */
  owns(webhookId: number): boolean
  /** Whether an actor lives here; of several nodes its own looks whether something of it was not told. */
  ownsActor(ref: string): boolean
  log: Logger
}

export type Teller = {
  /** An actor has committed up to this seq. Costs nothing where the organization has no webhooks. */
  committed(organizationId: number, ref: string, seq: number): void
  /** Tells what a record command left in the journal, in the transaction that ends its job; its deliveries are for `made`. */
  record(tx: TransactionSql, ref: string, commandId: string): Promise<DueDelivery[]>
  /** Tells happenings that are not in the journal. */
  happened(organizationId: number, find: (tx: TransactionSql) => Promise<Happening[]>): Promise<void>
  /** Looks for commits that nobody told of: their node was killed. */
  sweep(): Promise<void>
  close(): Promise<void>
}

type Behind = { organizationId: number; ref: string; seq: number }

/**
 * From the journal to events and deliveries. Each actor has a position in its journal, which moves in the transaction that makes the
 * deliveries: a commit is told once, whatever is killed between. A hint only says where to look.
 */
export function createTeller({ sql, registry, made, owns, ownsActor, log }: Parts): Teller {
  /** The newest seq that is known of each, in the order in which they came. */
  const behind = new Map<string, Behind>()
  const busy = new Set<string>()
  let isDue = false
  let closed = false
  let idle = () => {}

  const hint = (one: Behind) => {
    const known = behind.get(one.ref)
    if (known) known.seq = Math.max(known.seq, one.seq)
    else behind.set(one.ref, one)
  }

  const run = () => {
    isDue = false
    for (const [ref, one] of behind) {
      if (closed || busy.size >= AT_ONCE) return
      if (busy.has(ref)) continue
      behind.delete(ref)
      busy.add(ref)
      tellActor(one)
        .catch((error: unknown) => log.warn({ err: error, ref }, 'a commit could not be told to webhooks'))
        .finally(() => {
          busy.delete(ref)
          idle()
          run()
        })
    }
  }

  const tellActor = async (one: Behind): Promise<void> => {
    for (;;) {
      const { deliveries, isDone } = await sql.begin(async (tx) => {
        const told = await advance(tx, one)
        await notify(tx, told.deliveries)
        return told
      })
      made(deliveries)
      if (isDone) return
    }
  }

  /** Other nodes hear of what is for them. */
  const notify = async (tx: TransactionSql, deliveries: readonly DueDelivery[]) => {
    const elsewhere = [...new Set(deliveries.map(({ webhookId }) => webhookId))].filter((id) => !owns(id))
    if (elsewhere.length > 0) await due(tx, elsewhere)
  }

  return {
    committed(organizationId, ref, seq) {
      if (registry.isEmpty || closed || !registry.has(organizationId) || !tells(ref)) return
      hint({ organizationId, ref, seq })
      // not in the turn of the loop in which callers are answered
      if (!isDue) setImmediate(run)
      isDue = true
    },

    async record(tx, ref, commandId) {
      const rows = await tx<(TellingRow & { organizationId: number })[]>`
        select organization_id as "organizationId", seq, ${exactly(tx, 'at')} as at, events, principal
        from journal where ref = ${ref} and command_id = ${commandId} order by seq`
      const [row] = rows
      if (!row) return []
      const deliveries = await tell(
        tx,
        row.organizationId,
        happeningsOf({ ref, id: idOf(ref), rows, before: undefined }),
      )
      await notify(tx, deliveries)
      return deliveries
    },

    async happened(organizationId, find) {
      const deliveries = await sql.begin(async (tx) => {
        const told = await tell(tx, organizationId, await find(tx))
        await notify(tx, told)
        return told
      })
      made(deliveries)
    },

    async sweep() {
      if (registry.isEmpty || closed) return
      const found = await sql<Behind[]>`
        select a.ref, a.seq, a.organization_id as "organizationId"
        from (select organization_id, min(enabled_at) as since from webhook where enabled group by 1) w
        join actor a on a.organization_id = w.organization_id and a.updated_at >= w.since
          and split_part(a.ref, '/', 1) = any(${[...TELLING_ACTORS]})
        left join webhook_position p on p.ref = a.ref
        where p.seq is null or p.seq < a.seq limit ${SWEEP_LIMIT}`
      for (const one of found) if (ownsActor(one.ref)) hint(one)
      run()
    },

    async close() {
      closed = true
      behind.clear()
      await new Promise<void>((resolve) => {
        idle = () => {
          if (busy.size === 0) resolve()
        }
        idle()
      })
    },
  }
}

const KINDS: ReadonlySet<string> = new Set(TELLING_ACTORS)
const tells = (ref: string) => KINDS.has(ref.slice(0, ref.indexOf('/')))
const idOf = (ref: string) => Number(ref.slice(ref.indexOf('/') + 1))

/** `stored`: its seq as it is in the row. */
type Position = { seq: number; stored: number; rehearsing: boolean | null }

/** Tells the next rows of an actor's journal, and moves its position. */
async function advance(tx: TransactionSql, { organizationId, ref, seq: seen }: Behind) {
  const position = await positionOf(tx, organizationId, ref)
  const rows = await tx<TellingRow[]>`
    select seq, ${exactly(tx, 'at')} as at, events, principal
    from journal where ref = ${ref} and seq > ${position.seq} order by seq limit ${BATCH_ROWS}`
  const isDone = rows.length < BATCH_ROWS
  // what was committed by then and is not there any more was pruned
  const seq = Math.max(rows.at(-1)?.seq ?? position.seq, isDone ? seen : position.seq)
  if (seq === position.stored) return { deliveries: [], isDone: true }
  const rehearsing = ref.startsWith('game-plan/') ? await rehearsed(tx, ref, position) : undefined
  const happenings =
    rows.length === 0
      ? []
      : happeningsOf({
          ...{ ref, id: idOf(ref), rows },
          before: await rowBefore(tx, ref, rows[0]?.seq ?? 0),
          stream: await streamOf(tx, ref),
          ...(rehearsing !== undefined && { rehearsing }),
        })
  const deliveries = await tell(tx, organizationId, happenings)
  if (ref.startsWith('overlay/')) await expectPaints(tx, organizationId, happenings)
  const after = rehearsing === undefined ? null : rehearsingAfter(rows, rehearsing)
  await tx`update webhook_position set seq = ${seq}, rehearsing = ${after} where ref = ${ref}`
  return { deliveries, isDone }
}

/** Up to where an actor was told, or needs not be: nobody wanted to hear what is older than every webhook. Nobody else tells of it until the commit. */
async function positionOf(tx: TransactionSql, organizationId: number, ref: string): Promise<Position> {
  const [row] = await tx<{ stored: number; rehearsing: boolean | null; before: number | null }[]>`
    insert into webhook_position as p (ref, organization_id, seq) values (${ref}, ${organizationId}, -1)
    on conflict (ref) do update set ref = excluded.ref
    returning seq as stored, rehearsing, (
      select j.seq from journal j where j.ref = ${ref} and j.seq > p.seq and j.at < coalesce(
        (select min(enabled_at) from webhook where organization_id = ${organizationId} and enabled), 'infinity')
      order by j.seq desc limit 1) as before`
  if (!row) throw new Error('a position was not there')
  const { stored, rehearsing, before } = row
  return before === null ? { seq: stored, stored, rehearsing } : { seq: before, stored, rehearsing: null }
}

async function rowBefore(tx: TransactionSql, ref: string, seq: number) {
  if (!/^(match|input)\//.test(ref)) return undefined
  const [row] = await tx<Pick<TellingRow, 'events'>[]>`
    select events from journal where ref = ${ref} and seq < ${seq} order by seq desc limit 1`
  return row?.events
}

/** Whether a game plan rehearsed at a position; the journal is searched for it once. */
async function rehearsed(tx: TransactionSql, ref: string, { seq, rehearsing }: Position) {
  if (rehearsing !== null) return rehearsing
  const [row] = await tx<Pick<TellingRow, 'events'>[]>`
    select events from journal where ref = ${ref} and seq <= ${seq} and strpos(events::text, '"plan.rehearsing"') > 0
    order by seq desc limit 1`
  return row ? rehearsingAfter([row], false) : false
}

async function streamOf(tx: TransactionSql, ref: string) {
  const [kind = ''] = ref.split('/')
  if (kind !== 'stream' && kind !== 'destination') return undefined
  const id = idOf(ref)
  const [row] = await tx<{ streamSettingsId: number; matchId: number }[]>`
    select s.id as "streamSettingsId", s.match_id as "matchId" from stream_settings s
    where s.id = ${kind === 'stream' ? tx`${id}::int` : tx`(select stream_settings_id from stream_destination where id = ${id})`}`
  return row
}

/** Notes the graphics that were put on air, whose paints are looked for later, and forgets those that were taken off. */
async function expectPaints(tx: TransactionSql, organizationId: number, happenings: readonly Happening[]) {
  const last = new Map(
    happenings.flatMap(({ type, data, at }) =>
      type === 'overlay.graphic_updated' ? [] : [[String(data.graphicId), { type, at, ...data }] as const],
    ),
  )
  const shown = [...last.values()].filter(({ type }) => type === 'overlay.graphic_shown')
  if (last.size === 0) return
  await tx`
    delete from webhook_paint_check where overlay_id = ${overlayOf(happenings)} and graphic_id = any(${[...last.keys()]})`
  if (shown.length === 0) return
  await tx`
    insert into webhook_paint_check (overlay_id, graphic_id, organization_id, graphic_name, preset_id, seq, due_at)
    select o.id, g."graphicId", ${organizationId}, g."graphicName", g."presetId", g.seq,
      g.at + make_interval(secs => ${PAINTED_WITHIN_SECONDS} + o.encoding_delay_seconds)
    from json_to_recordset(${JSON.stringify(shown)}::text::json)
      as g("overlayId" int, "graphicId" text, "graphicName" text, "presetId" int, seq bigint, at timestamptz)
    join overlay o on o.id = g."overlayId"`
}

const overlayOf = ([happening]: readonly Happening[]) => Number(happening?.data.overlayId)
