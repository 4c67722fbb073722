import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { png } from '../support/images.ts'
import { writeRiv } from '../support/riv.ts'
import { putBytes, sha256 } from './code-graphics-support.ts'
import { type Animator, font, newAnimator, nextRiv, refusal, refused, riv, zip } from './motion-graphics-support.ts'

let server: TestApp
let ann: Animator

beforeAll(async () => {
  server = await startApp()
  ann = await newAnimator(server)
})
afterAll(() => server.close())

describe('a motion file', () => {
  it('[op.23] is sent to a signed address, looked at, and applied to the working copy', async () => {
    const graphic = await ann.create('Imported')
    const opened = await ann.declare(graphic, 'card.riv', riv)
    expect(opened.status).toBe(201)
    const { jobId, url, headers, expiresAt } = opened.body as Record<string, string>
    expect(opened.body.headers).toEqual({ 'x-cloud-checksum-sha256': sha256(riv) })
    expect(Object.keys(opened.body).sort()).toEqual(['candidateId', 'expiresAt', 'headers', 'jobId', 'url'])
    expect(Date.parse(String(expiresAt)) - Date.now()).toBeGreaterThan(14 * 60_000)
    expect(await ann.progress(String(jobId))).toMatchObject({ state: 'pending', assetId: 'graphic.riv', assets: [] })
    const put = await putBytes(url, riv, headers as unknown as Record<string, string>)
    expect(put.status).toBe(200)
    const ready = await ann.settled(String(jobId))
    expect(ready).toMatchObject({
      state: 'ready',
      error: null,
      assets: [
        { id: '11', name: 'badge', type: 'image', unresolved: false },
        { id: '12', name: 'Barlow', type: 'font', unresolved: true },
      ],
    })
    expect((await ann.read(graphic.graphicId)).fileUrl).toBeNull()
    const applied = await ann.apply(String(jobId))
    expect(applied).toMatchObject({
      status: 200,
      body: {
        entityId: 'graphic.riv',
        stateMachine: {
          version: 1,
          currentArtboard: 'Main',
          currentStateMachine: 'Machine',
          artboardWidth: 1280,
          artboardHeight: 200,
          stateMachineInputs: [
            { id: 'onAir', type: 'boolean', defaultValue: true, value: true },
            { id: 'score', type: 'number', defaultValue: 3, value: 3 },
            { id: 'goal', type: 'trigger', defaultValue: null, value: null },
          ],
          assets: [{ id: '11' }, { id: '12', unresolved: true }],
        },
      },
    })
    const read = await ann.read(graphic.graphicId)
    expect(read.updatedAt).toBe(applied.body.updatedAt)
    expect(read.files.map(({ name }) => name)).toEqual(['graphic.json', 'graphic.riv'])
    const served = await fetch(String(read.fileUrl))
    expect(sha256(new Uint8Array(await served.arrayBuffer()))).toBe(sha256(riv))
    const manifest = await (await fetch(String(read.fileUrl).replace('graphic.riv', 'graphic.json'))).json()
    expect(manifest).toMatchObject({
      artboard: 'Main',
      stateMachine: 'Machine',
      bindings: [{ id: 'headline' }, {}, {}],
    })
    expect(await ann.settled(String(jobId), ['applied'])).toMatchObject({ state: 'applied' })
    expect(await ann.apply(String(jobId))).toMatchObject(refused(409))
  })
})

type Opened = { jobId: string; url: string; headers: Record<string, string> }

const metadata = async (graphicId: string, query = 'version=working') =>
  (await ann.call('GET', ann.pathOf(graphicId, `/files/metadata?${query}`))).body

