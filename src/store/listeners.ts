/** Where a listener that failed is told of. */
export type ListenerLog = { error(fields: object, text: string): void }

/** Tells every listener, in the order they came. The event has happened: a listener that fails hurts neither the others nor the caller. */
export function tellEach<T>(listeners: readonly T[], tell: (listener: T) => void, log?: ListenerLog): void {
  for (const listener of listeners) {
    try {
      tell(listener)
    } catch (error) {
      log?.error({ err: error }, 'a listener failed')
    }
  }
}
