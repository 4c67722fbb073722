import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { badFields, type Limit, NOBODY, newRoster, newTeam, type Roster, shown, textLimits } from './roster-support.ts'
import { type Production, produce, startProduction } from './support.ts'

let production: Production
let stranger: Omit<Production, 'close'>
let rovers: Roster

beforeAll(async () => {
  production = await startProduction()
  stranger = await produce(production.server)
  rovers = await newRoster(production, 'Roster Rovers')
})
afterAll(() => production.close())

const limits: Limit[] = [
  ...textLimits('firstName', 1, 35),
  ...textLimits('lastName', 1, 35),
  ...textLimits('number', 0, 3),
  ...textLimits('position', 1, 255),
  ...textLimits('positionType', 1, 255),
  ...textLimits('gfxFirstName', 1, 16),
  ...textLimits('gfxLastName', 1, 16),
  ...['defaultStarter', 'defaultBench', 'captain'].flatMap((field): Limit[] => [
    [field, true, true],
    [field, false, true],
    [field, null, false],
    [field, 'true', false],
    [field, 1, false],
  ]),
  ...['number', 'position', 'positionType', 'gfxFirstName', 'gfxLastName', 'photoUrl'].map(
    (field): Limit => [field, null, true],
  ),
  ['firstName', null, false],
  ['lastName', null, false],
  ['photoUrl', 'https://example.com/ada.png', true],
  ['photoUrl', 'http://example.com/ada.png', true],
  ['photoUrl', 'ftp://example.com/ada.png', false],
  ['photoUrl', 'javascript:alert(1)', false],
  ['photoUrl', 'data:image/png;base64,AAAA', false],
  ['photoUrl', '/ada.png', false],
  ['photoUrl', 'https://', false],
  ['photoUrl', '', false],
  ['photoUrl', `https://example.com/${'a'.repeat(2028)}`, true],
  ['photoUrl', `https://example.com/${'a'.repeat(2029)}`, false],
]

describe('adding a player to a roster', () => {
  it('[Teams 6] answers 200 with the roster player, whose id names a player', async () => {
    const answer = await rovers.create({
      firstName: 'Grace',
      lastName: 'Hopper',
      number: '07',
      position: 'GK',
      positionType: 'goalkeeper',
      gfxFirstName: 'G.',
      gfxLastName: 'Hopper',
      defaultStarter: true,
      defaultBench: false,
      captain: true,
      photoUrl: 'https://example.com/grace.jpg',
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      id: expect.any(Number),
      firstName: 'Grace',
      lastName: 'Hopper',
      number: '07',
      position: 'GK',
      positionType: 'goalkeeper',
      gfxFirstName: 'G.',
      gfxLastName: 'Hopper',
      starter: true,
      bench: false,
      captain: true,
      photoUrl: 'https://example.com/grace.jpg',
    })
    expect((await rovers.read(Number(answer.body.id))).body).toEqual(answer.body)
    expect((await production.call('GET', `/v1/players/${answer.body.id}`)).body).toEqual({
      id: answer.body.id,
      firstName: 'Grace',
      lastName: 'Hopper',
    })
  })

  it('[Roster player] what was not said is null, the number empty, every flag false', async () => {
    expect((await rovers.read(await rovers.created())).body).toMatchObject({
      number: '',
      position: null,
      positionType: null,
      gfxFirstName: null,
      gfxLastName: null,
      starter: false,
      bench: false,
      captain: false,
      photoUrl: null,
    })
  })

  it('[Teams 6] firstName and lastName are required, and every missing one is named', async () => {
    expect(badFields(await rovers.create({}))).toEqual([400, ['body.firstName', 'body.lastName']])
    expect(badFields(await rovers.create({ firstName: 'Ada' }))).toEqual([400, ['body.lastName']])
  })

  it.each(limits.map(shown))('[Limits: roster write] %s on creation', async (_, [field, value, accepted]) => {
    const answer = await rovers.create({ firstName: 'Ada', lastName: 'Lovelace', [field]: value })
    expect(badFields(answer)).toEqual(accepted ? [200, []] : [400, [`body.${field}`]])
    if (accepted && field in answer.body) expect(answer.body[field]).toEqual(value)
  })

  it('[contract: details] every bad field is named at once', async () => {
    const answer = await rovers.create({ firstName: '', lastName: 'x'.repeat(36), number: '1000', captain: 'yes' })
    expect(badFields(answer)).toEqual([400, ['body.firstName', 'body.lastName', 'body.number', 'body.captain']])
  })

  it('[Authentication 11] a foreign team is 403, a missing one 404, and nobody is made', async () => {
    const before = (await production.call('GET', '/v1/players')).body.total
    const body = { firstName: 'Ada', lastName: 'Lovelace' }
    expect((await rovers.create(body, stranger.teamIds[0])).status).toBe(403)
    expect((await rovers.create(body, NOBODY)).status).toBe(404)
    expect((await production.call('GET', '/v1/players')).body.total).toBe(before)
  })

  it('[contract: Idempotency-Key] a repeated request makes one player', async () => {
    const team = await newTeam(production, 'Repeat Rangers')
    const send = () =>
      production.server.call('POST', rovers.path(team), {
        key: production.apiKey,
        body: { firstName: 'Once', lastName: 'Only' },
        headers: { 'Idempotency-Key': repeated },
      })
    const repeated = randomUUID()
    const [first, second] = [await send(), await send()]
    expect(second.body).toEqual(first.body)
    expect((await production.call('GET', rovers.path(team))).body.total).toBe(1)
  })
})

