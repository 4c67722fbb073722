import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished, type TestContext } from 'vitest'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

export type FeedServer = {
  readonly url: string
  /** Every request so far, oldest first. */
  readonly requests: { path: string; headers: IncomingMessage['headers'] }[]
  /** Serves this as JSON at a path, with an ETag. */
  serve(feed: unknown, path?: string): void
  /** Answers in another way from now on. */
  answer(answer: Answer, path?: string): void
}

/** A provider's server on a free port; closed when the test finishes, which says itself which one it is where tests run at the same time. */
export async function feedServer(test: Pick<TestContext, 'onTestFinished'> = { onTestFinished }): Promise<FeedServer> {
  const answers = new Map<string, Answer>()
  const requests: FeedServer['requests'] = []
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    requests.push({ path, headers: request.headers })
    const answer = answers.get(path)
    if (answer) return answer(request, response)
    response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  test.onTestFinished(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/feed`,
    requests,
    serve(feed, path = '/feed') {
      const body = JSON.stringify(feed)
      const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`
      answers.set(path, (request, response) => {
        if (request.headers['if-none-match'] === etag) return response.writeHead(304, { etag }).end()
        response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', etag }).end(body)
      })
    },
    answer: (answer, path = '/feed') => void answers.set(path, answer),
  }
}

export const json = { 'content-type': 'application/json' }

/** A small league: two football teams with rosters, a basketball team, a venue, a referee, one fixture. */
export const league = () => ({
  version: 1,
  competitions: [
    { id: 'c1', name: 'Premier League', sport: 'football', age: 'Senior', gender: 'Male', grade: 'Premier' },
    { id: 'c2', name: 'Hoops League', sport: 'basketball' },
  ],
  venues: [{ id: 'v1', name: 'North Park', city: 'Leeds', courts: ['Court 1'] }],
  players: [
    { id: 'p1', firstName: 'Zoë', lastName: 'Åberg', photoUrl: 'https://example.com/p1.png' },
    { id: 'p2', firstName: 'Max', lastName: 'Stone' },
    { id: 'p3', firstName: 'Ali', lastName: 'Reyes' },
  ],
  teams: [
    {
      id: 't1',
      name: 'Northern United',
      abbreviation: 'NUN',
      sport: 'football',
      venueId: 'v1',
      competitionIds: ['c1'],
      staff: [
        { firstName: 'Ann', lastName: 'Second', role: 'assistantManager' },
        { firstName: 'Pat', lastName: 'First', role: 'manager' },
      ],
      roster: [
        { playerId: 'p1', number: '07', position: 'Forward', positionType: 'attack' },
        { playerId: 'p2', number: '1', position: 'Keeper' },
      ],
    },
    { id: 't2', name: 'Southern City', sport: 'football', roster: [{ playerId: 'p3' }] },
    {
      id: 't3',
      name: 'Tall Ones',
      sport: 'basketball',
      competitionIds: ['c2'],
      staff: [{ firstName: 'Bo', lastName: 'Bench', role: 'assistantManager' }],
    },
  ],
  officials: [{ id: 'o1', firstName: 'Rae', lastName: 'Whistle', role: 'referee' }],
  matches: [
    {
      id: 'm1',
      competitionId: 'c1',
      date: '2026-11-28T15:00:00Z',
      timezone: 'Europe/London',
      round: 'Round 1',
      venueId: 'v1',
      competitors: [
        { entityType: 'team', id: 't1' },
        { entityType: 'team', id: 't2' },
      ],
      officials: [{ id: 'o1', role: 'referee' }],
    },
  ],
})
