import type { RecordContext } from '../context.ts'
import type { RecordCommit } from '../database.ts'
import { ApiError, type FieldErrors, invalid } from '../errors.ts'

/** What a new record is made of: null stands for nothing. */
export const said = (item: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null))

/**
 * Runs a record command for each item in one transaction: all of them commit, each with its own row of the journal, or none. Answers their
 * results in the order of the items. Throws invalid with the faults of every item, by its place in `body.<member>`; forbidden as the
 * commands do. show-control: Records
 */
export function writeEach<Ctx extends RecordContext, Item extends object, Result>(
  ctx: Ctx,
  { member, items }: { member: string; items: readonly Item[] },
  write: (ctx: Ctx, item: Item) => Promise<Result>,
): Promise<Result[]> {
  const command = { ref: `${member}/batch`, type: 'writeEach', asked: { [member]: items.length } }
  return ctx.db.write(ctx, command, async (tx) => {
    const also: RecordCommit[] = []
    const db: RecordContext['db'] = {
      ...ctx.db,
      async write(_asker, { ref, ...one }, run) {
        const { result, ...done } = await run(tx)
        const { events, seq, outbox } = done
        also.push({ ...one, ref: done.ref ?? ref, events, seq, outbox }, ...(done.also ?? []))
        return result
      },
    }
    const results: Result[] = []
    const details: FieldErrors = {}
    const ids = new Set<unknown>()
    for (const [index, item] of items.entries()) {
      const place = `body.${member}[${index}]`
      const id = 'id' in item ? item.id : undefined
      if (id !== undefined && ids.has(id)) details[`${place}.id`] = { message: 'named twice', value: id }
      ids.add(id)
      try {
        results.push(await write({ ...ctx, db }, item))
      } catch (error) {
        Object.assign(details, faultsAt(place, error))
      }
    }
    if (Object.keys(details).length > 0) throw invalid(details)
    return { result: results, events: [], also }
  })
}

/** The faults of one item at its place; anything else than that it is not acceptable is thrown on. */
function faultsAt(place: string, error: unknown): FieldErrors {
  if (!(error instanceof ApiError) || (error.status !== 400 && error.status !== 404)) throw error
  if (error.status === 404) return { [place]: { message: 'names a record that is not there' } }
  const { details, message } = error.body
  const faults = typeof details === 'object' && details !== null ? Object.entries(details) : []
  if (faults.length === 0) return { [place]: { message: String(message) } }
  return Object.fromEntries(faults.map(([path, fault]) => [path.replace(/^(body|path)/, place), fault]))
}
