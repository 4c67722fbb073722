import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Refusal } from '../../src/theme-files/api.ts'
import type { Transport, WireRequest } from '../../src/theme-files/transport.ts'
import { newKey, newOrganization, startApp, type TestApp } from '../support/app.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { contents, designer, stateMachine, told, write } from './support.ts'

let server: TestApp
beforeAll(async () => {
  server = await startApp()
})
afterAll(() => server.close())

function theme(files = 1): string {
  const folder = temporaryDirectory()
  write(folder, 'theme.json', {
    name: 'Shared',
    sports: ['football'],
    variables: [{ name: 'accent', type: 'string', defaultValue: 'red' }],
  })
  write(folder, 'graphics/card/graphic.json', { name: 'Card', stateMachine })
  write(folder, 'graphics/card/index.html', '<!doctype html>')
  for (let file = 0; file < files; file++) write(folder, `graphics/card/files/${file}.txt`, `${file}`)
  return folder
}

/** Two designers of one organization; the second does something right before a request of the first that fits. */
async function two(
  before: (request: WireRequest) => boolean,
  act: (other: Awaited<ReturnType<typeof designer>>) => Promise<unknown>,
) {
  const { id, key } = await newOrganization(server.database)
  const other = await designer(server, { key: (await newKey(server.database, id, ['themes:write'])).key })
  let acted = false
  let armed = false
  const wrap =
    (transport: Transport): Transport =>
    async (request) => {
      if (armed && !acted && before(request)) {
        acted = true
        await act(other)
      }
      return transport(request)
    }
  const one = await designer(server, { key, wrap })
  return {
    one,
    other,
    arm: () => {
      armed = true
    },
  }
}

test('[Optimistic concurrency] a theme that another designer changes meanwhile is not overwritten, and the message says so', async () => {
  const folder = theme()
  let themeId: number | null = null
  const { one, other, arm } = await two(
    ({ method, url }) => method === 'PATCH' && url.pathname.endsWith('/variables/accent'),
    (colleague) => colleague.call('PATCH', `/v2/themes/${themeId}/variables/accent`, { defaultValue: 'green' }),
  )
  themeId = (await one.push(folder, { activate: true })).themeId
  write(folder, 'theme.json', {
    name: 'Shared',
    sports: ['football'],
    variables: [{ name: 'accent', type: 'string', defaultValue: 'blue' }],
  })
  arm()
  await expect(one.push(folder)).rejects.toThrow(
    'variable accent was changed by somebody else meanwhile; nothing of it was overwritten',
  )
  const { body } = await other.call('GET', `/v2/themes/${themeId}/variables`)
  expect(body.variables).toMatchObject([{ defaultValue: 'green' }])
})

test('[Optimistic concurrency] a bundle that another designer replaces meanwhile stays theirs', async () => {
  const folder = theme()
  const { one, other, arm } = await two(
    ({ method, url }) => method === 'POST' && url.pathname.endsWith('/uploads'),
    async (colleague) => {
      const theirs = theme()
      write(theirs, 'graphics/card/index.html', 'theirs')
      await colleague.push(theirs)
    },
  )
  const { themeId } = await one.push(folder)
  write(folder, 'graphics/card/index.html', 'mine')
  arm()
  await expect(one.push(folder)).rejects.toThrow('bundle Card was changed by somebody else meanwhile')
  const copy = join(temporaryDirectory(), 'copy')
  await other.pull(copy, themeId)
  expect(Buffer.from(contents(copy)['graphics/card/index.html'] ?? '', 'base64').toString()).toBe('theirs')
})

test('[LOCKED] a graphic that somebody else holds is named with its holder; the rest waits for the next push', async () => {
  const folder = theme()
  const { one, other } = await two(
    () => false,
    async () => {},
  )
  const { themeId } = await one.push(folder)
  const [graphic] = (await other.call('GET', `/v2/themes/${themeId}/code-graphics`)).body as unknown as {
    graphicId: string
  }[]
  const lock = `/v2/themes/${themeId}/code-graphics/${graphic?.graphicId}/lock`
  await other.call('PUT', lock, {})
  write(folder, 'graphics/card/index.html', 'new')
  const error = await one.push(folder).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(Refusal)
  expect(String(error)).toContain('bundle Card is being edited by API key test; try again when they are done')
  await other.call('DELETE', lock)
  expect(told(await one.push(folder))).toEqual(['update bundle Card'])
})

test('uploads that were cut off go on where they stopped, in the same session', async () => {
  let room = 0
  const put: string[] = []
  const wrap =
    (transport: Transport): Transport =>
    async (request) => {
      if (request.method !== 'PUT' || !request.url.pathname.includes('/uploads/')) return transport(request)
      if (room-- <= 0) throw new Error('the line is cut')
      put.push(request.url.pathname)
      return transport(request)
    }
  const folder = theme(20)
  const { push, call } = await designer(server, { wrap })
  room = 8
  await expect(push(folder)).rejects.toThrow(/^bundle Card: .* does not answer: the line is cut$/)
  expect(put).toHaveLength(8)
  room = 100
  await push(folder)
  expect(put).toHaveLength(21)
  expect(new Set(put).size).toBe(21)
  expect((await push(folder)).changes).toEqual([])
  expect((await call('GET', '/v2/themes')).body.total).toBe(1)
})

test('answers that are lost and a server that is busy now and then change nothing: each thing is made once', async () => {
  let count = 0
  const wrap =
    (transport: Transport): Transport =>
    async (request) => {
      count++
      if (count % 5 === 0)
        return { status: 503, header: (name) => (name === 'retry-after' ? '2' : undefined), body: Buffer.from('{}') }
      const answer = await transport(request)
      if (count % 3 === 0) throw new Error('lost')
      return answer
    }
  const { push, pull, waits, call } = await designer(server, { wrap })
  const folder = theme(5)
  const { themeId } = await push(folder, { activate: true })
  expect(waits).toContain(2_000)
  expect((await call('GET', `/v2/themes/${themeId}`)).body).toMatchObject({ versions: [1], activeVersion: 1 })
  expect((await call('GET', '/v2/themes')).body.total).toBe(1)
  expect((await push(folder, { activate: true })).changes).toEqual([])
  const copy = join(temporaryDirectory(), 'copy')
  await pull(copy, themeId)
  expect(Object.keys(contents(copy))).toHaveLength(8)
})
