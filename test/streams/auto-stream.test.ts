import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../bench/free-port.ts'
import { newOrganization, startApp, type TestApp, type TestOrganization } from '../support/app.ts'
import { farEnd, sender, streamOf } from '../support/live.ts'
import { noFfmpeg } from '../support/media.ts'
import { redisIsInstalled, startRedis, type TestRedis } from '../support/redis.ts'

/** Auto Stream over REST with real media, on one of the queues. */
function autoStream(title: string, environment: () => Record<string, string>) {
  describe.skipIf(noFfmpeg)(title, () => {
    let app: TestApp
    let organization: TestOrganization
    let competitionId: number
    const call = (method: string, path: string, body?: unknown) =>
      app.call(method, path, { key: organization.key, ...(body !== undefined && { body }) })

    beforeAll(async () => {
      app = await startApp({
        MEDIA_ENGINE: 'embedded',
        RTMP_PORT: '0',
        SRT_PORT: '0',
        OUTBOUND_PRIVATE: 'on',
        ...environment(),
      })
      organization = await newOrganization(app.database)
      const league = { name: 'League', sport: 'football', age: 'Senior', gender: 'Female', gradeId: 1 }
      competitionId = Number((await made('/v1/competitions', league)).id)
      await app.app.media.start()
    })
    afterAll(() => app?.close())

    /** The answer of a request that must succeed. */
    const made = async (path: string, body: unknown) => {
      // a server that has just started beside others may say that it has no time yet
      let answer = await call('POST', path, body)
      for (let tries = 1; answer.status === 503 && tries < 5; tries++) answer = await call('POST', path, body)
      expect([answer.status, answer.body]).toEqual([expect.toSatisfy((status: number) => status < 300), answer.body])
      return answer.body
    }
    const inMs = (ms: number) => new Date(Date.now() + ms).toISOString()
    /** When the match of `startsInMs` starts its stream: a minute before it kicks off. */
    const kickOff = (startsInMs: number) => ({ date: inMs(60_000 + startsInMs) })
    /** A stream whose match starts it in so many ms, with a destination far away and its video on the way. */
    async function scheduled(startsInMs: number) {
      const team = async (name: string) =>
        Number((await made('/v1/teams', { name, sport: 'football', competitionIds: [competitionId] })).id)
      const sides = { homeTeamId: await team('Home side'), awayTeamId: await team('Away side') }
      const times = { pregameAutomationTime: 1, postgameAutomationTime: 0 }
      const match = await made('/v2/matches', { competitionId, ...sides, ...kickOff(startsInMs), ...times })
      const input = await made('/v1/streams/inputs', { name: 'Camera' })
      const asked = { matchId: match.id, name: 'Match', inputId: input.id }
      const stream = streamOf(call, Number((await made('/v1/streams', asked)).id))
      const far = await farEnd(await freePort())
      const destinationId = await stream.addDestination('Far', { type: 'rtmp', url: far.url })
      sender(`${input.rtmpUrl}/${input.streamKey}`)
      const matchPath = `/v2/matches/${match.id}`
      return { stream, destinationId, tellMatch: (body: object) => made(matchPath, body) }
    }

    it('[spec 14] the stream of a match goes live at its time and stops when the match is over', async () => {
      const { stream, destinationId, tellMatch } = await scheduled(600_000)
      expect(await stream.tell('automation', { autoStream: true })).toMatchObject({ autoStream: true })
      expect(await stream.read()).toMatchObject({ state: 'idle' })
      const soon = kickOff(3_000)
      await tellMatch(soon)
      await stream.destinationBecomes(destinationId, { status: 'connected', publishing: true })
      const { liveAt, ...told } = await stream.read()
      expect(told).toMatchObject({ state: 'live', autoStream: true })
      expect(Date.parse(String(liveAt))).toBeGreaterThanOrEqual(Date.parse(soon.date) - 60_000)
      await tellMatch({ state: 'abandoned' })
      await stream.becomes('idle')
      await stream.destinationBecomes(destinationId, { status: 'connecting', publishing: false })
      await expect
        .poll(async () => (await app.app.media.figures()).processes)
        .not.toContainEqual(expect.objectContaining({ kind: 'relay' }))
    })

    it('[issue 5.5] what is stopped by hand stays stopped over a restart, until the kick-off lies ahead again', async () => {
      const { stream, destinationId, tellMatch } = await scheduled(0)
      await stream.tell('automation', { autoStream: true })
      await stream.destinationBecomes(destinationId, { status: 'connected' })
      await stream.tell('stop')
      await stream.becomes('idle')
      await app.restart()
      await app.app.media.start()
      await tellMatch(kickOff(-600_000))
      await expect.poll(async () => (await app.database.sql`select from outbox where kind = 'reaction'`).length).toBe(0)
      expect(await stream.read()).toMatchObject({ state: 'idle', autoStream: true })
      await tellMatch(kickOff(2_000))
      await stream.becomes('live')
      await stream.tell('stop')
    })
  })
}

autoStream('Auto Stream with real media, on PostgreSQL', () => ({}))

describe.skipIf(!redisIsInstalled)('cluster mode', () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())

  autoStream('Auto Stream with real media, on Redis', () => ({ REDIS_URL: redis.url }))
})
