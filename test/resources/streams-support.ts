import { expect } from 'vitest'
import type { Observation } from '../../src/media/ports.ts'
import { observe } from '../../src/resources/streams/observe.commands.ts'
import type { Answer } from '../support/app.ts'
import { type TestMedia, testMedia } from '../support/media-plane.ts'
import { type Production, produce, startProduction } from './support.ts'

type Calls = Pick<Production, 'call'>
type Unowned = Observation extends infer O ? (O extends unknown ? Omit<O, 'organizationId'> : never) : never

/** A production whose media plane is the test's, and another organization. */
export type Studio = {
  readonly production: Production
  readonly stranger: Omit<Production, 'close'>
  readonly media: TestMedia
  /** A new match of the demo's teams. */
  match(): Promise<number>
  /** A new idle stream of the match with the input and the overlay of the demo, without destinations. */
  stream(body?: object): Promise<number>
  destination(streamId: number, body?: object): Promise<number>
  /** Has a stream run, as the media plane would observe it. */
  run(streamId: number): Promise<void>
  /** Has a stream that is stopping end. */
  end(streamId: number): Promise<void>
  see(seen: Unowned): Promise<void>
  post(path: string, body?: object): Promise<Answer>
  read(path: string): Promise<Answer['body']>
  /** The facts that the journal holds of these refs, oldest first. */
  events(ref: string): Promise<string[]>
}

export async function startStudio(environment: Record<string, string> = {}): Promise<Studio> {
  const media: TestMedia = {
    ...testMedia(),
    ...(environment.OUTBOUND_PRIVATE === 'on' && { refuses: () => undefined }),
  }
  const production = await startProduction('empty', media, environment)
  const stranger = await produce(production.server)
  const { sql } = production.server.database
  const post = (path: string, body?: object) => production.call('POST', path, body)
  const read = async (path: string) => {
    const answer = await production.call('GET', path)
    expect(answer.status).toBe(200)
    return answer.body
  }
  const see = (seen: Unowned) => {
    const { organizationId, server } = production
    return observe(server.app.systemContext(organizationId, 'media'), { ...seen, organizationId } as Observation)
  }
  const made = async (answer: Promise<Answer>, success = 201) => {
    const { status, body } = await answer
    expect([status, body]).toEqual([success, expect.anything()])
    return Number(body.id)
  }
  const runOf = async (streamId: number) => {
    const [actor] = await sql<{ run: number }[]>`
      select (snapshot->'context'->>'run')::int as run from actor where ref = ${`stream/${streamId}`}`
    return actor?.run ?? 0
  }
  return {
    production,
    stranger,
    media,
    post,
    read,
    see,
    match: () =>
      made(
        post('/v2/matches', {
          competitionId: production.competitionId,
          homeTeamId: production.teamIds[0],
          awayTeamId: production.teamIds[1],
          date: '2027-03-01T18:00:00Z',
        }),
        200,
      ),
    stream: (body = {}) => made(createStream(production, body)),
    destination: (streamId, body = {}) =>
      made(
        post(`/v1/streams/${streamId}/destinations`, {
          name: 'Channel',
          type: 'rtmp',
          url: 'rtmp://live.example.com/app',
          streamKey: 'very-secret-key',
          ...body,
        }),
      ),
    async run(streamId) {
      expect((await post(`/v1/streams/${streamId}/start`)).status).toBe(200)
      await see({ type: 'stream.started', streamId, run: await runOf(streamId), at: new Date().toISOString() })
    },
    async end(streamId) {
      expect((await post(`/v1/streams/${streamId}/stop`)).status).toBe(200)
      await see({ type: 'stream.stopped', streamId, run: await runOf(streamId) })
    },
    async events(ref) {
      const rows = await sql<{ type: string }[]>`
        select event->>'type' as type from journal, json_array_elements(events) as event
        where ref = ${ref} order by seq`
      return rows.map(({ type }) => type)
    },
  }
}

const createStream = ({ call, matchId, inputId, overlay }: Calls & Omit<Production, 'close'>, body: object) =>
  call('POST', '/v1/streams', { matchId, name: 'Second stream', inputId, overlayId: overlay.id, ...body })
