import { z } from 'zod'
import type { App } from '../app.ts'
import { createKey, deleteKey } from '../resources/organizations/commands.ts'
import { findDemoMatch, listKeys } from '../resources/organizations/queries.ts'
import { OrganizationName } from '../resources/organizations/schema.ts'
import { openListener } from '../store/listen.ts'
import type { ConnectedDatabase } from '../store/postgres.ts'
import { optional, required, UsageError, type Values } from './arguments.ts'
import type { Command, Surroundings } from './commands.ts'

type Request = App['request']

/**
 * An app of this process without a port and workers, beside the server if one runs: the rows of actors fence each from the
 * other, and changes are notified.
 */
async function withApp<T>(
  { config, store, log, publicUrl }: Surroundings,
  work: (request: Request) => Promise<T>,
): Promise<T> {
  // the whole server: other commands start without it
  const [{ createApp }, { createMetrics }] = await Promise.all([import('../app.ts'), import('../metrics/metrics.ts')])
  const listener = await openListener(store.url, log)
  try {
    const nodeLock = { isHeld: () => false, release: async () => {} }
    const app = await createApp({ ...config, publicUrl }, { store, listener, nodeLock, metrics: createMetrics(), log })
    try {
      return await work(app.request)
    } finally {
      await app.close()
    }
  } finally {
    await listener.close()
  }
}

export const demoCommand: Command = {
  name: 'demo',
  usage: '--name NAME | --play [--speed N]',
  options: { name: 'value', play: 'switch', speed: 'value' },
  run(db, values, surroundings) {
    if (values.play === true) return play(db, values, surroundings)
    if (values.speed !== undefined) throw new UsageError('--speed is of --play')
    const name = required(values, 'name', OrganizationName)
    const { publicUrl } = surroundings
    return withApp(surroundings, async (request) => {
      const { createDemo } = await import('../demo/seed.ts')
      return createDemo({ db, request, publicUrl }, name)
    })
  },
}

const Speed = z.coerce.number('must be a number').min(1, 'must be 1 to 10000').max(10_000, 'must be 1 to 10000')
/** A minute of the match is a second. */
const DEFAULT_SPEED = 60

const KEY_NAME = 'admin demo --play'
const KEY_HOURS = 24

/** Has the demo's match played on the running server, over its API as a feed would. */
async function play(db: ConnectedDatabase, values: Values, { publicUrl, stderr }: Surroundings) {
  if (values.name !== undefined) throw new UsageError('--play plays the demo that is there: leave out --name')
  const speed = optional(values, 'speed', Speed) ?? DEFAULT_SPEED
  const [{ playDemo }, { competition }, { Api }, { httpTransport }] = await Promise.all([
    import('../demo/play.ts'),
    import('../demo/production.ts'),
    import('../theme-files/api.ts'),
    import('../theme-files/transport.ts'),
  ])
  const demo = await findDemoMatch(db, competition.name)
  if (!demo) throw new UsageError('There is no demo: make one with demo --name NAME')
  const { organizationId, overlayId, matchId, key, controlToken } = demo
  const tell = (line: string) => void stderr.write(`${line}\n`)
  // one that was killed has left its key
  for (const old of await listKeys(db.sql, organizationId)) if (old.name === KEY_NAME) await deleteKey(db, old.id)
  const expiresAt = new Date(Date.now() + KEY_HOURS * 3_600_000)
  const scopes = ['overlays:write', 'matches:write', 'matches:read', 'teams:read']
  const made = await createKey(db, organizationId, { name: KEY_NAME, scopes, expiresAt })
  try {
    const waiting = (why: string, ms: number) => tell(`${why}: trying again in ${Math.ceil(ms / 1_000)} s`)
    const api = new Api({ transport: httpTransport, url: publicUrl, key: made.key, waiting })
    const pages = { overlayUrl: `${publicUrl}/overlay/${key}`, controlRoomUrl: `${publicUrl}/control/${controlToken}` }
    tell(`Open ${pages.overlayUrl}?bg=checker to see the match run by itself, and ${pages.controlRoomUrl} beside it.`)
    const facts = await playDemo(api, { overlayId, matchId, speed, tell })
    tell('The match is over. Its overlay stays automatic; the same command plays it again.')
    return { overlayId, matchId, facts, ...pages }
  } finally {
    await deleteKey(db, made.id)
  }
}