describe('another file', () => {
  it('[op.23] replaces the motion file by name of it; parts of the same name keep what was set on them', async () => {
    const { graphicId } = await ann.made('Replaced')
    await ann.change('PATCH', graphicId, '/data-bindings/headline', {
      expression: '"kept"',
      value: 'also kept',
      viewModelProperty: { sourceArrayPath: 'rows' },
    })
    await ann.change('PATCH', graphicId, '/data-bindings/points', { expression: '1 + 1' })
    await ann.change('PATCH', graphicId, '/state-machine-inputs/onAir', { expression: 'true', value: false })
    await ann.change('PATCH', graphicId, '/assets/12', { expression: '"https://example.com/font.ttf"' })
    await ann.change('PATCH', graphicId, '/settings', { scale: 2, renderer: 'canvas', selectedSchemas: ['table'] })
    await ann.change('POST', graphicId, '/control-variables', { name: 'title', type: 'string' })
    await ann.change('POST', graphicId, '/user-expressions', { name: 'sum', expression: '2' })
    const { stateMachine } = await ann.bring(graphicId, 'next.riv', nextRiv, { target: { assetId: 'graphic.riv' } })
    expect(stateMachine).toMatchObject({
      currentArtboard: 'Main',
      currentStateMachine: 'Machine',
      artboardWidth: 1920,
      artboardHeight: 300,
      scale: 2,
      renderer: 'canvas',
      selectedSchemas: ['table'],
    })
    expect(stateMachine.dataBindings).toMatchObject([
      {
        id: 'headline',
        expression: '"kept"',
        value: 'also kept',
        viewModelProperty: { viewModelName: 'Banner', sourceArrayPath: 'rows' },
      },
      { id: 'subline', expression: '', defaultValue: 'Newer' },
    ])
    expect(stateMachine.stateMachineInputs).toEqual([
      { id: 'onAir', name: 'onAir', type: 'boolean', defaultValue: false, value: false, expression: 'true' },
      { id: 'extra', name: 'extra', type: 'boolean', defaultValue: false, value: false },
    ])
    expect(stateMachine.assets).toMatchObject([
      { id: '31', name: 'Barlow', expression: '"https://example.com/font.ttf"', unresolved: true },
    ])
    expect([stateMachine.controlVariables, stateMachine.userExpressions]).toMatchObject([
      [{ id: 'title' }],
      [{ id: 'sum' }],
    ])
    const { files } = await ann.read(graphicId)
    expect(files.find(({ name }) => name === 'graphic.riv')).toMatchObject({ version: 2, hash: sha256(nextRiv) })
  })

  it('[op.23] stands for an asset, also after the motion file was replaced by one that does not bring it', async () => {
    const { graphicId } = await ann.made('With a font')
    const target = { assetId: '12' }
    const write = await ann.bring(graphicId, 'Barlow.ttf', font, { target })
    expect(write.entityId).toBe('12')
    const [, asset] = write.stateMachine.assets
    expect(asset).toMatchObject({
      uniqueFileName: 'Barlow-12.ttf',
      metadata: { size: font.length, storageKey: 'assets/Barlow-12.ttf', sha256: sha256(font) },
    })
    expect(asset).not.toHaveProperty('unresolved')
    const { fileUrl } = await ann.read(graphicId)
    const served = await fetch(String(fileUrl).replace('graphic.riv', 'assets/Barlow-12.ttf'))
    expect(served.headers.get('content-type')).toBe('font/ttf')
    expect(await metadata(graphicId, 'version=working&assetId=12')).toEqual({
      assetId: '12',
      runtimeAvailable: true,
      originalAvailable: true,
      sourceKind: 'runtime',
      originalFilename: 'Barlow.ttf',
      selectedEntry: '',
      archive: false,
      editableSource: false,
      originalUrl: expect.stringMatching(/\/original\.ttf$/),
    })
    const { stateMachine } = await ann.bring(graphicId, 'next.riv', nextRiv, { target: { assetId: 'graphic.riv' } })
    expect(stateMachine.assets).toMatchObject([{ id: '31', metadata: { storageKey: 'assets/Barlow-31.ttf' } }])
    expect((await ann.read(graphicId)).files.map(({ name }) => name)).toEqual([
      'assets/Barlow-31.ttf',
      'graphic.json',
      'graphic.riv',
    ])
    expect(await metadata(graphicId, 'version=working&assetId=31')).toMatchObject({ originalFilename: 'Barlow.ttf' })
  })

  it('[op.23] a picture stands for one in the file itself, with its size; one that is not what it says is refused', async () => {
    const { graphicId } = await ann.made('With a picture')
    const picture = new Uint8Array(png(20, 10))
    const target = { assetId: '11' }
    const { stateMachine } = await ann.bring(graphicId, 'badge.png', picture, { target })
    expect(stateMachine.assets[0]).toMatchObject({ metadata: { size: picture.length, width: 20, height: 10 } })
    const bad = await ann.send(graphicId, 'badge.png', font, { target })
    expect(bad).toMatchObject({ state: 'failed', error: 'badge.png is not what its name says' })
    const cut = await ann.send(graphicId, 'badge.png', picture.slice(0, -20), { target })
    expect(cut).toMatchObject({ state: 'failed', error: 'badge.png is damaged, or too large a picture' })
    expect(await ann.apply(cut.jobId)).toMatchObject({
      status: 400,
      body: { message: 'badge.png is damaged, or too large a picture', details: {} },
    })
  })

  it('[op.23] a file that is no motion file fails with the reason', async () => {
    const { graphicId } = await ann.create('Not one')
    const failed = await ann.send(graphicId, 'card.riv', font)
    expect(failed).toMatchObject({ state: 'failed', error: 'the motion file is unusable: not a motion file' })
    expect((await ann.read(graphicId)).fileUrl).toBeNull()
  })
})

