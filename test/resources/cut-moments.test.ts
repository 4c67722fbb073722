import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newAnimator } from './motion-graphics-support.ts'
import { type Production, startProduction } from './support.ts'
import { updatedAtOf } from './themes-support.ts'

let production: Production
beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.close())

/** As a type of dates without microseconds writes it. */
const cut = (moment: string) => new Date(moment).toISOString()
/** A moment that no clock of this machine reaches: each write is as little later than the last as writes ever are. */
const LATER = '2077-01-01T00:00:00.123456Z'
const changed = { status: 409, body: { code: 'TARGET_CHANGED' } }

type Target = {
  table: string
  id: number | string
  /** Where its `updatedAt` is read. */
  read: string
  write(ifUnchangedSince: string): Promise<{ status: number; body: object }>
}

async function targets(): Promise<Target[]> {
  const { call, themeId, competitionId, themeProfileId, controlRoomId, presets } = production
  const room = `/v2/control-rooms/${controlRoomId}`
  const preset = presets[0]?.id ?? 0
  const templates = `/v2/themes/${themeId}/data-source-templates`
  const made = await call('POST', templates, { alias: 'cut', sourceType: 'csv', shape: 'rows', sample: 'a\n1\n' })
  const theme = `/v2/themes/${themeId}`
  const profile = `/v2/competitions/${competitionId}/theme-profiles/${themeProfileId}`
  const patch = (path: string, body: (round: number) => object) =>
    (() => {
      let round = 0
      return (ifUnchangedSince: string) => call('PATCH', path, { ...body(round++), ifUnchangedSince })
    })()
  return [
    { table: 'theme', id: themeId, read: theme, write: patch(theme, (round) => ({ name: `Theme ${round}` })) },
    {
      table: 'theme_profile',
      id: themeProfileId,
      read: profile,
      write: patch(profile, (round) => ({ name: `Profile ${round}` })),
    },
    {
      table: 'control_room',
      id: controlRoomId,
      read: room,
      write: patch(room, (round) => ({ name: `Room ${round}` })),
    },
    {
      table: 'preset',
      id: preset,
      read: `${room}/presets/${preset}`,
      write: patch(`${room}/presets/${preset}`, (round) => ({ name: `Preset ${round}` })),
    },
    {
      table: 'data_source_template',
      id: Number(made.body.id),
      read: `${templates}/${made.body.id}`,
      write: patch(`${templates}/${made.body.id}`, (round) => ({ description: `${round}` })),
    },
  ]
}

it('[Optimistic concurrency] an updatedAt that was cut to milliseconds is the one that was read, of everything in a theme', async () => {
  const { sql } = production.server.database
  for (const { table, id, read, write } of await targets()) {
    const fresh = cut(await updatedAtOf(production, read))
    expect([table, await write(fresh)]).toEqual([table, expect.objectContaining({ status: 200 })])
    // written since, be it in the same moment by a clock that stands still
    expect([table, await write(fresh)]).toMatchObject([table, changed])
    await sql`update ${sql(table)} set updated_at = ${LATER}::text::timestamptz where id = ${id}`
    const before = await updatedAtOf(production, read)
    expect([table, (await write(before)).status]).toEqual([table, 200])
    for (const moment of [before, cut(before)]) expect([table, await write(moment)]).toMatchObject([table, changed])
    // nobody has read it so
    const exact = await updatedAtOf(production, read)
    expect(await write(exact.replace(/...Z$/, '777Z'))).toMatchObject(changed)
    expect((await write(cut(exact))).status).toBe(200)
  }
})

describe('[decisions] a write that is compared with the graphic or its theme', () => {
  it('takes either one cut to milliseconds, and never the one for the other', async () => {
    const ann = await newAnimator(production.server)
    const { sql } = production.server.database
    const { graphicId, updatedAt } = await ann.made('Clock')
    const rename = (ifUnchangedSince: string, name: string) =>
      ann.call('PATCH', ann.pathOf(graphicId), { name, ifUnchangedSince })
    const theme = async () => String((await ann.call('GET', `/v2/themes/${ann.themeId}`)).body.updatedAt)
    const graphic = async () => (await ann.read(graphicId)).updatedAt
    expect((await rename(cut(updatedAt), 'One')).status).toBe(200)
    expect((await rename(cut(await theme()), 'Two')).status).toBe(200)

    // both are written within one millisecond, then the one that was read again
    for (const [round, read, writeBoth] of [
      [3, graphic, async () => rename(await graphic(), 'Three')],
      [4, theme, async () => rename(await theme(), 'Four')],
    ] as const) {
      await sql`update theme set updated_at = ${LATER}::text::timestamptz + make_interval(days => ${round}) where id = ${ann.themeId}`
      await sql`
        update graphic_draft set updated_at = ${LATER}::text::timestamptz + make_interval(days => ${round})
        where graphic_id = ${graphicId}`
      expect((await writeBoth()).status).toBe(200)
      expect(cut(await graphic())).not.toBe(cut(await theme()))
      const known = cut(await read())
      const settled =
        read === graphic
          ? await ann.call('PATCH', ann.pathOf(graphicId, '/settings'), { x: round })
          : await ann.call('PATCH', `/v2/themes/${ann.themeId}`, { name: 'Changed' })
      expect(settled.status).toBe(200)
      expect(await rename(known, 'Late')).toMatchObject(changed)
    }
  })

  it('an upload is compared with the working copy alone', async () => {
    const ann = await newAnimator(production.server)
    const { body } = await ann.call('POST', ann.root, { name: 'Empty' })
    const open = (updatedAt: string) =>
      ann.call('POST', `${ann.root}/uploads`, {
        filename: 'a.riv',
        size: 1,
        sha256: 'a'.repeat(64),
        target: { graphicId: body.graphicId, updatedAt },
      })
    expect((await open(cut(String(body.updatedAt)))).status).toBe(201)
    const at = Date.parse(String(body.updatedAt))
    expect(await open(new Date(at - 1).toISOString())).toMatchObject(changed)
  })
})
