import { mkdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { removeDataDir, startServer, temporaryDataDir } from '../../bench/server.ts'
import { giveCluster } from '../support/data-dir.ts'
import { quickPlace } from '../support/quick-place.ts'
import { fewAtATime } from './few-at-a-time.ts'

type Demo = { apiKey: string; matchId: number; teamIds: [number, number] }

const Answer = z.looseObject({
  id: z.number().default(0),
  total: z.number().optional(),
  facts: z.array(z.looseObject({ id: z.number() })).default([]),
})

test('P1 P4: kill -9 while facts come in loses none that was answered, and sending all again records each once', async () => {
  const dataDir = temporaryDataDir(quickPlace())
  mkdirSync(dataDir)
  giveCluster(dataDir)
  const settings = { MEDIA_ENGINE: 'off' }
  let server = await startServer(dataDir, { settings })
  onTestFinished(async () => {
    await server.stop()
    removeDataDir(dataDir)
  })
  const { port } = server
  const demo = (await server.admin('demo', '--name', 'Facts')) as Demo
  const path = `/rest/v2/matches/${demo.matchId}`
  const call = async (method: string, below: string, body?: object) => {
    try {
      const response = await fetch(`http://127.0.0.1:${port}${path}${below}`, {
        method,
        headers: { Authorization: `Bearer ${demo.apiKey}`, 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(5_000),
      })
      return { status: response.status, body: Answer.parse(await response.json()) }
    } catch {
      return { status: 0, body: Answer.parse({}) }
    }
  }
  expect((await call('POST', '/facts', { type: 'periodStart' })).status).toBe(201)
  const goals = Array.from({ length: 150 }, (_, n) => ({
    clientFactId: `goal-${n}`,
    teamId: demo.teamIds[n % 2],
    id: 0,
  }))
  const send = ({ clientFactId, teamId }: (typeof goals)[number]) =>
    call('POST', '/facts', { type: 'goal', clientFactId, teamId })
  const sent = fewAtATime(goals, 10, async (goal) => {
    const { status, body } = await send(goal)
    if (status === 201) goal.id = body.id
  })
  await sent.half
  await server.kill()
  await sent.all
  const answered = goals.filter(({ id }) => id > 0)
  expect(answered.length).toBeGreaterThan(70)
  expect(answered.length).toBeLessThan(goals.length)
  server = await startServer(dataDir, { port, settings })
  const kept = new Set((await call('GET', '/facts?limit=1000')).body.facts.map(({ id }) => id))
  expect(answered.filter(({ id }) => !kept.has(id))).toEqual([])
  for (const goal of goals) {
    const { status, body } = await send(goal)
    expect(goal.id > 0 ? [status, body.id] : [200, 201].includes(status)).toEqual(goal.id > 0 ? [200, goal.id] : true)
  }
  const { body: list } = await call('GET', '/facts?limit=1000')
  expect(list.total).toBe(goals.length + 1)
  const { body: match } = await call('GET', '?include=f')
  expect(match.score).toMatchObject({ home: 75, away: 75, periods: [{ home: 75, away: 75 }] })
  expect(match.facts).toEqual(list.facts)
})
