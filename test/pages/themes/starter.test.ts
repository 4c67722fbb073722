import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SPORTS, type SportName } from '../../../machines/sports.ts'
import { templateOf } from '../../../src/pages/dashboard/game-plan/templates/sports.ts'
import { begun } from '../../../src/pages/dashboard/game-plan/templates/start-from.ts'
import { starterRoom } from '../../../src/pages/dashboard/themes/starter/room.ts'
import { forSport, sportsWithout, starterName } from '../../../src/pages/dashboard/themes/starter/starter.ts'
import { type GivenValue, wrongValue } from '../../../src/resources/control-variables.ts'

type Variable = { name: string; type: string; options?: string[] }
type Graphic = { name: string; stateMachine: { controlVariables: Variable[] } }

const folder = join(import.meta.dirname, '../../../src/demo/theme')
const files = new Map(
  ['theme.json', ...readdirSync(join(folder, 'graphics')).map((slug) => `graphics/${slug}/graphic.json`)].map(
    (path) => [path, new Uint8Array(readFileSync(join(folder, path)))],
  ),
)
const json = (from: ReadonlyMap<string, Uint8Array>, path: string) =>
  JSON.parse(new TextDecoder().decode(from.get(path)))
const variables = new Map(
  [...files.keys()]
    .filter((path) => path !== 'theme.json')
    .map((path) => json(files, path) as Graphic)
    .map(({ name, stateMachine }) => [name, stateMachine.controlVariables]),
)
const presetsOf = (sport: SportName) =>
  (starterRoom(sport).sections ?? []).flatMap(({ presets = [] }) => presets).map((one, id) => ({ ...one, id }))
const namesOf = (sport: SportName) => presetsOf(sport).map(({ name }) => name)

describe('[issue 18.6] the theme to begin with, for a sport', () => {
  test.each(Object.keys(SPORTS) as SportName[])(
    '%s: presets are of its graphics, with values that these take, and each rule of its plan finds one',
    (sport) => {
      const presets = presetsOf(sport)
      expect(new Set(presets.map(({ name }) => name)).size).toBe(presets.length)
      for (const { name, graphic, variableValues = {}, exposedVariables = [] } of presets) {
        const known = new Map(variables.get(graphic)?.map((variable) => [variable.name, variable]))
        for (const [variable, value] of Object.entries(variableValues))
          expect(wrongValue(known.get(variable), value as GivenValue), `${name}: ${variable}`).toBeUndefined()
        expect([...known.keys()], name).toEqual(expect.arrayContaining(exposedVariables))
      }
      const room = presets.map(({ graphic, ...one }) => ({ ...one, graphicName: graphic }))
      const inRoom = { sport, presetName: (id: number) => room[id]?.name }
      const rules = templateOf(sport).map((rule) =>
        begun(rule, room, inRoom, (id) => variables.get(room[id]?.graphicName ?? '') ?? []),
      )
      expect(rules.filter(({ presetId }) => presetId === null).map(({ wanted }) => wanted)).toEqual([])
      for (const { trigger, presetId, variableValues } of rules) {
        if (trigger.type !== 'fact' || presetId === null) continue
        expect(variableValues, room[presetId]?.name).toEqual({
          player: { expression: 'fact.playerId' },
          team: { expression: 'fact.side' },
        })
      }
    },
  )

  test('names are those of the sport, and not of football', () => {
    for (const sport of ['basketball', 'cricket', 'tennis', 'volleyball', 'baseball'] as const)
      expect(namesOf(sport).join(), sport).not.toMatch(/goal|full.time|kick/i)
    for (const sport of ['cricket', 'tennis', 'volleyball', 'baseball', 'iceHockey'] as const)
      expect(namesOf(sport).join(), sport).not.toMatch(/half.time/i)
    expect(namesOf('basketball')).toEqual(
      expect.arrayContaining(['Three-pointer', 'Team fouls', 'Quarter score', 'Half-time score', 'Final score']),
    )
    expect(namesOf('tennis')).toEqual(expect.arrayContaining(['Players', 'Break point', 'Set score', 'Match result']))
    expect(namesOf('tennis').join()).not.toMatch(/line-up|coach/i)
    expect(presetsOf('rugbyUnion').find(({ name }) => name === 'Try scorer')?.variableValues).toEqual({
      about: 'lastGoal',
      scores: 'try',
    })
    expect(presetsOf('cricket').find(({ name }) => name === 'Wicket')?.variableValues).toEqual({ title: 'Wicket' })
  })

  test('the theme and all its graphics are of the sport, and nothing else of them is changed', () => {
    const made = forSport(files, 'basketball', 'Coastline, basketball')
    const { name, sports, controlRooms, ...rest } = json(made, 'theme.json')
    const { name: _n, sports: _s, controlRooms: _c, ...before } = json(files, 'theme.json')
    expect([name, sports, controlRooms]).toEqual(['Coastline, basketball', ['basketball'], [starterRoom('basketball')]])
    expect(rest).toEqual(before)
    const bug = 'graphics/score-bug/graphic.json'
    expect(json(made, bug)).toEqual({ ...json(files, bug), sports: ['basketball'] })
    expect(json(files, bug).sports).toEqual(['football'])
  })

  test('it is offered for sports of competitions that have no theme', () => {
    const played = [{ sport: 'football' }, { sport: 'tennis' }, { sport: 'tennis' }]
    expect(sportsWithout([], played)).toEqual(['football', 'tennis'])
    expect(sportsWithout([{ name: 'A', sports: ['football'] }], played)).toEqual(['tennis'])
    expect(sportsWithout([{ name: 'A', sports: [] }], played)).toEqual([])
    expect(starterName('tennis', [])).toBe('Coastline')
    expect(starterName('tennis', [{ name: 'Coastline' }])).toBe('Coastline, tennis')
  })
})
