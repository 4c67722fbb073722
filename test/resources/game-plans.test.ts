import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Production, produce, startProduction } from './support.ts'

let production: Production
let stranger: Omit<Production, 'close'>
let path: string
beforeAll(async () => {
  production = await startProduction()
  stranger = await produce(production.server)
  const { body } = await production.call('GET', `/v2/overlays/${production.overlay.id}`)
  path = planOf(production, Number(body.competitionThemeSettingId))
})
afterAll(() => production.close())

const planOf = ({ competitionId }: { competitionId: number }, profileId: number) =>
  `/v2/competitions/${competitionId}/theme-profiles/${profileId}/game-plan`

const goal = (more: object = {}) => ({
  name: 'Goal scorer',
  trigger: { type: 'fact', factTypes: ['goal'] },
  presetId: production.preset('Goal scorer').id,
  variableValues: { player: { expression: 'fact.playerId' } },
  end: { afterSeconds: 8 },
  ...more,
})
const put = (body: unknown) => production.call('PUT', path, body)
const read = async () => (await production.call('GET', path)).body

describe('[game-plan: Game plan] the plan of a theme profile', () => {
  test('a profile has none at first; one that is put is the whole, with what was left out filled in', async () => {
    const before = await read()
    expect(before).toMatchObject({ rules: [] })
    const answer = await put({
      rules: [
        goal(),
        goal({
          id: 'mine',
          name: 'Bug',
          trigger: { type: 'state', state: 'live' },
          end: { until: 'state' },
          variableValues: {},
        }),
      ],
    })
    expect(answer.status).toBe(200)
    const rules = answer.body.rules as { id: string }[]
    expect(rules[0]).toEqual({
      ...goal(),
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...{ enabled: true, delaySeconds: 0, priority: 50, onInterrupt: 'drop', maxAgeSeconds: 30 },
      ...{ cooldownSeconds: 0, every: 1, once: false },
    })
    expect(rules[1]?.id).toBe('mine')
    expect(await read()).toEqual(answer.body)
    const again = await put({ rules: [...rules].reverse() })
    expect((again.body.rules as { id: string }[]).map(({ id }) => id)).toEqual(['mine', rules[0]?.id])
    expect((await put({ rules: [] })).body.rules).toEqual([])
  })

  test('what somebody else changed meanwhile is not overwritten', async () => {
    const { updatedAt } = await read()
    expect((await put({ rules: [goal()], ifUnchangedSince: updatedAt })).status).toBe(200)
    const refused = await put({ rules: [], ifUnchangedSince: updatedAt })
    expect([refused.status, refused.body.code]).toEqual([409, 'TARGET_CHANGED'])
    expect((await read()).rules).toHaveLength(1)
  })

  test.each<[string, object, string]>([
    ['a preset that does not exist', { presetId: 999_999 }, 'presetId'],
    ['a fact of another sport', { trigger: { type: 'fact', factTypes: ['goal', 'wicket'] } }, 'trigger.factTypes[1]'],
    ['a condition that does not compile', { condition: 'score.home >' }, 'condition'],
    ['a condition over an unknown name', { condition: 'scores.home > 1' }, 'condition'],
    ['a variable that the graphic lacks', { variableValues: { nobody: 1 } }, 'variableValues.nobody'],
    ['a value of another type', { variableValues: { player: 'Ann' } }, 'variableValues.player'],
    [
      'a value expression that does not compile',
      { variableValues: { player: { expression: '(' } } },
      'variableValues.player.expression',
    ],
    ['a slot that does not exist', { variableValues: { player: { slot: 'x' } } }, 'variableValues.player'],
    ['an end without a time', { end: {} }, 'end'],
    [
      'a time before the end of the match',
      { trigger: { type: 'time', of: 'matchEnd', offsetSeconds: -5 } },
      'trigger.offsetSeconds',
    ],
    [
      'an interval of a second',
      { trigger: { type: 'interval', everySeconds: 1, during: 'live' } },
      'trigger.everySeconds',
    ],
    ['a field that nobody knows', { volume: 11 }, ''],
    [
      'the fact in a condition of a rule that waits for none',
      { trigger: { type: 'state', state: 'live' }, condition: 'fact.points > 1', variableValues: {} },
      'condition',
    ],
    [
      'the fact in a value of a rule that waits for none',
      { trigger: { type: 'clock', seconds: 60 } },
      'variableValues.player.expression',
    ],
  ])('%s is refused by name, and the plan stays as it was', async (_, wrong, field) => {
    const before = await read()
    const refused = await put({ rules: [goal(), goal(wrong)] })
    expect(refused.status).toBe(400)
    const paths = Object.keys(refused.body.details as object)
    expect(paths.every((name) => name.startsWith(`body.rules[1]${field === '' ? '' : `.${field}`}`))).toBe(true)
    expect(paths).not.toEqual([])
    expect(await read()).toEqual(before)
  })

  test('[issue 18] a loop of any rule may call its item as facts are called', async () => {
    const rule = { trigger: { type: 'state', state: 'live' }, variableValues: {} }
    const put = (condition: string) => production.call('PUT', path, { rules: [goal({ ...rule, condition })] })
    expect((await put('facts.exists(fact, fact.type == "goal")')).status).toBe(200)
    const refused = await put('facts.exists(fact, fact.type == "goal") && fact.points > 1')
    expect(refused.body.details).toEqual({
      'body.rules[0].condition': {
        message: 'reads fact, which only a rule with a trigger of facts has, not one of state',
        value: expect.any(String),
      },
    })
  })

  test('every bad field is named at once', async () => {
    const refused = await put({
      rules: [
        goal({ id: 'one', condition: '(', variableValues: { nobody: 1 } }),
        goal({ id: 'one', presetId: stranger.preset('Goal scorer').id }),
      ],
    })
    expect(Object.keys(refused.body.details as object).sort()).toEqual([
      'body.rules[0].condition',
      'body.rules[0].variableValues.nobody',
      'body.rules[1].id',
      'body.rules[1].presetId',
    ])
    const many = await put({ rules: Array.from({ length: 201 }, () => goal()) })
    expect([many.status, Object.keys(many.body.details as object)]).toEqual([400, ['body.rules']])
  })

  test('[issue 18] what became invalid since is named before the match', async () => {
    const problems = async () => (await production.call('GET', `${path}/problems`)).body.problems
    const { sectionId, graphicId } = production.preset('Goal scorer')
    const room = `/v2/control-rooms/${production.controlRoomId}/presets`
    const made = await production.call('POST', room, { sectionId, graphicId, name: 'Scorer of the day' })
    await put({ rules: [goal({ id: 'stays' }), goal({ id: 'gone', name: 'Gone', presetId: made.body.id })] })
    expect(await problems()).toEqual([])
    expect((await production.call('DELETE', `${room}/${made.body.id}`)).status).toBe(204)
    expect(await problems()).toEqual([
      { ruleId: 'gone', name: 'Gone', enabled: true, field: 'presetId', message: 'no such preset' },
    ])
    const { sql } = production.server.database
    await sql`delete from theme_version_graphic where graphic_id = ${graphicId}`
    expect(await problems()).toMatchObject([
      { ruleId: 'stays', field: 'presetId', message: 'its graphic is not in the active theme version' },
      { ruleId: 'gone' },
    ])
    expect((await stranger.call('GET', `${path}/problems`)).status).toBe(403)
  })

  test('another organization neither reads nor writes it', async () => {
    expect((await stranger.call('GET', path)).status).toBe(403)
    expect((await stranger.call('PUT', path, { rules: [] })).status).toBe(403)
    const foreign = planOf(stranger, Number(path.split('/')[5]))
    expect((await stranger.call('GET', foreign)).status).toBe(404)
  })
})
