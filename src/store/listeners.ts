/** Where a listener that failed is told of. */
export type ListenerLog = { error(fields: object, text: string): void }

/** Tells every listener, in the order they came: what is told has happened, so one that fails hurts neither the others nor whoever tells. */
export function tellEach<T>(listeners: readonly T[], tell: (listener: T) => void, log?: ListenerLog): void {
  for (const listener of listeners) {
    try {
      tell(listener)
    } catch (error) {
      log?.error({ err: error }, 'a listener of the database failed')
    }
  }
}
