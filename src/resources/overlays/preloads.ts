import { createCache, type MaybePromise, whenKnown } from '../cache.ts'
import type { Catalog, OverlayCard, PinnedGraphic } from '../control-rooms/catalog.ts'

const MAX_OVERLAYS = 20_000

/** Which of its unguessable names says which overlay is meant. */
type NameKind = keyof OverlayCard['tokens']

// a UUID may be written in capitals
const spelled = (by: NameKind, name: string) => (by === 'key' ? name.toLowerCase() : name)

/**
 * Makes the lookup of the graphics that a page of an overlay mounts before they are shown, by one of the overlay's names: those of
 * the active version of its theme. Undefined when no overlay has the name. Warm, it asks the database nothing: ten thousand
 * pages ask once a minute.
 */
export function createPreloads(
  catalog: Pick<Catalog, 'overlay' | 'active'>,
  find: (by: NameKind, name: string) => Promise<number | undefined>,
): (by: NameKind, name: string) => MaybePromise<readonly PinnedGraphic[] | undefined> {
  const caches = {
    key: createCache<string, number>(MAX_OVERLAYS, (name) => find('key', name)),
    monitoring: createCache<string, number>(MAX_OVERLAYS, (name) => find('monitoring', name)),
    control: createCache<string, number>(MAX_OVERLAYS, (name) => find('control', name)),
  }
  // a name is never given to another overlay, and the catalog knows whether this one still has it
  for (const cache of Object.values(caches)) cache.trust(true)
  const graphicsOf = (themeId: number | null) =>
    themeId === null ? [] : whenKnown(catalog.active(themeId), (graphics) => [...graphics.values()])
  return (by, name) =>
    whenKnown(caches[by].get(name), (overlayId) =>
      overlayId === undefined
        ? undefined
        : whenKnown(catalog.overlay(overlayId), (card) =>
            card && spelled(by, name) === card.tokens[by] ? graphicsOf(card.themeId) : undefined,
          ),
    )
}
