import type { Answer } from '../support/app.ts'
import type { Production } from './support.ts'

/** The status and the fields that `details` names. */
export const badFields = ({ status, body }: Answer) => [status, Object.keys((body.details ?? {}) as object)]

/** Text of this many code points, all outside the basic plane. */
export const wide = (length: number) => '🏟'.repeat(length)

/** A team of the organization, outside every match. */
export async function newTeam({ server, organizationId }: Pick<Production, 'server' | 'organizationId'>, name: string) {
  const [team] = await server.database.sql<{ id: number }[]>`
    insert into team (organization_id, name, sport) values (${organizationId}, ${name}, 'football') returning id`
  if (!team) throw new Error('no team was made')
  return team.id
}

export type Limit = readonly [field: string, value: unknown, accepted: boolean]

/** The shortest and the longest text a field takes, and one beyond either; length counts code points. */
export const textLimits = (field: string, min: number, max: number): Limit[] => [
  ...(min > 0 ? [[field, 'x'.repeat(min - 1), false] as const] : []),
  [field, wide(min), true],
  [field, wide(max), true],
  [field, 'x'.repeat(max + 1), false],
  [field, wide(max + 1), false],
  [field, 7, false],
  [field, true, false],
  [field, ['x'], false],
  [field, 'a\u0000b', false],
  [field, 'a\ud800b', false],
]

/** Shows a limit in the title of a test. */
export const shown = ([field, value, accepted]: Limit): [string, Limit] => {
  const text = JSON.stringify(value)
  return [
    `${field} ${text.length > 40 ? `${text.slice(0, 20)}… of ${[...String(value)].length}` : text} is ${accepted ? 'accepted' : 'refused'}`,
    [field, value, accepted],
  ]
}

/** An id that no record has. */
export const NOBODY = 2_147_483_647

export type Roster = Awaited<ReturnType<typeof newRoster>>

/** A new team, and calls for its roster; those of another team where its id is given. */
export async function newRoster(production: Production, name: string) {
  const id = await newTeam(production, name)
  const path = (teamId = id) => `/v1/teams/${teamId}/players`
  const one = (playerId: number, teamId = id) => `${path(teamId)}/${playerId}`
  const create = (body: object, teamId = id) => production.call('POST', path(teamId), body)
  return {
    id,
    path,
    one,
    create,
    /** The id of a new player. */
    async created(body: object = {}, teamId = id) {
      const answer = await create({ firstName: 'Ada', lastName: 'Lovelace', ...body }, teamId)
      if (answer.status !== 200) throw new Error(`no player was made: ${JSON.stringify(answer.body)}`)
      return Number(answer.body.id)
    },
    read: (playerId: number, teamId = id) => production.call('GET', one(playerId, teamId)),
    patch: (playerId: number, body: object, teamId = id) => production.call('PATCH', one(playerId, teamId), body),
  }
}
