import type { Commit, FeedParts } from './feed-ports.ts'

const REMEMBERED = 5_000

/** Has the copies of records that a refresh names dropped, once for each revision, however many overlays hear of it. */
export function createAnnouncements(announced: FeedParts['announced']) {
  /** The newest revision of each source that was announced here, by organization. */
  const known = new Map<string, number>()
  return ({ events }: Commit, organizationId: number): void => {
    for (const event of events) {
      if (event.type !== 'data.refreshed') continue
      for (const [source, revision] of Object.entries(event.revisions)) {
        const key = `${organizationId} ${source}`
        if ((known.get(key) ?? -1) >= revision) continue
        known.delete(key)
        known.set(key, revision)
        const [oldest] = known.keys()
        if (oldest !== undefined && known.size > REMEMBERED) known.delete(oldest)
        announced(source, organizationId)
      }
    }
  }
}
