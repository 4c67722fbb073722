import type { Shown, Values } from '../../machines/overlay.ts'

/** Which of an overlay's three unguessable names. */
export type NameKind = 'key' | 'monitoring' | 'control'

/** An overlay as commands on it need to know it. */
export type OverlayCard = {
  id: number
  organizationId: number
  matchId: number
  sport: string
  roomId: number | null
  themeId: number | null
  profileId: number | null
  /** It plays a game plan that has rules. */
  automatic: boolean
  /** The names that open its pages, tokens as their digests; a new one shuts out everybody with the old one. */
  tokens: Readonly<Record<NameKind, string>>
}

export type PresetCard = {
  id: number
  organizationId: number
  roomId: number
  themeId: number
  sectionId: string
  graphicId: string
  values: Values
  /** The variables that its operators may set. */
  exposed: readonly string[]
}

/** The presets of a room in the order operators see them. */
export type RoomCard = { id: number; presets: readonly PresetCard[] }

/** A control variable of a published graphic. */
export type Variable = {
  name: string
  type: string
  options?: readonly string[]
  defaultValue?: string | number | boolean | null
  description?: string
}

/** One graphic as a theme version pins it. */
export type PinnedGraphic = Pick<
  Shown,
  'graphicId' | 'graphicName' | 'kind' | 'version' | 'url' | 'themeId' | 'themeVersion'
> & {
  variables: ReadonlyMap<string, Variable>
}

/** The participants and facts of a match: the ids that control variables of a record type may name. */
export type Members = { teams: ReadonlySet<number>; players: ReadonlySet<number>; facts: ReadonlySet<number> }
