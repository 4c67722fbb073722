import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Shown } from '../../machines/overlay/model.ts'
import type { GraphicData } from '../../src/demo/graphics/data.ts'
import { createLiveData, liveData } from '../../src/resources/matches/live-data.ts'
import { Renderer } from '../support/renderer.ts'
import { type Production, produce, startProduction } from './support.ts'

let production: Production

beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.close())

/** A production of its own on the same server. */
const fresh = () => produce(production.server)
type Own = Awaited<ReturnType<typeof fresh>>

/** One renderer of an overlay with the frames it got. */
function look(own: Own) {
  const frames: { type: string; payload: { graphicId: string; seq: number; data?: Partial<GraphicData> } }[] = []
  const renderer = new Renderer({
    url: `${own.overlay.url.replace('http', 'ws')}/socket`,
    onFrame: (text) => void frames.push(JSON.parse(text)),
  })
  onTestFinished(() => renderer.close())
  const of = (presetName: string) => renderer.shows().get(own.preset(presetName).graphicId)
  const data = (presetName = 'Score bug') => of(presetName)?.data as Partial<GraphicData> | undefined
  return { renderer, frames, of, data }
}

const record = async (own: Own, fact: object) => {
  const { status, body } = await own.call('POST', `/v2/matches/${own.matchId}/facts`, fact)
  expect([200, 201], JSON.stringify(body)).toContain(status)
  return body as { id: number }
}

const scoreOf = (seen: ReturnType<typeof look>) => {
  const { home, away } = seen.data()?.match?.score ?? { home: -1, away: -1 }
  return `${home}-${away}`
}