describe('what a file does not have', () => {
  it('[issue 4] keeps what was set on it, and has it again when it is back', async () => {
    const { graphicId } = await ann.made('Shelved')
    await ann.change('PATCH', graphicId, '/data-bindings/points', { expression: '1 + 1' })
    await ann.change('PATCH', graphicId, '/state-machine-inputs/score', { value: 9 })
    await ann.change('PATCH', graphicId, '/settings', { currentArtboard: 'Other' })
    await ann.bring(graphicId, 'next.riv', nextRiv, { target: { assetId: 'graphic.riv' } })
    const without = await ann.read(graphicId)
    expect(without.stateMachine.dataBindings.map(({ id }) => id)).toEqual(['headline', 'subline'])
    const { stateMachine } = await ann.bring(graphicId, 'card.riv', riv, { target: { assetId: 'graphic.riv' } })
    expect(stateMachine.dataBindings).toMatchObject([{ expression: '' }, { id: 'points', expression: '1 + 1' }, {}])
    expect(stateMachine.stateMachineInputs).toMatchObject([{}, { id: 'score', value: 9 }, {}])
  })
})

describe('an archive', () => {
  it('[op.23] brings its one motion file and what that names beside it', async () => {
    const { graphicId } = await ann.create('Archive')
    const bytes = zip({
      'export/card.riv': riv,
      'export/Barlow-12.ttf': font,
      'export/notes.txt': 'not looked at',
      '__MACOSX/export/._card.riv': 'not looked at',
      'export/card.rev': 'an editable source',
    })
    const { jobId, assets } = await ann.send(graphicId, 'project.zip', bytes, { retainSource: true })
    expect(assets.map(({ unresolved }) => unresolved)).toEqual([false, false])
    await ann.apply(jobId)
    expect((await ann.read(graphicId)).files.map(({ name }) => name)).toEqual([
      'assets/Barlow-12.ttf',
      'graphic.json',
      'graphic.riv',
    ])
    expect(await metadata(graphicId)).toEqual({
      assetId: 'graphic.riv',
      runtimeAvailable: true,
      originalAvailable: true,
      sourceKind: 'archive',
      originalFilename: 'project.zip',
      selectedEntry: 'export/card.riv',
      archive: true,
      editableSource: true,
      originalUrl: expect.any(String),
    })
    const original = await fetch(String((await metadata(graphicId)).originalUrl))
    expect(sha256(new Uint8Array(await original.arrayBuffer()))).toBe(sha256(bytes))
    expect(await metadata(graphicId, 'version=working&assetId=12')).toMatchObject({
      runtimeAvailable: true,
      sourceKind: 'archive',
    })
    expect(await metadata(graphicId, 'version=working&assetId=11')).toMatchObject({ sourceKind: 'embedded' })
  })

  it('[op.23] with several motion files needs one to be selected', async () => {
    const { graphicId } = await ann.create('Several')
    const bytes = zip({ 'a.riv': riv, 'b.riv': nextRiv })
    expect(await ann.send(graphicId, 'both.zip', bytes)).toMatchObject({
      state: 'failed',
      error: 'the archive has several motion files, of which one must be selected: a.riv, b.riv',
    })
    expect(await ann.send(graphicId, 'both.zip', bytes, { selectedEntry: 'c.riv' })).toMatchObject({
      state: 'failed',
      error: 'the archive has no c.riv, but a.riv, b.riv',
    })
    const { stateMachine } = await ann.bring(graphicId, 'both.zip', bytes, { selectedEntry: 'b.riv' })
    expect(stateMachine.artboardWidth).toBe(1920)
    expect(await metadata(graphicId)).toMatchObject({
      selectedEntry: 'b.riv',
      originalAvailable: false,
      editableSource: false,
      originalUrl: null,
    })
  })

  it('[op.23] that is empty, broken, encrypted or made to explode fails with the reason', async () => {
    const { graphicId } = await ann.create('Bad archives')
    const bomb = zip({ 'a.riv': new Uint8Array(30 * 1_048_576) })
    const encrypted = zip({ 'a.riv': riv })
    // the flag of the entry in the directory at the end
    const directory = Buffer.from(encrypted).lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'))
    encrypted[directory + 8] = 1
    for (const [bytes, reason] of [
      [zip({ 'readme.txt': 'nothing' }), /^the archive has no motion file/],
      [zip({ 'a.riv': riv }).slice(0, -30), /^the archive is broken/],
      [zip({ '../a.riv': riv }), /^the archive is broken: invalid relative path/],
      [bomb, /unpacks to more than 200 times its size/],
      [encrypted, /^a.riv is encrypted$/],
      [zip({ 'a.riv': 'PK' }), /not a motion file/],
    ] as const) {
      const failed = await ann.send(graphicId, 'bad.zip', bytes)
      expect([failed.state, failed.error]).toEqual(['failed', expect.stringMatching(reason)])
    }
  })
})

