import type { Api } from './api.ts'

export type Kind =
  | 'theme'
  | 'variable'
  | 'dataSourceTemplate'
  | 'graphic'
  | 'bundle'
  | 'themeVersion'
  | 'controlRoom'
  | 'section'
  | 'preset'
  | 'gamePlan'

/** One thing that a push does, as it tells of it. */
export type Change = {
  action: 'create' | 'update' | 'delete' | 'publish' | 'activate'
  kind: Kind
  /** Of a bundle that of its graphic; of a nested record with its way there: `Match day / In play / Score bug`. */
  name: string
  /** Which fields differ. */
  changed?: string[]
  /** Files of a bundle that are sent, and those that go. */
  uploads?: string[]
  uploadBytes?: number
  deletes?: string[]
}

/** The state of a push so far; steps write down ids that later ones need. */
export type Session = {
  api: Api
  themeId: number
  /** Of the theme, as the last answer had it; undefined when it is not known now. */
  themeUpdatedAt: string | undefined
  /** By name. */
  graphics: Map<string, { graphicId: string; updatedAt: string | undefined }>
  /** Runs work when one of a few places is free. */
  pool: <T>(work: () => Promise<T>) => Promise<T>
  uploaded: (bytes: number) => void
}

export type Step = { change: Change; run: (session: Session) => Promise<void> }

/** A record that the server has and the folder does not. */
export type Kept = { kind: Kind; name: string }

/** The comparison that a write of the theme asks for. */
export const sinceTheme = ({ themeUpdatedAt }: Session) => since(themeUpdatedAt)

/** `ifUnchangedSince` of a body, when the moment is known. */
export const since = (updatedAt: string | undefined) => (updatedAt === undefined ? {} : { ifUnchangedSince: updatedAt })

/** The same as a query. */
export const sinceQuery = (updatedAt: string | undefined) =>
  updatedAt === undefined ? '' : `?ifUnchangedSince=${encodeURIComponent(updatedAt)}`

/** Runs at most `places` at once. */
export function createPool(places: number): Session['pool'] {
  const waiting: (() => void)[] = []
  let free = places
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
