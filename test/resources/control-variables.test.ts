import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ControlVariableType } from '../../src/resources/code-graphics/schema.ts'
import { Renderer } from '../support/renderer.ts'
import { type Production, startProduction } from './support.ts'

type Described = { type: string; schema: object; selected?: object }

let production: Production
let described: Described[]

const TYPES = ControlVariableType.options
const OPTIONS = ['left', 'right']
const GRAPHIC = 'Match partner'

beforeAll(async () => {
  production = await startProduction()
  const { sql } = production.server.database
  const variables = TYPES.map((type) => ({ id: type, name: type, type, ...(type === 'enum' && { options: OPTIONS }) }))
  await sql`update graphic_version set state_machine = ${sql.json({ controlVariables: variables })}
    where graphic_id = ${production.preset(GRAPHIC).graphicId}`
  await sql`update preset set variable_values = '{}' where id = ${production.preset(GRAPHIC).id}`
  await sql`select pg_notify('catalog', ${JSON.stringify({ theme: production.themeId })}),
    pg_notify('catalog', ${JSON.stringify({ room: production.controlRoomId })})`
  const { body } = await production.call('GET', '/v2/schemas/control-variables?sport=football')
  described = body.types as Described[]
})
afterAll(() => production.close())

const validator = (schema: object) =>
  new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false }).compile(schema)

const schemaOf = (type: string) => described.find((one) => one.type === type)

describe('GET /v2/schemas/control-variables', () => {
  it('[op: schemas] has the 14 types of the specification and brands, and the record for those that name one', () => {
    expect(described.map(({ type }) => type)).toEqual([...TYPES])
    expect(described).toHaveLength(15)
    const plain = described.filter(({ selected }) => !selected).map(({ type }) => type)
    expect(plain).toEqual(['string', 'number', 'boolean', 'enum'])
  })

  const VALUES = [
    null,
    true,
    false,
    'text',
    '',
    'left',
    'Centre',
    'goals',
    0,
    1,
    7,
    -1,
    1.5,
    2_147_483_647,
    2_147_483_648,
  ]

  it.each(TYPES)('[op: schemas] a show accepts for %s what its schema accepts', async (type) => {
    const accepts = validator(schemaOf(type)?.schema ?? {})
    for (const value of VALUES) {
      const { status, body } = await production.fire('show', GRAPHIC, { [type]: value })
      const said = (body.details as Record<string, { message: string }> | undefined)?.[`body.variableValues.${type}`]
      // the form is right, but the match has no such record
      const taken = status === 200 || /^not (a|the) /.test(said?.message ?? '')
      const isOption = type !== 'enum' || value === null || OPTIONS.includes(String(value))
      expect([type, value, taken]).toEqual([type, value, accepts(value) && isOption])
    }
  })

  it('[live-path 13] what a graphic is given as data.selected is as described, in this sport and in any', async () => {
    const { body: fact } = await production.call('POST', `/v2/matches/${production.matchId}/facts`, {
      type: 'matchStart',
    })
    const changed = [
      await production.call('POST', `/v2/matches/${production.matchId}`, { round: 'Round 7' }),
      await production.call('PATCH', `/v1/venues/${production.venueId}`, { courts: ['Centre', 'North'] }),
    ]
    expect(changed.map(({ status, body }) => [status, body.details])).toEqual([
      [200, undefined],
      [200, undefined],
    ])
    const playerIds = Object.values(production.playerIds).flat()
    const { body: brand } = await production.call('POST', '/v2/brands', { name: 'Fjordline' })
    await production.call('PATCH', `/v1/overlays/${production.overlay.id}`, { adType: 'brands' })
    const values = {
      team: production.teamIds[0],
      player: playerIds[0],
      match: production.matchId,
      fact: fact.id,
      period: 1,
      set: 1,
      round: 7,
      court: 'North',
      stat: 1,
      teamStat: 1,
      ad: brand.id,
    }
    const { renderer, selected } = rendering()
    expect((await production.fire('show', GRAPHIC, values)).status).toBe(200)
    await renderer.waitFor(() => renderer.shows().size > 0)
    await expect.poll(() => Object.keys(selected())).toEqual(expect.arrayContaining(Object.keys(values)))
    const any = (await production.call('GET', '/v2/schemas/control-variables')).body.types as Described[]
    for (const { type, selected: record } of [...described, ...any]) {
      if (!record) continue
      const validate = validator(record)
      expect([type, validate(selected()[type]), validate.errors ?? null]).toEqual([type, true, null])
      expect([type, validate({})]).toEqual([type, false])
    }
  })

  it('[domain 5.11] an unknown sport answers 400 naming it', async () => {
    const { status, body } = await production.call('GET', '/v2/schemas/control-variables?sport=chess')
    expect([status, Object.keys(body.details as object)]).toEqual([400, ['query.sport']])
  })
})

function rendering() {
  const { key } = production.overlay
  const renderer = new Renderer({ url: `ws://127.0.0.1:${production.server.port}/overlay/${key}/socket` })
  onTestFinished(() => renderer.close())
  const selected = (): Record<string, unknown> => {
    const data = renderer.shows().get(production.preset(GRAPHIC).graphicId)?.data
    return (data as { selected?: Record<string, unknown> } | undefined)?.selected ?? {}
  }
  return { renderer, selected }
}
