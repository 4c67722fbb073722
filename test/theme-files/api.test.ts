import { expect, test } from 'vitest'
import { z } from 'zod'
import { Api, Refusal } from '../../src/theme-files/api.ts'
import type { WireRequest } from '../../src/theme-files/transport.ts'

type Answer = { status: number; headers?: Record<string, string>; body?: unknown } | Error

/** An API whose server gives these answers in turn. */
function scripted(answers: Answer[], url = 'http://tally.example') {
  const asked: WireRequest[] = []
  const waits: number[] = []
  const api = new Api({
    url,
    key: 'service_x',
    wait: async (ms) => void waits.push(ms),
    async transport(request) {
      asked.push(request)
      const answer = answers.shift()
      if (answer === undefined) throw new Error('asked once too often')
      if (answer instanceof Error) throw answer
      const { status, headers = {}, body } = answer
      return {
        status,
        header: (name) => headers[name],
        body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
      }
    },
  })
  return { api, asked, waits }
}

const Named = z.object({ name: z.string() })
const done = { status: 201, body: { name: 'x' } }

test('429 and 503 are asked again after Retry-After, and without one after longer and longer waits', async () => {
  const { api, waits } = scripted([
    { status: 429, headers: { 'retry-after': '3' } },
    { status: 503 },
    { status: 503 },
    { status: 503, headers: { 'retry-after': '3600' } },
    done,
  ])
  expect(await api.write('POST', '/v2/themes', {}, Named)).toEqual({ name: 'x' })
  expect(waits).toEqual([3_000, 500, 1_000, 30_000])
})

test('a write that is asked again has the same Idempotency-Key, another write another one', async () => {
  const { api, asked } = scripted([new Error('lost'), done, done])
  await api.write('POST', '/v2/themes', { a: 1 }, Named)
  await api.write('POST', '/v2/themes', { a: 1 }, Named)
  const keys = asked.map(({ headers }) => headers['Idempotency-Key'])
  expect(keys[0]).toBe(keys[1])
  expect(keys[2]).not.toBe(keys[0])
  expect(asked[0]?.headers.Authorization).toBe('Bearer service_x')
})

test('a server that never answers is given up with what was wrong, sooner when it was never there', async () => {
  const cause = new Error('connect ECONNREFUSED 10.0.0.1:80')
  const { api, asked } = scripted(Array.from({ length: 8 }, () => Object.assign(new Error('fetch failed'), { cause })))
  await expect(api.get('/v2/themes', Named)).rejects.toThrow(
    'http://tally.example does not answer: connect ECONNREFUSED 10.0.0.1:80',
  )
  expect(asked).toHaveLength(3)
  const left = scripted([done, ...Array.from({ length: 8 }, () => new Error('gone'))])
  await left.api.get('/v2/themes', Named)
  await expect(left.api.get('/v2/themes', Named)).rejects.toThrow('http://tally.example does not answer: gone')
  expect(left.asked).toHaveLength(9)
})

test('a deletion that was done and whose answer was lost is done', async () => {
  const { api } = scripted([new Error('lost'), { status: 404, body: { message: 'Not Found' } }])
  await api.delete('/v2/themes/1')
  const missing = scripted([{ status: 404, body: { message: 'Not Found' } }])
  await expect(missing.api.delete('/v2/themes/1')).rejects.toThrow('Not Found')
})

test('[Errors] a refusal says who holds a graphic, that a target changed, every bad field and every broken rule', async () => {
  const refusal = async (status: number, body: unknown) => {
    const error = await scripted([{ status, body }])
      .api.write('PUT', '/x', {}, Named)
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Refusal)
    return error instanceof Refusal ? error.message : ''
  }
  expect(await refusal(409, { message: 'm', code: 'LOCKED', holder: { userName: 'API key Mia' } })).toBe(
    'is being edited by API key Mia; try again when they are done',
  )
  expect(await refusal(409, { message: 'm', code: 'LOCKED', holder: null })).toMatch(
    /^was being edited by somebody else/,
  )
  expect(await refusal(409, { message: 'm', code: 'TARGET_CHANGED' })).toMatch(
    /^was changed by somebody else meanwhile/,
  )
  expect(
    await refusal(400, { message: 'Validation Failed', details: { 'body.name': { message: 'too long', value: 'x' } } }),
  ).toBe('Validation Failed: body.name too long')
  expect(await refusal(400, { message: 'Invalid', code: 'CODE_GRAPHIC_INVALID', details: ['a: bad', 'b: bad'] })).toBe(
    'Invalid: a: bad; b: bad',
  )
  expect(await refusal(403, { message: 'Missing scope: themes:write', code: 'INSUFFICIENT_SCOPE' })).toBe(
    'Missing scope: themes:write',
  )
})

test('the address of a server is taken with and without /rest and slashes, below a path too', async () => {
  for (const url of ['http://tally.example/at', 'http://tally.example/at/', 'http://tally.example/at/rest/']) {
    const { api, asked } = scripted([done], url)
    await api.get('/v2/themes?limit=1', Named)
    expect(asked[0]?.url.href).toBe('http://tally.example/at/rest/v2/themes?limit=1')
  }
})

test('what is no Tally server is said to be none', async () => {
  const { api } = scripted([{ status: 200, body: { hello: 1 } }])
  await expect(api.get('/v2/themes/1', Named)).rejects.toThrow('answers /v2/themes/1 with another shape: name')
})

test('signed addresses of a server that was not told its public address are those of the server that was asked', async () => {
  const asked = async (url: string, address: string) => {
    const server = scripted([{ status: 200 }], url)
    await server.api.upload(address, { 'content-type': 'text/html' }, Buffer.from('x'))
    expect(server.asked[0]?.headers).toEqual({ 'content-type': 'text/html' })
    return server.asked[0]?.url.href
  }
  const local = 'http://localhost:8080/rest/v1/uploads/token?x=1'
  expect(await asked('http://10.1.2.3:9000', local)).toBe('http://10.1.2.3:9000/rest/v1/uploads/token?x=1')
  expect(await asked('http://localhost:9000', local)).toBe(local)
  const elsewhere = 'https://files.example/rest/v1/uploads/token'
  expect(await asked('http://10.1.2.3:9000', elsewhere)).toBe(elsewhere)
})

test('[Errors] a refusal of motion graphics names its fields with their reasons', async () => {
  const details = [{ field: 'body.expression', reason: 'Unknown variable: nowhere' }]
  const { api } = scripted([{ status: 400, body: { message: 'Validation Failed', code: 'INVALID_REQUEST', details } }])
  await expect(api.write('POST', '/v2/themes', {}, Named)).rejects.toThrow(
    'Validation Failed: body.expression Unknown variable: nowhere',
  )
})
