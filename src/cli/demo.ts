import type { App } from '../app.ts'
import { OrganizationName } from '../resources/organizations/schema.ts'
import { openListener } from '../store/listen.ts'
import { required } from './arguments.ts'
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
  usage: '--name NAME',
  options: { name: 'value' },
  run(db, values, surroundings) {
    const name = required(values, 'name', OrganizationName)
    const { publicUrl } = surroundings
    return withApp(surroundings, async (request) => {
      const { createDemo } = await import('../demo/seed.ts')
      return createDemo({ db, request, publicUrl }, name)
    })
  },
}
