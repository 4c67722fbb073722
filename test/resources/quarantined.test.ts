import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { repairActors } from '../../src/actors/repair.ts'
import { createPostgresJournal } from '../../src/store/journal-postgres.ts'
import { matchProjection } from '../../src/store/match-projection.ts'
import { connectDatabase } from '../../src/store/postgres.ts'
import { damaged } from '../support/damaged.ts'
import { Renderer } from '../support/renderer.ts'
import { type Studio, startStudio } from './streams-support.ts'

let studio: Studio

beforeAll(async () => {
  studio = await startStudio()
})
afterAll(() => studio.production.close())

const damage = (ref: string, part: string, value: unknown) =>
  damaged(studio.production.server.database.sql, ref, part, value)

async function repair(ref?: `${string}/${string}`) {
  const { database } = studio.production.server
  const journal = createPostgresJournal({
    connect: () => connectDatabase(database.url, { connections: 1 }).sql,
    sql: database.sql,
    secrets: database.db.secrets,
    projections: [matchProjection],
  })
  const report = await repairActors(journal, ref)
  await journal.close()
  return report
}

const quarantined = async () => {
  const response = await fetch(`${studio.production.server.origin}/readyz`)
  return ((await response.json()) as { quarantined: string[] }).quarantined
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

describe('[live-path 14] an overlay that was repaired', () => {
  it('shows what it was not told meanwhile, and is no longer named', async () => {
    const { production } = studio
    const { call, fire, overlay, matchId, teamIds, server } = production
    const { sql } = server.database
    const ref = `overlay/${overlay.id}`
    const renderer = new Renderer({ url: `${overlay.url.replace('http', 'ws')}/socket` })
    await fire('show', 'Score bug')
    const { graphicId } = production.preset('Score bug')
    const score = () => {
      const data = renderer.shows().get(graphicId)?.data as { match: { score: { home: number } } } | undefined
      return data?.match.score.home
    }
    await renderer.waitFor(() => score() === 0)
    await damage(ref, 'revisions', null)
    await call('POST', `/v2/matches/${matchId}/facts`, { type: 'periodStart' })
    await call('POST', `/v2/matches/${matchId}/facts`, { type: 'goal', teamId: teamIds[0] })
    await expect.poll(quarantined).toEqual([ref])
    expect((await fire('hide', 'Score bug')).status).toBe(503)
    // as after the last of many tries
    await sql`delete from outbox where kind = 'reaction'`
    expect(score()).toBe(0)
    expect(await repair()).toMatchObject({ repaired: [ref], failed: [] })
    await renderer.waitFor(() => score() === 1, 10_000)
    expect(await quarantined()).toEqual([])
    renderer.close()
  })
})