describe('[live-path 14] a fact reaches every renderer', () => {
  it('recorded, corrected and erased: two renderers follow, their seqs only rise, who joins late sees the same', async () => {
    const own = await fresh()
    const [first, second] = [look(own), look(own)]
    await own.fire('show', 'Score bug')
    await own.fire('show', 'Full-time result')
    for (const { renderer, data } of [first, second])
      await renderer.waitFor(() => data()?.match?.state === 'scheduled' && data('Full-time result') !== undefined)
    const [home = 0, away = 0] = own.teamIds
    const playerId = own.playerIds[home]?.[10]
    await record(own, { type: 'periodStart' })
    const goal = await record(own, { type: 'goal', teamId: home, playerId })
    const both = async (score: string) => {
      for (const seen of [first, second]) await seen.renderer.waitFor(() => scoreOf(seen) === score)
    }
    await both('1-0')
    expect(first.data()?.match).toMatchObject({
      state: 'live',
      period: { name: '1st half', endMs: 2_700_000 },
      clock: { running: true },
    })
    expect(first.data('Full-time result')?.facts?.at(-1)).toMatchObject({
      type: 'goal',
      side: 'home',
      playerName: 'Ståhlberg',
    })
    await record(own, { type: 'ownGoal', teamId: home })
    await both('1-1')
    await own.call('POST', `/v2/matches/${own.matchId}/facts/${goal.id}`, { teamId: away, playerId: null })
    await both('0-2')
    await own.call('DELETE', `/v2/matches/${own.matchId}/facts/${goal.id}`)
    await both('0-1')
    const late = look(own)
    await late.renderer.waitFor(() => scoreOf(late) === '0-1' && late.data('Full-time result') !== undefined)
    for (const preset of ['Score bug', 'Full-time result']) {
      expect(late.of(preset)).toEqual(first.of(preset))
      expect(second.of(preset)).toEqual(first.of(preset))
    }
    for (const { frames } of [first, second]) {
      const seqs = frames
        .filter(({ payload }) => payload.graphicId === own.preset('Score bug').graphicId)
        .map(({ payload }) => payload.seq)
      expect(seqs).toEqual([...seqs].sort((one, other) => one - other))
      // the score bug never asked for facts
      expect(
        frames.some(({ payload }) => payload.graphicId === own.preset('Score bug').graphicId && payload.data?.facts),
      ).toBe(false)
    }
  })

  it('a show that follows a fact carries what the fact made, whatever was held before', async () => {
    const own = await fresh()
    const seen = look(own)
    const loads = () => seen.frames.filter(({ type }) => type === 'LOAD_GRAPHIC')
    await own.fire('show', 'Score bug')
    await seen.renderer.waitFor(() => seen.data() !== undefined)
    await own.fire('hide', 'Score bug')
    await record(own, { type: 'periodStart' })
    for (let goals = 1; goals <= 10; goals++) {
      await own.fire('show', 'Score bug')
      await own.fire('hide', 'Score bug')
      await record(own, { type: 'goal', teamId: own.teamIds[1] })
      // its frames may come after the answers of all three
      await seen.renderer.waitFor(() => loads().length === 2 * goals && seen.data() === undefined)
      const firedAt = performance.now()
      const { body } = await own.fire('show', 'Score bug')
      expect(body.overlayId).toBe(own.overlay.id)
      await seen.renderer.waitFor(() => scoreOf(seen) === `0-${goals}`)
      const loaded = loads().at(-1)
      // only a read of over a second lets a show go on with what was held
      if (performance.now() - firedAt < 1_000)
        expect(loaded?.payload.data?.match?.score).toMatchObject({ home: 0, away: goals })
      await own.fire('hide', 'Score bug')
      await seen.renderer.waitFor(() => seen.data() === undefined)
    }
  })

  it('records that it shows reach it without a reload: team, player, venue, competition, line-up, match', async () => {
    const own = await fresh()
    const seen = look(own)
    await own.fire('show', 'Full-time result')
    await own.fire('show', 'Home line-up')
    const [home = 0] = own.teamIds
    const playerId = own.playerIds[home]?.[0] ?? 0
    const change = async (
      method: string,
      path: string,
      body: object,
      holds: (card: Partial<GraphicData>, lineUp: Partial<GraphicData>) => boolean,
    ) => {
      const answer = await own.call(method, path, body)
      expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBe(200)
      await seen.renderer.waitFor(() => {
        const [card, lineUp] = [seen.data('Full-time result'), seen.data('Home line-up')]
        return card !== undefined && lineUp !== undefined && holds(card, lineUp)
      })
    }
    await change(
      'PATCH',
      `/v1/teams/${home}`,
      { abbreviation: 'NRV' },
      ({ teams }) => teams?.home?.abbreviation === 'NRV',
    )
    await change(
      'PATCH',
      `/v1/teams/${home}`,
      { nonPlayerStaff: [{ firstName: 'Ines', lastName: 'Falk', role: 'assistantManager' }] },
      (_, { teams }) => teams?.home?.coach === 'Ines Falk',
    )
    await change(
      'PATCH',
      `/v1/venues/${own.venueId}`,
      { gfxName: 'Harbour Arena' },
      ({ match }) => match?.venue?.name === 'Harbour Arena',
    )
    await change(
      'PATCH',
      `/v1/competitions/${own.competitionId}`,
      { gfxName: 'Coast League' },
      ({ match }) => match?.competition.gfxName === 'Coast League',
    )
    await change(
      'PATCH',
      `/v1/teams/${home}/players/${playerId}`,
      { lastName: 'Okafor' },
      (_, { lineups }) => lineups?.home.players.some(({ lastName }) => lastName === 'Okafor') ?? false,
    )
    await change(
      'POST',
      `/v2/matches/${own.matchId}`,
      { round: 'Round 15' },
      ({ match }) => match?.round === 'Round 15',
    )
    await change(
      'PUT',
      `/v2/matches/${own.matchId}/lineup`,
      { teams: [{ teamId: home, players: [{ playerId, starting: true, number: '07' }] }] },
      (_, { lineups }) => lineups?.home.players.length === 1 && lineups.home.players[0]?.number === '07',
    )
  })
})

