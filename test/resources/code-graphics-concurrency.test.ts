import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer, TestApp } from '../support/app.ts'
import { type Designer, declared, index, startDesigners } from './code-graphics-support.ts'

let server: TestApp
let designer: Designer

beforeAll(async () => {
  ;({ server, designer } = await startDesigners())
})
afterAll(() => server.close())

const WRITERS = 50
const OLD = '2020-01-01T00:00:00.000000Z'
const files = [declared(index)]
const TARGET_CHANGED = { status: 409, body: { code: 'TARGET_CHANGED' } }

type Write = readonly [method: string, path: string, body?: object]

/** Those of so many writers at once who were not told that the target changed. */
async function race(write: (writer: number) => Write) {
  const answers = await Promise.all(Array.from({ length: WRITERS }, (_, writer) => patiently(write(writer))))
  for (const { status, body } of answers)
    if (status >= 300) expect([status, body.code]).toEqual([409, 'TARGET_CHANGED'])
  return answers.filter(({ status }) => status < 300)
}

/** On a busy machine some are told to ask again; the key gives them the answer of their first run. */
async function patiently([method, path, body]: Write): Promise<Answer> {
  const headers = { 'Idempotency-Key': randomUUID() }
  let answer = await designer.call(method, path, body, headers)
  while (answer.status === 503) answer = await designer.call(method, path, body, headers)
  return answer
}

const themeUpdatedAt = async () =>
  String((await designer.call('GET', `/v2/themes/${designer.themeId}/variables`)).body.updatedAt)

let names = 0
const newGraphic = async () => {
  names += 1
  const { graphicId } = await designer.create(`Race ${names}`)
  return designer.upload(graphicId, [index])
}

describe('50 writers who read the same', () => {
  it('[Optimistic concurrency] of bundles one is taken', async () => {
    const { graphicId, updatedAt } = await newGraphic()
    const winners = await race((writer) => [
      'PUT',
      designer.pathOf(graphicId, '/bundle'),
      {
        files,
        stateMachine: { writer },
        ifUnchangedSince: updatedAt,
      },
    ])
    expect(winners).toHaveLength(1)
    const now = await designer.read(graphicId)
    expect(now).toEqual(winners[0]?.body)
    expect(now.updatedAt).not.toBe(updatedAt)
  })

  it.each(['of the graphic', 'of the theme'])(
    '[Optimistic concurrency] of renames one is taken, by what was read %s',
    async (of) => {
      const { graphicId, updatedAt } = await newGraphic()
      const ifUnchangedSince = of === 'of the theme' ? await themeUpdatedAt() : updatedAt
      const winners = await race((writer) => [
        'PATCH',
        designer.pathOf(graphicId),
        { name: `Racer ${writer} ${of}`, ifUnchangedSince },
      ])
      expect(winners).toHaveLength(1)
      expect((await designer.read(graphicId)).name).toBe(winners[0]?.body.name)
      expect(await themeUpdatedAt()).not.toBe(ifUnchangedSince)
    },
  )

  it('[Optimistic concurrency] of state machines one is taken', async () => {
    const { graphicId, updatedAt } = await newGraphic()
    const winners = await race((writer) => [
      'PATCH',
      designer.pathOf(graphicId),
      { stateMachine: { writer }, ifUnchangedSince: updatedAt },
    ])
    expect(winners).toHaveLength(1)
    expect(await designer.read(graphicId)).toEqual(winners[0]?.body)
  })

  it.each(['of the graphic', 'of the theme'])(
    '[Optimistic concurrency] of publications one is made, by what was read %s',
    async (of) => {
      const { graphicId, updatedAt } = await newGraphic()
      const ifUnchangedSince = of === 'of the theme' ? await themeUpdatedAt() : updatedAt
      const winners = await race(() => ['POST', designer.pathOf(graphicId, '/publish'), { ifUnchangedSince }])
      expect(winners).toHaveLength(1)
      const { publishedVersions, updatedAt: now } = await designer.read(graphicId)
      expect(publishedVersions).toEqual([1])
      expect(winners[0]?.body).toMatchObject({ graphic: { updatedAt: now }, updatedAt: await themeUpdatedAt() })
    },
  )

  it('[Optimistic concurrency] of creations one is made', async () => {
    const ifUnchangedSince = await themeUpdatedAt()
    const winners = await race((writer) => [
      'POST',
      `/v2/themes/${designer.themeId}/code-graphics`,
      {
        name: `New ${writer}`,
        ifUnchangedSince,
      },
    ])
    expect(winners).toHaveLength(1)
  })

  it('[Optimistic concurrency] of deletions and renames together one is taken', async () => {
    for (const deletesFirst of [0, 1]) {
      const { graphicId, updatedAt } = await newGraphic()
      const ifUnchangedSince = updatedAt ?? ''
      const query = `?ifUnchangedSince=${encodeURIComponent(ifUnchangedSince)}`
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, writer) =>
          writer % 2 === deletesFirst
            ? patiently(['DELETE', designer.pathOf(graphicId, query)])
            : patiently(['PATCH', designer.pathOf(graphicId), { name: `Gone ${writer} ${names}`, ifUnchangedSince }]),
        ),
      )
      const taken = answers.filter(({ status }) => status < 300)
      expect(taken).toHaveLength(1)
      const deleted = taken[0]?.status === 204
      const others = answers.filter(({ status }) => status >= 300).map(({ status }) => status)
      const allowed = deleted ? [404, 409] : [409]
      expect(others.filter((status) => !allowed.includes(status))).toEqual([])
      expect((await designer.call('GET', designer.pathOf(graphicId))).status).toBe(deleted ? 404 : 200)
    }
  })

  it('without a condition every publication is made, each with a version of its own', async () => {
    const { graphicId } = await newGraphic()
    const winners = await race(() => ['POST', designer.pathOf(graphicId, '/publish')])
    const versions = winners.map(({ body }) => Number(body.publishedVersion)).sort((a, b) => a - b)
    expect(versions).toEqual(Array.from({ length: WRITERS }, (_, at) => at + 1))
  })
})

