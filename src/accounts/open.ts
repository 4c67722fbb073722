import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Database } from '../database.ts'
import { networkOf } from '../http/client-address.ts'
import type { Page } from '../http/message.ts'
import type { Mount } from '../http/mount.ts'
import type { Route } from '../http/route.ts'
import type { DatabaseAccess } from './adapter.ts'
import { countedByAll } from './attempts.ts'
import { createAudit } from './audit.ts'
import { createAuth } from './auth.ts'
import { createLockOut } from './lock-out.ts'
import { dashboardMount } from './mount.ts'
import { signInPages } from './pages.ts'
import { createSessions } from './sessions.ts'

export type AccountsOptions = Omit<DatabaseAccess, 'sql'> & {
  db: Database
  /** The routes that the mount of the dashboard opens. */
  routes: readonly Route[]
  /** Where browsers reach this server, as far as it is known before it listens. Without a trailing slash. */
  baseUrl: string
  /** The same, asked at a request. */
  publicUrl(): string
  /** How many proxies stand in front of this server. */
  proxies: number
  /** Whether other nodes serve on this database too. */
  isShared: boolean
  log: Logger
}

/** People who sign in: the pages where they do, and the mount that they come through. */
export async function openAccounts(options: AccountsOptions): Promise<{ pages: readonly Page[]; mount: Mount }> {
  const { db, isOutOfReach, within, baseUrl, routes, publicUrl, proxies, isShared, log } = options
  const secret = await signInSecret(db)
  const auth = createAuth({ sql: db.sql, isOutOfReach, within, secret, publicUrl: baseUrl, log })
  const sessions = createSessions(auth, db.sql)
  const audit = createAudit(db, log)
  const byAll = isShared
    ? countedByAll({
        sql: db.sql,
        within,
        networksOf: async (email) => (await sessions.places(email)).map(({ address }) => networkOf(address)),
      })
    : undefined
  const lockOut = createLockOut(await sessions.places(), byAll)
  return {
    pages: signInPages({ auth, sessions, lockOut, audit, db, within, publicUrl, proxies }),
    mount: dashboardMount({ routes, sessions, publicUrl }),
  }
}

/** The secret that signs the cookies of this installation; made by the server that needs it first. */
async function signInSecret({ sql, secrets }: Database): Promise<string> {
  const made = { secret: randomBytes(32).toString('hex') }
  await sql`
    insert into sign_in_secret (secrets) values (${secrets.seal('sign_in_secret', '1', made)}) on conflict do nothing`
  const [row] = await sql<{ secrets: string }[]>`select secrets from sign_in_secret`
  if (!row) throw new Error('the database has no secret to sign cookies with')
  return secrets.open('sign_in_secret', '1', row.secrets).secret
}
