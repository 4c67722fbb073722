import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Context } from '../../src/context.ts'
import { whileLocked } from '../../src/resources/code-graphics/lock.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { type Designer, localFile, newDesigner } from './code-graphics-support.ts'

let server: TestApp
let ann: Designer
let ben: Designer

beforeAll(async () => {
  server = await startApp()
  ann = await newDesigner(server)
  ben = await ann.colleague()
})
afterAll(() => server.close())

const SOON = { interval: 50 }
const NAMED = { userName: 'API key test' }
const LOCKED = { status: 409, body: { code: 'LOCKED', holder: NAMED } }
const files = [localFile('index.html')]

const hold = (by: Designer, graphicId: string) => by.call('PUT', by.pathOf(graphicId, '/lock'))
const release = (by: Designer, graphicId: string) => by.call('DELETE', by.pathOf(graphicId, '/lock'))
const rename = (by: Designer, graphicId: string, name: string) => by.call('PATCH', by.pathOf(graphicId), { name })

/** Lets the five minutes of a hold be over. */
const letExpire = (graphicId: string) =>
  server.database.sql`update timer set due_at = clock_timestamp() where ref = ${`graphic-lock/${graphicId}`}`

const actorsOf = async (graphicId: string) =>
  (await server.database.sql`select from actor where ref = ${`graphic-lock/${graphicId}`}`).length

const secondsLeft = async (graphicId: string) => {
  const [timer] = await server.database.sql<{ seconds: number }[]>`
    select extract(epoch from due_at - clock_timestamp())::float8 as seconds from timer
    where ref = ${`graphic-lock/${graphicId}`}`
  return timer?.seconds
}

