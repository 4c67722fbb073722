import { resolve } from 'node:path'
import { z } from 'zod'

const port = z.coerce.number().int().min(0).max(65535)
const count = z.coerce.number().int().min(1).max(1_000_000)
const milliseconds = z.coerce.number().int().min(1).max(86_400_000)

/** The environment, the only one: names and defaults of the outside contract, then knobs with their unit in the name. */
const Environment = z.object({
  PORT: port.default(8080),
  HOST: z.string().min(1).default('0.0.0.0'),
  DATA_DIR: z.string().min(1).default('.data'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  RATE_LIMIT: z.enum(['on', 'off']).default('on'),
  RATE_LIMIT_PER_SECOND: count.default(100),
  RATE_LIMIT_BURST: count.default(300),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  DEMO: z.enum(['on', 'off']).default('on'),
  ACTOR_IDLE_MS: milliseconds.default(300_000),
  DATABASE_CONNECTIONS: z.coerce.number().int().min(3).max(50).default(8),
})

export type Config = ReturnType<typeof readConfig>

/**
 * Reads and checks the environment.
 * Throws an `Error` with one line that names the first bad variable.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>) {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = Environment.safeParse(given)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const name = String(issue?.path[0] ?? 'environment')
    throw new Error(`${name}: ${issue?.message ?? 'invalid'} (got ${JSON.stringify(given[name] ?? null)})`)
  }
  const env = parsed.data
  if (env.REDIS_URL && !env.DATABASE_URL) throw new Error('REDIS_URL: needs DATABASE_URL')
  if (env.RATE_LIMIT_BURST < env.RATE_LIMIT_PER_SECOND)
    throw new Error('RATE_LIMIT_BURST: at least RATE_LIMIT_PER_SECOND')
  return {
    port: env.PORT,
    host: env.HOST,
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL,
    /** Without a trailing slash; undefined means `http://localhost:<port it listens on>`. */
    publicUrl: env.PUBLIC_URL?.replace(/\/+$/, ''),
    rateLimit: { enforced: env.RATE_LIMIT === 'on', perSecond: env.RATE_LIMIT_PER_SECOND, burst: env.RATE_LIMIT_BURST },
    logLevel: env.LOG_LEVEL,
    /** Whether an empty database gets the demo organization at the first start. */
    demo: env.DEMO === 'on',
    actorIdleMs: env.ACTOR_IDLE_MS,
    databaseConnections: env.DATABASE_CONNECTIONS,
    maxBodyBytes: 1_048_576,
  }
}

/** The configuration of this process. */
export function configFromProcess(): Config {
  // biome-ignore lint/style/noProcessEnv: the one place that reads the environment
  return readConfig(process.env)
}