describe('[live-path 22] under an encoding delay', () => {
  it('a fact is seen that much later, and a clock that runs is late by it', async () => {
    const own = await fresh()
    const patched = await own.call('PATCH', `/v1/overlays/${own.overlay.id}`, { encodingDelay: 2 })
    expect(patched.status).toBe(200)
    const seen = look(own)
    await own.fire('show', 'Score bug')
    await seen.renderer.waitFor(() => seen.data() !== undefined, 10_000)
    const before = Date.now()
    await record(own, { type: 'periodStart' })
    await seen.renderer.waitFor(() => seen.data()?.match?.clock.running === true, 10_000)
    expect(Date.now() - before).toBeGreaterThan(1_900)
    const { body } = await own.call('GET', `/v2/matches/${own.matchId}`)
    const { asOf } = (body as unknown as GraphicData['match']).clock
    expect(Date.parse(seen.data()?.match?.clock.asOf ?? '') - Date.parse(asOf)).toBe(2_000)
    await own.call('PATCH', `/v1/overlays/${own.overlay.id}`, { encodingDelay: 0 })
    await seen.renderer.waitFor(() => seen.data()?.match?.clock.asOf === asOf, 10_000)
  })
})

describe('[live-path 13] data.selected', () => {
  const types = ['match', 'team', 'player', 'fact', 'period', 'set', 'round', 'court', 'stat', 'teamStat'] as const

  it('has what the value of each entity variable names, and refuses what the match does not have', async () => {
    const own = await fresh()
    const { sql } = production.server.database
    const { graphicId } = own.preset('Match partner')
    const variables = types.map((type) => ({ id: type, name: type, type }))
    await sql`update graphic_version set state_machine = jsonb_set(state_machine, '{controlVariables}', ${sql.json(variables)})
      where graphic_id = ${graphicId}`
    await sql`update venue set courts = '{Pitch 1,Pitch 2}' where id = ${own.venueId}`
    await sql`select pg_notify('catalog', ${JSON.stringify({ theme: own.themeId })})`
    const [home = 0] = own.teamIds
    const playerId = own.playerIds[home]?.[10] ?? 0
    await record(own, { type: 'periodStart' })
    const { id: fact } = await record(own, { type: 'goal', teamId: home, playerId })
    const values = {
      match: own.matchId,
      team: home,
      player: playerId,
      fact,
      period: 1,
      set: 1,
      round: 'Round 14',
      court: 2,
      stat: 'goals',
      teamStat: 'goals',
    }
    const seen = look(own)
    await expect.poll(async () => (await own.fire('show', 'Match partner', values)).status).toBe(200)
    await seen.renderer.waitFor(() => seen.data('Match partner') !== undefined)
    const goals = {
      name: 'goals',
      home: 1,
      away: 0,
      players: [{ playerId, playerName: 'Ståhlberg', side: 'home', value: 1 }],
    }
    expect(seen.data('Match partner')).toMatchObject({
      selected: {
        match: { id: own.matchId, score: { home: 1, away: 0 } },
        team: { id: home, coach: 'Astrid Holmgren' },
        player: { id: playerId, number: '9', starting: true },
        fact: { id: fact, type: 'goal', playerName: 'Ståhlberg' },
        period: { number: 1, name: '1st half', home: 1 },
        set: { number: 1 },
        round: { name: 'Round 14' },
        court: { name: 'Pitch 2' },
        stat: goals,
        teamStat: goals,
      },
    })
    for (const bad of [
      { fact: fact + 1_000_000 },
      { stat: 'tries' },
      { team: production.teamIds[0] },
      { match: production.matchId },
    ]) {
      const refused = await own.fire('show', 'Match partner', bad)
      expect([refused.status, Object.keys(refused.body.details as object)]).toEqual([
        400,
        [`body.variableValues.${Object.keys(bad)[0]}`],
      ])
    }
    await own.call('DELETE', `/v2/matches/${own.matchId}/facts/${fact}`)
    await seen.renderer.waitFor(() => JSON.stringify(seen.data('Match partner')).includes('"home":0,"away":0'))
    expect((seen.data('Match partner') as { selected: object }).selected).not.toHaveProperty('fact')
  })
})

