import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { effectiveConfig, sportOf } from '../../machines/sports.ts'
import {
  type CourseButton,
  courseButtons,
  fitBeside,
  notingButtons,
  scoringButtons,
  typeNames,
} from '../../src/pages/desk/buttons.ts'
import { type Desk, type Projected, projected } from '../../src/pages/desk/model.ts'
import type { DeskCommand, Press } from '../../src/pages/desk/press.ts'
import { sidesOf } from '../../src/pages/desk/sides.ts'
import { sideInPlay } from '../../src/pages/desk/situation.ts'
import { SPORTS, type SportKey } from '../../src/schema/sport.ts'
import { type Production, startProduction } from './support.ts'

let production: Production

beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production?.close())

async function create(path: string, body: object) {
  const answer = await production.call('POST', path, body)
  expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
  return answer.body as { id: number; deskUrl: string }
}

/** The desk of a new match of a sport, as the page works with it: its buttons, and a server that takes what they say. */
async function deskOf(sport: SportKey, config: object = {}) {
  const league = await create('/v1/competitions', {
    ...{ name: `${sport} ${randomUUID().slice(0, 8)}`, sport, age: 'Senior', gender: 'Mixed', gradeId: 1 },
  })
  const teams: number[] = []
  for (const name of ['Harbour Town', 'Northern Coast']) {
    const { id } = await create('/v1/teams', { name, sport, competitionIds: [league.id] })
    await production.call('PUT', `/v1/competitions/${league.id}/teams/${id}`, {})
    teams.push(id)
  }
  const [homeTeamId, awayTeamId] = teams
  const { deskUrl } = await create('/v2/matches', {
    ...{ competitionId: league.id, homeTeamId, awayTeamId, date: '2031-05-01T12:00:00Z', config },
  })
  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${deskUrl}/rest${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: await response.json() }
  }
  let order = 0
  // a press each second, from a time that has been
  const from = Date.now() - 3_600_000
  const look = async () => projected((await ask('GET', '/desk')).body as Desk, [])
  return {
    look,
    /** Tells a fact as the page does; the page must have foreseen what the server makes of it. */
    async press(match: Projected, command: DeskCommand): Promise<Projected> {
      if (command.type !== 'record') throw new Error('a button records a fact')
      order++
      const at = from + order * 1_000
      const press: Press = { id: randomUUID(), order, at, local: at, run: 'test', command, tried: false }
      const foreseen = projected(match.desk, [press])
      const { type } = command.fact
      expect([type, foreseen.doubts.get(press.id)]).toEqual([type, undefined])
      const timestamp = new Date(at).toISOString()
      const { status, body } = await ask('POST', '/facts', { timestamp, ...command.fact, clientFactId: press.id })
      expect([type, status], JSON.stringify(body)).toEqual([type, 201])
      const after = await look()
      expect([type, stand(foreseen)]).toEqual([type, stand(after)])
      return after
    },
    /** Takes back the last fact; what is told next shows whether the match is as it was. */
    async undo(match: Projected): Promise<void> {
      const { status } = await ask('DELETE', `/facts/${match.facts.at(-1)?.id}`)
      expect(status).toBe(200)
    },
  }
}

type AtDesk = Awaited<ReturnType<typeof deskOf>>

/** What the page shows before the server has answered; what only this sport has is put in words by the server. */
const stand = ({ play: { state, period, clock, score } }: Projected) => ({
  ...{ state, period, clock },
  score: { ...score, periods: [...score.periods] },
})

const labels = (buttons: readonly CourseButton[]) => buttons.map(({ key }) => key)

/** Each button of the course but one is taken by the server, and can be taken back. */
async function tryCourse(desk: AtDesk, match: Projected, but: string): Promise<void> {
  for (const { key, command } of courseButtons(match))
    if (key !== but) await desk.undo(await desk.press(match, command))
}

