import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestApp } from '../support/app.ts'
import {
  broken,
  type Designer,
  declared,
  index,
  type LocalFile,
  localFile,
  notHere,
  putBytes,
  script,
  sessionRule,
  sha256,
  startDesigners,
} from './code-graphics-support.ts'

let server: TestApp
let designer: Designer

beforeAll(async () => {
  ;({ server, designer } = await startDesigners())
})
afterAll(() => server.close())

const newGraphic = async () => (await designer.create(randomUUID())).graphicId

describe('putting a bundle', () => {
  it('[op.21] (a) the file set is complete: what is left out is deleted', async () => {
    const graphicId = await newGraphic()
    await designer.upload(graphicId, [index, script])
    const answer = await designer.put(graphicId, [index])
    expect(answer.body).toMatchObject({ assets: [{ name: 'index.html', version: 1 }] })
    expect(await designer.put(graphicId, [index, script])).toMatchObject(broken(notHere('js/main.js')))
  })

  it('[op.21] (b) a new state machine is applied together with the files, or not at all', async () => {
    const graphicId = await newGraphic()
    const stateMachine = { runtime: { entry: 'js/main.js', own: [1, { deep: null }] }, more: true }
    await designer.upload(graphicId, [index, script])
    expect(await designer.put(graphicId, [index], { stateMachine })).toMatchObject(
      broken('js/main.js: the entry is missing'),
    )
    expect((await designer.read(graphicId)).assets).toHaveLength(2)
    const answer = await designer.put(graphicId, [script], { stateMachine })
    expect(answer.body).toMatchObject({ stateMachine, bundleUrl: expect.stringMatching(/\/js\/main\.js$/) })
    expect((await designer.put(graphicId, [script])).body.stateMachine).toEqual(stateMachine)
  })

  it('[op.21] (c) only the files of the session named are taken, and it is cleared afterwards', async () => {
    const graphicId = await newGraphic()
    const first = await designer.open(graphicId, [index])
    await designer.send(first, [index])
    const second = await designer.open(graphicId, [index, script])
    await designer.send({ ...second, files: second.files.slice(1) }, [script])
    const { uploadSessionId } = second
    expect(await designer.put(graphicId, [index, script], { uploadSessionId })).toMatchObject(
      broken(notHere('index.html')),
    )
    const [unused] = second.files
    await putBytes(unused?.url, index.bytes, unused?.headers ?? {})
    expect((await designer.put(graphicId, [index, script], { uploadSessionId })).status).toBe(200)
    expect((await putBytes(unused?.url, index.bytes, unused?.headers ?? {})).status).toBe(404)
    expect(await designer.put(graphicId, [index], { uploadSessionId })).toMatchObject(
      broken(sessionRule(uploadSessionId)),
    )
    expect((await designer.put(graphicId, [index], { uploadSessionId: first.uploadSessionId })).status).toBe(200)
  })

  it('[op.21] (d) without a session every file must be in the graphic; each that is not is named', async () => {
    const graphicId = await newGraphic()
    expect(await designer.put(graphicId, [index, script])).toMatchObject(
      broken(notHere('index.html'), notHere('js/main.js')),
    )
    await designer.upload(graphicId, [index])
    expect((await designer.put(graphicId, [index])).status).toBe(200)
  })

  it('[op.21] another size or type than was uploaded breaks a rule', async () => {
    const graphicId = await newGraphic()
    const session = await designer.open(graphicId, [index, script])
    await designer.send(session, [index, script])
    const { uploadSessionId } = session
    const files = [
      { ...index, size: index.size + 1 },
      { ...script, mime: 'text/plain' },
    ]
    expect(await designer.put(graphicId, files, { uploadSessionId })).toMatchObject(
      broken(
        `index.html: the size is ${index.size + 1}, but its bytes are ${index.size}`,
        'js/main.js: the mime is text/plain, but it was uploaded as text/javascript',
      ),
    )
    await designer.put(graphicId, [index, script], { uploadSessionId })
    const corrected = await designer.put(graphicId, [index, { ...script, mime: 'application/javascript' }])
    expect(corrected.body).toMatchObject({ assets: [{}, { mime: 'application/javascript', version: 1 }] })
  })

  it('[Code graphic] the version of a file rises when its hash changes, and only then', async () => {
    const graphicId = await newGraphic()
    const versions = async (files: LocalFile[]) =>
      (await designer.upload(graphicId, files)).assets.map(({ name, version }) => [name, version])
    const changed = localFile('js/main.js', 'changed', 'text/javascript')
    expect(await versions([index, script])).toEqual([
      ['index.html', 1],
      ['js/main.js', 1],
    ])
    expect(await versions([index, changed])).toEqual([
      ['index.html', 1],
      ['js/main.js', 2],
    ])
    expect(await versions([index, script])).toEqual([
      ['index.html', 1],
      ['js/main.js', 3],
    ])
    await designer.publish(graphicId)
    expect(await versions([index, changed])).toEqual([
      ['index.html', 1],
      ['js/main.js', 4],
    ])
    await versions([index])
    // a new file, whatever was there before it
    expect(await versions([index, script])).toEqual([
      ['index.html', 1],
      ['js/main.js', 1],
    ])
  })

  const hostile: [string, string][] = [
    ['../up.html', 'not a relative path inside the bundle'],
    ['a/../../up.html', 'not a relative path inside the bundle'],
    ['/absolute.html', 'not a relative path inside the bundle'],
    ['C:/drive.html', 'not a relative path inside the bundle'],
    ['a//b.html', 'not a relative path inside the bundle'],
    ['a/', 'not a relative path inside the bundle'],
    ['./a.html', 'not a relative path inside the bundle'],
    ['a\\b.html', 'not a relative path inside the bundle'],
    ['%2e%2e/up.html', 'not a relative path inside the bundle'],
    ['bell\u0007.html', 'not a relative path inside the bundle'],
    ['next\u0085line.html', 'not a relative path inside the bundle'],
    ['x'.repeat(256), 'not a relative path inside the bundle'],
    ['🏉'.repeat(64), 'not a relative path inside the bundle'],
    ['INDEX.html', 'differs from index.html only in case or in how its characters are composed'],
    ['index.html', 'the name is used twice'],
  ]
  it.each(hostile)('[pitfalls] the name %j is refused: %s', async (name, rule) => {
    const graphicId = await newGraphic()
    const files = [index, { ...index, name }]
    const answer = await designer.call('POST', designer.pathOf(graphicId, '/uploads'), { files: files.map(declared) })
    expect(answer).toMatchObject(broken(`${name}: ${rule}`))
  })

  it('[pitfalls] a NUL in a name is refused before anything else', async () => {
    const graphicId = await newGraphic()
    const answer = await designer.put(graphicId, [{ ...index, name: 'a\u0000.html' }])
    expect([answer.status, Object.keys(answer.body.details ?? {})]).toEqual([400, ['body.files[0].name']])
  })

  it('[pitfalls] names that collide on other systems are each named, whatever makes them equal', async () => {
    const graphicId = await newGraphic()
    const names = ['index.html', 'caf\u00e9.js', 'cafe\u0301.js', 'straße.js', 'STRASSE.js', 'Lib', 'lib/a.js']
    const files = names.map((name) => ({ ...index, name }))
    expect(await designer.put(graphicId, files)).toMatchObject(
      broken(
        'cafe\u0301.js: differs from caf\u00e9.js only in case or in how its characters are composed',
        'STRASSE.js: differs from straße.js only in case or in how its characters are composed',
        'Lib: is a file and also the folder of lib/a.js',
        ...names.map(notHere),
      ),
    )
  })

  it('a bundle has at most 500 MiB together', async () => {
    const graphicId = await newGraphic()
    const files = Array.from({ length: 11 }, (_, index) => ({
      name: index === 0 ? 'index.html' : `${index}.webm`,
      mime: 'video/webm',
      size: index === 10 ? 1 : 50 * 1024 * 1024,
      hash: createHash('sha256').update(`${index}`).digest('hex'),
    }))
    const open = (sent: typeof files) => designer.call('POST', designer.pathOf(graphicId, '/uploads'), { files: sent })
    expect(await open(files)).toMatchObject(broken('the files are larger than 524288000 bytes together'))
    expect((await open(files.slice(0, 10))).status).toBe(201)
  })

  it('[Errors] one answer lists every broken rule of files and state machine', async () => {
    const graphicId = await newGraphic()
    const bad = { name: 'b.js', mime: 'text/javascript\r\nX-Evil: 1', size: 50 * 1024 * 1024 + 1, hash: 'ABC' }
    const stateMachine = { controlVariables: [{ id: 'v', name: 'v', type: 'enum' }] }
    const body = { files: [bad], stateMachine }
    expect(await designer.call('PUT', designer.pathOf(graphicId, '/bundle'), body)).toMatchObject(
      broken(
        'control variable v: an enum needs options',
        'b.js: the mime is not a media type',
        'b.js: larger than 52428800 bytes',
        'b.js: the hash is not a SHA-256 in lower-case hexadecimal',
        'index.html: the entry is missing',
        notHere('b.js'),
      ),
    )
  })

  it('[Limits] a list of more than 2,000 files is a bad body', async () => {
    const graphicId = await newGraphic()
    const files = Array.from({ length: 2_001 }, (_, at) => declared({ ...index, name: `${at}.html` }))
    for (const [method, below] of [
      ['PUT', '/bundle'],
      ['POST', '/uploads'],
    ] as const) {
      const answer = await designer.call(method, designer.pathOf(graphicId, below), { files })
      expect([answer.status, Object.keys(answer.body.details ?? {})]).toEqual([400, ['body.files']])
    }
  })

  it('[journal] keeps the size and the digest of what was asked, not the list, and no address', async () => {
    const graphicId = await newGraphic()
    await designer.upload(graphicId, [index])
    const rows = await server.database.sql<{ text: string }[]>`
      select command::text || events::text as text from journal where ref = ${`graphic/${graphicId}`}`
    const text = rows.map((row) => row.text).join()
    expect(text).toContain('"files":1')
    expect(text).not.toContain(sha256(index.bytes))
    expect(text).not.toContain('/uploads/')
  })
})
