import type { OnAir } from '../../machines/overlay.ts'
import type { Live } from './ports.ts'

/** Live data as JSON text: its large parts are serialized once, however many frames carry them. */
export type LiveText = {
  themeVariables: string
  data(graphic: OnAir): string
  /** The part of `data` that depends on the graphic's values; the same text means the same data. */
  selected(graphic: OnAir): string
}

export const noLive: LiveText = { themeVariables: '{}', data: () => 'null', selected: () => '' }

export function liveText(live: Live): LiveText {
  const themeVariables = JSON.stringify(live.themeVariables)
  if (live.data === undefined) return { themeVariables, data: () => 'null', selected: () => '' }
  const sections = new Map<string, string>()
  for (const [name, section] of Object.entries(live.data)) {
    const text = JSON.stringify(section)
    if (text !== undefined) sections.set(name, `${JSON.stringify(name)}:${text}`)
  }
  const all = [...sections.values()].join(',')
  // graphics of one theme ask for few different sets
  const chosen = new Map<string, string>()
  const choose = (schemas: readonly string[] | undefined): string => {
    if (!schemas) return all
    const key = schemas.join()
    const known = chosen.get(key)
    if (known !== undefined) return known
    const text = schemas.flatMap((name) => sections.get(name) ?? []).join(',')
    chosen.set(key, text)
    return text
  }
  const selected = (graphic: OnAir) => {
    const records = live.selected?.(graphic)
    return records ? `"selected":${JSON.stringify(records)}` : ''
  }
  const data = (graphic: OnAir) => {
    const [parts, records] = [choose(live.schemas?.(graphic)), selected(graphic)]
    return `{${parts}${parts && records ? ',' : ''}${records}}`
  }
  return { themeVariables, data, selected }
}

/** LOAD_GRAPHIC, JSON text. `url` becomes absolute. */
export function loadFrame(graphic: OnAir, sport: string, live: LiveText, publicUrl: string): string {
  const { graphicId, graphicName, kind, version, url, presetId, values: variableValues, seq } = graphic
  const head = { graphicId, graphicName, kind, version, url: publicUrl + url, presetId, sport, seq, variableValues }
  const texts = `,"themeVariables":${live.themeVariables},"data":${live.data(graphic)}`
  return `{"type":"LOAD_GRAPHIC","payload":${JSON.stringify(head).slice(0, -1)}${texts}}}`
}

/** Which sets of a graphic a GRAPHIC_UPDATE carries. */
export type Sets = { values?: boolean; theme?: LiveText; data?: LiveText }

/** GRAPHIC_UPDATE of a graphic on air with the sets that changed, JSON text. */
export function updateFrame(graphic: OnAir, sport: string, sets: Sets): string {
  const { graphicId, presetId, values: variableValues, seq } = graphic
  const head = { graphicId, onAir: true, sport, seq }
  let text = JSON.stringify(sets.values ? { presetId, variableValues, ...head } : head).slice(0, -1)
  if (sets.theme) text += `,"themeVariables":${sets.theme.themeVariables}`
  if (sets.data) text += `,"data":${sets.data.data(graphic)}`
  return `{"type":"GRAPHIC_UPDATE","payload":${text}}}`
}

/** GRAPHIC_UPDATE that takes a graphic off, JSON text. */
export const goneFrame = (graphicId: string, sport: string, seq: number) =>
  `{"type":"GRAPHIC_UPDATE","payload":${JSON.stringify({ graphicId, onAir: false, sport, seq })}}`
