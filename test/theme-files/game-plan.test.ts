import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Production, produce, startProduction } from '../resources/support.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { contents, designer, told, write } from './support.ts'

type Made = Omit<Production, 'close'>
let production: Production
let other: Made
let here: Awaited<ReturnType<typeof designer>>
let there: Awaited<ReturnType<typeof designer>>
beforeAll(async () => {
  production = await startProduction()
  other = await produce(production.server)
  here = await designer(production.server, { key: production.apiKey })
  there = await designer(production.server, { key: other.apiKey })
  await production.call('PUT', planOf(production), { rules: rules(production) })
})
afterAll(() => production.close())

const planOf = ({ competitionId, themeProfileId }: Made) =>
  `/v2/competitions/${competitionId}/theme-profiles/${themeProfileId}/game-plan`
const rules = ({ preset }: Made) => [
  {
    ...{ id: 'goal', name: 'Goal', trigger: { type: 'fact', factTypes: ['goal'] }, condition: 'score.home > 0' },
    ...{ presetId: preset('Goal scorer').id, variableValues: { player: { expression: 'fact.playerId' } } },
    ...{ end: { afterSeconds: 8 }, priority: 80, layer: 'third', onInterrupt: 'queue' },
  },
  {
    ...{ id: 'bug', name: 'Bug', trigger: { type: 'state', state: 'live' }, presetId: preset('Score bug').id },
    end: { until: 'state' },
  },
]
type Rule = { id: string; presetId: number; name: string }
const stored = async (made: Made) => (await made.call('GET', planOf(made))).body.rules as Rule[]

