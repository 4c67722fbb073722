import { Api } from './api.ts'
import { now } from './clock.ts'
import { Connection, originOf } from './connection.ts'
import { Importer } from './importer.ts'
import type { Plan } from './options.ts'
import type { Say } from './say.ts'
import { removeDataDir, type Server, startServer, temporaryDataDir } from './server.ts'
import { type Distribution, distribution, percentile, round } from './stats.ts'

/** How a season went in, and how long its lists take. Latencies in ms, one distribution per run. */
export type SeasonResult = {
  requests: number
  seconds: number
  /** Answers of 429, each of which was waited for as told. */
  deferred: number
  failures: string[]
  lists: { path: string; total: number; runs: Distribution[] }[]
}

type Answer = { id: number }

const competitions = 4
const venues = 20
const SCOPES = ['competitions', 'teams', 'players', 'venues', 'matches'].map((name) => `${name}:write`).join(',')
const LISTS = [
  '/v1/competitions',
  '/v1/teams',
  '/v1/players',
  '/v1/venues',
  '/v1/officials',
  '/v1/matches',
  '/v2/matches',
]

/** Imports a season over REST as a league would, then reads its lists; on servers of its own that are gone afterwards. */
export async function season(plan: Plan, say: Say): Promise<SeasonResult & { warnings: string[] }> {
  const dataDir = temporaryDataDir()
  const warnings: string[] = []
  const serve = async <T>(settings: Record<string, string>, use: (server: Server) => Promise<T>): Promise<T> => {
    const server = await startServer(dataDir, { settings })
    try {
      return await use(server)
    } finally {
      warnings.push(...server.warnings())
      await server.stop()
    }
  }
  try {
    const imported = await serve({ RATE_LIMIT: 'on' }, async (server) => {
      const { id } = (await server.admin('orgs', 'create', '--name', 'League')) as Answer
      const made = await server.admin('keys', 'create', '--org', String(id), '--name', 'import', '--scopes', SCOPES)
      const { key } = made as { key: string }
      return { key, ...(await importSeason(server.url, key, plan.season, say)) }
    })
    // without the limiter, since one client asks faster than a key may
    const lists = await serve({ RATE_LIMIT: 'off' }, (server) => measureLists(server.url, imported.key, plan, say))
    const { requests, seconds, deferred, failures } = imported
    return { requests, seconds, deferred, failures, lists, warnings }
  } finally {
    removeDataDir(dataDir)
  }
}

async function importSeason(url: string, key: string, size: Plan['season'], say: Say) {
  const api = new Api(url, key)
  const client = new Importer(api, size.clients, say)
  const [{ id: grade } = { id: 0 }] = await api.get<Answer[]>('/v1/competitions/grades')
  const startedAt = now()
  const competitionIds = await client.run('competitions', competitions, (i) => ({
    path: '/v1/competitions',
    body: {
      name: `Division ${i + 1} of the League`,
      sport: 'football',
      age: 'Senior',
      gender: 'Female',
      gradeId: grade,
    },
  }))
  const venueIds = await client.run('venues', venues, (i) => ({
    path: '/v1/venues',
    body: { name: `Ground ${i + 1} on the Hill`, city: 'Norrvik', timezone: 'Europe/Oslo' },
  }))
  const teamIds = await client.run('teams', size.teams, (i) => ({
    path: '/v1/teams',
    body: {
      name: `Athletic Club ${i + 1}`,
      abbreviation: `A${i + 1}`,
      sport: 'football',
      age: 'Senior',
      gender: 'Female',
      gradeId: grade,
      competitionIds: [competitionIds[i % competitions]],
      defaultVenueId: venueIds[i % venues],
    },
  }))
  await client.run('players', size.players, (i) => ({
    path: `/v1/teams/${teamIds[i % size.teams]}/players`,
    body: {
      firstName: `Mateus ${i + 1}`,
      lastName: 'Conceição',
      number: String(Math.floor(i / size.teams) + 1),
      position: 'Midfielder',
      defaultStarter: i < 11 * size.teams,
    },
  }))
  await client.run('matches', size.matches, (i) => ({
    path: '/v2/matches',
    body: {
      competitionId: competitionIds[i % competitions],
      date: new Date(Date.UTC(2027, 2, 1, 15) + i * 7_200_000).toISOString(),
      homeTeamId: teamIds[i % size.teams],
      // the next team of the same competition, another one in each round
      awayTeamId: teamIds[(i + competitions * (1 + Math.floor(i / size.teams))) % size.teams],
      venueId: venueIds[i % venues],
      round: `Round ${Math.floor(i / size.teams) + 1}`,
    },
  }))
  const seconds = (now() - startedAt) / 1000
  const { requests, deferred } = api
  say(
    `season: ${requests} requests in ${round(seconds, 1)} s, ${round(requests / seconds, 0)}/s; ${deferred} were told to wait`,
  )
  return { requests, seconds, deferred, failures: client.failures }
}

const limit = 100

/** One client, page after page, from the first to the last and again. */
async function measureLists(url: string, key: string, { runs, season: { requests } }: Plan, say: Say) {
  const connection = new Connection(originOf(url), true)
  const get = (path: string) => {
    const head = `GET /rest${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${key}\r\n\r\n`
    return new Promise<{ status: number; body: string }>((resolve) => {
      connection.send(head, (status, body) => resolve({ status, body }))
    })
  }
  const read = async (path: string, offset: number): Promise<number> => {
    const { status, body } = await get(`${path}?limit=${limit}&offset=${offset}`)
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${body.slice(0, 300)}`)
    return (JSON.parse(body) as { total: number }).total
  }
  const lists: SeasonResult['lists'] = []
  for (const path of LISTS) {
    const total = await read(path, 0)
    const pages = Math.max(1, Math.ceil(total / limit))
    const once = async (count: number) => {
      const took = new Float32Array(count)
      for (let i = 0; i < count; i++) {
        const startedAt = now()
        await read(path, (i % pages) * limit)
        took[i] = now() - startedAt
      }
      return distribution(took)
    }
    await once(Math.ceil(requests / 2))
    const measured: Distribution[] = []
    for (let nth = 0; nth < runs; nth++) measured.push(await once(requests))
    lists.push({ path, total, runs: measured })
    const [first] = measured
    if (first) say(`GET ${path} of ${total}: p50 ${percentile(first, 50)} p99 ${percentile(first, 99)} ms`)
  }
  connection.close()
  return lists
}
