const turns = new WeakMap<object, Promise<unknown>>()

/**
 * Asks a connection once it has answered what it was asked before: the driver `pg` is about to stop keeping a second question by
 * itself. One that fails holds up no other.
 */
export function inTurn<T>(connection: object, ask: () => Promise<T>): Promise<T> {
  const mine = (turns.get(connection) ?? Promise.resolve()).then(ask)
  turns.set(
    connection,
    mine.catch(() => {}),
  )
  return mine
}