describe('holding a graphic', () => {
  it('[Graphic versions and lock] PUT holds it for five minutes, shows who has it, and renews', async () => {
    const { graphicId } = await ann.create('Held')
    const first = await hold(ann, graphicId)
    expect(first).toMatchObject({ status: 200, body: NAMED })
    const minutes = (Date.parse(String(first.body.expiresAt)) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(4.9)
    expect(minutes).toBeLessThanOrEqual(5.1)
    expect((await ben.read(graphicId)).lock).toEqual(NAMED)
    const list = await ben.call('GET', `/v2/themes/${ben.themeId}/code-graphics`)
    expect(list.body).toContainEqual(expect.objectContaining({ graphicId, lock: NAMED }))
    const again = await hold(ann, graphicId)
    expect(Date.parse(String(again.body.expiresAt))).toBeGreaterThan(Date.parse(String(first.body.expiresAt)))
    expect(await release(ann, graphicId)).toMatchObject({ status: 204 })
    expect((await ben.read(graphicId)).lock).toBeNull()
    expect(await release(ann, graphicId)).toMatchObject({ status: 204 })
  })

  it('[Errors] every write of another key answers 409 LOCKED with the holder, and changes nothing', async () => {
    const { graphicId } = await ann.create('Refused')
    await ann.upload(graphicId, files)
    await hold(ann, graphicId)
    const before = await ben.read(graphicId)
    const writes: [string, string, unknown?][] = [
      ['PATCH', '', { name: 'Mine' }],
      ['PATCH', '', { stateMachine: {} }],
      ['PUT', '/bundle', { files: [] }],
      ['POST', '/uploads', { files: [] }],
      ['POST', '/publish'],
      ['DELETE', ''],
      ['PUT', '/lock'],
      ['DELETE', '/lock'],
    ]
    for (const [method, below, body] of writes)
      expect([method, below, await ben.call(method, ben.pathOf(graphicId, below), body)]).toMatchObject([
        method,
        below,
        LOCKED,
      ])
    expect(await ben.read(graphicId)).toEqual(before)
    expect((await ann.publish(graphicId)).graphic.lock).toEqual(NAMED)
    await release(ann, graphicId)
    expect((await rename(ben, graphicId, 'Mine now')).status).toBe(200)
  })

  it('[Graphic versions and lock] a write holds the graphic for its duration only, also when it fails', async () => {
    const { graphicId } = await ann.create('Written')
    expect((await ann.upload(graphicId, files)).lock).toBeNull()
    expect((await ann.put(graphicId, [localFile('other.html')])).status).toBe(400)
    expect((await ann.publish(graphicId)).graphic.lock).toBeNull()
    expect((await rename(ben, graphicId, 'Written by both')).status).toBe(200)
    const facts = await server.database.sql<{ type: string; claim: string }[]>`
      select e->>'type' as type, e->>'claim' as claim from journal, json_array_elements(events) e
      where ref = ${`graphic-lock/${graphicId}`} and e->>'claim' = 'write' order by seq`
    const claims = facts.map(({ type }) => type)
    expect(claims.filter((type) => type === 'lock.acquired')).toHaveLength(5)
    expect(claims.filter((type) => type === 'lock.released')).toHaveLength(5)
  })

  it('[Graphic versions and lock] while a write of one key is under way another is refused', async () => {
    const { graphicId } = await ann.create('Under way')
    const ctx = server.app.systemContext(ann.organizationId, 'importer')
    const path = { themeId: ann.themeId, graphicId }
    await whileLocked(ctx, path, async () => {
      // what is left of it when the node dies now
      expect(await secondsLeft(graphicId)).toBeLessThanOrEqual(30)
      const answer = await rename(ann, graphicId, 'Mine')
      expect(answer).toMatchObject({ status: 409, body: { code: 'LOCKED', holder: { userName: 'importer' } } })
      // the same holder may enter again
      await whileLocked(ctx, path, async () => undefined)
      expect((await rename(ann, graphicId, 'Mine')).status).toBe(409)
    })
    expect((await rename(ann, graphicId, 'Mine')).status).toBe(200)
  })

  it('[Errors] `holder` is null when the hold expired between check and answer', async () => {
    const { graphicId } = await ann.create('Expired meanwhile')
    await hold(ann, graphicId)
    const { actors, ...ctx } = server.app.systemContext(ann.organizationId, 'late')
    // the real host; the time between its refusal and the answer is made long enough for the hold to end
    const slow: Pick<Context['actors'], 'send' | 'read'> = {
      read: (kind, id) => actors.read(kind, id),
      async send(asker, kind, id, ask) {
        try {
          return await actors.send(asker, kind, id, ask)
        } catch (error) {
          await letExpire(graphicId)
          await vi.waitFor(async () => expect((await ann.read(graphicId)).lock).toBeNull(), SOON)
          throw error
        }
      },
    }
    const late: Context = {
      ...ctx,
      actors: slow as Context['actors'],
      atOwner: (_ref, errand, args) => errand.run(late, args),
    }
    const write = whileLocked(late, { themeId: ann.themeId, graphicId }, () =>
      Promise.reject(new Error('the graphic is held')),
    )
    await expect(write).rejects.toMatchObject({ status: 409, body: { code: 'LOCKED', holder: null } })
  })
})

describe('an upload and its hold', () => {
  it('[op.21] a session holds the graphic until its bundle is put', async () => {
    const { graphicId } = await ann.create('Uploading')
    const session = await ann.open(graphicId, files)
    expect((await ben.read(graphicId)).lock).toEqual(NAMED)
    expect(await rename(ben, graphicId, 'Mine')).toMatchObject(LOCKED)
    await ann.send(session, files)
    const { uploadSessionId } = session
    expect((await ann.put(graphicId, files, { uploadSessionId })).body.lock).toBeNull()
    expect((await ben.read(graphicId)).lock).toBeNull()
  })

  it('[op.21] the hold goes on after the bundle when its key also has the graphic open', async () => {
    const { graphicId } = await ann.create('Open and uploading')
    await hold(ann, graphicId)
    expect((await ann.upload(graphicId, files)).lock).toEqual(NAMED)
    expect(await rename(ben, graphicId, 'Mine')).toMatchObject(LOCKED)
    await release(ann, graphicId)
    expect((await ben.read(graphicId)).lock).toBeNull()
  })

  it('[op.21] a bundle that is refused leaves the hold of its session as it was', async () => {
    const { graphicId } = await ann.create('Refused bundle')
    const { uploadSessionId } = await ann.open(graphicId, files)
    expect((await ann.put(graphicId, files, { uploadSessionId })).status).toBe(400)
    expect((await ben.read(graphicId)).lock).toEqual(NAMED)
    expect((await release(ann, graphicId)).status).toBe(204)
    expect((await ben.read(graphicId)).lock).toBeNull()
  })

  it('[op.21] uploads that are refused hold nothing', async () => {
    const { graphicId } = await ann.create('Refused uploads')
    expect((await ann.call('POST', ann.pathOf(graphicId, '/uploads'), { files: [{ name: 'a' }] })).status).toBe(400)
    const bad = { name: '../a', mime: 'text/html', size: 1, hash: 'a'.repeat(64) }
    const answer = await ann.call('POST', ann.pathOf(graphicId, '/uploads'), { files: [bad] })
    expect([answer.status, answer.body.code]).toEqual([400, 'CODE_GRAPHIC_INVALID'])
    expect((await ben.read(graphicId)).lock).toBeNull()
  })
})

describe('the end of a hold', () => {
  it('[P6] survives a restart of the server, and comes by itself', async () => {
    const { graphicId } = await ann.create('Across a restart')
    await hold(ann, graphicId)
    await server.restart()
    expect(await rename(ben, graphicId, 'Mine')).toMatchObject(LOCKED)
    await letExpire(graphicId)
    await vi.waitFor(async () => expect((await rename(ben, graphicId, 'Free at last')).status).toBe(200), SOON)
    expect((await ben.read(graphicId)).lock).toBeNull()
  })

  it('deleting the graphic takes its lock with it, and nothing below it is left to hold', async () => {
    const { graphicId } = await ann.create('Deleted')
    await hold(ann, graphicId)
    expect(await actorsOf(graphicId)).toBe(1)
    expect((await ann.call('DELETE', ann.pathOf(graphicId))).status).toBe(204)
    expect(await actorsOf(graphicId)).toBe(0)
    expect((await hold(ann, graphicId)).status).toBe(404)
    expect((await release(ann, graphicId)).status).toBe(404)
    expect(await actorsOf(graphicId)).toBe(0)
  })

  it('deleting the theme takes the locks and upload sessions of its graphics with it', async () => {
    const other = await newDesigner(server)
    const { graphicId } = await other.create('In a theme')
    const session = await other.open(graphicId, files)
    expect(await actorsOf(graphicId)).toBe(1)
    expect((await other.call('DELETE', `/v2/themes/${other.themeId}`)).status).toBe(204)
    expect(await actorsOf(graphicId)).toBe(0)
    expect(await secondsLeft(graphicId)).toBeUndefined()
    expect(await other.send(session, files)).toEqual([404])
  })

  it('[auth.11] a graphic of another organization is not there to be held', async () => {
    const { graphicId } = await ann.create('Foreign')
    const stranger = await newDesigner(server)
    for (const path of [stranger.pathOf(graphicId, '/lock'), ann.pathOf(graphicId, '/lock')])
      expect((await stranger.call('PUT', path)).status).toBe(404)
    expect(await actorsOf(graphicId)).toBe(0)
  })
})
