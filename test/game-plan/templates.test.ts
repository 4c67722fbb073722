import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SPORTS, type SportName } from '../../machines/sports.ts'
import { sentOf } from '../../src/pages/dashboard/game-plan/draft.ts'
import { templateOf } from '../../src/pages/dashboard/game-plan/templates/sports.ts'
import { begun } from '../../src/pages/dashboard/game-plan/templates/start-from.ts'
import { type Production, startProduction } from '../resources/support.ts'

let production: Production
beforeAll(async () => {
  production = await startProduction()
})
afterAll(() => production.close())

describe('[issue 18.6] plans to begin with, as the server judges them', () => {
  test.each(Object.keys(SPORTS) as SportName[])(
    '%s: saved and played on a whole match without a fault',
    async (sport) => {
      const { call, themeId, controlRoomId, presets } = production
      const made = { name: `League of ${sport}`, sport, age: 'Senior', gender: 'Male', gradeId: production.gradeId }
      const competition = (await call('POST', '/v1/competitions', made)).body
      const profiles = `/v2/competitions/${competition.id}/theme-profiles`
      const looks = { themeId, name: 'Looks', defaultControlRoomId: controlRoomId }
      const profile = (await call('POST', profiles, looks)).body
      const plan = `${profiles}/${profile.id}/game-plan`
      const names = { sport, presetName: () => 'Graphic' }
      const rules = templateOf(sport).map((rule, index) => {
        const draft = begun(rule, [], names)
        // each gap is filled with some preset: which one is not the matter here
        return sentOf({
          ...draft,
          name: `${index} ${draft.name}`.slice(0, 80),
          presetId: presets[index % presets.length]?.id ?? null,
        })
      })
      const saved = await call('PUT', plan, { rules })
      expect([saved.status, saved.body.details]).toEqual([200, undefined])
      const scenarios = (await call('GET', `/v2/scenarios?sport=${sport}`)).body.scenarios as {
        id: string
        situation: string
      }[]
      const whole = scenarios.find(({ situation }) => situation === 'finished')
      const played = await call('POST', `${plan}/simulate`, { scenarioId: whole?.id })
      expect([played.status, played.body.details]).toEqual([200, undefined])
      const fired = (played.body.timeline as { outcome: string }[]).filter(({ outcome }) => outcome === 'fired')
      expect(fired.length).toBeGreaterThan(2)
    },
  )
})
