import { type MaybePromise, whenKnown } from '../../catalog/cache.ts'
import type { NameKind, PinnedGraphic } from '../../catalog/cards.ts'
import type { Catalog } from '../../catalog/catalog.ts'

/**
 * Makes the lookup of the graphics that a page of an overlay mounts before they are shown, by one of the overlay's names: those of
 * the active version of its theme. Undefined when no overlay has the name. Warm, it asks the database nothing: ten thousand
 * pages ask once a minute.
 */
export function createPreloads(
  catalog: Pick<Catalog, 'named' | 'active'>,
): (by: NameKind, name: string) => MaybePromise<readonly PinnedGraphic[] | undefined> {
  const graphicsOf = (themeId: number | null) =>
    themeId === null ? [] : whenKnown(catalog.active(themeId), (graphics) => [...graphics.values()])
  return (by, name) =>
    whenKnown(catalog.named(by, name), (overlay) => (overlay ? graphicsOf(overlay.themeId) : undefined))
}
