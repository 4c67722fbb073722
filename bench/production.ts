import type { Trigger } from './samples.ts'
import type { Server } from './server.ts'
import { createTarget, type Target } from './target.ts'

type Preset = { id: number; graphicId: string; graphicName: string; exposedVariables: string[] }

type Demo = {
  apiKey: string
  matchId: number
  themeProfileId: number
  controlRoomId: number
  presets: Preset[]
  overlay: { id: number; key: string }
}

const mostTriggers = 2

/** JSON over REST with a key; the answer's body has the type that the caller knows. */
export async function rest<T>(url: string, apiKey: string, method: string, path: string, body?: unknown) {
  const response = await fetch(`${url.replace(/\/$/, '')}/rest${path}`, {
    method,
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    text,
    json: (response.ok && text !== '' ? JSON.parse(text) : undefined) as T | undefined,
  }
}

/** The overlays of `produceOverlays`. */
export type Production = { apiKey: string; overlays: { id: number; key: string }[]; triggers: Trigger[] }

export async function produce(server: Server, overlayCount: number): Promise<Target> {
  return createTarget({ name: 'Tally', url: server.url, ...(await produceOverlays(server, overlayCount)) })
}

/** A demo organization with this many overlays of its match, and presets that take a marked value. */
export async function produceOverlays(
  server: Pick<Server, 'url' | 'admin'>,
  overlayCount: number,
): Promise<Production> {
  const demo = (await server.admin('demo', '--name', 'Bench')) as Demo
  const overlays = [demo.overlay]
  while (overlays.length < overlayCount) {
    const { text, json } = await rest<{ id: number; key: string }>(server.url, demo.apiKey, 'POST', '/v1/overlays', {
      name: `Bench overlay ${overlays.length + 1}`,
      matchId: demo.matchId,
      // a plan would look at each command
      autoMode: false,
      adType: 'noBrands',
      encodingDelay: 0,
      competitionThemeSettingId: demo.themeProfileId,
      controlRoomId: demo.controlRoomId,
    })
    if (!json) throw new Error(`an overlay was refused: ${text}`)
    overlays.push(json)
  }
  const triggers = await findTriggers(server.url, demo.apiKey, demo.overlay.id, demo.presets)
  return { apiKey: demo.apiKey, overlays, triggers }
}

/** Presets with an exposed variable that takes a number or any text: found by asking, at most three. Leaves them on air. */
export async function findTriggers(
  url: string,
  apiKey: string,
  overlayId: number | string,
  presets: readonly Preset[],
): Promise<Trigger[]> {
  const triggers: Trigger[] = []
  let refusal = 'the room has no preset with exposed variables'
  const path = `/v2/overlays/${overlayId}/control-room/graphics`
  const asked = presets.flatMap(({ exposedVariables, ...preset }) =>
    exposedVariables.flatMap((variable) => [false, true].map((asText) => ({ ...preset, variable, asText }))),
  )
  for (const { id: presetId, graphicId, variable, asText } of asked) {
    if (triggers.length >= mostTriggers || triggers.some((found) => found.graphicId === graphicId)) continue
    const variableValues = { [variable]: asText ? '1000000000' : 1_000_000_000 }
    const { status, text } = await rest(url, apiKey, 'POST', path, { action: 'show', presetId, variableValues })
    if (status === 200) triggers.push({ presetId, graphicId, variable, asText })
    else refusal = text
  }
  if (triggers.length === 0) throw new Error(`no preset takes a marked value: ${refusal}`)
  return triggers
}
