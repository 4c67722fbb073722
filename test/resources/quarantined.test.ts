import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Studio, startStudio } from './streams-support.ts'

let studio: Studio

beforeAll(async () => {
  studio = await startStudio()
})
afterAll(() => studio.production.close())

/** Puts something else in the place of a part of a stored state, as if another had written it; answers what was there. */
async function damage(ref: string, part: string, value: unknown) {
  const { sql } = studio.production.server.database
  const [stored] = await sql`select snapshot::text as snapshot from actor where ref = ${ref}`
  await sql`
    update actor set epoch = epoch + 1, snapshot = jsonb_set(snapshot::jsonb, ${['context', part]}::text[],
      ${JSON.stringify(value)}::text::jsonb)::json where ref = ${ref}`
  return async () => {
    await sql`update actor set epoch = epoch + 1, snapshot = ${stored?.snapshot}::text::json where ref = ${ref}`
  }
}

describe('[live-path 9] while the stored state of an actor cannot be read', () => {
  it('lists go on, and its stream says what is the matter', async () => {
    const { production, stream, read } = studio
    const [broken, sound] = [await stream(), await stream()]
    const { destinationId } = { destinationId: await studio.destination(broken) }
    await studio.post(`/v1/streams/${broken}/start`)
    const mend = await damage(`stream/${broken}`, 'publishing', 7)
    const said = { id: broken, state: 'error', lastError: 'its stored state cannot be read, and waits for a repair' }
    expect(await read(`/v1/streams/${broken}`)).toMatchObject(said)
    const listed = (await read('/v1/streams')).streams as { id: number }[]
    expect(listed.filter(({ id }) => id === broken || id === sound)).toMatchObject([said, { id: sound, state: 'idle' }])
    expect(await read(`/v2/matches/${production.matchId}?include=s`)).toMatchObject({ id: production.matchId })
    expect(await read(`/v1/streams/${broken}/destinations`)).toMatchObject({ destinations: [{ id: destinationId }] })
    await mend()
  })

  it('facts of other matches are read, and versions of themes are made', async () => {
    const { production, read } = studio
    const { themeId, matchId, overlay, call } = production
    const mend = [await damage(`match/${matchId}`, 'facts', 7), await damage(`overlay/${overlay.id}`, 'graphics', 7)]
    expect(await read('/v2/matches?include=f')).toMatchObject({ matches: [{ id: matchId, facts: [] }] })
    expect((await call('POST', `/v2/themes/${themeId}/versions`, { dryRun: true })).status).toBe(200)
    for (const each of mend) await each()
  })
})
