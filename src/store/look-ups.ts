/** Asked for in one statement. */
const MAX_ASKED = 500

type Waiting<Asked, Found> = {
  asked: Asked
  resolve(found: Found | undefined): void
  reject(error: unknown): void
}

/**
 * Look-ups of many requests as one statement: what is asked in one turn of the loop, or while the statement before is under way.
 * `read` answers what it found in the order that was asked. What fails one fails all that wait, so that nothing piles up behind
 * a database that does not answer.
 */
export function createLookUps<Asked, Found>(
  read: (asked: readonly Asked[]) => Promise<readonly (Found | undefined)[]>,
): (asked: Asked) => Promise<Found | undefined> {
  let waiting: Waiting<Asked, Found>[] = []
  let reading = false

  const readWaiting = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MAX_ASKED)
      waiting = waiting.slice(MAX_ASKED)
      try {
        const found = await read(batch.map(({ asked }) => asked))
        for (const [index, { resolve }] of batch.entries()) resolve(found[index])
      } catch (error) {
        for (const { reject } of [...batch, ...waiting.splice(0)]) reject(error)
      }
    }
    reading = false
  }

  return (asked) =>
    new Promise((resolve, reject) => {
      waiting.push({ asked, resolve, reject })
      if (reading) return
      reading = true
      // after the poll phase: every request that arrived in this turn of the loop is in the statement
      setImmediate(() => void readWaiting())
    })
}
