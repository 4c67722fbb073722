import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { Renderer } from '../support/renderer.ts'
import { complaints, NOBODY } from './league.ts'
import { type Production, produce, startProduction } from './support.ts'

let production: Production

beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.close())

const fresh = () => produce(production.server)
type Own = Awaited<ReturnType<typeof fresh>>
type Row = { teamId: number; points: number; played: number; position: number; form: string[]; adjustment: number }

const pathOf = ({ competitionId }: Own) => `/v2/competitions/${competitionId}/standings`
const tableOf = async (own: Own) => {
  const { status, body } = await own.call('GET', pathOf(own))
  expect(status, JSON.stringify(body)).toBe(200)
  return body as {
    rows: Row[]
    updatedAt: string
    adjustments: object[]
    rules: { tieBreakers: string[]; points: object }
  }
}
const pointsOf = async (own: Own) =>
  Object.fromEntries((await tableOf(own)).rows.map(({ teamId, points }) => [own.teamIds.indexOf(teamId), points]))

/** A played match of the competition: the home side wins by so many goals, or loses when it is less than 0. */
async function play(own: Own, lead: number) {
  const [homeTeamId = 0, awayTeamId = 0] = own.teamIds
  const { competitionId } = own
  const made = await own.call('POST', '/v2/matches', {
    competitionId,
    date: '2026-11-01T15:00:00Z',
    homeTeamId,
    awayTeamId,
  })
  const path = `/v2/matches/${made.body.id}`
  const fact = async (body: object) => {
    const answer = await own.call('POST', `${path}/facts`, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return Number(answer.body.id)
  }
  await fact({ type: 'matchStart' })
  const goals: number[] = []
  for (let goal = 0; goal < Math.abs(lead); goal++)
    goals.push(await fact({ type: 'goal', teamId: lead > 0 ? homeTeamId : awayTeamId }))
  const end = await fact({ type: 'matchEnd' })
  return { path, goals, end }
}

describe('[show-control] the standings of a competition', () => {
  it('are those of finished matches, and follow a corrected result, a reopened match and a deleted one', async () => {
    const own = await fresh()
    expect(await pointsOf(own)).toEqual({ 0: 0, 1: 0 })
    const before = (await tableOf(own)).updatedAt
    const { path, goals, end } = await play(own, 1)
    expect(await pointsOf(own)).toEqual({ 0: 3, 1: 0 })
    const [row] = (await tableOf(own)).rows
    expect(row).toMatchObject({ position: 1, played: 1, form: ['W'], adjustment: 0 })
    const [away] = own.teamIds.slice(1)
    const moments = [before, (await tableOf(own)).updatedAt]
    expect((await own.call('POST', `${path}/facts/${goals[0]}`, { teamId: away })).status).toBe(200)
    expect(await pointsOf(own)).toEqual({ 0: 0, 1: 3 })
    moments.push((await tableOf(own)).updatedAt)
    expect((await own.call('DELETE', `${path}/facts/${goals[0]}`)).status).toBe(200)
    expect(await pointsOf(own)).toEqual({ 0: 1, 1: 1 })
    expect((await own.call('DELETE', `${path}/facts/${end}`)).status).toBe(200)
    expect(await pointsOf(own)).toEqual({ 0: 0, 1: 0 })
    moments.push((await tableOf(own)).updatedAt)
    expect((await own.call('POST', path, { state: 'finished', score: { home: 5, away: 0 } })).status).toBe(200)
    expect(await pointsOf(own)).toEqual({ 0: 3, 1: 0 })
    moments.push((await tableOf(own)).updatedAt)
    expect((await own.call('DELETE', path)).status).toBe(204)
    expect(await pointsOf(own)).toEqual({ 0: 0, 1: 0 })
    moments.push((await tableOf(own)).updatedAt)
    expect(moments).toEqual([...new Set(moments)].sort())
  })

  it('[Optimistic concurrency] takes rules and adjustments, and refuses those of who has not seen the last change', async () => {
    const own = await fresh()
    await play(own, 2)
    const { updatedAt, rules } = await tableOf(own)
    expect(rules).toMatchObject({
      points: { win: 3, draw: 1, loss: 0 },
      tieBreakers: ['difference', 'for', 'headToHead', 'name'],
    })
    const body = { points: { win: 2, draw: 1, loss: 0.5 }, tieBreakers: ['wins', 'name'] }
    const put = await own.call('PUT', `${pathOf(own)}/rules`, { ...body, ifUnchangedSince: updatedAt })
    expect(put.status, JSON.stringify(put.body)).toBe(200)
    expect(put.body).toMatchObject({ rules: { ...body, bonus: [], groups: [] } })
    expect(await pointsOf(own)).toEqual({ 0: 2, 1: 0.5 })
    const adjustments = [{ teamId: own.teamIds[0], points: -3, reason: 'Fielded a suspended player' }]
    const late = await own.call('PUT', `${pathOf(own)}/adjustments`, { adjustments, ifUnchangedSince: updatedAt })
    expect([late.status, late.body.code]).toEqual([409, 'TARGET_CHANGED'])
    const now = String(put.body.updatedAt)
    const adjusted = await own.call('PUT', `${pathOf(own)}/adjustments`, { adjustments, ifUnchangedSince: now })
    expect(adjusted.body).toMatchObject({ adjustments })
    expect(await pointsOf(own)).toEqual({ 0: -1, 1: 0.5 })
    // a result that came since is a change, too
    await play(own, 1)
    const stale = await own.call('PUT', `${pathOf(own)}/rules`, { ...body, ifUnchangedSince: adjusted.body.updatedAt })
    expect(stale.status).toBe(409)
    const events = await production.server.database.sql`
      select command->>'type' as type from journal where ref = ${`standings/${own.competitionId}`} order by seq`
    expect(events.map((one) => one.type)).toEqual(['replaceRules', 'replaceAdjustments'])
  })

  it('names every bad value', async () => {
    const own = await fresh()
    const [home = 0, away = 0] = own.teamIds
    const rules = (body: object) => own.call('PUT', `${pathOf(own)}/rules`, body)
    const good = { points: { win: 3, draw: 1, loss: 0 }, tieBreakers: ['name'] }
    expect(complaints(await rules({ ...good, tieBreakers: ['luck'] }))).toEqual([400, ['body.tieBreakers[0]']])
    expect(complaints(await rules({ ...good, tieBreakers: ['for', 'for'] }))).toEqual([400, ['body.tieBreakers[1]']])
    expect(complaints(await rules({ tieBreakers: [], points: { win: 3 } }))).toEqual([
      400,
      ['body.points.draw', 'body.points.loss'],
    ])
    const groups = [
      { name: 'A', teamIds: [home, home] },
      { name: 'A', teamIds: [away, NOBODY] },
    ]
    expect(complaints(await rules({ ...good, groups }))).toEqual([
      400,
      ['body.groups[0].teamIds[1]', 'body.groups[1].name', 'body.groups[1].teamIds[1]'],
    ])
    const bonus = [{ type: 'statistic', statistic: 'tries', atLeast: 4, points: 1 }]
    expect(complaints(await rules({ ...good, bonus }))).toEqual([400, ['body.bonus[0].statistic']])
    const adjustments = [
      { teamId: home, points: 1, reason: 'fair play' },
      { teamId: NOBODY, points: 1, reason: 'fair play' },
    ]
    const adjusted = await own.call('PUT', `${pathOf(own)}/adjustments`, { adjustments })
    expect(complaints(adjusted)).toEqual([400, ['body.adjustments[1].teamId']])
    expect((await tableOf(own)).adjustments).toEqual([])
    const foreign = [{ teamId: production.teamIds[0], points: 1, reason: 'not theirs' }]
    expect((await own.call('PUT', `${pathOf(own)}/adjustments`, { adjustments: foreign })).status).toBe(403)
    expect((await own.call('GET', pathOf({ ...own, competitionId: production.competitionId }))).status).toBe(403)
    expect((await own.call('GET', pathOf({ ...own, competitionId: NOBODY }))).status).toBe(404)
  })
})

describe('[show-control] a team that leaves the competition', () => {
  it('leaves its adjustments and groups as well, also when it is deleted', async () => {
    const own = await fresh()
    const [home = 0, away = 0] = own.teamIds
    const make = async (name: string) =>
      Number(
        (await own.call('POST', '/v1/teams', { name, sport: 'football', competitionIds: [own.competitionId] })).body.id,
      )
    const [removed, deleted] = [await make('Leaving Town'), await make('Folded Rovers')]
    const groups = [
      { name: 'A', teamIds: [home, removed] },
      { name: 'B', teamIds: [deleted, away] },
    ]
    const rules = { points: { win: 3, draw: 1, loss: 0 }, tieBreakers: ['name'], groups }
    expect((await own.call('PUT', `${pathOf(own)}/rules`, rules)).status).toBe(200)
    const docked = (teamId: number, points: number) => ({ teamId, points, reason: 'late entry' })
    const adjustments = [docked(removed, -1), docked(home, -2), docked(deleted, -3)]
    expect((await own.call('PUT', `${pathOf(own)}/adjustments`, { adjustments })).status).toBe(200)
    const before = (await tableOf(own)).updatedAt

    const competition = `/v1/competitions/${own.competitionId}`
    expect((await own.call('DELETE', `${competition}/teams/${removed}`)).status).toBe(204)
    const after = await tableOf(own)
    expect(after.updatedAt > before).toBe(true)
    expect(after.adjustments).toEqual([docked(home, -2), docked(deleted, -3)])
    expect((await own.call('DELETE', `/v1/teams/${deleted}`)).status).toBe(204)
    const { adjustments: left, rules: held } = await tableOf(own)
    expect(left).toEqual([docked(home, -2)])
    expect(held).toMatchObject({
      groups: [
        { name: 'A', teamIds: [home] },
        { name: 'B', teamIds: [away] },
      ],
    })
    // what was read can be written back
    expect((await own.call('PUT', `${pathOf(own)}/rules`, held)).status).toBe(200)
    expect((await own.call('PUT', `${pathOf(own)}/adjustments`, { adjustments: left })).status).toBe(200)
  })
})

describe('[show-control] the standings of cricket', () => {
  it('have points for no result, and the net run rate of limited overs', async () => {
    const own = await fresh()
    const call = async (path: string, body: object) => {
      const answer = await own.call('POST', path, body)
      expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
      return Number(answer.body.id)
    }
    const { gradeId } = own
    const league = { name: 'Overs League', sport: 'cricket', age: 'Senior', gender: 'Unknown', gradeId }
    const competitionId = await call('/v1/competitions', league)
    const team = (name: string) => call('/v1/teams', { name, sport: 'cricket', competitionIds: [competitionId] })
    const [homeTeamId, awayTeamId] = [await team('Northern Bats'), await team('Southern Bats')]
    const fixture = (date: string) => call('/v2/matches', { competitionId, homeTeamId, awayTeamId, date })
    const played = await fixture('2026-11-01T10:00:00Z')
    const fact = (body: object) => call(`/v2/matches/${played}/facts`, body)
    const balls = async (teamId: number, type: string, count: number) => {
      for (let ball = 0; ball < count; ball++) await fact({ type, teamId })
    }
    await fact({ type: 'matchStart', teamId: homeTeamId, details: { overs: 1 } })
    await fact({ type: 'periodStart', teamId: homeTeamId, details: { overs: 1 } })
    await balls(homeTeamId, 'four', 6)
    await balls(awayTeamId, 'six', 1)
    await balls(awayTeamId, 'four', 2)
    await fact({ type: 'matchEnd' })
    const abandoned = await fixture('2026-11-02T10:00:00Z')
    const table = async () => {
      const { body } = await own.call('GET', `/v2/competitions/${competitionId}/standings`)
      const rows = body.rows as {
        teamId: number
        played: number
        points: number
        noResult: number
        netRunRate: number
      }[]
      return {
        updatedAt: String(body.updatedAt),
        rows: rows.map((row) => [row.teamId, row.points, row.noResult, row.netRunRate]),
      }
    }
    const before = await table()
    // 24 off one over, against 14 off half of one
    expect(before.rows).toEqual([
      [homeTeamId, 2, 0, -4],
      [awayTeamId, 0, 0, 4],
    ])
    await call(`/v2/matches/${abandoned}/facts`, { type: 'matchStart' })
    await call(`/v2/matches/${abandoned}`, { state: 'abandoned' })
    const after = await table()
    expect(after.rows).toEqual([
      [homeTeamId, 3, 1, -4],
      [awayTeamId, 1, 1, 4],
    ])
    expect(after.updatedAt > before.updatedAt).toBe(true)
    expect((await own.call('DELETE', `/v2/matches/${abandoned}`)).status).toBe(204)
    expect((await table()).rows).toEqual(before.rows)
  })
})

describe('[show-control] data.standings on air', () => {
  it('follows a result of another match of the competition, rules and adjustments, without a reload', async () => {
    const own = await fresh()
    // before anything of the theme is read
    await production.server.database.sql`
      update graphic_version v set state_machine = jsonb_set(v.state_machine::jsonb, '{selectedSchemas}', '["standings"]')
      from graphic g where g.id = v.graphic_id and g.theme_id = ${own.themeId} and v.graphic_id = ${own.preset('Score bug').graphicId}`
    const renderer = new Renderer({ url: `${own.overlay.url.replace('http', 'ws')}/socket` })
    onTestFinished(() => renderer.close())
    await own.fire('show', 'Score bug')
    const { graphicId } = own.preset('Score bug')
    const points = () => {
      const data = renderer.shows().get(graphicId)?.data as { standings?: { rows: Row[] } } | undefined
      return data?.standings?.rows.map((row) => row.points)
    }
    await renderer.waitFor(() => String(points()) === '0,0')
    await play(own, 1)
    await renderer.waitFor(() => String(points()) === '3,0')
    const adjustments = [{ teamId: own.teamIds[0], points: -4, reason: 'Late registration' }]
    await own.call('PUT', `${pathOf(own)}/adjustments`, { adjustments })
    await renderer.waitFor(() => String(points()) === '0,-1')
    await own.call('PUT', `${pathOf(own)}/rules`, { points: { win: 9, draw: 1, loss: 0 }, tieBreakers: [] })
    await renderer.waitFor(() => String(points()) === '5,0')
  })
})