describe('[issue 18.1] the game plan of a folder', () => {
  test('a plan that is pulled and pushed elsewhere is the same there, with the presets of their names', async () => {
    const folder = temporaryDirectory()
    await here.pull(folder, production.themeId, { competitionId: production.competitionId })
    const file = JSON.parse(readFileSync(join(folder, 'game-plan.json'), 'utf8'))
    expect(file.rules.map(({ preset }: { preset: unknown }) => preset)).toEqual(['Goal scorer', 'Score bug'])
    const pushed = await there.push(folder, { themeId: other.themeId, competitionId: other.competitionId })
    expect(told(pushed)).toEqual(['update gamePlan Full graphics'])
    const mine = await stored(production)
    expect(await stored(other)).toEqual(
      mine.map((rule, index) => ({ ...rule, presetId: other.preset(['Goal scorer', 'Score bug'][index] ?? '').id })),
    )
    expect(told(await there.push(folder, { themeId: other.themeId, competitionId: other.competitionId }))).toEqual([])
    const again = temporaryDirectory()
    await there.pull(again, other.themeId, { competitionId: other.competitionId })
    expect(contents(again)).toEqual(contents(folder))
    expect((await there.pull(folder, other.themeId, { competitionId: other.competitionId })).written).toEqual([])
  })

  test('rules written by hand keep their ids from push to push, and what is left out is filled in', async () => {
    const folder = temporaryDirectory()
    await here.pull(folder, production.themeId)
    expect(existsSync(join(folder, 'game-plan.json'))).toBe(false)
    const rule = { name: 'Half', trigger: { type: 'state', state: 'break' }, end: { afterSeconds: 20 } }
    const preset = { controlRoom: 'Match day', section: 'Full time', name: 'Half-time score' }
    write(folder, 'game-plan.json', { rules: [{ ...rule, preset }] })
    const owner = { themeId: other.themeId, competitionId: other.competitionId, profileId: other.themeProfileId }
    expect(told(await there.push(folder, { ...owner, dryRun: true }))).toEqual(['update gamePlan Full graphics'])
    await there.push(folder, owner)
    const [made] = await stored(other)
    expect(made).toMatchObject({ ...rule, presetId: other.preset('Half-time score').id, priority: 50 })
    expect(told(await there.push(folder, owner))).toEqual([])
    write(folder, 'game-plan.json', { rules: [{ ...rule, preset, priority: 60 }] })
    await there.push(folder, owner)
    expect(await stored(other)).toMatchObject([{ id: made?.id, priority: 60 }])
    // the file says the same in other words
    expect((await there.pull(folder, other.themeId, owner)).written).toEqual([])
  })

  test('without a competition nobody touches a plan; pruned, one that the folder has not is emptied', async () => {
    const folder = temporaryDirectory()
    const owner = { themeId: other.themeId, competitionId: other.competitionId }
    await there.pull(folder, other.themeId, owner)
    write(folder, 'game-plan.json', { rules: [] })
    expect(told(await there.push(folder, { themeId: other.themeId }))).toEqual([])
    expect(await stored(other)).toHaveLength(1)
    const bare = temporaryDirectory()
    await there.pull(bare, other.themeId)
    expect((await there.push(bare, owner)).kept).toEqual([{ kind: 'gamePlan', name: 'Full graphics' }])
    expect(told(await there.push(bare, { ...owner, prune: true }))).toEqual(['delete gamePlan Full graphics'])
    expect(await stored(other)).toEqual([])
    expect((await there.pull(folder, other.themeId, { ...owner, force: true })).deleted).toEqual(['game-plan.json'])
  })

  test('[issue 18] a rule whose preset is gone keeps the pull from leaving it out', async () => {
    const room = `/v2/control-rooms/${production.controlRoomId}/presets`
    const { sectionId, graphicId } = production.preset('Score bug')
    const { body } = await production.call('POST', room, { sectionId, graphicId, name: 'For a day' })
    const before = await stored(production)
    await production.call('PUT', planOf(production), {
      rules: [...rules(production), { ...rules(production)[1], id: 'day', name: 'For a day', presetId: body.id }],
    })
    expect((await production.call('DELETE', `${room}/${body.id}`)).status).toBe(204)
    const folder = temporaryDirectory()
    const owner = { competitionId: production.competitionId }
    await expect(here.pull(folder, production.themeId, owner)).rejects.toThrow(/rule For a day: its preset is gone/)
    expect(existsSync(join(folder, 'theme.json'))).toBe(false)
    await here.pull(folder, production.themeId)
    await production.call('PUT', planOf(production), { rules: before })
    expect((await here.pull(folder, production.themeId, owner)).written).toEqual(['game-plan.json'])
  })

  test('a plan may name presets that the same push makes; a wrong name, owner or field is told before anything', async () => {
    const folder = temporaryDirectory()
    await there.pull(folder, other.themeId)
    const theme = JSON.parse(readFileSync(join(folder, 'theme.json'), 'utf8'))
    theme.controlRooms[0].sections[0].presets.push({ name: 'Bench', graphic: 'Lower third' })
    write(folder, 'theme.json', theme)
    const rule = { name: 'Bench', trigger: { type: 'state', state: 'live' }, end: { until: 'state' } }
    const owner = { themeId: other.themeId, competitionId: other.competitionId }
    write(folder, 'game-plan.json', { rules: [{ ...rule, preset: 'Bnech' }] })
    await expect(there.push(folder, owner)).rejects.toThrow(
      /rules\[0\]\.preset: there is no preset Bnech; there is .*Bench/,
    )
    write(folder, 'game-plan.json', { rules: [{ ...rule, preset: 'Bench', volume: 11 }] })
    await expect(there.push(folder, owner)).rejects.toThrow(/game-plan\.json: rules\[0\]/)
    write(folder, 'game-plan.json', { rules: [{ ...rule, preset: 'Bench' }] })
    await expect(there.push(folder, { ...owner, profileId: 999 })).rejects.toThrow('has no profile 999 with this theme')
    await expect(
      there.push(folder, {
        competitionId: other.competitionId,
        themeId: other.themeId,
        profileId: production.themeProfileId,
      }),
    ).rejects.toThrow('attach the theme')
    expect(await stored(other)).toEqual([])
    expect(told(await there.push(folder, owner)).slice(-1)).toEqual(['update gamePlan Full graphics'])
    expect(await stored(other)).toMatchObject([{ name: 'Bench' }])
    theme.controlRooms[0].sections[1].presets.push({ name: 'Bench', graphic: 'Lower third' })
    write(folder, 'theme.json', theme)
    await expect(there.push(folder, owner)).rejects.toThrow(/Bench may be .* or /)
  })
})
