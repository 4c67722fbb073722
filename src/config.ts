import { resolve } from 'node:path'
import { z } from 'zod'
import { isKeys } from './secrets/open.ts'

/** Digits only: a coercion would take a blank for 0 and `0x50` for 80. */
const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^(0|[1-9]\d{0,14})$/, 'expected a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `expected a whole number from ${min} to ${max}`)
const count = whole(1, 1_000_000)
const days = whole(1, 36_500)
const milliseconds = whole(1, 86_400_000)
/** Written with % as a percent sign of its own, a password breaks where the address is taken apart, long after the start. */
const decodable = (url: string) => {
  try {
    decodeURIComponent(url)
    return true
  } catch {
    return false
  }
}
const ENCODED = 'expected %25 where the user or the password has a %'
/** Until a balancer has looked at /readyz often enough. */
const DRAIN_MS = 3_500
/** Settings that may hold a password are not printed. */
const SECRET = new Set([
  'SECRETS_KEY',
  ...['DATABASE_URL', 'REDIS_URL', 'PUBLIC_URL'],
  ...['BLOBS_S3_URL', 'BLOBS_S3_SECRET', 'MEDIAMTX_URL', 'MEDIAMTX_SECRET'],
  'METRICS_TOKEN',
])

/** The environment, the only one: names and defaults of the outside contract, then knobs with their unit in the name. */
const Environment = z.object({
  PORT: whole(0, 65_535).default(8080),
  HOST: z.string().regex(/^\S+$/, 'expected an address or a host name').default('0.0.0.0'),
  DATA_DIR: z.string().regex(/\S/, 'expected a path').default('.data'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .refine(decodable, ENCODED)
    .optional(),
  REDIS_URL: z
    .url({ protocol: /^rediss?$/ })
    .refine(decodable, ENCODED)
    .regex(/^[^/]+\/\/[^/?#]*(\/\d*)?([?#].*)?$/, 'expected the number of a database after the host, or nothing')
    .optional(),
  SECRETS_KEY: z
    .string()
    .refine(isKeys, 'expected 32 bytes in base64 (openssl rand -base64 32), or several such keys with commas')
    .optional(),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .regex(/^[^?#@]*$/, 'expected a URL without user, query and fragment')
    .optional(),
  RATE_LIMIT: z.enum(['on', 'off']).default('on'),
  RATE_LIMIT_PER_SECOND: count.default(100),
  RATE_LIMIT_BURST: count.optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  DEMO: z.enum(['on', 'off']).default('on'),
  OUTBOUND_PRIVATE: z.enum(['on', 'off']).default('off'),
  RETENTION_JOURNAL_DAYS: days.default(400),
  RETENTION_PAINTS_DAYS: days.default(90),
  RETENTION_DELETED_DAYS: days.default(30),
  RETENTION_FILES_DAYS: days.default(7),
  TRUSTED_PROXIES: whole(0, 10).default(0),
  NODE_URL: z
    .string()
    .regex(/^((tls|https?):\/\/)?(\[[\da-f:]+\]|[\w.-]+):\d{1,5}\/?$/i, 'expected a host and a port, as in node-1:8081')
    .optional(),
  NODE_PORT: whole(0, 65_535).optional(),
  NODES: whole(1, 64).optional(),
  DRAIN_MS: whole(0, 5_000).optional(),
  METRICS_PORT: whole(1, 65_535).optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\w-]{16,}$/, 'expected at least 16 letters, digits, - or _')
    .optional(),
  ACTOR_IDLE_MS: milliseconds.default(300_000),
  BLOBS_S3_URL: z
    .url({ protocol: /^https?$/ })
    .regex(/^[^?#@]*$/, 'expected a URL without user, query and fragment')
    .optional(),
  BLOBS_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'expected the name of a bucket')
    .optional(),
  BLOBS_S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'expected the name of a region')
    .default('us-east-1'),
  BLOBS_S3_KEY_ID: z.string().optional(),
  BLOBS_S3_SECRET: z.string().optional(),
  MEDIA_ENGINE: z.enum(['embedded', 'mediamtx', 'off']).default('embedded'),
  RTMP_PORT: whole(0, 65_535).optional(),
  SRT_PORT: whole(0, 65_535).optional(),
  MEDIAMTX_URL: z
    .url({ protocol: /^https?$/ })
    .regex(/^[^?#@]*$/, 'expected a URL without user, query and fragment')
    .optional(),
  MEDIAMTX_SECRET: z
    .string()
    .regex(/^[\w-]{8,}$/, 'expected at least 8 letters, digits, - or _')
    .optional(),
  FFMPEG_PATH: z.string().regex(/\S/, 'expected a path').optional(),
  CHROMIUM_PATH: z.string().regex(/\S/, 'expected a path').optional(),
  BURN_IN_SANDBOX: z.enum(['on', 'off']).default('on'),
  DATABASE_CONNECTIONS: whole(3, 50).default(8),
})

/** The names of all that can be set. */
export const SETTINGS: readonly string[] = Object.keys(Environment.shape)

export type Config = ReturnType<typeof readConfig>

/**
 * Reads and checks the environment.
 * Throws an `Error` with one line that names the first bad variable. `place`: which one it is of several nodes that one
 * process started on this machine.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>, place?: number) {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = Environment.safeParse(given)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const name = String(issue?.path[0] ?? 'environment')
    const value = SECRET.has(name) ? '' : ` (got ${JSON.stringify(given[name] ?? null)})`
    throw new Error(`${name}: ${issue?.message ?? 'invalid'}${value}`)
  }
  const env = parsed.data
  if (env.NODES !== undefined && !env.REDIS_URL) throw new Error('NODES: needs REDIS_URL')
  // one process of this machine may start the embedded PostgreSQL for several nodes
  if (env.REDIS_URL && !env.DATABASE_URL && env.NODES === undefined)
    throw new Error('REDIS_URL: needs DATABASE_URL, or NODES')
  const burst = env.RATE_LIMIT_BURST ?? Math.max(300, env.RATE_LIMIT_PER_SECOND)
  if (burst < env.RATE_LIMIT_PER_SECOND)
    throw new Error(`RATE_LIMIT_BURST: ${burst} is less than RATE_LIMIT_PER_SECOND, ${env.RATE_LIMIT_PER_SECOND}`)
  if (env.METRICS_PORT === env.PORT) throw new Error(`METRICS_PORT: ${env.PORT} is the PORT`)
  return {
    port: env.PORT,
    host: env.HOST,
    /** How many nodes this process starts instead of serving itself. */
    nodes: env.NODES,
    /** From 1, of a node that was started so; it shares its port with the others. */
    place,
    /** The listener for other nodes of the service, only with Redis. */
    node: {
      url: env.NODE_URL,
      port: env.NODE_PORT ?? (env.PORT === 0 ? 0 : env.PORT + 1),
      isGiven: env.NODE_URL !== undefined || env.NODE_PORT !== undefined,
    },
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL,
    /** How long a node that stops goes on beside others, ms. Those that share a port have no balancer that must notice, unless it is told. */
    drainMs: env.DRAIN_MS ?? (place === undefined ? DRAIN_MS : 0),
    /** Seals stored secrets that must be told again; undefined: the file beside DATA_DIR. */
    secretsKey: env.SECRETS_KEY,
    /** Without a trailing slash; undefined means `http://localhost:<port it listens on>`. */
    publicUrl: env.PUBLIC_URL?.replace(/\/+$/, ''),
    rateLimit: { enforced: env.RATE_LIMIT === 'on', perSecond: env.RATE_LIMIT_PER_SECOND, burst },
    /** Where uploaded files are instead of DATA_DIR. */
    s3: s3Options(env),
    logLevel: env.LOG_LEVEL,
    /** Whether an empty database gets the demo organization at the first start. */
    demo: env.DEMO === 'on',
    /** Whether URLs that clients name to be fetched may lead to a private network or to this machine. */
    outboundPrivate: env.OUTBOUND_PRIVATE === 'on',
    /** How long rows and files that nothing needs any more are kept. live-path 27 */
    retention: {
      journalDays: env.RETENTION_JOURNAL_DAYS,
      paintDays: env.RETENTION_PAINTS_DAYS,
      deletedDays: env.RETENTION_DELETED_DAYS,
      fileDays: env.RETENTION_FILES_DAYS,
    },
    /** How many stand in front of this server and add to X-Forwarded-For. */
    proxies: env.TRUSTED_PROXIES,
    /** How metrics are guarded: with neither, only this machine may read them. A port of their own leaves none on the usual one. */
    metrics: { port: env.METRICS_PORT, token: env.METRICS_TOKEN },
    actorIdleMs: env.ACTOR_IDLE_MS,
    databaseConnections: env.DATABASE_CONNECTIONS,
    media: {
      engine: env.MEDIA_ENGINE,
      /** Undefined: the usual one (1935, 8890), or a free one when that is taken. */
      rtmpPort: env.RTMP_PORT,
      srtPort: env.SRT_PORT,
      /** Only with the engine `mediamtx`. */
      mediamtx: mediamtxOptions(env),
      ffmpegPath: env.FFMPEG_PATH,
      chromiumPath: env.CHROMIUM_PATH,
      /** Whether graphics are burned in only where the browser has its sandbox. */
      burnInSandbox: env.BURN_IN_SANDBOX === 'on',
    },
    maxBodyBytes: 1_048_576,
  }
}

function mediamtxOptions({ MEDIA_ENGINE, MEDIAMTX_URL, MEDIAMTX_SECRET }: z.output<typeof Environment>) {
  if (MEDIA_ENGINE !== 'mediamtx') return undefined
  if (!MEDIAMTX_URL) throw new Error('MEDIAMTX_URL: needed with MEDIA_ENGINE=mediamtx')
  if (!MEDIAMTX_SECRET) throw new Error('MEDIAMTX_SECRET: needed with MEDIA_ENGINE=mediamtx')
  return { url: MEDIAMTX_URL.replace(/\/+$/, ''), secret: MEDIAMTX_SECRET }
}

function s3Options(env: z.output<typeof Environment>) {
  const needed = ['BLOBS_S3_URL', 'BLOBS_S3_BUCKET', 'BLOBS_S3_KEY_ID', 'BLOBS_S3_SECRET'] as const
  const given = needed.find((name) => env[name] !== undefined)
  const missing = needed.find((name) => env[name] === undefined)
  if (given && missing) throw new Error(`${missing}: needed with ${given}`)
  const { BLOBS_S3_URL: url, BLOBS_S3_BUCKET: bucket, BLOBS_S3_KEY_ID, BLOBS_S3_SECRET } = env
  if (!url || !bucket || !BLOBS_S3_KEY_ID || !BLOBS_S3_SECRET) return undefined
  return {
    url: url.replace(/\/+$/, ''),
    bucket,
    region: env.BLOBS_S3_REGION,
    accessKeyId: BLOBS_S3_KEY_ID,
    secretAccessKey: BLOBS_S3_SECRET,
  }
}

/** The configuration of this process. */
export function configFromProcess(place?: number): Config {
  // biome-ignore lint/style/noProcessEnv: the one place that reads the environment
  return readConfig(process.env, place)
}
