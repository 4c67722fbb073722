import { pino } from 'pino'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openListener } from '../../src/store/listen.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

const log = pino({ level: 'silent' })
let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.drop())

const open = async () => {
  const listener = await openListener(database.url, log)
  onTestFinished(() => listener.close())
  return listener
}

const cut = () => database.sql`
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name like '%:listen'`

test('a notification arrives at every listener of its channel, and at no other', async () => {
  const listener = await open()
  const heard: string[] = []
  await listener.listen('fruit', (payload) => JSON.parse(payload))
  await listener.listen('fruit', (payload) => heard.push(`one ${payload}`))
  await listener.listen('fruit', (payload) => heard.push(`two ${payload}`))
  await listener.listen('Vege"table', (payload) => heard.push(`three ${payload}`))
  await database.sql`select pg_notify('fruit', 'apple'), pg_notify('Vege"table', 'leek'), pg_notify('meat', 'none')`
  await expect.poll(() => heard).toEqual(['one apple', 'two apple', 'three leek'])
})

test('[26] the loss of the connection is known at once, and every channel is back after it', async () => {
  const listener = await open()
  const story: string[] = []
  await listener.listen('fruit', (payload) => story.push(payload))
  const fails = () => {
    throw new Error('a listener failed')
  }
  listener.onDown(fails)
  listener.onUp(fails)
  listener.onDown(() => story.push(`down ${listener.isUp()}`))
  listener.onUp(() => story.push(`up ${listener.isUp()}`))
  expect(listener.isUp()).toBe(true)
  await cut()
  await expect.poll(() => story, { interval: 5 }).toEqual(['down false', 'up true'])
  await database.sql`select pg_notify('fruit', 'pear')`
  await expect.poll(() => story).toEqual(['down false', 'up true', 'pear'])
})

test('a channel asked for while the connection is away is heard when it is back', async () => {
  const listener = await open()
  const heard: string[] = []
  const asked = new Promise<void>((resolve, reject) => {
    listener.onDown(() => void listener.listen('late', (payload) => heard.push(payload)).then(resolve, reject))
  })
  const back = new Promise<void>((resolve) => listener.onUp(resolve))
  await cut()
  await asked
  await back
  await database.sql`select pg_notify('late', 'plum')`
  await expect.poll(() => heard).toEqual(['plum'])
})

test('a database that is out of reach is told, not waited for', async () => {
  await expect(openListener('postgres://nobody@127.0.0.1:9/none', log)).rejects.toThrow()
})