describe('an editable source', () => {
  it('[op.23] is only kept: the motion file stays as it is', async () => {
    const { graphicId } = await ann.made('Editable')
    const before = await ann.read(graphicId)
    const target = { assetId: 'graphic.riv' }
    expect(await ann.declare(before, 'card.rev', font, { target })).toMatchObject(
      refusal(400, 'INVALID_REQUEST', 'body.retainSource'),
    )
    await ann.bring(graphicId, 'card.rev', font, { target, retainSource: true })
    const { files, fileUrl } = await ann.read(graphicId)
    expect(fileUrl).toBe(before.fileUrl)
    expect(files.map(({ hash }) => hash)).toEqual(before.files.map(({ hash }) => hash))
    expect(await metadata(graphicId)).toEqual({
      assetId: 'graphic.riv',
      runtimeAvailable: true,
      originalAvailable: true,
      sourceKind: 'editable',
      originalFilename: 'card.rev',
      selectedEntry: '',
      archive: false,
      editableSource: true,
      originalUrl: expect.stringMatching(/\/original\.rev$/),
    })
  })

  it('[op.24] of an empty draft there is nothing to draw, and a version keeps what it was published with', async () => {
    const { graphicId } = await ann.create('Only a source')
    expect(await ann.call('GET', ann.pathOf(graphicId, '/files/metadata?version=working'))).toMatchObject(
      refusal(404, 'NOT_FOUND'),
    )
    await ann.bring(graphicId, 'card.rev', font, { retainSource: true })
    expect(await metadata(graphicId)).toMatchObject({ runtimeAvailable: false, editableSource: true })
    expect(await ann.call('POST', ann.pathOf(graphicId, '/publish'))).toMatchObject(refused(400, 'files'))
    await ann.bring(graphicId, 'card.riv', riv, { target: { assetId: 'graphic.riv' } })
    expect((await ann.call('POST', ann.pathOf(graphicId, '/publish'))).status).toBe(201)
    await ann.bring(graphicId, 'next.riv', nextRiv, { target: { assetId: 'graphic.riv' } })
    expect(await metadata(graphicId, 'version=1')).toMatchObject({ originalFilename: 'card.riv' })
    expect(await metadata(graphicId)).toMatchObject({ originalFilename: 'next.riv' })
  })
})

