import type { Call, CustomAction } from '../../../machines/overlay/events.ts'
import { kindOf, type OnAir, type Shown } from '../../../machines/overlay/model.ts'
import { asciiJson, type LiveText } from './live-text.ts'

/** What is told as it happens, and not to whoever comes later. */
export type Told = { call?: Call | undefined; skipAnimation?: true | undefined }

/** LOAD_GRAPHIC, JSON text. `url` becomes absolute. */
export function loadFrame(
  graphic: OnAir,
  sport: string,
  live: LiveText,
  publicUrl: string,
  { call, skipAnimation }: Told = NOTHING,
): string {
  const { graphicId, graphicName, version, url, presetId, values: variableValues, seq, ograf } = graphic
  const kind = kindOf(graphic)
  const head = { graphicId, graphicName, kind, version, url: publicUrl + url, presetId, sport, seq, variableValues }
  const { instance } = ograf ?? {}
  const asked = skipAnimation ? { ...head, skipAnimation } : head
  const stepped = ograf ? { ...asked, step: ograf.step, instance, call } : asked
  const texts = `,"themeVariables":${live.themeVariables},"data":${live.data(graphic)}`
  return `{"type":"LOAD_GRAPHIC","payload":${asciiJson(JSON.stringify(stepped)).slice(0, -1)}${texts}}}`
}

const NOTHING: Told = {}

/** Which sets of a graphic a GRAPHIC_UPDATE carries; `theme` and `data` are JSON text. */
export type Sets = {
  values?: boolean
  theme?: string | undefined
  data?: string | undefined
  customAction?: CustomAction | undefined
} & Told

/** GRAPHIC_UPDATE of a graphic on air with the sets that changed, JSON text. */
export function updateFrame(graphic: OnAir, sport: string, sets: Sets): string {
  const { graphicId, presetId, values: variableValues, seq } = graphic
  const { step } = graphic.ograf ?? {}
  const { customAction, call, skipAnimation } = sets
  const plain = { graphicId, onAir: true, sport, seq }
  const common = skipAnimation ? { ...plain, skipAnimation } : plain
  // most are none of OGraf
  const head = step === undefined ? common : { ...common, step, customAction, call }
  let text = asciiJson(JSON.stringify(sets.values ? { presetId, variableValues, ...head } : head)).slice(0, -1)
  if (sets.theme !== undefined) text += `,"themeVariables":${sets.theme}`
  if (sets.data !== undefined) text += `,"data":${sets.data}`
  return `{"type":"GRAPHIC_UPDATE","payload":${text}}}`
}

/** Frames of one command, each saying how many they are: a renderer that knows of it shows them in one picture. live-path 17 */
export const together = (frames: readonly string[]): string[] =>
  frames.map((text) => `${text.slice(0, -2)},"together":${frames.length}}}`)

/** GRAPHIC_UPDATE that takes a graphic off, JSON text. */
export const goneFrame = (graphicId: string, sport: string, seq: number, { call, skipAnimation }: Told = NOTHING) =>
  `{"type":"GRAPHIC_UPDATE","payload":${JSON.stringify({ graphicId, onAir: false, sport, seq, call, skipAnimation })}}`

/** PREPARE_GRAPHIC, JSON text: an instance that is loaded and not on air, as it is now. */
export function prepareFrame(
  { graphicId, graphicName, version, url, values: variableValues }: Shown,
  told: { instance: string; seq: number; sport: string; call: Call; customAction?: CustomAction | undefined },
  publicUrl: string,
): string {
  const payload = { graphicId, graphicName, kind: 'ograf', version, url: publicUrl + url, variableValues, ...told }
  return `{"type":"PREPARE_GRAPHIC","payload":${asciiJson(JSON.stringify(payload))}}`
}