describe.each(SPORTS)('[issue 21.1] the desk of %s', (sport) => {
  const { factTypes, periodType, clockStops } = sportOf(sport)
  const { useClock, periodCount } = effectiveConfig(sport, {})

  test('has a button for every fact of the sport, each its own', () => {
    const facts = [...scoringButtons(sport), ...notingButtons(sport)]
    const names = facts.map(({ label }) => label)
    expect(new Set(names).size).toBe(names.length)
    const known = typeNames(sport).filter((type) => !factTypes[type]?.structural || type === 'timeout')
    expect(new Set(facts.map(({ type }) => type))).toEqual(new Set(known))
    expect(scoringButtons(sport).length).toBeGreaterThan(0)
    // small enough for a thumb on both halves of a telephone, or one side at a time
    expect(fitBeside(sport)).toBe(scoringButtons(sport).length <= 5)
  })

  test('tells each fact of either side, which the server takes, and takes it back', async () => {
    const desk = await deskOf(sport)
    let match = await desk.look()
    expect([match.play.state, labels(courseButtons(match))]).toEqual(['scheduled', ['periodStart']])
    const [start] = courseButtons(match)
    if (!start) throw new Error('a match that cannot start')
    match = await desk.press(match, start.command)
    expect([match.play.state, match.play.clock.running]).toEqual(['live', useClock])
    const sides = sidesOf(match)
    expect(sides.map(({ isHome }) => isHome)).toEqual([true, false])
    const buttons = [...scoringButtons(sport), ...notingButtons(sport)]
    // of what is only noted each is told of one side
    for (const [index, { type, points }] of buttons.entries())
      for (const side of factTypes[type]?.scoring ? sides : sides.slice(index % 2, (index % 2) + 1)) {
        const fact = { type, ...side.said, ...(points !== undefined && { points }) }
        const told = await desk.press(match, { type: 'record', fact })
        expect(told.facts.at(-1)).toMatchObject({ type, teamId: side.said.teamId, source: 'app' })
        const known = factTypes[type]
        const worth = typeof known?.points === 'object' ? (points ?? known.points.default ?? 0) : (known?.points ?? 0)
        const scorer = (known?.credit === 'opponent') !== side.isHome ? 'home' : 'away'
        // points of a set are counted in its situation
        if (periodType !== 'set')
          expect([type, told.play.score[scorer] - match.play.score[scorer]]).toEqual([type, worth])
        if (type === 'timeout') expect(told.play.clock.running).toBe(useClock && !clockStops)
        await desk.undo(told)
      }
    const back = await desk.look()
    expect([back.play, back.facts]).toEqual([match.play, match.facts])
  })

  test('goes through the course of a match by its own buttons, each of which the server takes', async () => {
    // two of many innings or sets tell as much as nine
    const most = periodType === 'set' ? 1 : Math.min(periodCount, 4)
    const desk = await deskOf(sport, { periodCount: most, extraTime: false })
    let match = await desk.look()
    const go = async (key: string) => {
      await tryCourse(desk, match, key)
      const button = courseButtons(match).find((one) => one.key === key)
      expect([labels(courseButtons(match)), key]).toEqual([expect.arrayContaining([key]), key])
      if (button) match = await desk.press(match, button.command)
    }
    for (let number = 1; number <= most; number++) {
      await go('periodStart')
      expect(match.play.period).toMatchObject({ number, type: periodType })
      const clocks = labels(courseButtons(match)).filter((key) => key.startsWith('clock'))
      expect(clocks).toEqual(useClock ? ['clockStop'] : [])
      if (useClock) {
        await go('clockStop')
        expect([match.play.clock.running, labels(courseButtons(match))[0]]).toEqual([false, 'clockStart'])
        await go('clockStart')
        expect(match.play.clock.running).toBe(true)
      }
      const [type] = scoringButtons(sport)
      const [home, away] = sidesOf(match)
      const scorer = sideInPlay(match.play.situation) === 'away' ? away : home
      const fact = { type: type?.type ?? '', ...scorer?.said, ...(type?.points !== undefined && { points: 1 }) }
      match = await desk.press(match, { type: 'record', fact })
      // of sets the points say when they are over
      if (periodType === 'set') break
      await go('periodEnd')
      if (number < most) expect([match.play.state, courseButtons(match)[0]?.key]).toEqual(['break', 'periodStart'])
    }
    const last = courseButtons(match).find(({ key }) => key === 'matchEnd')
    // once nothing else may come, it is the next thing
    if (periodType !== 'set') expect(last?.isNext).toBe(true)
    await go('matchEnd')
    expect([match.play.state, labels(courseButtons(match)), match.play.clock.running]).toEqual(['finished', [], false])
  })
})
