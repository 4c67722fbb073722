import { anything, flag, members, nullable, number, oneOf, optional, type Shape, table, text } from '../shape.ts'

export type Scalar = string | number | boolean | null
/** What an operator sets: of an OGraf graphic also lists and objects, whose parts are values again. */
export type Value = Scalar | readonly Value[] | { readonly [name: string]: Value }
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
  /** Left out: it is none of OGraf. A release that does not know this takes it for a code graphic, whose page never answers. */
  ograf?: Ograf
}

/** Where an OGraf graphic stands. integrations: OGraf import */
export type Ograf = {
  /** As its manifest says: 0 plays out by itself, -1 has no known end. */
  stepCount: number
  /** From 0. */
  step: number
  /** How long it plays when it has no steps and no renderer says that it has played, ms. */
  playsForMs?: number
  /** The instance of the OGraf Server API that it is; left out: it was shown by other means. */
  instance?: string
}

/** A graphic that the OGraf Server API has loaded: it may be played until it is cleared. integrations: OGraf Server API */
export type Instance = { id: string; graphic: Shown }

/** The preset of a graphic that was shown without one. */
export const NO_PRESET = 0

/** When a graphic goes off air by itself, ms after its show; undefined: it stays. */
export const offAfterMs = ({ durationSeconds, ograf }: Shown): number | undefined =>
  durationSeconds === undefined ? ograf?.playsForMs : durationSeconds * 1000

/** The kind of a graphic as renderers are told. */
export const kindOf = ({ kind, ograf }: Pick<Shown, 'kind' | 'ograf'>): Shown['kind'] | 'ograf' =>
  ograf ? 'ograf' : kind

export type Ads = Readonly<Record<string, string | null>>

/** A graphic on air. `loadSeq` is the seq of its show, `seq` that of its latest load or update. */
export type OnAir = Shown & {
  loadSeq: number
  seq: number
  /** The seq of its latest show or update; left out: `seq` is, since no live data came after it. */
  setSeq?: number
}

/** Who asked, as the journal names principals. */
export type By = { type: string; id?: number | string; name?: string; overlayId?: number }

/** A command that is carried out at its time. show-control: Commands */
export type Scheduled = {
  /** The seq of the command that scheduled it. */
  id: number
  /** ISO 8601 in UTC. */
  at: string
  action: 'show' | 'hide' | 'take'
  /** Null: a take of all that is on preview, or a graphic by its name. */
  presetId: number | null
  values: Readonly<Record<string, Value | { slot: string }>>
  by: By
  graphicId?: string
  graphicName?: string
  durationSeconds?: number
}

/** An item of a rundown with what of it a command needs to know. `untilNext`: it goes off air when the next one is taken. */
export type RundownItem = { id: string; presetId: number; untilNext: boolean }

/** How far a rundown has come. show-control: Commands */
export type RundownPosition = {
  /** The item that the rundown put on preview last; somebody may have taken it off by hand. Null: that item went on air, or there was none yet. */
  cued: RundownItem | null
  /** The item that went on air last. */
  taken: (RundownItem & { graphicId: string }) | null
  /** The place, from 0, of the item that is cued, or else of the one that comes next: where the rundown goes on when that item is gone. */
  index: number
}

export type Overlay = {
  /** Keyed by graphicId. */
  graphics: Record<string, OnAir>
  /** Revision of each live source that was last announced to renderers. */
  revisions: Record<string, number>
  /** What is on preview, keyed by graphicId: as it goes on air, `seq` is that of its cue. Left out: nothing is. */
  preview?: Record<string, OnAir> | undefined
  /** By id; left out: nothing is. */
  schedule?: Record<string, Scheduled> | undefined
  /** While the overlay rehearses: then nothing is on air, and commands on graphics are about these. */
  rehearsal?: Rehearsal | undefined
  /** Left out: its rundown was never moved. */
  rundown?: RundownPosition | undefined
  /** By id, on air or not; left out: there are none. */
  instances?: Record<string, Instance> | undefined
}

/** What would be on air. `since`: the seq of the command that began it; `rundown`: where it was then, when it was moved before. */
export type Rehearsal = { since: number; graphics: Record<string, OnAir>; rundown?: RundownPosition }

/** The overlay as commands see it: in rehearsal what would be on air is in the place of what is. */
export const staged = (overlay: Overlay): Overlay =>
  overlay.rehearsal === undefined ? overlay : { ...overlay, graphics: overlay.rehearsal.graphics }

/** Any JSON is one. */
const value: Shape<Value> = (given) => anything(given)

const shownMembers = {
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
  values: table(value),
  durationSeconds: optional(number),
  play: optional(number),
  ads: optional(table(nullable(text))),
  ograf: optional(
    members<Ograf>({ stepCount: number, step: number, playsForMs: optional(number), instance: optional(text) }),
  ),
}
const onAir: Shape<OnAir> = members<OnAir>({
  setSeq: optional(number),
  loadSeq: number,
  seq: number,
  ...shownMembers,
})
const instance: Shape<Instance> = members<Instance>({ id: text, graphic: members<Shown>(shownMembers) })

const given: Shape<Value | { slot: string }> = (one) => value(one)
const name: Shape<number | string> = (one) => (text(one) === undefined ? undefined : number(one))

const scheduled: Shape<Scheduled> = members<Scheduled>({
  id: number,
  at: text,
  action: oneOf('show', 'hide', 'take'),
  presetId: nullable(number),
  values: table(given),
  by: members<By>({ type: text, id: optional(name), name: optional(text), overlayId: optional(number) }),
  graphicId: optional(text),
  graphicName: optional(text),
  durationSeconds: optional(number),
})

const itemMembers = { id: text, presetId: number, untilNext: flag }
const rundown: Shape<RundownPosition> = members<RundownPosition>({
  cued: nullable(members<RundownItem>(itemMembers)),
  taken: nullable(members<RundownItem & { graphicId: string }>({ ...itemMembers, graphicId: text })),
  index: number,
})

/** A release that does not know a part takes no notice of it; an overlay that rehearses is in a state that it does not know, and leaves alone. */
export const overlayShape: Shape<Overlay> = members<Overlay>({
  graphics: table(onAir),
  revisions: table(number),
  preview: optional(table(onAir)),
  schedule: optional(table(scheduled)),
  rehearsal: optional(members<Rehearsal>({ since: number, graphics: table(onAir), rundown: optional(rundown) })),
  rundown: optional(rundown),
  instances: optional(table(instance)),
})