describe('what an upload refuses', () => {
  it('[op.23] a stale draft, an unknown graphic or asset, a file that fits nothing', async () => {
    const fresh = await ann.create('Refusals')
    const made = await ann.made('Refusals, made')
    const cases: [object, string, object, object][] = [
      [{ graphicId: 'nobody', updatedAt: fresh.updatedAt }, 'a.riv', {}, refusal(404, 'NOT_FOUND')],
      [fresh, 'a.riv', { target: { assetId: 'nobody' } }, refusal(404, 'NOT_FOUND')],
      [
        { graphicId: made.graphicId, updatedAt: fresh.updatedAt },
        'a.riv',
        { target: { assetId: 'graphic.riv' } },
        { status: 409, body: { code: 'TARGET_CHANGED' } },
      ],
      [made, 'a.riv', {}, refusal(400, 'INVALID_REQUEST', 'body.target.assetId')],
      [fresh, 'a.png', {}, refusal(400, 'INVALID_REQUEST', 'body.filename')],
      [made, 'a.riv', { target: { assetId: '12' } }, refusal(400, 'INVALID_REQUEST', 'body.filename')],
      [fresh, 'a.riv', { selectedEntry: 'b.riv' }, refusal(400, 'INVALID_REQUEST', 'body.selectedEntry')],
    ]
    for (const [graphic, filename, more, expected] of cases)
      expect([filename, more, await ann.declare(graphic as typeof fresh, filename, riv, more)]).toMatchObject([
        filename,
        more,
        expected,
      ])
    const left = await server.database.sql`select from motion_import where graphic_id = ${fresh.graphicId}`
    expect(left).toHaveLength(0)
    expect((await ann.read(fresh.graphicId)).lock.holder).toBeNull()
  })

  it('[op.23] holds the graphic for its key until it is applied', async () => {
    const ben = await ann.colleague()
    const { graphicId } = await ann.create('Held by an upload')
    const { jobId } = await ann.send(graphicId, 'card.riv', riv)
    expect((await ben.read(graphicId)).lock.holder).toBe('API key test')
    expect((await ben.call('PATCH', ben.pathOf(graphicId), { name: 'Mine' })).body.code).toBe('LOCKED')
    expect((await ben.apply(jobId)).body.code).toBe('LOCKED')
    expect((await ann.apply(jobId)).status).toBe(200)
    expect((await ben.read(graphicId)).lock.holder).toBeNull()
  })

  it('[Errors] other bytes than declared are refused at the address, and the right ones may follow', async () => {
    const graphic = await ann.create('Other bytes')
    const { url, headers, jobId } = (await ann.declare(graphic, 'card.riv', riv)).body as Opened
    expect((await putBytes(url, nextRiv, headers)).status).toBe(400)
    expect((await putBytes(url, riv.slice(1), headers)).status).toBe(400)
    expect((await putBytes(url, riv, { 'x-cloud-checksum-sha256': sha256(font) })).status).toBe(400)
    expect((await ann.progress(jobId)).state).toBe('pending')
    expect((await putBytes(url, riv, headers)).status).toBe(200)
    expect((await putBytes(url, riv, headers)).status).toBe(409)
    expect((await ann.settled(jobId)).state).toBe('ready')
  })

  it('[Errors] what was not sent, not looked at, or waits too long cannot be applied', async () => {
    const graphic = await ann.create('Too early, too late')
    const { jobId, url } = (await ann.declare(graphic, 'card.riv', riv)).body as Record<string, string>
    expect(await ann.apply(String(jobId))).toMatchObject(refused(409))
    const { sql } = server.database
    await sql`update timer set due_at = clock_timestamp() where ref = ${`upload/${jobId}`}`
    await sql`update upload set expires_at = clock_timestamp() where owner = ${`import/${jobId}`}`
    expect((await ann.settled(String(jobId), ['expired'])).state).toBe('expired')
    expect(await ann.apply(String(jobId))).toMatchObject(refused(410))
    expect((await putBytes(url, riv, { 'x-cloud-checksum-sha256': sha256(riv) })).status).toBe(410)
    const ready = await ann.send(graphic.graphicId, 'card.riv', riv)
    await sql`update timer set due_at = clock_timestamp() where ref = ${`upload/${ready.jobId}`}`
    await ann.settled(ready.jobId, ['expired'])
    expect(await ann.apply(ready.jobId)).toMatchObject(refused(410))
  })

  it('[Errors] no more are taken in while too many wait', async () => {
    const graphic = await ann.create('Crowded')
    const { sql } = server.database
    // far in the future, so that nobody works them
    await sql`
      insert into outbox (kind, payload, handed_at)
      select 'job', '{"name":"motion-import","data":{"jobId":"none"}}', clock_timestamp() + interval '1 day'
      from generate_series(1, 100)`
    expect(await ann.declare(graphic, 'card.riv', riv)).toMatchObject(refusal(503, 'SOURCE_IMPORTS_UNAVAILABLE'))
    await sql`delete from outbox where payload -> 'data' ->> 'jobId' = 'none'`
    expect((await ann.declare(graphic, 'card.riv', riv)).status).toBe(201)
  })
})

