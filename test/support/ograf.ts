import { strToU8, type Zippable, zipSync } from 'fflate'
import type { TestApp } from './app.ts'

export const SCHEMA = 'https://ograf.ebu.io/v1/specification/json-schemas/graphics/schema.json'

/** A manifest as a designer writes it. */
export const manifest = (more: object = {}) => ({
  $schema: SCHEMA,
  id: 'card',
  name: 'Card',
  main: 'graphic.mjs',
  supportsRealTime: true,
  supportsNonRealTime: false,
  ...more,
})

/**
 * A graphic that writes down what is asked of it: each call is a line of its text, and its ground is green once it plays. `body` of a
 * method may say what else it does.
 */
export const moduleText = (methods: Readonly<Record<string, string>> = {}) => `
export default class extends HTMLElement {
  calls = []
  note(name, params) {
    this.calls.push(name + ' ' + JSON.stringify(params))
    this.textContent = this.calls.join('\\n')
  }
${['load', 'dispose', 'playAction', 'updateAction', 'stopAction', 'customAction']
  .map(
    (name) => `  async ${name}(params) {
    this.note('${name}', params)
    ${methods[name] ?? ''}
  }`,
  )
  .join('\n')}
}
`

/** A zip of files by their names; what is no text or bytes becomes JSON. */
export function zipOf(files: Readonly<Record<string, string | Uint8Array | object>>): Buffer<ArrayBuffer> {
  const parts: Zippable = {}
  for (const [name, content] of Object.entries(files))
    parts[name] =
      content instanceof Uint8Array
        ? content
        : strToU8(typeof content === 'string' ? content : JSON.stringify(content, null, 2))
  return Buffer.from(zipSync(parts, { level: 6 }))
}

/** The zip of one graphic. */
export const cardZip = (more: object = {}, methods: Readonly<Record<string, string>> = {}) =>
  zipOf({ 'card.ograf.json': manifest(more), 'graphic.mjs': moduleText(methods) })

/** The answer of an import, and of one that is refused. */
type Imported = {
  graphics: { graphicId: string; ografId: string; name: string; warnings: string[] }[]
  errors: { file: string; path: string; message: string }[]
}

type Sender = { server: Pick<TestApp, 'origin' | 'call'>; key: string; themeId: number }

/** Sends a zip as the body. */
export async function sendZip({ server, key, themeId }: Sender, zip: Uint8Array<ArrayBuffer>) {
  const response = await fetch(`${server.origin}/rest/v2/themes/${themeId}/ograf/imports`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/zip' },
    body: zip,
  })
  const text = await response.text()
  // as any call of a test: a server that is busy says so, and the test is tried again
  if (response.status >= 500) throw new Error(`${response.status} ${text}`)
  return { status: response.status, body: JSON.parse(text) as Imported }
}

/** Imports a zip and publishes its graphics and a theme version with them; answers the ids of the graphics. */
export async function onTheme(by: Sender, zip: Uint8Array<ArrayBuffer>): Promise<string[]> {
  const { server, key, themeId } = by
  const imported = await sendZip(by, zip)
  if (imported.status !== 201) throw new Error(JSON.stringify(imported.body))
  const ids: string[] = imported.body.graphics.map(({ graphicId }) => graphicId)
  for (const id of ids) await server.call('POST', `/v2/themes/${themeId}/ograf-graphics/${id}/publish`, { key })
  const { status, body } = await server.call('POST', `/v2/themes/${themeId}/versions`, {
    key,
    body: { activate: true },
  })
  if (status >= 300) throw new Error(JSON.stringify(body))
  return ids
}
