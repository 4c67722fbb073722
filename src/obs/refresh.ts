import type { Logger } from 'pino'
import type { Sql } from 'postgres'
import type { Secrets } from '../secrets/secrets.ts'
import { type Guard, ObsError, refreshSources } from './client.ts'

/** How the last refresh went, as the column `obs_refresh` has it. `at`: ISO 8601. */
export type ObsRefresh = {
  at: string
  state: 'refreshed' | 'waiting' | 'failed'
  /** How many browser sources show the overlay. */
  sources: number | null
  /** For people. */
  error: string | null
}

/** What becomes of the job: it is done, it waits for a free screen, or it is to be tried again. */
export type ObsOutcome = 'done' | 'onAir' | 'again'

export type ObsParts = { sql: Sql; secrets: Secrets; guard: Guard; log: Logger; withinMs?: number }

type Row = {
  key: string
  name: string
  url: string
  secrets: string
  told: ObsRefresh | null
  isOnAir: boolean
}

/**
 * Refreshes the browser sources of one overlay in its OBS, and notes how it went. What is on air is left alone, since a source that loads anew
 * is dark for a moment: unless `now`, it waits until the screen is free.
 */
export function createObsRefresh({ sql, secrets, guard, log, withinMs }: ObsParts) {
  const note = (overlayId: number, told: Omit<ObsRefresh, 'at'>) => {
    const column = JSON.stringify({ at: new Date().toISOString(), ...told } satisfies ObsRefresh)
    return sql`update overlay set obs_refresh = ${column}::text::json where id = ${overlayId} and obs_url is not null`
  }

  return async (overlayId: number, now: boolean): Promise<ObsOutcome> => {
    const [row] = await sql<Row[]>`
      select o.key, o.name, o.obs_url as url, o.secrets, o.obs_refresh as told,
        coalesce(a.snapshot->'context'->>'graphics', '{}') <> '{}' as "isOnAir"
      from overlay o left join actor a on a.ref = 'overlay/' || o.id where o.id = ${overlayId} and o.obs_url is not null`
    if (!row) return 'done'
    if (row.isOnAir && !now) {
      if (row.told?.state !== 'waiting') await note(overlayId, { state: 'waiting', sources: null, error: null })
      return 'onAir'
    }
    const password = secrets.open('overlay', overlayId, row.secrets).obsPassword ?? null
    const isOurs = (url: string) => URL.canParse(url) && isPageOf(row.key, new URL(url))
    try {
      const names = await refreshSources({ url: row.url, password }, isOurs, guard, withinMs)
      await note(overlayId, { state: 'refreshed', sources: names.length, error: null })
      return 'done'
    } catch (error) {
      if (!(error instanceof ObsError)) throw error
      log.warn({ overlayId, reason: error.message }, 'the browser sources of an overlay were not refreshed by its OBS')
      await note(overlayId, { state: 'failed', sources: null, error: error.message })
      return error.again ? 'again' : 'done'
    }
  }
}

/** By whichever name of the server OBS knows it. */
const isPageOf = (key: string, { pathname }: URL) => /\/overlay\/([^/]+)\/?$/.exec(pathname)?.[1] === key

export type RefreshObs = ReturnType<typeof createObsRefresh>
