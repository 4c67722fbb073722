import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { asyncapi } from '../../src/realtime/asyncapi.ts'
import { liveMessages } from '../../src/realtime/followers/live-protocol.ts'
import { Studio, settle } from '../support/studio.ts'

type Json = Record<string, unknown>

const document: Json = JSON.parse(
  JSON.stringify(asyncapi({ publicUrl: 'https://tally.example/live', version: '1.2.3' })),
)

const at = (pointer: string) =>
  pointer
    .slice(2)
    .split('/')
    .reduce<unknown>((value, name) => (value as Json | undefined)?.[name], document)

const refsIn = (value: unknown): string[] =>
  value === null || typeof value !== 'object'
    ? []
    : Object.entries(value).flatMap(([name, item]) => (name === '$ref' ? [String(item)] : refsIn(item)))

/** Holds a message against the payload of its type in the document. */
function validatorOf(type: string) {
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const text = JSON.stringify(at(`#/components/messages/${type}/payload`))
  return ajv.compile({ ...JSON.parse(text), components: document.components })
}

describe('asyncapi.json', () => {
  test('[issue 6.2] it is a valid AsyncAPI 3 document', () => {
    const schema = createRequire(import.meta.url)('@asyncapi/specs/schemas/3.0.0-without-$id.json')
    const ajv = new Ajv({ strict: false, allErrors: true, logger: false, validateFormats: false })
    const valid = ajv.compile(schema)
    valid(document)
    expect(valid.errors).toBeNull()
    expect(valid({ ...document, channels: { overlay: { address: 5 } } })).toBe(false)
  })

  test('[issue 6.2] every reference leads somewhere, and it names this server', () => {
    const refs = refsIn(document)
    expect(refs.length).toBeGreaterThan(50)
    for (const ref of refs) expect([ref, at(ref)]).toEqual([ref, expect.anything()])
    expect(document.servers).toMatchObject({
      main: { host: 'tally.example', protocol: 'wss', pathname: '/live' },
    })
    expect(document.info).toMatchObject({ version: '1.2.3' })
  })

  test('[issue 6.2] it describes every message of the server, and what is sent fits it', async () => {
    const studio = new Studio()
    studio.plan = {
      ...{ overlayId: 1, autoMode: true, paused: false, next: [], recent: [] },
      layers: [{ layer: 'third', heldBy: 'anna', running: null, queued: [{ ruleId: 'goal', name: 'Goal' }] }],
    }
    const socket = await studio.upgrade('/monitor/{token}/socket', { token: 'monitoring-1' })
    await settle()
    const { socket: renderer } = await studio.render(1)
    studio.names = () => ({ player: 'Ingrid Berg' })
    const preview = await studio.render(1, undefined, 'bus=preview&problems=1')
    preview.socket.problems({ graphicId: 'a', graphicName: 'A', message: 'no font' })
    studio.show(1, 'a', { name: 'Ada', player: 38 })
    renderer.painted('a', 1)
    studio.clock.advance(200)
    await settle()
    studio.update(1, 'a', { name: 'Grace' })
    studio.command(1, { type: 'refresh', revisions: { 'match/1': 2 } })
    studio.command(1, { type: 'hideAll' })
    studio.setDelay(1, 3)
    studio.hub.followings.roomChanged({ room: 1 })
    studio.match = {
      ...{ id: 1, name: 'A v B', sport: 'football', state: 'live', period: null, clock: null },
      competitors: [{ name: 'A', shortName: 'A', isHome: true, score: 1, color: null }],
    }
    studio.hub.followings.recordChanged('match/1')
    await settle()
    studio.clock.advance(4_000)
    const frames = [...(socket?.frames ?? []), ...renderer.frames].map((text) => JSON.parse(text))
    for (const frame of frames) {
      const validate = validatorOf(frame.type)
      validate(frame)
      expect([frame.type, validate.errors]).toEqual([frame.type, null])
      expect(validate({ ...frame, payload: undefined })).toBe(false)
    }
    const types = new Set(frames.map(({ type }) => type))
    for (const type of Object.keys(liveMessages)) expect([...types]).toContain(type)
  })
})
