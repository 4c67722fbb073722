/** Times in milliseconds, `until` excluded. */
export type Span = { readonly from: number; readonly until: number }

/** The same time as spans in order that do not touch. */
export function union(spans: readonly Span[]): Span[] {
  const merged: Span[] = []
  for (const span of spans.filter(({ from, until }) => from < until).sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last && span.from <= last.until)
      merged[merged.length - 1] = { from: last.from, until: Math.max(last.until, span.until) }
    else merged.push(span)
  }
  return merged
}

/** The parts of the spans that lie within one. */
export const within = (spans: readonly Span[], { from, until }: Span): Span[] =>
  union(spans.map((span) => ({ from: Math.max(span.from, from), until: Math.min(span.until, until) })))

/** The parts of the spans that are in none of the others. */
export function without(spans: readonly Span[], others: readonly Span[]): Span[] {
  let left = union(spans)
  for (const other of union(others))
    left = left
      .flatMap(({ from, until }) => [
        { from, until: Math.min(until, other.from) },
        { from: Math.max(from, other.until), until },
      ])
      .filter(({ from, until }) => from < until)
  return left
}

/** How long they are together. */
export const lengthOf = (spans: readonly Span[]): number =>
  union(spans).reduce((sum, { from, until }) => sum + until - from, 0)
