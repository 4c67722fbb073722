/** A value that a graphic was given: `On`, `3`, `Commentary`. */
export const valueWorded = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'On' : 'Off') : String(value)
