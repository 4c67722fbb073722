import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { ServerFrame } from '../../src/realtime/renderers/protocol.ts'
import { putBundle } from '../../src/resources/code-graphics/bundle.commands.ts'
import { createCodeGraphic, publishCodeGraphic } from '../../src/resources/code-graphics/commands.ts'
import type { Answer } from '../support/app.ts'
import { Renderer } from '../support/renderer.ts'
import type { Production } from './support.ts'

export type Own = Omit<Production, 'close'>

const HASH = 'a'.repeat(64)

const contextOf = (own: Own) => own.server.app.systemContext(own.organizationId, 'test')

/** A code graphic with one file and, unless it is a draft, a published version. Answers its id. */
export async function makeGraphic(own: Own, themeId: number, { name = randomUUID() as string, draft = false } = {}) {
  const { graphicId } = await createCodeGraphic(contextOf(own), themeId, { name })
  const files = [{ name: 'index.html', mime: 'text/html', size: 3, hash: HASH }]
  await putBundle(contextOf(own), { themeId, graphicId }, { files }, new Set([HASH]))
  if (!draft) await publishGraphic(own, themeId, graphicId)
  return graphicId
}

/** One more published version of a graphic. */
export const publishGraphic = async (own: Own, themeId: number, graphicId: string) =>
  (await publishCodeGraphic(contextOf(own), themeId, graphicId)).publishedVersion

/** A theme over the API; answers its id. */
export async function makeTheme(own: Own, name = 'Second theme'): Promise<number> {
  const { status, body } = await own.call('POST', '/v2/themes', { name, sports: ['football'] })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return Number(body.id)
}

/** The presets of the production's room that show the graphic of this preset. */
export const graphicOf = (own: Own, presetName: string) => own.preset(presetName).graphicId

export const updatedAtOf = async (own: Own, path: string) => String((await own.call('GET', path)).body.updatedAt)

export const namesOf = (answer: Answer) => [answer.status, Object.keys((answer.body.details ?? {}) as object)]

type Seen = { version: number; url: string; themeVariables: Record<string, unknown>; data: unknown }

/** A renderer on a real socket that also remembers with which version and theme variables each graphic is on screen. */
export function watch(own: Own) {
  const seen = new Map<string, Seen>()
  const frames: ServerFrame[] = []
  const renderer = new Renderer({
    url: `${own.overlay.url.replace('http', 'ws')}/socket`,
    onFrame(text) {
      const frame = ServerFrame.parse(JSON.parse(text))
      frames.push(frame)
      if (frame.type === 'LOAD_GRAPHIC') seen.set(frame.payload.graphicId, frame.payload)
      else if (frame.type === 'GRAPHIC_UPDATE') {
        const { graphicId, onAir, themeVariables } = frame.payload
        const known = seen.get(graphicId)
        if (!onAir) seen.delete(graphicId)
        else if (known && themeVariables) seen.set(graphicId, { ...known, themeVariables })
      }
    },
  })
  onTestFinished(() => renderer.close())
  const of = (presetName: string) => seen.get(graphicOf(own, presetName))
  /** Resolves when this preset's graphic is as wanted. */
  const until = (presetName: string, holds: (graphic: Seen | undefined) => boolean) =>
    renderer.waitFor(() => holds(of(presetName)))
  return { renderer, frames, of, until }
}
