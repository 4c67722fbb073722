import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApp } from '../support/app.ts'
import {
  broken,
  type Designer,
  declared,
  index,
  localFile,
  notHere,
  putBytes,
  script,
  sessionRule,
  startDesigners,
} from './code-graphics-support.ts'

let server: TestApp
let designer: Designer
let stranger: Designer

beforeAll(async () => {
  ;({ server, designer, stranger } = await startDesigners())
})
afterAll(() => server.close())

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const newGraphic = async () => (await designer.create(randomUUID())).graphicId
const urlsOf = ({ files }: { files: { url: string | null }[] }) => files.map(({ url }) => url)

describe('an upload session', () => {
  it('[op.21] gives each file one signed address with its headers, in the order asked', async () => {
    const graphicId = await newGraphic()
    const session = await designer.open(graphicId, [script, index])
    expect(session.uploadSessionId).toMatch(UUID_V4)
    expect(Date.parse(session.expiresAt)).toBeGreaterThan(Date.now() + 14 * 60_000)
    expect(session.files).toEqual(
      [script, index].map(({ name, mime, hash }) => ({
        name,
        url: expect.stringMatching(/^http:\/\/.*\/rest\/v1\/uploads\/[\w-]{43}$/),
        method: 'PUT',
        headers: { 'content-type': mime, 'x-cloud-checksum-sha256': hash },
      })),
    )
    expect(new Set(urlsOf(session)).size).toBe(2)
  })

  it('[op.21] bytes are verified against the declared size and SHA-256 before they count', async () => {
    const graphicId = await newGraphic()
    const { uploadSessionId, files } = await designer.open(graphicId, [index])
    const [file] = files
    const headers = file?.headers ?? {}
    expect((await putBytes(file?.url, 'other bytes', headers)).status).toBe(413)
    expect((await putBytes(file?.url, index.bytes.toString().toUpperCase(), headers)).status).toBe(400)
    expect((await putBytes(file?.url, index.bytes, { ...headers, 'content-type': 'image/png' })).status).toBe(400)
    expect(await designer.put(graphicId, [index], { uploadSessionId })).toMatchObject(broken(notHere('index.html')))
    expect((await putBytes(file?.url, index.bytes, headers)).status).toBe(200)
    expect((await putBytes(file?.url, index.bytes, headers)).status).toBe(409)
    expect((await designer.put(graphicId, [index], { uploadSessionId })).status).toBe(200)
  })

  it('[op.21] a file may be empty, and its type may have parameters', async () => {
    const graphicId = await newGraphic()
    const files = [index, localFile('empty.css', '', 'text/css; charset=utf-8')]
    const { assets, bundleUrl } = await designer.upload(graphicId, files)
    expect(assets.map(({ name, mime, size }) => [name, mime, size])).toEqual([
      ['empty.css', 'text/css; charset=utf-8', 0],
      ['index.html', 'text/html', index.size],
    ])
    const answer = await fetch(new URL('empty.css', bundleUrl ?? ''))
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'text/css; charset=utf-8',
      '',
    ])
  })

  it('[op.21] asking again with the same list goes on: received files need nothing, others get fresh addresses', async () => {
    const graphicId = await newGraphic()
    const files = [index, script]
    const first = await designer.open(graphicId, files)
    await designer.send({ ...first, files: first.files.slice(0, 1) }, files)
    const second = await designer.open(graphicId, [...files].reverse())
    expect(second.uploadSessionId).toBe(first.uploadSessionId)
    expect(Date.parse(second.expiresAt)).toBeGreaterThan(Date.parse(first.expiresAt))
    expect(second.files.map(({ name, url }) => [name, url === null])).toEqual([
      ['js/main.js', false],
      ['index.html', true],
    ])
    expect(urlsOf(first)).not.toContain(second.files[0]?.url)
    expect((await putBytes(first.files[1]?.url, script.bytes, first.files[1]?.headers ?? {})).status).toBe(404)
    expect(await designer.send(second, files)).toEqual([200])
    const { uploadSessionId } = second
    expect((await designer.put(graphicId, files, { uploadSessionId })).status).toBe(200)
  })

  it('[op.21] a session goes on after the server was restarted, with what it had received', async () => {
    const graphicId = await newGraphic()
    const files = [index, script]
    const first = await designer.open(graphicId, files)
    await designer.send({ ...first, files: first.files.slice(0, 1) }, files)
    await server.restart()
    const later = first.files[1]
    expect((await putBytes(later?.url, script.bytes, later?.headers ?? {})).status).toBe(200)
    const second = await designer.open(graphicId, files)
    expect([second.uploadSessionId, ...urlsOf(second)]).toEqual([first.uploadSessionId, null, null])
    const { uploadSessionId } = second
    expect((await designer.put(graphicId, files, { uploadSessionId })).status).toBe(200)
  })

  it('[op.21] asking ten times at once opens one session', async () => {
    const graphicId = await newGraphic()
    const sessions = await Promise.all(Array.from({ length: 10 }, () => designer.open(graphicId, [index, script])))
    expect(new Set(sessions.map(({ uploadSessionId }) => uploadSessionId)).size).toBe(1)
    const statuses = await Promise.all(sessions.map((session) => designer.send(session, [index, script])))
    // each asking gave new addresses, which ended those before
    expect(statuses.flat().filter((status) => status === 200)).toHaveLength(2)
    expect(new Set(statuses.flat())).toEqual(new Set([200, 404]))
  })

  it('[op.21] naming the session goes on with it, also with another list', async () => {
    const graphicId = await newGraphic()
    const { uploadSessionId } = await designer.open(graphicId, [index, script])
    const changed = localFile('js/main.js', 'changed', 'text/javascript')
    const again = await designer.open(graphicId, [index, changed], { uploadSessionId })
    expect(again.uploadSessionId).toBe(uploadSessionId)
    expect(await designer.send(again, [index, changed])).toEqual([200, 200])
    expect((await designer.put(graphicId, [index, changed], { uploadSessionId })).status).toBe(200)
  })

  it('[op.21] another list or another key opens another session', async () => {
    const graphicId = await newGraphic()
    const first = await designer.open(graphicId, [index, script])
    const other = await designer.open(graphicId, [index])
    expect(other.uploadSessionId).not.toBe(first.uploadSessionId)
    await designer.call('DELETE', designer.pathOf(graphicId, '/lock'))
    const colleague = await designer.colleague()
    const third = await colleague.open(graphicId, [index, script])
    expect([first.uploadSessionId, other.uploadSessionId]).not.toContain(third.uploadSessionId)
  })

  it('[op.21] bytes that the graphic holds from an earlier bundle have no address', async () => {
    const graphicId = await newGraphic()
    await designer.upload(graphicId, [index, script])
    const renamed = { ...script, name: 'js/renamed.js' }
    const { uploadSessionId, files } = await designer.open(graphicId, [index, renamed])
    expect(files.map(({ url }) => url)).toEqual([null, null])
    expect((await designer.put(graphicId, [index, renamed], { uploadSessionId })).status).toBe(200)
  })

  it('[op.21] an expired session takes no more bytes and counts for nothing', async () => {
    const graphicId = await newGraphic()
    const session = await designer.open(graphicId, [index, script])
    await designer.send({ ...session, files: session.files.slice(0, 1) }, [index])
    const { uploadSessionId } = session
    await server.database.sql`
      with gone as (update upload set expires_at = clock_timestamp() where session_id = ${uploadSessionId})
      update upload_session set expires_at = clock_timestamp() where id = ${uploadSessionId}`
    const late = session.files[1]
    expect((await putBytes(late?.url, script.bytes, late?.headers ?? {})).status).toBe(410)
    expect(await designer.put(graphicId, [index], { uploadSessionId })).toMatchObject(
      broken(sessionRule(uploadSessionId), notHere('index.html')),
    )
    const body = { files: [declared(index)], uploadSessionId }
    expect(await designer.call('POST', designer.pathOf(graphicId, '/uploads'), body)).toMatchObject(
      broken(sessionRule(uploadSessionId)),
    )
    expect((await designer.open(graphicId, [index, script])).uploadSessionId).not.toBe(uploadSessionId)
  })

  it('[op.21] a session is that of its graphic alone', async () => {
    const [one, other] = [await newGraphic(), await newGraphic()]
    const session = await designer.open(one, [index])
    await designer.send(session, [index])
    const { uploadSessionId } = session
    const theirs = await stranger.create('Theirs')
    for (const [by, graphicId] of [[designer, other] as const, [stranger, theirs.graphicId] as const])
      expect(await by.put(graphicId, [index], { uploadSessionId })).toMatchObject(
        broken(sessionRule(uploadSessionId), notHere('index.html')),
      )
    expect((await designer.put(one, [index], { uploadSessionId })).status).toBe(200)
  })
})
