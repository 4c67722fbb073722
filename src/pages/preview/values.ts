import type { Value } from './api.ts'

/** Null is a value that is not set. */
export const withoutNulls = (values: Readonly<Record<string, Value | null>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value]])))

/** The values with one changed, or taken out. */
export function changedBy<T>(values: Readonly<Record<string, T>>, name: string, value: T | undefined) {
  const { [name]: _, ...others } = values
  return value === undefined ? others : { ...others, [name]: value }
}
