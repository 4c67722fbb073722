import { describe, expect, test } from 'vitest'
import { echoRoutes } from '../support/echo-routes.ts'
import { testRouter } from '../support/http.ts'

const { call } = testRouter({ routes: echoRoutes })

describe('the body', () => {
  const send = (body: string | Buffer) => call('POST', '/rest/v1/teams', { body })

  test('every bad field is named by its path, with its value where that helps', async () => {
    const { status, json } = await send(
      '{"name":"short","files":[{"size":1},{"size":"x"},{"size":1.5,"more":1}],"extra":{},"other":1,"values":{"a":{}}}',
    )
    expect(status).toBe(400)
    expect(json).toMatchObject({ message: 'Validation Failed' })
    expect(json.details).toEqual({
      'body.name': { message: '6 to 39 characters', value: 'short' },
      'body.files[1].size': { message: expect.any(String), value: 'x' },
      'body.files[2].size': { message: expect.any(String), value: 1.5 },
      'body.files[2].more': { message: 'unknown key', value: 1 },
      'body.values.a': { message: expect.any(String) },
      'body.extra': { message: 'unknown key' },
      'body.other': { message: 'unknown key', value: 1 },
    })
  })

  test('of what may be of several types it is said which, or what the one that it is has against it', async () => {
    const { json } = await send(
      '{"name":"abcdefg","values":{"list":[],"is":true,"long":"abcdef","ok":"abc"},"deep":"x"}',
    )
    expect(json.details).toEqual({
      'body.values.list': { message: 'Invalid input: expected string or number or null' },
      'body.values.is': { message: 'Invalid input: expected string or number or null', value: true },
      'body.values.long': { message: expect.stringMatching(/5 characters/), value: 'abcdef' },
      'body.deep': { message: 'Invalid input: expected boolean or array or number', value: 'x' },
    })
    const inner = await send('{"name":"abcdefg","deep":[1,"x"]}')
    expect(Object.keys(inner.json.details as object)).toEqual(['body.deep[1]'])
  })

  test.each(['{', '', '{"name":}', "{'name':'abcdefg'}", 'undefined', 'NaN', '{"name":"abcdefg"}}', '\u0000'])(
    'the body %j is not JSON',
    async (body) => {
      const { status, json } = await send(body)
      expect(status).toBe(400)
      expect(json.details).toEqual(body === '' ? { body: { message: 'a JSON body is required' } } : {})
    },
  )

  test.each(['null', '[]', '"text"', '1', 'true'])('the body %s is not an object', async (body) => {
    const { status, json } = await send(body)
    expect(status).toBe(400)
    expect(Object.keys(json.details ?? {})).toEqual(['body'])
  })

  test('a body that is not UTF-8 is refused', async () => {
    expect(await send(Buffer.from([0x22, 0xff, 0x22]))).toMatchObject({ status: 400, json: { details: {} } })
  })

  test('nesting is measured before anything is parsed', async () => {
    expect(await send('['.repeat(1_000_000))).toMatchObject({ status: 400, json: { details: {} } })
    const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`
    expect(await send(deep)).toMatchObject({ status: 400, json: { message: expect.stringContaining('64') } })
    const brackets = await send(`{"name":"${'['.repeat(70)}"}`)
    expect(Object.keys(brackets.json.details ?? {})).toEqual(['body.name'])
  })

  test.each([
    ['{"name":"abc\\u0000def"}', 'body.name'],
    ['{"name":"abc\\ud800def"}', 'body.name'],
    ['{"name":"abcdefg","values":{"a":["\\udc00"]}}', 'body.values.a[0]'],
    ['{"name":"abcdefg","values":{"\\u0000":"x"}}', 'body.values.\u0000'],
  ])('NUL characters and lone surrogates in %s are refused, naming the path', async (body, path) => {
    const { status, json } = await send(body)
    expect(status).toBe(400)
    expect(Object.keys(json.details ?? {})).toContain(path)
  })

  test.each([
    ['{"name":"abcdefg","values":{"a":1e999}}', 'body.values.a'],
    ['{"name":"abcdefg","values":{"a":[1,-1.5E+400\n]}}', 'body.values.a[1]'],
    [`{"name":"abcdefg","values":{"a":${'9'.repeat(400)}}}`, 'body.values.a'],
  ])('numbers that no double holds in %s are refused, naming the path', async (body, path) => {
    const { status, json } = await send(body)
    expect(status).toBe(400)
    expect(json.details).toHaveProperty([path], { message: 'this number is too large' })
  })

  test('at most 1,000 texts that cannot be stored are named', async () => {
    const values = Array.from({ length: 5_000 }, (_, index) => `"v${index}":"\\u0000"`)
    const { status, json } = await send(`{"name":"abcdefg","values":{${values}}}`)
    expect(status).toBe(400)
    expect(Object.keys(json.details ?? {})).toHaveLength(1_000)
  })

  test('escaped pairs are fine', async () => {
    expect(await send('{"name":"abcdef\\ud83d\\ude00"}')).toMatchObject({ status: 201 })
  })

  test.each(['{"name":"abcdefg","__proto__":{"admin":true}}', '{"name":"abcdefg","values":{"__proto__":"x"}}'])(
    'the key __proto__ in %s reaches no object',
    async (body) => {
      const { status, json } = await send(body)
      expect(status).toBe(400)
      expect(Object.keys(json.details ?? {}).some((path) => path.endsWith('.__proto__'))).toBe(true)
      expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false)
    },
  )

  test('constructor is a key like any other in a map', async () => {
    const { status, json } = await send('{"name":"abcdefg","values":{"constructor":"x","toString":"y"}}')
    expect(status).toBe(201)
    expect(json.body).toEqual({ name: 'abcdefg', values: { constructor: 'x', toString: 'y' } })
  })

  test('lengths count code points', async () => {
    expect(await send('{"name":"😀😀😀😀😀😀"}')).toMatchObject({ status: 201 })
    expect(await send('{"name":"😀😀😀"}')).toMatchObject({ status: 400 })
    expect(await send(`{"name":"${'😀'.repeat(39)}"}`)).toMatchObject({ status: 201 })
    expect(await send(`{"name":"${'😀'.repeat(40)}"}`)).toMatchObject({ status: 400 })
  })

  test('a body with a hundred thousand bad items is answered with a bounded answer', async () => {
    const { status, body } = await send(`{"name":"abcdefg","files":[${Array(100_000).fill('{}').join(',')}]}`)
    expect(status).toBe(400)
    expect(body.length).toBeLessThan(200_000)
  })
})
