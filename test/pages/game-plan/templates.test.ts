import { describe, expect, test } from 'vitest'
import { factTypesOf, SPORTS, type SportName } from '../../../machines/sports.ts'
import { sentOf } from '../../../src/pages/dashboard/game-plan/draft.ts'
import { TEMPLATES } from '../../../src/pages/dashboard/game-plan/templates/sports.ts'
import { begun, fittingPreset } from '../../../src/pages/dashboard/game-plan/templates/start-from.ts'
import { periodsOf } from '../../../src/pages/dashboard/game-plan/words.ts'
import { GamePlanReplacement } from '../../../src/resources/game-plans/schema.ts'

const preset = (id: number, name: string, graphicName = 'Lower third') => ({ id, name, graphicName })
const names = (sport: string) => ({ sport, presetName: (id: number) => `Preset ${id}` })

describe('[issue 18.6] plans to begin with', () => {
  test('there is one for each sport', () => expect(Object.keys(TEMPLATES).sort()).toEqual(Object.keys(SPORTS).sort()))

  test.each(Object.keys(TEMPLATES) as SportName[])(
    '%s: facts and periods are those of the sport, and the shape is that of a plan',
    (sport) => {
      const types = new Set(factTypesOf(sport))
      const periods = new Set(periodsOf(sport).map(({ number }) => number))
      for (const { trigger, what } of TEMPLATES[sport]) {
        if (trigger.type === 'fact') for (const type of trigger.factTypes) expect(types, what).toContain(type)
        if (trigger.type === 'period' && trigger.number !== undefined) expect(periods, what).toContain(trigger.number)
      }
      const rules = TEMPLATES[sport].map((rule) => sentOf({ ...begun(rule, [], names(sport)), presetId: 1 }))
      expect(GamePlanReplacement.parse({ rules }).rules).toHaveLength(TEMPLATES[sport].length)
      expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length)
      expect(TEMPLATES[sport].map(({ what }) => what)).toEqual(
        expect.arrayContaining(['Score bug', 'Full-time result', 'Sponsor']),
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
    const [, , , scorer] = TEMPLATES.football
    if (!scorer) throw new Error('no goal scorer')
    expect(begun(scorer, room, names('football'))).toMatchObject({ presetId: null, wanted: 'Goal scorer' })
  })

  test('a card about somebody follows the fact, so that a correction changes it', () => {
    const [, , , scorer] = TEMPLATES.football
    if (!scorer) throw new Error('no goal scorer')
    const variables = [
      { name: 'title', type: 'string' },
      { name: 'who', type: 'player' },
    ]
    const rule = begun(scorer, [preset(7, 'Goal scorer')], names('football'), () => variables)
    expect(rule).toMatchObject({ presetId: 7, variableValues: { who: { expression: 'fact.playerId' } } })
  })
})
