import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../support/app.ts'
import { type Production, produce, startProduction } from './support.ts'
import { type Own, updatedAtOf } from './themes-support.ts'

let production: Production

beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.close())

/** A production whose writers come again when the machine is too busy for them: 503 changes nothing. */
async function patient(): Promise<Own> {
  const own = await produce(production.server)
  const call: Own['call'] = async (...asked) => {
    const answer = await own.call(...asked)
    return answer.status === 503 ? call(...asked) : answer
  }
  return { ...own, call }
}

type Racer = (own: Own, ifUnchangedSince: string, index: number) => Promise<Answer>

const many = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

/** What of a theme and its profile may change only by the write that won. */
async function rowsOf({ server: { database }, themeId, themeProfileId }: Own) {
  const { sql } = database
  const [row] = await sql<
    {
      variables: { id: string }[]
      versions: object[]
      theme: { updated_at: string }
      values: object[]
      journal: number
    }[]
  >`
    select
      (select json_agg(v order by v.id) from theme_variable v where v.theme_id = ${themeId}) as variables,
      (select json_agg(v order by v.version) from theme_version v where v.theme_id = ${themeId}) as versions,
      (select to_json(t) from theme t where t.id = ${themeId}) as theme,
      (select json_agg(v order by v.variable_id) from theme_variable_value v where v.theme_profile_id = ${themeProfileId}) as values,
      (select count(*)::int from journal where ref in (${`theme/${themeId}`}, ${`theme-profile/${themeProfileId}`})) as journal`
  if (!row) throw new Error('no row')
  return row
}

/** Who of 50 won; all others must have been refused. */
function winnerOf(answers: readonly Answer[]) {
  expect(answers.filter(({ status, body }) => status === 409 && body.code === 'TARGET_CHANGED')).toHaveLength(49)
  const winners = answers.filter(({ status }) => status < 300)
  expect(winners).toHaveLength(1)
  return winners[0]?.body ?? {}
}

describe('[Optimistic concurrency] 50 writers with the same ifUnchangedSince', () => {
  const patchVariable: Racer = (own, ifUnchangedSince, index) =>
    own.call('PATCH', `/v2/themes/${own.themeId}/variables/accentColor`, { ifUnchangedSince, description: `${index}` })
  const addVariable: Racer = (own, ifUnchangedSince, index) =>
    own.call('POST', `/v2/themes/${own.themeId}/variables`, { ifUnchangedSince, name: `${index}`, type: 'string' })
  const patchTheme: Racer = (own, ifUnchangedSince, index) =>
    own.call('PATCH', `/v2/themes/${own.themeId}`, { ifUnchangedSince, name: `Racer ${index}` })
  const publish: Racer = (own, ifUnchangedSince) =>
    own.call('POST', `/v2/themes/${own.themeId}/versions`, { ifUnchangedSince, activate: true })
  const all = [patchVariable, addVariable, patchTheme, publish]
  const mixed: Racer = (own, since, index) => (all[index % all.length] ?? patchTheme)(own, since, index)

  it('one wins on a variable, 49 answer 409 TARGET_CHANGED, and nothing else changed', async () => {
    const own = await patient()
    const since = await updatedAtOf(own, `/v2/themes/${own.themeId}`)
    const before = await rowsOf(own)
    const { description, updatedAt } = winnerOf(await many(50, (index) => patchVariable(own, since, index)))
    const { updated_at: _, ...theme } = before.theme
    expect(await rowsOf(own)).toEqual({
      ...before,
      theme: { ...theme, updated_at: expect.any(String) },
      variables: before.variables.map((row) => (row.id === 'accentColor' ? { ...row, description } : row)),
      journal: before.journal + 1,
    })
    expect(updatedAt).toBe(await updatedAtOf(own, `/v2/themes/${own.themeId}`))
  })

  it.each<[string, Racer]>([
    ['new variables', addVariable],
    ['the theme', patchTheme],
    ['its versions', publish],
    ['a mix of all', mixed],
  ])('one wins on %s', async (_, race) => {
    const own = await patient()
    const since = await updatedAtOf(own, `/v2/themes/${own.themeId}`)
    const before = await rowsOf(own)
    const { updatedAt } = winnerOf(await many(50, (index) => race(own, since, index)))
    expect(updatedAt).toBe(await updatedAtOf(own, `/v2/themes/${own.themeId}`))
    const after = await rowsOf(own)
    expect(after.journal).toBe(before.journal + 1)
    const added = after.variables.length - before.variables.length + (after.versions.length - before.versions.length)
    expect(added).toBeLessThanOrEqual(1)
  })

  it('one wins on a theme profile', async () => {
    const own = await patient()
    const path = `/v2/competitions/${own.competitionId}/theme-profiles/${own.themeProfileId}`
    const since = await updatedAtOf(own, path)
    const answers = await many(50, (index) =>
      own.call('PATCH', path, {
        ifUnchangedSince: since,
        themeVariableValues: [{ variableId: 'accentColor', value: `#0000${String(index).padStart(2, '0')}` }],
      }),
    )
    expect((await own.call('GET', path)).body).toEqual(winnerOf(answers))
  })
})

