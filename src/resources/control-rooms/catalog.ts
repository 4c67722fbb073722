import type { Shown, Values } from '../../../machines/overlay.ts'

type MaybePromise<T> = T | Promise<T>

/** What a command on an overlay needs to know about it. */
export type OverlayCard = {
  id: number
  organizationId: number
  matchId: number
  sport: string
  roomId: number | null
  themeId: number | null
}

export type PresetCard = {
  id: number
  roomId: number
  sectionId: string
  graphicId: string
  values: Values
}

/** A control variable of a published graphic. */
export type Variable = {
  name: string
  type: string
  options?: readonly string[]
  defaultValue?: string | number | boolean | null
}

/** One graphic as a theme version pins it. */
export type PinnedGraphic = Pick<
  Shown,
  'graphicId' | 'graphicName' | 'kind' | 'version' | 'url' | 'themeId' | 'themeVersion'
> & {
  variables: ReadonlyMap<string, Variable>
}

/**
 * What `show` resolves against, cached in memory. Answers synchronously when warm; a miss reads the database; changes
 * invalidate through LISTEN, and while LISTEN is down nothing cached is trusted.
 */
export interface Catalog {
  /** Undefined when there is none. Not scoped: the caller compares the organization. */
  overlay(overlayId: number): MaybePromise<OverlayCard | undefined>
  preset(presetId: number): MaybePromise<PresetCard | undefined>
  /** The graphics of the active version of a theme, by graphicId; empty when none is active. */
  active(themeId: number): MaybePromise<ReadonlyMap<string, PinnedGraphic>>
  /** The graphics of a given (immutable) version, by graphicId. */
  pinned(themeId: number, version: number): MaybePromise<ReadonlyMap<string, PinnedGraphic>>
}
