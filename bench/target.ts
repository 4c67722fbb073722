import { originOf } from './connection.ts'
import { markerBase, type Trigger } from './samples.ts'

/** A server to measure, with the overlays and presets to fire there. */
export type Target = {
  name: string
  url: string
  overlays: readonly { id: number | string; key: string }[]
  triggers: readonly Trigger[]
  /** The request that shows a trigger on an overlay, both by index; `number` is the text that renderers will recognize. */
  request(overlay: number, trigger: number, number: number): Post
  /** The same as the bytes of HTTP/1.1, with further header lines that each end in CRLF. */
  raw(overlay: number, trigger: number, number: number, extra?: string): string
}

export type Post = { path: string; headers: Record<string, string>; body: string }

export function createTarget(of: Pick<Target, 'name' | 'url' | 'overlays' | 'triggers'> & { apiKey: string }): Target {
  const { host, port } = originOf(of.url)
  const { pathname } = new URL(of.url)
  const base = `${pathname.replace(/\/$/, '')}/rest/v2/overlays`
  const headers = { Authorization: `Bearer ${of.apiKey}`, 'Content-Type': 'application/json' }
  const bodies = of.triggers.map(({ presetId, variable, asText }) => {
    const [head = '', tail = ''] = JSON.stringify({
      action: 'show',
      presetId,
      variableValues: { [variable]: asText ? '@' : '@@' },
    }).split(asText ? '@' : '"@@"')
    return { head, tail, length: Buffer.byteLength(head) + Buffer.byteLength(tail) + 10 }
  })
  const path = (overlay: number) => `${base}/${of.overlays[overlay]?.id}/control-room/graphics`
  const body = (trigger: number, number: number) =>
    `${bodies[trigger]?.head}${markerBase + number}${bodies[trigger]?.tail}`
  const heads = of.overlays.map(
    (_, i) =>
      `POST ${path(i)} HTTP/1.1\r\nHost: ${host}:${port}\r\nAuthorization: ${headers.Authorization}\r\nContent-Type: application/json\r\n`,
  )
  return {
    ...of,
    request: (overlay, trigger, number) => ({ path: path(overlay), headers, body: body(trigger, number) }),
    raw: (overlay, trigger, number, extra = '') =>
      `${heads[overlay]}${extra}Content-Length: ${bodies[trigger]?.length}\r\n\r\n${body(trigger, number)}`,
  }
}
