import { members, nullable, number, oneOf, optional, type Shape, scalar, table, text } from '../shape.ts'

export type Value = string | number | boolean | null
export type Values = Record<string, Value>

/** A graphic as shown: everything a renderer, an update and a hide need to know without another read. */
export type Shown = {
  graphicId: string
  graphicName: string
  kind: 'code' | 'rive'
  /** Published version of the graphic. */
  version: number
  /** Path of the bundle's entry or of the motion file, from the root of the host. */
  url: string
  themeId: number
  themeVersion: number
  roomId: number
  sectionId: string
  presetId: number
  values: Values
  /** The graphic goes off air by itself so long after its show; left out: it stays. show-control: Commands */
  durationSeconds?: number
  /** The play of the game plan that shows it; left out: somebody did by hand. */
  play?: number
  /** Of each variable whose value is a brand, the sponsor slot that it was chosen from, null when it was named. game-plan: Brands and sponsor slots */
  ads?: Ads
}

export type Ads = Readonly<Record<string, string | null>>

/** A graphic on air. `loadSeq` is the seq of its show, `seq` that of its latest load or update. */
export type OnAir = Shown & { loadSeq: number; seq: number }

export type Overlay = {
  /** Keyed by graphicId. */
  graphics: Record<string, OnAir>
  /** Revision of each live source that was last announced to renderers. */
  revisions: Record<string, number>
}

export const overlayShape: Shape<Overlay> = members({
  graphics: table(
    members<OnAir>({
      loadSeq: number,
      seq: number,
      graphicId: text,
      graphicName: text,
      kind: oneOf('code', 'rive'),
      version: number,
      url: text,
      themeId: number,
      themeVersion: number,
      roomId: number,
      sectionId: text,
      presetId: number,
      values: table(scalar),
      durationSeconds: optional(number),
      play: optional(number),
      ads: optional(table(nullable(text))),
    }),
  ),
  revisions: table(number),
})
