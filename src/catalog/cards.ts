import type { Shown, Value } from '../../machines/overlay/model.ts'
import type { Gdd } from '../ograf/gdd.ts'

/** Which of an overlay's three unguessable names. */
export type NameKind = 'key' | 'monitoring' | 'control'

/** An overlay as commands on it need to know it. */
export type OverlayCard = {
  id: number
  organizationId: number
  matchId: number
  competitionId: number
  sport: string
  roomId: number | null
  themeId: number | null
  profileId: number | null
  adType: 'free' | 'brands' | 'noBrands' | null
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
  values: Record<string, Value | { slot: string }>
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
  defaultValue?: Value
  description?: string
  /** Of an OGraf graphic: its name for people, which editor it has, and the JSON Schema that values are held against. */
  title?: string
  gddType?: string
  hidden?: true
  schema?: Gdd
}

/** What commands need to know of an OGraf graphic beyond its variables. */
export type OgrafCard = {
  /** Of its manifest. */
  id: string
  stepCount: number
  playsForMs?: number
  realTime: boolean
  /** In the order of the manifest; `schema` is that of the payload, null when there is none. */
  customActions: readonly { id: string; name: string; description?: string; schema: Gdd | null }[]
}

/** One graphic as a theme version pins it. */
export type PinnedGraphic = Pick<
  Shown,
  'graphicId' | 'graphicName' | 'kind' | 'version' | 'url' | 'themeId' | 'themeVersion'
> & {
  variables: ReadonlyMap<string, Variable>
  /** The names of those whose value is a brand; left out when there are none. */
  ads?: readonly string[]
  /** What a renderer must be, as `renderRequirements` of OGraf; left out when it may be any. */
  requirements?: readonly unknown[]
  /** Left out: it is none of OGraf. */
  ograf?: OgrafCard
}

/** The participants and facts of a match: the ids that control variables of a record type may name. */
export type Members = { teams: ReadonlySet<number>; players: ReadonlySet<number>; facts: ReadonlySet<number> }

/** A brand of a sponsor. Times are ms since 1970. */
export type BrandCard = {
  id: number
  name: string
  /** Hash of its picture. */
  logo: string | null
  primaryColor: string
  textColor: string
  tagline: string | null
  from: number | null
  to: number | null
  active: boolean
  house: boolean
}

/** The brands of one organization by id; a new object whenever one of them changes. */
export type Brands = ReadonlyMap<number, BrandCard>

/** A part of a sponsor slot: a brand, and how much of the slot it was promised relative to the others. */
export type SlotBrand = { brandId: number; share: number; side?: 'home' | 'away' }

/** A sponsor slot of a theme profile. game-plan: Brands and sponsor slots */
export type SponsorSlot = { id: string; name: string; brands: readonly SlotBrand[] }

/** The slots of one theme profile by id. */
export type SponsorSlots = ReadonlyMap<string, SponsorSlot>
