import { createCache, type MaybePromise, whenKnown } from '../cache.ts'
import type { Catalog, PinnedGraphic } from '../control-rooms/catalog.ts'

const MAX_OVERLAYS = 20_000

/**
 * Makes the lookup of the graphics that a page of an overlay mounts before they are shown, by the overlay's key: those of the
 * active version of its theme. Undefined when no overlay has the key. Warm, it asks the database nothing: ten thousand pages
 * ask once a minute.
 */
export function createPreloads(
  catalog: Pick<Catalog, 'overlay' | 'active'>,
  find: (key: string) => Promise<number | undefined>,
): (key: string) => MaybePromise<readonly PinnedGraphic[] | undefined> {
  // a key names the same overlay for as long as there is one, and the catalog knows whether there is
  const overlays = createCache<string, number>(MAX_OVERLAYS, find)
  overlays.trust(true)
  const graphicsOf = (themeId: number | null) =>
    themeId === null ? [] : whenKnown(catalog.active(themeId), (graphics) => [...graphics.values()])
  return (key) =>
    whenKnown(overlays.get(key), (overlayId) =>
      overlayId === undefined
        ? undefined
        : whenKnown(catalog.overlay(overlayId), (card) => card && graphicsOf(card.themeId)),
    )
}
