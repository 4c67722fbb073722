import { describe, expect, test } from 'vitest'
import { SPORT_WORDS } from '../../../machines/sports/words.ts'
import { factTypesOf, SPORTS, type SportName } from '../../../machines/sports.ts'
import { sentOf } from '../../../src/pages/dashboard/game-plan/draft.ts'
import { templateOf } from '../../../src/pages/dashboard/game-plan/templates/sports.ts'
import { begun, fittingPreset } from '../../../src/pages/dashboard/game-plan/templates/start-from.ts'
import { periodsOf } from '../../../src/pages/dashboard/game-plan/words.ts'
import { GamePlanReplacement } from '../../../src/resources/game-plans/schema.ts'

const preset = (id: number, name: string, graphicName = 'Lower third') => ({ id, name, graphicName })
const names = (sport: string) => ({ sport, presetName: (id: number) => `Preset ${id}` })

describe('[issue 18.6] plans to begin with', () => {
  test('there is one for each sport', () =>
    expect(Object.keys(SPORTS).map((sport) => templateOf(sport as SportName).length > 4)).not.toContain(false))

  test.each(Object.keys(SPORTS) as SportName[])(
    '%s: facts and periods are those of the sport, and the shape is that of a plan',
    (sport) => {
      const types = new Set(factTypesOf(sport))
      const periods = new Set(periodsOf(sport).map(({ number }) => number))
      for (const { trigger, what } of templateOf(sport)) {
        if (trigger.type === 'fact') for (const type of trigger.factTypes) expect(types, what).toContain(type)
        if (trigger.type === 'period' && trigger.number !== undefined) expect(periods, what).toContain(trigger.number)
      }
      const rules = templateOf(sport).map((rule) => sentOf({ ...begun(rule, [], names(sport)), presetId: 1 }))
      expect(GamePlanReplacement.parse({ rules }).rules).toHaveLength(templateOf(sport).length)
      expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length)
      expect(templateOf(sport).map(({ what }) => what)).toEqual(
        expect.arrayContaining(['Score bug', SPORT_WORDS[sport].result, 'Sponsor']),
      )
    },
  )

  test('a preset is found by its name, else by the words of it, else by a graphic of which there is one', () => {
    const room = [preset(1, 'Big goal scorer card'), preset(2, 'goal-scorer'), preset(3, 'Bug', 'Score bug')]
    expect(fittingPreset(['Goal scorer'], room)?.id).toBe(2)
    expect(fittingPreset(['Scorer card'], room)?.id).toBe(1)
    expect(fittingPreset(['Score bug'], room)?.id).toBe(3)
    expect(fittingPreset(['Line-up home'], [preset(4, 'Home lineup')])?.id).toBe(4)
  })

  test('nothing is made up: one of several presets of a graphic is none, and a gap is told', () => {
    const room = [preset(1, 'Commentator'), preset(2, 'Head coach')]
    expect(fittingPreset(['Lower third'], room)).toBeUndefined()
    expect(fittingPreset(['Sub'], [preset(1, 'Subtitle')])).toBeUndefined()
    const [, , , scorer] = templateOf('football')
    if (!scorer) throw new Error('no goal scorer')
    expect(begun(scorer, room, names('football'))).toMatchObject({ presetId: null, wanted: 'Goal scorer' })
  })

  const room = [
    ['Score bug', 'Score bug'],
    ['Goal scorer', 'Lower third'],
    ['Home line-up', 'Line-up card'],
    ['Away line-up', 'Line-up card'],
    ['Full-time result', 'Result card'],
    ['Half-time score', 'Result card'],
    ['Match partner', 'Sponsor card'],
  ].map(([name = '', graphicName], index) => preset(index + 1, name, graphicName))
  const begunIn = (sport: SportName) =>
    templateOf(sport).map((rule) =>
      begun(rule, room, { sport, presetName: (id) => room.find((one) => one.id === id)?.name }, (id) =>
        room[id - 1]?.graphicName === 'Result card' ? [{ name: 'headline', type: 'string' }] : [],
      ),
    )

  test('[issue 18.6] a line-up comes only where somebody has told one', () => {
    expect(begunIn('basketball').filter(({ name }) => name.includes('line-up'))).toMatchObject([
      { condition: 'lineups.home.players.size() > 0' },
      { condition: 'lineups.away.players.size() > 0' },
    ])
  })

  test('[issue 18.6] each sport has its own words, also where the presets are called as in football', () => {
    const basketball = begunIn('basketball')
    expect(basketball.find(({ trigger }) => trigger.type === 'state' && trigger.state === 'finished')).toMatchObject({
      name: 'Final score when the match is over',
      presetId: 5,
      variableValues: { headline: 'Final score' },
    })
    expect(basketball.find(({ wanted }) => wanted === 'Quarter score')).toMatchObject({
      name: 'Quarter score at the end of any quarter',
      presetId: 6,
      variableValues: { headline: { expression: '"End of " + period.name' } },
    })
    expect(basketball.find(({ wanted }) => wanted === 'Half-time score')?.variableValues).toBeUndefined()
    for (const sport of ['basketball', 'cricket', 'tennis', 'volleyball', 'baseball', 'iceHockey'] as const)
      for (const rule of begunIn(sport)) {
        expect(rule.name).not.toMatch(/full.time|kick/i)
        if (sport !== 'iceHockey') expect(rule.name).not.toMatch(/goal/i)
      }
    for (const sport of ['cricket', 'tennis', 'volleyball', 'baseball', 'iceHockey'] as const)
      for (const rule of begunIn(sport)) expect(rule.name).not.toMatch(/half.time/i)
    expect(begunIn('football').find(({ wanted }) => wanted === 'Full-time result')).not.toHaveProperty('variableValues')
  })

  test('a card about somebody follows the fact, so that a correction changes it', () => {
    const [, , , scorer] = templateOf('football')
    if (!scorer) throw new Error('no goal scorer')
    const variables = [
      { name: 'title', type: 'string' },
      { name: 'who', type: 'player' },
    ]
    const rule = begun(scorer, [preset(7, 'Goal scorer')], names('football'), () => variables)
    expect(rule).toMatchObject({ presetId: 7, variableValues: { who: { expression: 'fact.playerId' } } })
  })
})
