import { expect } from 'vitest'
import { type Answer, newKey, newOrganization, startApp, type TestApp, type TestOrganization } from '../support/app.ts'

export type League = TestOrganization & {
  readonly server: TestApp
  call(method: string, path: string, body?: unknown): Promise<Answer>
  /** A call with a key of these scopes only. */
  withScopes(scopes: readonly string[]): Promise<League['call']>
  /** Creates the record and answers its id. */
  create(path: string, body: unknown): Promise<number>
}

/** An empty organization on a running server, and calls with its key. */
export async function newLeague(server: TestApp): Promise<League> {
  const organization = await newOrganization(server.database)
  const callWith =
    (key: string): League['call'] =>
    (method, path, body) =>
      server.call(method, path, { key, body })
  const call = callWith(organization.key)
  return {
    ...organization,
    server,
    call,
    withScopes: async (scopes) => callWith((await newKey(server.database, organization.id, scopes)).key),
    async create(path, body) {
      const answer = await call('POST', path, body)
      expect(answer).toMatchObject({ status: 201, body: { id: expect.any(Number) } })
      return Number(answer.body.id)
    },
  }
}

export const startLeagues = async () => {
  const server = await startApp()
  return { server, league: await newLeague(server), stranger: await newLeague(server) }
}

/** Text of so many characters, each of which takes two code units. */
export const characters = (count: number) => '🏉'.repeat(count)

/** The fields that an answer complains about. */
export const complaints = ({ status, body }: Answer) => [status, Object.keys(body.details ?? {}).sort()]

export const competition = { name: 'Harbour League', sport: 'football', age: 'Senior', gender: 'Mixed', gradeId: 1 }
export const team = { name: 'Harbour Town', sport: 'football' }
/** An id that nobody has. */
export const NOBODY = 2_000_000_000