describe('[Optimistic concurrency] updatedAt', () => {
  it('rises strictly with 200 writes in a row, each compared with the one before', async () => {
    const own = await patient()
    const path = `/v2/themes/${own.themeId}/variables/accentColor`
    let last = await updatedAtOf(own, path)
    for (let write = 0; write < 200; write++) {
      const { status, body } = await own.call('PATCH', path, { ifUnchangedSince: last, description: `No. ${write}` })
      expect(status).toBe(200)
      expect(String(body.updatedAt) > last).toBe(true)
      last = String(body.updatedAt)
    }
  })

  it('is another one for each of 200 writes, of variables and of the theme, 20 at a time', async () => {
    const own = await patient()
    const write = (index: number) =>
      index % 2
        ? own.call('PATCH', `/v2/themes/${own.themeId}/variables/accentColor`, { description: `No. ${index}` })
        : own.call('PATCH', `/v2/themes/${own.themeId}`, { name: `No. ${index}` })
    const moments = new Set<string>()
    await many(20, async (writer) => {
      for (let turn = 0; turn < 10; turn++) {
        const { status, body } = await write(writer + turn)
        expect(status).toBe(200)
        moments.add(String(body.updatedAt))
      }
    })
    expect(moments.size).toBe(200)
    expect([...moments].sort().at(-1)).toBe(await updatedAtOf(own, `/v2/themes/${own.themeId}`))
  })

  it('is later than before also when the clock was set back, and a microsecond is told apart', async () => {
    const own = await patient()
    const { sql } = own.server.database
    const path = `/v2/themes/${own.themeId}`
    await sql`update theme set updated_at = '2199-01-01T00:00:00.000007Z'::text::timestamptz where id = ${own.themeId}`
    expect(await updatedAtOf(own, path)).toBe('2199-01-01T00:00:00.000007Z')
    for (const near of ['2199-01-01T00:00:00.000006Z', '2199-01-01T00:00:00.000008Z', '2199-01-01T00:00:00.001Z'])
      expect((await own.call('PATCH', path, { name: 'Near', ifUnchangedSince: near })).status).toBe(409)
    // the same moment, said with another offset
    const same = '2199-01-01T01:00:00.000007+01:00'
    const { body } = await own.call('PATCH', path, { name: 'Same', ifUnchangedSince: same })
    // in a millisecond of its own, an even one as all of themes
    expect(body.updatedAt).toBe('2199-01-01T00:00:00.002000Z')
  })

  it('[contract: bad input] what ISO 8601 can write and PostgreSQL cannot read is compared, too', async () => {
    const own = await patient()
    const path = `/v2/themes/${own.themeId}`
    const { sql } = own.server.database
    await sql`update theme set updated_at = '2199-01-01T00:00:00.000007Z'::text::timestamptz where id = ${own.themeId}`
    const send = (ifUnchangedSince: string) => own.call('PATCH', path, { name: 'Odd', ifUnchangedSince })
    const stale = ['2199-01-01T00:00:00+23:59', '2199-01-01T00:00:00-16:00', `2199-01-01T00:00:00.${'1'.repeat(300)}Z`]
    for (const since of stale) expect((await send(since)).body.code).toBe('TARGET_CHANGED')
    expect((await send('2199-01-01T23:59:00.000007+23:59')).status).toBe(200)
  })
})
