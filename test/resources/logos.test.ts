import { connect, type Socket } from 'node:net'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { Upload } from '../../src/resources/uploads.ts'
import { bomb, gif, png, pngOfSize, sha256 } from '../support/images.ts'
import { complaints, type League, NOBODY, startLeagues, team } from './league.ts'

let league: League
let stranger: League
let close: () => Promise<void>
let teamId: number
let teamPath: string
let jpeg: Buffer
let otherJpeg: Buffer

beforeAll(async () => {
  const started = await startLeagues()
  league = started.league
  stranger = started.stranger
  close = () => started.server.close()
  teamId = await league.create('/v1/teams', team)
  teamPath = `/v1/teams/${teamId}`
  jpeg = await sharp(png(64, 64)).jpeg().toBuffer()
  otherJpeg = await sharp(png(64, 65)).jpeg().toBuffer()
})
afterAll(() => close())

const declare = (bytes: Uint8Array, contentType = 'image/png') => ({
  contentType,
  size: bytes.length,
  sha256: sha256(bytes),
})
type Opened = z.output<typeof Upload>

const open = async (bytes: Uint8Array, declared: object = {}, path = teamPath, by = league): Promise<Opened> => {
  const answer = await by.call('POST', `${path}/logo/uploads`, { ...declare(bytes), ...declared })
  // the specification names the operation of teams, not that of clubs
  expect(answer.status).toBe(path.includes('/clubs/') ? 201 : 200)
  return Upload.parse(answer.body)
}
/** Sends bytes as the upload says, without any key. */
const send = ({ url, headers }: Opened, bytes: Uint8Array<ArrayBuffer>, more: Record<string, string> = {}) =>
  fetch(url, { method: 'PUT', headers: { ...headers, ...more }, body: bytes })
const choose = (uploadId: unknown, path = teamPath, by = league) => by.call('PUT', `${path}/logo`, { uploadId })
/** Opens, sends and sets; answers the status of sending and the answer to setting. */
const upload = async (bytes: Buffer<ArrayBuffer>, declared: object = {}, path = teamPath) => {
  const opened = await open(bytes, declared, path)
  const { status } = await send(opened, bytes)
  return { sent: status, set: await choose(opened.uploadId, path), uploadId: opened.uploadId }
}
/** Sends the head and the first bytes, and then nothing. */
const begin = ({ url, headers }: Opened, bytes: Buffer) => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const socket = connect(league.server.port, '127.0.0.1').on('error', () => {})
  socket.write(
    `PUT ${new URL(url).pathname} HTTP/1.1\r\nhost: x\r\n${lines.join('')}content-length: ${bytes.length}\r\n\r\n`,
  )
  socket.write(bytes.subarray(0, 10))
  return socket
}
const bytesOf = (buffer: Buffer): Buffer<ArrayBuffer> => Buffer.from(Uint8Array.from(buffer).buffer)