describe('a target that changed', () => {
  it('[Optimistic concurrency] every write answers 409 TARGET_CHANGED and changes nothing', async () => {
    const before = await newGraphic()
    const { graphicId } = before
    const theme = await themeUpdatedAt()
    const ifUnchangedSince = OLD
    for (const [method, below, body] of [
      ['PATCH', '', { name: 'Other', ifUnchangedSince }],
      ['PATCH', '', { stateMachine: {}, ifUnchangedSince }],
      ['PATCH', '', { ifUnchangedSince }],
      ['PUT', '/bundle', { files: [], ifUnchangedSince }],
      ['POST', '/uploads', { files: [], ifUnchangedSince }],
      ['POST', '/publish', { ifUnchangedSince }],
      ['DELETE', `?ifUnchangedSince=${OLD}`, undefined],
    ] as const)
      expect(await designer.call(method, designer.pathOf(graphicId, below), body)).toMatchObject(TARGET_CHANGED)
    const creation = { name: 'Not made', ifUnchangedSince }
    expect(await designer.call('POST', `/v2/themes/${designer.themeId}/code-graphics`, creation)).toMatchObject(
      TARGET_CHANGED,
    )
    expect(await designer.read(graphicId)).toEqual(before)
    expect(await themeUpdatedAt()).toBe(theme)
  })

  it('[Optimistic concurrency] each answer has what the next write sends back, and a bundle leaves the theme as it was', async () => {
    const theme = await themeUpdatedAt()
    const created = await designer.call('POST', `/v2/themes/${designer.themeId}/code-graphics`, {
      name: 'Chain',
      ifUnchangedSince: theme,
    })
    const graphicId = String(created.body.graphicId)
    const afterCreation = await themeUpdatedAt()
    expect(afterCreation).not.toBe(theme)
    const session = await designer.open(graphicId, [index], { ifUnchangedSince: created.body.updatedAt })
    await designer.send(session, [index])
    const { uploadSessionId } = session
    const bundle = await designer.put(graphicId, [index], { uploadSessionId, ifUnchangedSince: created.body.updatedAt })
    expect(await themeUpdatedAt()).toBe(afterCreation)
    const published = await designer.call('POST', designer.pathOf(graphicId, '/publish'), {
      ifUnchangedSince: bundle.body.updatedAt,
    })
    expect(published.status).toBe(201)
    const renamed = await designer.call('PATCH', designer.pathOf(graphicId), {
      name: 'Link',
      ifUnchangedSince: published.body.updatedAt,
    })
    const query = `?ifUnchangedSince=${encodeURIComponent(String(renamed.body.updatedAt))}`
    expect((await designer.call('DELETE', designer.pathOf(graphicId, query))).status).toBe(204)
  })
})