describe('imports and others', () => {
  it('[P2] of many that apply one import at once one does, and it is applied once', async () => {
    const { graphicId } = await ann.create('Applied once')
    const { jobId } = await ann.send(graphicId, 'card.riv', riv)
    const answers = await Promise.all(Array.from({ length: 20 }, () => ann.apply(jobId)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
    const imported = await server.database.sql`
      select from journal where ref = ${`graphic/${graphicId}`} and events::text like '%graphic.imported%'`
    expect(imported).toHaveLength(1)
  })

  it('[P2] a file for an asset whose id is that of another type now is refused', async () => {
    const { graphicId } = await ann.made('Another by this id')
    const sent = await ann.send(graphicId, 'Barlow.ttf', font, { target: { assetId: '12' } })
    const picture = ['imageAsset', { assetName: 'Barlow', assetId: 12, assetWidth: 9, assetHeight: 9 }] as const
    const other = writeRiv([
      ['backboard'],
      picture,
      ['artboard', { name: 'Main', artboardWidth: 9, artboardHeight: 9 }],
    ])
    await ann.bring(graphicId, 'other.riv', new Uint8Array(other), { target: { assetId: 'graphic.riv' } })
    expect(await ann.apply(sent.jobId)).toMatchObject(refused(409))
    expect((await ann.read(graphicId)).stateMachine.assets).toMatchObject([{ id: '12', unresolved: true }])
  })

  it('[P2] a first file that comes second is refused; one for an asset that is gone as well', async () => {
    const graphic = await ann.create('Two at once')
    const one = await ann.send(graphic.graphicId, 'card.riv', riv)
    const two = await ann.send(graphic.graphicId, 'next.riv', nextRiv)
    expect((await ann.apply(one.jobId, { ifUnchangedSince: graphic.updatedAt })).status).toBe(200)
    expect(await ann.apply(two.jobId)).toMatchObject(refused(409))
    expect(await ann.apply(two.jobId, { ifUnchangedSince: graphic.updatedAt })).toMatchObject({
      status: 409,
      body: { code: 'TARGET_CHANGED' },
    })
    const picture = await ann.send(graphic.graphicId, 'badge.png', new Uint8Array(png()), { target: { assetId: '11' } })
    await ann.bring(graphic.graphicId, 'next.riv', nextRiv, { target: { assetId: 'graphic.riv' } })
    expect(await ann.apply(picture.jobId)).toMatchObject(refused(409))
  })

  it('[P6] a look that a restart cuts short is taken again', async () => {
    const graphic = await ann.create('Across a restart')
    const { jobId, url, headers } = (await ann.declare(graphic, 'card.riv', riv)).body as Opened
    const { sql } = server.database
    await sql.begin(async (tx) => {
      // what was found out cannot be written meanwhile
      await tx`select from motion_import where job_id = ${jobId}::uuid for update`
      expect((await putBytes(url, riv, headers)).status).toBe(200)
      await ann.settled(jobId, ['validating'])
      await server.restart()
      expect((await ann.progress(jobId)).state).toBe('validating')
    })
    expect((await ann.settled(jobId)).state).toBe('ready')
    expect((await ann.apply(jobId)).status).toBe(200)
    await vi.waitFor(
      async () => {
        const [actor] = await sql<{ phase: string }[]>`
        select snapshot->'context'->>'phase' as phase from actor where ref = ${`upload/${jobId}`}`
        expect(actor?.phase).toBe('used')
      },
      { timeout: 20_000, interval: 100 },
    )
  })

  it('[P8] neither the address of an upload nor its token is in the journal', async () => {
    const graphic = await ann.create('Secret')
    const { url } = (await ann.declare(graphic, 'card.riv', riv)).body as Record<string, string>
    const token = String(url).split('/').at(-1) ?? ''
    expect(token.length).toBeGreaterThan(30)
    const told = await server.database.sql`
      select from journal where strpos(command::text || events::text, ${token}) > 0`
    expect(told).toHaveLength(0)
  })
})