describe('changing a roster player', () => {
  it.each(limits.map(shown))('[Limits: roster write] %s on update', async (_, [field, value, accepted]) => {
    const id = await rovers.created({ number: '9', position: 'ST' })
    const before = (await rovers.read(id)).body
    const answer = await rovers.patch(id, { [field]: value })
    expect(badFields(answer)).toEqual(accepted ? [200, []] : [400, [`body.${field}`]])
    const shownAs = field.replace('defaultStarter', 'starter').replace('defaultBench', 'bench')
    expect((await rovers.read(id)).body).toEqual(accepted ? { ...before, [shownAs]: value } : before)
  })

  it('[Teams 5] what is left out keeps its value; an empty body changes nothing', async () => {
    const id = await rovers.created({ number: '9', position: 'ST', gfxLastName: 'LOVELACE', defaultBench: true })
    const before = (await rovers.read(id)).body
    expect((await rovers.patch(id, {})).body).toEqual(before)
    expect((await rovers.patch(id, { number: '10', unknown: true })).body).toEqual({ ...before, number: '10' })
  })

  it('[Teams 5] first and last name change on every team of the player, all else on this team only', async () => {
    const second = await newTeam(production, 'Second Spartans')
    const id = await rovers.created({ number: '4', position: 'CB', defaultStarter: true })
    await production.call('PUT', rovers.one(id, second), { number: '44', gfxLastName: 'ELSEWHERE' })
    const answer = await rovers.patch(id, {
      firstName: 'Augusta',
      lastName: 'King',
      number: '5',
      position: 'LB',
      positionType: 'defender',
      gfxFirstName: 'A.',
      gfxLastName: 'KING',
      defaultStarter: false,
      defaultBench: true,
      captain: true,
      photoUrl: 'https://example.com/king.png',
    })
    expect(answer.body).toMatchObject({ firstName: 'Augusta', number: '5', bench: true, captain: true })
    expect((await rovers.read(id, second)).body).toEqual({
      id,
      firstName: 'Augusta',
      lastName: 'King',
      number: '44',
      position: null,
      positionType: null,
      gfxFirstName: null,
      gfxLastName: 'ELSEWHERE',
      starter: false,
      bench: false,
      captain: false,
      photoUrl: null,
    })
  })

  it('[Teams 5] two changes of different fields at the same moment both hold', async () => {
    const id = await rovers.created()
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([
        rovers.patch(id, { number: String(round) }),
        rovers.patch(id, { lastName: `Name ${round}` }),
        rovers.patch(id, { position: `P${round}`, captain: round % 2 === 0 }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      expect((await rovers.read(id)).body).toMatchObject({
        number: String(round),
        lastName: `Name ${round}`,
        position: `P${round}`,
        captain: round % 2 === 0,
      })
    }
  })

  it('[Roster player] what a roster reads can be written back, also where it is null', async () => {
    const id = await rovers.created()
    const { starter, bench, photoUrl, ...rest } = (await rovers.read(id)).body
    const answer = await rovers.patch(id, { ...rest, defaultStarter: starter, defaultBench: bench, photoUrl })
    expect(answer.body).toEqual((await rovers.read(id)).body)
    expect(answer.status).toBe(200)
  })

  it('[Limits: roster write] a graphics name of a provider reads up to 19 characters, yet writes take 16', async () => {
    const { sql } = production.server.database
    const id = await rovers.created()
    await sql`update roster_entry set gfx_last_name = ${'x'.repeat(19)} where player_id = ${id}`
    expect((await rovers.patch(id, { number: '1' })).body.gfxLastName).toBe('x'.repeat(19))
    expect(badFields(await rovers.patch(id, { gfxLastName: 'x'.repeat(17) }))).toEqual([400, ['body.gfxLastName']])
  })

  it('[Teams 5] 404 for a foreign team, a foreign player, a player of another team, and whoever is missing', async () => {
    const id = await rovers.created()
    const other = await newTeam(production, 'Other Olympians')
    const [foreignTeam = 0] = stranger.teamIds
    const [foreignPlayer = 0] = stranger.playerIds[foreignTeam] ?? []
    for (const [player, team] of [
      [foreignPlayer, foreignTeam],
      [foreignPlayer, rovers.id],
      [id, foreignTeam],
      [id, other],
      [NOBODY, rovers.id],
      [id, NOBODY],
    ] as const)
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const answer = await production.call(
          method,
          rovers.one(player, team),
          method === 'PATCH' ? { number: '99' } : undefined,
        )
        expect([method, player, team, answer.status, answer.body]).toEqual([
          method,
          player,
          team,
          404,
          { message: 'Not Found' },
        ])
      }
    expect((await stranger.call('GET', rovers.one(foreignPlayer, foreignTeam))).body.number).not.toBe('99')
  })

  it('[contract: order of checks] a bad shape is 400 even where the player is unknown', async () => {
    expect(badFields(await rovers.patch(NOBODY, { number: '1000' }))).toEqual([400, ['body.number']])
  })
})
