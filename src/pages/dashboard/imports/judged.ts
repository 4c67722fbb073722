import { MOST } from '../../../schema/batch-sizes.ts'

/** What a row says, by the fields that are sent. */
export type Fields = Readonly<Record<string, unknown>>

/** What becomes of a row; `body` is what is sent, where that is not its fields, `whole` the record as it will be. */
export type Judged<F extends object = Fields> = { line: number; name: string } & (
  | { is: 'new'; fields: F; body?: object; whole?: Fields; notes: readonly string[] }
  | { is: 'changed'; id: number; fields: F; body?: object; whole?: Fields; before: F; notes: readonly string[] }
  | { is: 'same'; id: number; notes: readonly string[] }
  | { is: 'wrong'; reasons: readonly string[] }
)

export type Counts = { made: number; changed: number; wrong: number }

export function countsOf(judged: readonly Judged<object>[]): Counts {
  const count = (is: Judged['is']) => judged.filter((row) => row.is === is).length
  return { made: count('new'), changed: count('changed'), wrong: count('wrong') }
}

/** One request, all of which is written or nothing: the lines that it writes, in the order of its items. */
export type Step = {
  lines: readonly number[]
  method: 'POST' | 'PATCH'
  path: string
  body: object
}

/** What is sent of the rows that change something: `member` of the body, so many at a time. */
export function batchesOf<F extends object>(
  judged: readonly Judged<F>[],
  { path, member, most = MOST }: { path: string; member: string; most?: number },
): Step[] {
  const writes = judged.flatMap((row) => {
    if (row.is === 'new') return [{ line: row.line, item: row.body ?? row.fields }]
    return row.is === 'changed' ? [{ line: row.line, item: { id: row.id, ...(row.body ?? row.fields) } }] : []
  })
  return Array.from({ length: Math.ceil(writes.length / most) }, (_, index) => {
    const some = writes.slice(index * most, (index + 1) * most)
    return {
      lines: some.map(({ line }) => line),
      method: 'POST' as const,
      path,
      body: { [member]: some.map(({ item }) => item) },
    }
  })
}
