import { isDeepStrictEqual } from 'node:util'
import type { Parameter, TransactionSql } from 'postgres'
import type { Copy, Table } from './local.ts'
import { yieldOften } from './yield.ts'

type Value = string | number | readonly string[] | null | Parameter
/** Column to value. */
export type Row = Readonly<Record<string, Value>>

/** A record as the provider tells it now, and as it told it last time. */
export type ToldRecord = { providerId: string; row: Row; before?: Row | undefined }

/**
 * The rule of a sync for a record that is there.
 * `keep`: no change. `follow`: takes the provider's values. `merge`: takes those that the provider changed, unless it was edited by hand.
 */
export type Rule = 'keep' | 'follow' | 'merge'

export type Reconciled = { ids: Map<string, number>; created: number[]; updated: number[]; unchanged: number }

const BATCH_ROWS = 500

/**
 * Makes the organization's copies true to the provider's records, by the rule; columns of `fixed` are only ever set when a record
 * is created. Equal rows are not written.
 */
export async function reconcile(
  tx: TransactionSql,
  { organizationId, provider }: Copy,
  {
    table,
    rule,
    told,
    fixed = [],
  }: { table: Table; rule: Rule; told: readonly ToldRecord[]; fixed?: readonly string[] },
): Promise<Reconciled> {
  const ids = new Map<string, number>()
  const done: Reconciled = { ids, created: [], updated: [], unchanged: 0 }
  const [first] = told
  if (!first) return done
  const columns = Object.keys(first.row)
  const stored = new Map<string, Record<string, unknown> & { id: number }>()
  const rows = await tx<(Record<string, unknown> & { id: number; provider_id: string })[]>`
    select id, provider_id, ${tx(columns)} from ${tx(table)}
    where organization_id = ${organizationId} and provider_name = ${provider}
      and provider_id = any(${told.map(({ providerId }) => providerId)})`
  for (const row of rows) stored.set(row.provider_id, row)

  const changes: { id: number; row: Record<string, Value> }[] = []
  const missing: ToldRecord[] = []
  const pause = yieldOften()
  for (const one of told) {
    await pause()
    const found = stored.get(one.providerId)
    if (!found) {
      missing.push(one)
      continue
    }
    ids.set(one.providerId, found.id)
    const changed = Object.entries(one.row).filter(
      ([column, value]) => !fixed.includes(column) && takes(rule, value, found[column], one.before?.[column]),
    )
    if (changed.length > 0) changes.push({ id: found.id, row: Object.fromEntries(changed) })
    else done.unchanged++
  }
  const touched = touches.has(table)
  for (let at = 0; at < changes.length; at += BATCH_ROWS)
    await Promise.all(
      changes.slice(at, at + BATCH_ROWS).map(
        ({ id, row }) =>
          // the rows differ in their columns; many of them at once are rare
          tx`update ${tx(table)} set ${tx(row)} ${touched ? tx`, updated_at = clock_timestamp()` : tx``} where id = ${id}`,
      ),
    )
  done.updated.push(...changes.map(({ id }) => id))
  for (let at = 0; at < missing.length; at += BATCH_ROWS) {
    const batch = missing.slice(at, at + BATCH_ROWS).map(({ providerId, row }) => ({
      ...row,
      organization_id: organizationId,
      provider_name: provider,
      provider_id: providerId,
    }))
    const made = await tx<{ id: number; provider_id: string }[]>`
      insert into ${tx(table)} ${tx(batch)} returning id, provider_id`
    for (const { id, provider_id } of made) {
      ids.set(provider_id, id)
      done.created.push(id)
    }
  }
  return done
}

const touches: ReadonlySet<Table> = new Set(['competition', 'venue', 'team', 'match'])

/** Whether a value that the provider told takes the place of the stored one. */
export function takes(rule: Rule, told: unknown, stored: unknown, before: unknown): boolean {
  if (rule === 'keep' || told === stored || isDeepStrictEqual(told, stored)) return false
  // without a value from last time nobody knows whether the difference was made by hand
  return rule === 'follow' || (before !== undefined && isDeepStrictEqual(before, stored))
}
