import { ActivatedAnswer, PublishedThemeAnswer } from './answers.ts'
import type { RemoteTheme } from './remote.ts'
import { type Session, type Step, sinceTheme } from './session.ts'

type Asked = {
  activate: boolean
  notes: string | undefined
  /** Whether graphics are published or deleted before. */
  graphicsChange: boolean
  /** Whether any graphic has a version then. */
  hasGraphics: boolean
}

/** The next theme version when something in it differs from the newest one, and its activation when that is asked for. */
export function planVersion(
  remote: RemoteTheme | undefined,
  { activate, notes, graphicsChange, hasGraphics }: Asked,
): Step[] {
  if (!hasGraphics) return []
  const newest = remote?.latest?.version ?? 0
  if (graphicsChange || !pinsLatest(remote))
    return [
      {
        change: {
          action: 'publish',
          kind: 'themeVersion',
          name: String(newest + 1),
          ...(activate && { changed: ['activeVersion'] }),
        },
        async run(session) {
          const body = { activate, ...(notes !== undefined && { notes }), ...sinceTheme(session) }
          const path = `/v2/themes/${session.themeId}/versions`
          remember(session, await session.api.write('POST', path, body, PublishedThemeAnswer))
        },
      },
    ]
  if (!activate || remote?.theme.activeVersion === newest) return []
  return [
    {
      change: { action: 'activate', kind: 'themeVersion', name: String(newest) },
      async run(session) {
        const path = `/v2/themes/${session.themeId}/versions/${newest}/activate`
        remember(session, await session.api.write('POST', path, sinceTheme(session), ActivatedAnswer))
      },
    },
  ]
}

const remember = (session: Session, { updatedAt }: { updatedAt: string }) => {
  session.themeUpdatedAt = updatedAt
}

/** Whether the newest theme version has the latest published version of every graphic. */
function pinsLatest(remote: RemoteTheme | undefined): boolean {
  if (!remote?.latest) return false
  const pinned = new Map(remote.latest.graphics.map(({ graphicId, version }) => [graphicId, version]))
  const published = remote.theme.graphics.filter(({ publishedVersions }) => publishedVersions.length > 0)
  return (
    published.length === pinned.size &&
    published.every(({ graphicId, publishedVersions }) => pinned.get(graphicId) === publishedVersions.at(-1))
  )
}
