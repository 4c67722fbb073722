type Value = string | number | boolean | null

/** The columns that an update of a record sets, with their values: those whose field was sent. */
export function changedColumns<Field extends string>(
  columns: Readonly<Record<Field, string>>,
  asked: { readonly [Each in NoInfer<Field>]?: Value | undefined },
): Record<string, Value> {
  const changed: Record<string, Value> = {}
  for (const field in columns) {
    const value: Value | undefined = asked[field]
    if (value !== undefined) changed[columns[field]] = value
  }
  return changed
}