describe('the cache of live data', () => {
  const silent = { listen: async () => {}, onUp: () => {}, onDown: () => {}, isUp: () => true }

  /** A cache over the server's database that counts what it asks. */
  async function counted() {
    const { sql } = production.server.database
    let queries = 0
    let gone = false
    const counting = new Proxy(sql, {
      apply(target, self, given: unknown[]) {
        if (gone) return Promise.reject(new Error('CONNECTION_CLOSED'))
        // a fragment has no await of its own, so only whole statements are told by their first word
        if (/^\s*select/.test(String((given[0] as readonly string[] | undefined)?.[0] ?? ''))) queries++
        return Reflect.apply(target, self, given)
      },
    })
    const card = {
      id: production.overlay.id,
      organizationId: production.organizationId,
      matchId: production.matchId,
      sport: 'football',
      roomId: null,
      themeId: production.themeId,
      profileId: production.themeProfileId,
      competitionId: 1,
      adType: null,
      automatic: false,
      tokens: { key: '', monitoring: '', control: '' },
    }
    const cache = await createLiveData({
      sql: counting,
      catalog: { overlay: () => card, brands: () => new Map(), forget: () => {} },
      notifications: silent,
      log: { warn() {} },
      publicUrl: () => production.server.origin,
    })
    const goAway = () => {
      gone = true
    }
    return { cache, queries: () => queries, goAway }
  }

  it('[P8] a database that goes away is heard of by who asked, and by nobody else', async () => {
    const { cache, goAway } = await counted()
    const unheard: unknown[] = []
    const hear = (error: unknown) => void unheard.push(error)
    process.on('unhandledRejection', hear)
    onTestFinished(() => void process.off('unhandledRejection', hear))
    goAway()
    await expect(cache.live(production.overlay.id, 0)).rejects.toThrow('CONNECTION_CLOSED')
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(unheard).toEqual([])
  })

  it('reads once for all who ask, answers at once when warm, and says what an uncached read says', async () => {
    const { cache, queries } = await counted()
    const asked = await Promise.all(Array.from({ length: 50 }, () => cache.live(production.overlay.id, 0)))
    const once = queries()
    expect(once).toBeLessThan(16)
    expect(new Set(asked.map(({ data }) => data)).size).toBe(1)
    const warm = cache.live(production.overlay.id, 0)
    expect(warm).not.toBeInstanceOf(Promise)
    expect(queries()).toBe(once)
    const anew = await liveData(production.server.database.sql, production.server.origin, production.overlay.id)
    expect((await warm).data).toEqual(anew.data)
    expect((await warm).themeVariables).toEqual(anew.themeVariables)
    const graphic = { graphicId: production.preset('Score bug').graphicId, version: 1 } as Shown
    expect((await warm).schemas?.(graphic)).toEqual(['match', 'teams', 'competitors'])
  })

  it('a change of the design drops what overlays wear, and reads no match anew', async () => {
    const { cache, queries } = await counted()
    const { data } = await cache.live(production.overlay.id, 0)
    const known = queries()
    for (const kind of ['theme', 'theme-style', 'theme-profile', 'graphic', 'control-room']) {
      cache.changed(`${kind}/1`, production.organizationId)
      expect((await cache.live(production.overlay.id, 0)).data).toBe(data)
    }
    expect(queries()).toBe(known + 10)
  })

  it('a change drops what is held of its match or organization and nothing else; who reads meanwhile is not kept', async () => {
    const { cache, queries } = await counted()
    const { matchId, organizationId } = production
    const warm = async () => {
      await cache.live(production.overlay.id, 0)
      return queries()
    }
    let known = await warm()
    cache.changed(`match/${matchId + 1}`)
    cache.changed('team/1', organizationId + 1)
    expect(await warm()).toBe(known)
    for (const [ref, organization] of [[`match/${matchId}`], ['team/1', organizationId]] as const) {
      cache.changed(ref, organization)
      expect(await warm()).toBeGreaterThan(known)
      known = queries()
    }
    cache.changed(`match/${matchId}`)
    const reading = cache.live(production.overlay.id, 0)
    cache.changed(`match/${matchId}`)
    const after = cache.live(production.overlay.id, 0)
    expect(await after).not.toBe(await reading)
    expect((await after).data).not.toBe((await reading).data)
    expect((await cache.live(production.overlay.id, 0)).data).toBe((await after).data)
  })
})
