import type { OnAir } from '../../machines/overlay.ts'
import type { Live } from './ports.ts'

/** Live data with its parts turned to JSON text once, however many frames carry them. */
export type LiveText = { themeVariables: string; data(graphic: OnAir): string | undefined; perGraphic: boolean }

export function liveText(live: Live): LiveText {
  const whole = live.dataFor ? undefined : JSON.stringify(live.data)
  return {
    themeVariables: JSON.stringify(live.themeVariables),
    data: (graphic) => (live.dataFor ? JSON.stringify(live.dataFor(graphic)) : whole),
    perGraphic: live.dataFor !== undefined,
  }
}

/** LOAD_GRAPHIC, JSON text. `url` becomes absolute. */
export function loadFrame(graphic: OnAir, sport: string, live: LiveText, publicUrl: string): string {
  const { graphicId, graphicName, kind, version, url, presetId, values, seq } = graphic
  const payload = { graphicId, graphicName, kind, version, url: publicUrl + url, presetId, sport, seq }
  return frame('LOAD_GRAPHIC', payload, {
    variableValues: JSON.stringify(values),
    themeVariables: live.themeVariables,
    data: live.data(graphic) ?? 'null',
  })
}

type Sets = { values?: boolean; theme?: LiveText; data?: LiveText }

/** GRAPHIC_UPDATE of a graphic on air with the sets that changed, JSON text. */
export function updateFrame(graphic: OnAir, sport: string, sets: Sets): string {
  const { graphicId, presetId, values, seq } = graphic
  const payload = { graphicId, onAir: true, sport, seq, ...(sets.values ? { presetId, variableValues: values } : {}) }
  return frame('GRAPHIC_UPDATE', payload, {
    themeVariables: sets.theme?.themeVariables,
    data: sets.data?.data(graphic),
  })
}

/** GRAPHIC_UPDATE that takes a graphic off, JSON text. */
export const goneFrame = (graphicId: string, sport: string, seq: number) =>
  frame('GRAPHIC_UPDATE', { graphicId, onAir: false, sport, seq }, {})

// the texts are spliced in as they are: they were serialized once for all frames
function frame(type: string, head: object, texts: Record<string, string | undefined>): string {
  let payload = JSON.stringify(head).slice(0, -1)
  for (const name in texts) if (texts[name] !== undefined) payload += `,"${name}":${texts[name]}`
  return `{"type":"${type}","payload":${payload}}}`
}