describe('the logo of a team', () => {
  it('[Teams 3] is set from an upload and served to everybody, for ever and as nothing but an image', async () => {
    const bytes = bytesOf(png(32, 32, 90))
    const opened = await open(bytes, { filename: 'crest.png' })
    expect(opened).toMatchObject({
      url: expect.stringContaining('/rest/v1/uploads/'),
      headers: { 'content-type': 'image/png', 'x-cloud-checksum-sha256': sha256(bytes) },
    })
    const minutes = (Date.parse(opened.expiresAt) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(14)
    expect(minutes).toBeLessThanOrEqual(15.1)
    expect((await send(opened, bytes)).status).toBe(200)
    const answer = await choose(opened.uploadId)
    expect(answer.status).toBe(200)
    const { logoUrl } = answer.body
    expect((await league.call('GET', teamPath)).body.logoUrl).toBe(logoUrl)
    const served = await fetch(String(logoUrl))
    expect(Buffer.from(await served.arrayBuffer()).equals(bytes)).toBe(true)
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'access-control-allow-origin': '*',
    })
    const etag = served.headers.get('etag') ?? ''
    expect((await fetch(String(logoUrl), { headers: { 'If-None-Match': etag } })).status).toBe(304)
  })

  it('[Teams 3] may be a JPEG, and DELETE answers the team without it', async () => {
    const { set } = await upload(bytesOf(jpeg), { contentType: 'image/jpeg' })
    expect((await fetch(String(set.body.logoUrl))).headers.get('content-type')).toBe('image/jpeg')
    for (const _ of ['first', 'again']) {
      const removed = await league.call('DELETE', `${teamPath}/logo`)
      expect([removed.status, removed.body.id, 'logoUrl' in removed.body]).toEqual([200, teamId, false])
    }
  })

  it('[Teams 3] one upload sets a logo one time', async () => {
    const { uploadId, set } = await upload(bytesOf(png(4, 4, 1)))
    expect(set.status).toBe(200)
    expect(complaints(await choose(uploadId))).toEqual([400, ['body.uploadId']])
    const another = await open(png(4, 4, 2))
    await send(another, bytesOf(png(4, 4, 2)))
    const both = await Promise.all([choose(another.uploadId), choose(another.uploadId)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  it('[Team] logoUrl falls back to the logo of the club, and is on team routes only', async () => {
    const clubId = await league.create('/v1/teams/clubs', { name: 'Logo Club' })
    const clubPath = `/v1/teams/clubs/${clubId}`
    const competitionId = await league.create('/v1/competitions', {
      name: 'Logo League',
      sport: 'football',
      age: 'Senior',
      gender: 'Mixed',
      gradeId: 1,
    })
    const path = `/v1/teams/${await league.create('/v1/teams', { ...team, clubId, competitionIds: [competitionId] })}`
    const logoUrl = async () => (await league.call('GET', path)).body.logoUrl
    expect(await logoUrl()).toBeUndefined()
    const club = await upload(bytesOf(png(5, 5, 10)), {}, clubPath)
    expect((await league.call('GET', clubPath)).body.logoUrl).toBe(club.set.body.logoUrl)
    expect(await logoUrl()).toBe(club.set.body.logoUrl)
    const own = await upload(bytesOf(png(5, 5, 11)), {}, path)
    expect(await logoUrl()).toBe(own.set.body.logoUrl)
    expect((await league.call('DELETE', `${path}/logo`)).body.logoUrl).toBe(club.set.body.logoUrl)
    const { body } = await league.call('GET', `/v1/teams?clubId=${clubId}`)
    expect(body.teams).toMatchObject([{ logoUrl: club.set.body.logoUrl }])
    const inCompetition = await league.call('GET', `/v1/competitions/${competitionId}/teams`)
    expect(JSON.stringify(inCompetition.body)).not.toContain('logoUrl')
    expect('logoUrl' in (await league.call('DELETE', `${clubPath}/logo`)).body).toBe(false)
    expect(await logoUrl()).toBeUndefined()
  })
})

describe('declaring a logo', () => {
  const opening = (body: object) => league.call('POST', `${teamPath}/logo/uploads`, body)

  it('[Limits] takes 1 to 512,000 bytes', async () => {
    for (const size of [1, 512_000]) expect((await opening({ ...declare(png()), size })).status).toBe(200)
    for (const size of [0, 512_001, -1, 1.5])
      expect(complaints(await opening({ ...declare(png()), size }))).toEqual([400, ['body.size']])
    const bytes = bytesOf(pngOfSize(512_000))
    expect(bytes.length).toBe(512_000)
    const { sent, set } = await upload(bytes)
    expect([sent, set.status]).toEqual([200, 200])
  })

  it('[Teams 4] is for PNG and JPEG, with a lower-case SHA-256; every bad field is named', async () => {
    const wrong = { contentType: 'image/gif', size: '5', sha256: sha256(png()).toUpperCase(), filename: '' }
    expect(complaints(await opening(wrong))).toEqual([
      400,
      Object.keys(wrong)
        .map((name) => `body.${name}`)
        .sort(),
    ])
    expect(complaints(await opening({}))).toEqual([400, ['body.contentType', 'body.sha256', 'body.size']])
  })

  it('[auth.11] needs teams:write and a team of the organization', async () => {
    const foreign = await stranger.create('/v1/teams', team)
    const foreignClub = await stranger.create('/v1/teams/clubs', { name: 'Foreign Club' })
    for (const [path, status] of [
      [`/v1/teams/${foreign}`, 403],
      [`/v1/teams/${NOBODY}`, 404],
      [`/v1/teams/clubs/${foreignClub}`, 403],
      [`/v1/teams/clubs/${NOBODY}`, 404],
    ] as const) {
      expect((await league.call('POST', `${path}/logo/uploads`, declare(png()))).status).toBe(status)
      expect((await choose(1, path)).status).toBe(status)
      expect((await league.call('DELETE', `${path}/logo`)).status).toBe(status)
    }
    const call = await league.withScopes(['teams:read'])
    expect((await call('POST', `${teamPath}/logo/uploads`, declare(png()))).status).toBe(403)
    expect((await call('DELETE', `${teamPath}/logo`)).status).toBe(403)
  })
})

describe('sending the bytes', () => {
  it('[Teams 4] works once: of two PUTs at once one is received, a later one answers 409', async () => {
    const bytes = bytesOf(png(16, 16, 30))
    const opened = await open(bytes)
    const both = await Promise.all([send(opened, bytes), send(opened, bytes)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await send(opened, bytes)).status).toBe(409)
    expect((await choose(opened.uploadId)).status).toBe(200)
  })

  it('[Teams 3] other bytes are refused, keep nothing and leave the upload open for the right ones', async () => {
    const bytes = bytesOf(png(16, 16, 31))
    const other = bytesOf(png(16, 16, 32))
    const opened = await open(bytes, { size: other.length })
    expect((await send(opened, other)).status).toBe(400)
    expect((await send(opened, bytesOf(bytes.subarray(0, 20)))).status).toBe(400)
    expect(complaints(await choose(opened.uploadId))).toEqual([400, ['body.uploadId']])
    const right = await open(bytes)
    expect((await send(right, bytesOf(other))).status).toBe(400)
    expect((await send(right, bytes)).status).toBe(200)
    expect((await choose(right.uploadId)).status).toBe(200)
  })

  it('[Teams 4] more bytes than declared answer 413, with a length and in chunks', async () => {
    const bytes = bytesOf(png(16, 16, 33))
    const opened = await open(bytes)
    const more = bytesOf(Buffer.concat([bytes, Buffer.from('x')]))
    expect((await send(opened, more)).status).toBe(413)
    const chunked = await fetch(opened.url, {
      method: 'PUT',
      headers: opened.headers,
      duplex: 'half',
      body: new ReadableStream({
        start(controller) {
          for (let part = 0; part < 40; part++) controller.enqueue(bytes)
          controller.close()
        },
      }),
    })
    expect(chunked.status).toBe(413)
    expect((await send(opened, bytes)).status).toBe(200)
  })

  it('wants the two headers as they were given', async () => {
    const bytes = bytesOf(png(16, 16, 34))
    const opened = await open(bytes)
    for (const headers of [{ 'content-type': 'text/html' }, { 'x-cloud-checksum-sha256': sha256(Buffer.from('x')) }])
      expect((await send(opened, bytes, headers)).status).toBe(400)
    const bare = await fetch(opened.url, { method: 'PUT', body: bytes })
    expect(complaints({ status: bare.status, headers: bare.headers, body: Body.parse(await bare.json()) })).toEqual([
      400,
      ['header.content-type', 'header.x-cloud-checksum-sha256'],
    ])
  })

  it('[domain 5.7] an upload that expired answers 410, and 400 to who wants to use it', async () => {
    const bytes = bytesOf(png(16, 16, 35))
    const opened = await open(bytes)
    await league.server.database.sql`
      update upload set expires_at = clock_timestamp() - interval '1 second' where id = ${opened.uploadId}`
    expect((await send(opened, bytes)).status).toBe(410)
    const answer = await choose(opened.uploadId)
    expect(answer.body.details).toEqual({ 'body.uploadId': { message: 'has expired', value: opened.uploadId } })
  })

  it('an address that nobody was given answers 404 without a key, another method 405', async () => {
    const { origin } = league.server
    const unknown = await fetch(`${origin}/rest/v1/uploads/${'a'.repeat(43)}`, { method: 'PUT', body: 'x' })
    expect([unknown.status, await unknown.json()]).toEqual([404, { message: 'Not Found' }])
    const { url } = await open(png())
    const answer = await fetch(url)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'PUT, OPTIONS'])
    const preflight = await fetch(url, { method: 'OPTIONS' })
    expect(preflight.headers.get('access-control-allow-headers')).toContain('x-cloud-checksum-sha256')
  })

  it('survives a restart of the server between opening, sending and setting', async () => {
    const bytes = bytesOf(png(16, 16, 36))
    const opened = await open(bytes)
    await league.server.restart()
    expect((await send(opened, bytes)).status).toBe(200)
    await league.server.restart()
    expect((await choose(opened.uploadId)).status).toBe(200)
  })

  it('at most 64 send to a node at once, however slowly; one more waits, then it is told to come again', async () => {
    const bytes = bytesOf(png(16, 16, 40))
    const sending = await Promise.all(Array.from({ length: 64 }, () => open(bytes)))
    // whoever sends nothing at all for 8 s may be cut off, and one more waits as long for a place
    let sent = 10
    const sockets = new Set<Socket>()
    const hold = (opened: Opened) => {
      const socket = begin(opened, bytes)
      sockets.add(socket.once('close', () => sockets.delete(socket)))
      // on a busy machine a look at the upload may take too long and answer 503; its place is taken again
      socket.once('data', () => {
        socket.destroy()
        setTimeout(hold, 100, opened)
      })
      socket.write(bytes.subarray(10, sent))
    }
    for (const opened of sending) hold(opened)
    const trickle = setInterval(() => {
      for (const socket of sockets) socket.write(bytes.subarray(sent, sent + 1))
      sent += 1
    }, 1_000)
    onTestFinished(() => clearInterval(trickle))
    const spare = await open(bytes)
    await vi.waitFor(
      async () => {
        const answer = await send(spare, bytesOf(png(16, 16, 41)))
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
      },
      { timeout: 30_000, interval: 50 },
    )
    const waiting = send(spare, bytes)
    expect(sent).toBeLessThan(bytes.length)
    for (const socket of sockets) socket.destroy()
    expect((await waiting).status).toBe(200)
  })

  it('a client that goes away in the middle leaves the upload open', async () => {
    const bytes = bytesOf(png(16, 16, 37))
    const opened = await open(bytes)
    let socket = begin(opened, bytes)
    const { sql } = league.server.database
    // while the first is under way a second is refused; when the second came first, the other way round
    await vi.waitFor(
      async () => {
        const { status } = await send(opened, bytesOf(gif))
        if (status !== 409) {
          socket.destroy()
          socket = begin(opened, bytes)
        }
        expect(status).toBe(409)
      },
      { interval: 100 },
    )
    socket.destroy()
    await vi.waitFor(async () => expect((await send(opened, bytes)).status).toBe(200), { interval: 50 })
    expect(await sql`select state from upload where id = ${opened.uploadId}`).toEqual([{ state: 'received' }])
  })
})

const Body = z.record(z.string(), z.unknown())

describe('using an upload', () => {
  it('[Teams 3] that has no bytes yet answers 400', async () => {
    const { uploadId } = await open(png())
    expect((await choose(uploadId)).body.details).toEqual({
      'body.uploadId': { message: 'has not received its bytes', value: uploadId },
    })
  })

  it('[domain 5.7] that is unknown, of another team, of a club or of another organization answers 404', async () => {
    const bytes = bytesOf(png(16, 16, 38))
    const otherTeam = `/v1/teams/${await league.create('/v1/teams', team)}`
    const foreignTeam = `/v1/teams/${await stranger.create('/v1/teams', team)}`
    const mine = await open(bytes)
    const theirs = await open(bytes, {}, foreignTeam, stranger)
    for (const one of [mine, theirs]) expect((await send(one, bytes)).status).toBe(200)
    expect((await choose(NOBODY)).status).toBe(404)
    expect((await choose(mine.uploadId, otherTeam)).status).toBe(404)
    expect((await choose(theirs.uploadId)).status).toBe(404)
    expect((await choose(mine.uploadId, foreignTeam)).status).toBe(403)
    expect((await choose(mine.uploadId)).status).toBe(200)
  })

  it('[Teams 3] names an uploadId of a wrong type', async () => {
    for (const uploadId of [undefined, null, '1', 0, -1, 1.5, 2_147_483_648])
      expect(complaints(await choose(uploadId))).toEqual([400, ['body.uploadId']])
  })

  it.each<[string, () => Buffer, string]>([
    ['text', () => Buffer.from('this is not an image'), 'image/png'],
    ['a GIF that is named a PNG', () => gif, 'image/png'],
    ['a GIF behind the magic of a PNG', () => Buffer.concat([png().subarray(0, 8), gif]), 'image/png'],
    ['a JPEG that is named a PNG', () => otherJpeg, 'image/png'],
    ['a PNG that is named a JPEG', () => png(3, 3, 77), 'image/jpeg'],
    ['the magic of a JPEG alone', () => jpeg.subarray(0, 20), 'image/jpeg'],
    ['a truncated JPEG', () => jpeg.subarray(0, jpeg.length - 20), 'image/jpeg'],
    ['a truncated PNG', () => png(64, 64).subarray(0, -30), 'image/png'],
    ['a PNG without its end', () => png(64, 64).subarray(0, -12), 'image/png'],
    ['a PNG of 20,000 x 20,000 pixels', () => bomb(20_000, 20_000), 'image/png'],
    ['an SVG with a script', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'), 'image/png'],
  ])('[Teams 3] whose bytes are %s answers 400, and the bytes are served nowhere', async (_, make, contentType) => {
    const bytes = bytesOf(make())
    const before = (await league.call('GET', teamPath)).body.logoUrl
    const { sent, set } = await upload(bytes, { contentType })
    expect(sent).toBe(200)
    expect(complaints(set)).toEqual([400, ['body.uploadId']])
    expect((await league.call('GET', teamPath)).body.logoUrl).toBe(before)
    const served = await fetch(`${league.server.origin}/images/${sha256(bytes)}`)
    expect(served.status).toBe(404)
  })

  it('a picture of 4,096 x 4,096 pixels is the largest', async () => {
    expect((await upload(bytesOf(bomb(4_096, 4_096)))).set.status).toBe(200)
    expect((await upload(bytesOf(bomb(4_096, 4_097)))).set.status).toBe(400)
  })

  it('[contract] with the same Idempotency-Key it answers as the first time', async () => {
    const bytes = bytesOf(png(16, 16, 39))
    const opened = await open(bytes)
    await send(opened, bytes)
    const { key } = league
    const again = () =>
      league.server.call('PUT', `${teamPath}/logo`, {
        key,
        body: { uploadId: opened.uploadId },
        headers: { 'Idempotency-Key': 'logo-once' },
      })
    const first = await again()
    expect([first.status, (await again()).body]).toEqual([200, first.body])
  })
})
