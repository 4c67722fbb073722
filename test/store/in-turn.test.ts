import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { inTurn } from '../../src/store/in-turn.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

describe('questions to one connection', () => {
  let database: TestDatabase
  let client: Client

  beforeAll(async () => {
    database = await testDatabase()
    client = new Client({ connectionString: database.url })
    await client.connect()
  })
  afterAll(async () => {
    await client?.end()
    await database?.drop()
  })

  test('[issue 16.7] each is asked when the one before is answered, in order, whatever became of that', async () => {
    const asked: string[] = []
    const query = vi.spyOn(client, 'query')
    const ask = (text: string) =>
      inTurn(client, async () => {
        const answering = client.query(text)
        asked.push(`asks ${text}`)
        try {
          return (await answering).rows
        } finally {
          asked.push(`has ${text}`)
        }
      })
    const answers = await Promise.allSettled([
      ask('select pg_sleep(0.02)'),
      ask('select nothing'),
      ask('select 1 as one'),
    ])
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(answers[2]).toMatchObject({ value: [{ one: 1 }] })
    expect(asked).toEqual([
      'asks select pg_sleep(0.02)',
      'has select pg_sleep(0.02)',
      'asks select nothing',
      'has select nothing',
      'asks select 1 as one',
      'has select 1 as one',
    ])
    expect(query).toHaveBeenCalledTimes(3)
  })

  test('another connection is not waited for', async () => {
    const heard: string[] = []
    const slow = inTurn(client, async () => {
      await client.query('select pg_sleep(0.2)')
      heard.push('slow')
    })
    await inTurn({}, async () => void heard.push('other'))
    expect(heard).toEqual(['other'])
    await slow
  })
})
