import { afterAll, beforeAll, expect, test } from 'vitest'
import { Api } from '../../bench/api.ts'
import { playFootball } from '../../bench/match-day/football.ts'
import { playTennis } from '../../bench/match-day/tennis.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { seedDemo } from '../support/demo.ts'

let app: TestApp
let api: Api

beforeAll(async () => {
  app = await startApp()
  api = new Api(app.origin, (await seedDemo(app)).apiKey)
})
afterAll(() => app.close())

const silent = () => {}

test('[domain 5.4] a football match over REST ends 3-1 everywhere: both reads, summary, facts and the renderer', async () => {
  expect(await playFootball(api, silent)).toEqual([])
})

test('[domain 5.4] a tennis match over REST ends 6-4, 6-7, 6-3 everywhere, point by point', async () => {
  expect(await playTennis(api, silent)).toEqual([])
})
