import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { badFields, newRoster, type Roster } from './roster-support.ts'
import { type Production, startProduction } from './support.ts'

let production: Production
let roster: Roster
beforeAll(async () => {
  production = await startProduction()
  roster = await newRoster(production, 'Batch Rovers')
})
afterAll(() => production.close())

type Player = { id: number; firstName: string; number: string | null; captain: boolean }

const path = () => `${roster.path()}/batch`
const send = (players: unknown) => production.call('POST', path(), { players })
const all = async () => (await production.call('GET', `${roster.path()}?limit=1000`)).body.players as Player[]
const named = (firstName: string, more: object = {}) => ({ firstName, lastName: 'Batch', ...more })

describe('[show-control: Records] [issue 21.5] players in one request', () => {
  it('are made and changed together, and answered in the order of the request', async () => {
    const first = await send([named('Ada', { number: '07', defaultStarter: true }), named('Bo', { captain: true })])
    expect(first.status).toBe(200)
    const [ada, bo] = first.body.players as Player[]
    expect([ada, bo]).toMatchObject([
      { firstName: 'Ada', number: '07', starter: true, bench: false },
      { firstName: 'Bo', number: '', captain: true },
    ])
    const second = await send([
      named('Cy'),
      { id: bo?.id, number: '9', captain: false },
      { id: ada?.id, firstName: 'Ade' },
    ])
    expect(second.body.players).toMatchObject([
      { firstName: 'Cy', number: '' },
      { id: bo?.id, firstName: 'Bo', number: '9', captain: false },
      { id: ada?.id, firstName: 'Ade', lastName: 'Batch', number: '07', starter: true },
    ])
    expect(await all()).toEqual((second.body.players as Player[]).toSorted((one, other) => one.id - other.id))
  })

  it('all of them or none: each fault is told where it is', async () => {
    const before = await all()
    const known = before[0]?.id
    const foreign = await roster.created({}, (await newRoster(production, 'Others')).id)
    const answer = await send([
      ...[named('Fine'), { lastName: 'Only' }, { id: foreign, number: '1' }, { id: known }, { id: known, number: '2' }],
      ...[named('Long', { number: '1234' }), named('')],
    ])
    expect(badFields(answer)).toEqual([
      400,
      ['body.players[1].firstName', 'body.players[5].number', 'body.players[6].firstName'],
    ])
    expect(badFields(await send([named('Fine'), { id: foreign }, { id: known }, { id: known, number: '2' }]))).toEqual([
      400,
      ['body.players[1].id', 'body.players[2].id', 'body.players[3].id'],
    ])
    expect(await all()).toEqual(before)
  })

  it('at least one, and at most 200', async () => {
    expect(badFields(await send([]))).toEqual([400, ['body.players']])
    const many = (count: number) => Array.from({ length: count }, (_, index) => named(`Many ${index}`))
    expect(badFields(await send(many(201)))).toEqual([400, ['body.players']])
    const before = (await all()).length
    expect((await send(many(200))).status).toBe(200)
    expect((await all()).length).toBe(before + 200)
  })

  it('[contract: Idempotency-Key] sent again after a lost answer, they are made once', async () => {
    const headers = { 'Idempotency-Key': randomUUID() }
    const body = { players: [named('Once'), named('Only')] }
    const again = () => production.server.call('POST', path(), { key: production.apiKey, headers, body })
    const before = (await all()).length
    const answers = await Promise.all([again(), again()])
    expect((await again()).body).toEqual(answers.find(({ status }) => status === 200)?.body)
    expect((await all()).length).toBe(before + 2)
  })
})
