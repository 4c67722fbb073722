export type GatheredOptions<T> = {
  /** Stores all of them at once. */
  store(rows: readonly T[]): Promise<void>
  /** Rows that could not be stored stay for the next time; `dropped` is how many never will be. */
  failed(error: unknown, rows: number, dropped: number): void
  /** How long rows gather before one statement takes them all. */
  gatherMs: number
  /** So many do not wait that long; left out: they do. */
  enough?: number
  /** Rows kept while the database is away; above that the newest are dropped and counted. */
  maxKept: number
}

export type Gathered<T> = {
  add(row: T): void
  /** Rows that were never stored. */
  readonly dropped: number
  /** Stores the gathered rows and takes no more. Never rejects. */
  close(): Promise<void>
}

/**
 * Rows on their way into the database that no caller waits for: one statement for all that come within a moment. Rows
 * gathered and not yet stored are lost at a crash.
 */
export function createGathered<T>({
  store,
  failed,
  gatherMs,
  enough = Number.POSITIVE_INFINITY,
  maxKept,
}: GatheredOptions<T>): Gathered<T> {
  let gathered: T[] = []
  let timer: NodeJS.Timeout | undefined
  let storing: Promise<void> | undefined
  /** Rows since the last statement. */
  let fresh = 0
  let closed = false
  let dropped = 0

  const flush = async (): Promise<void> => {
    timer = undefined
    fresh = 0
    const rows = gathered
    if (rows.length === 0) return
    gathered = []
    try {
      await store(rows)
    } catch (error) {
      const kept = rows.slice(0, Math.max(0, maxKept - gathered.length))
      dropped += rows.length - kept.length
      gathered = [...kept, ...gathered]
      failed(error, rows.length, dropped)
    }
  }

  const begin = () => {
    clearTimeout(timer)
    storing = flush().then(() => {
      storing = undefined
      if (gathered.length > 0 && !closed) arm()
    })
  }

  const arm = () => {
    timer ??= setTimeout(begin, gatherMs)
  }

  return {
    add(row) {
      if (closed || gathered.length >= maxKept) {
        dropped++
        return
      }
      gathered.push(row)
      fresh++
      if (storing) return
      if (fresh < enough) arm()
      else begin()
    },
    get dropped() {
      return dropped
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await storing
      await flush()
    },
  }
}
