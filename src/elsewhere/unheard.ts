import type { Sql } from 'postgres'
import type { Followings } from '../realtime/followers/followings.ts'

/**
 * Finds the matches and game plans that followers of this node are shown and that moved on while the bus is down: one statement for all of
 * them, however many follow. Each counts as moved when it is looked at first.
 */
export function createUnheard(sql: Sql, followings: () => Followings) {
  let seen: ReadonlyMap<string, number> = new Map()
  return {
    async look(): Promise<void> {
      const refs = followings().refs()
      if (refs.length === 0) return
      const rows = await sql<{ ref: string; seq: number }[]>`select ref, seq from actor where ref = any(${refs})`
      const before = seen
      seen = new Map(rows.map(({ ref, seq }) => [ref, seq]))
      for (const { ref, seq } of rows) if (before.get(ref) !== seq) followings().recordChanged(ref)
    },
    /** The bus is back: what it says counts. */
    forget(): void {
      seen = new Map()
    },
  }
}
