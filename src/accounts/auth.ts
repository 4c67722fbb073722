import { createHash } from 'node:crypto'
import { betterAuth } from 'better-auth/minimal'
import type { Logger } from 'pino'
import { hashPassword, isPassword } from '../secrets/passwords.ts'
import { type DatabaseAccess, databaseAdapter } from './adapter.ts'

const DAY_S = 86_400

/** The header in which the address of the client is handed to the library; none of a request gets through. */
export const ADDRESS_HEADER = 'x-client-address'

export type AuthOptions = DatabaseAccess & {
  /** The secret that signs the cookies. */
  secret: string
  /** Where browsers reach the dashboard. Without a trailing slash. */
  publicUrl: string
  log: Logger
}

/**
 * The authentication library, set up for people with e-mail and password, whose accounts are made by others. A session lives for 7
 * days at most; that it ends after 12 idle hours is checked in `sessions.ts` by `updatedAt`, the time of its last request.
 */
export function createAuth({ secret, publicUrl, log, ...database }: AuthOptions) {
  const { protocol, pathname } = new URL(publicUrl)
  const https = protocol === 'https:'
  return betterAuth({
    appName: 'Tally',
    baseURL: publicUrl,
    basePath: '/dashboard/auth',
    secret,
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    logger: { log: (level, message) => log[level]({ from: 'better-auth' }, message), level: 'error' },
    database: databaseAdapter(database),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      maxPasswordLength: 1_024,
      password: { hash: hashPassword, verify: ({ hash, password }) => isPassword(password, hash) },
    },
    user: {
      modelName: 'person',
      fields: { name: 'email', createdAt: 'created_at' },
      additionalFields: {
        role: { type: 'string', input: false },
        organizationId: { type: 'number', fieldName: 'organization_id', input: false },
      },
    },
    account: {
      modelName: 'person_account',
      fields: {
        userId: 'person_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        password: 'password_hash',
      },
    },
    session: {
      modelName: 'person_session',
      fields: {
        userId: 'person_id',
        token: 'token_hash',
        createdAt: 'created_at',
        updatedAt: 'seen_at',
        expiresAt: 'expires_at',
        ipAddress: 'address',
        userAgent: 'user_agent',
      },
      expiresIn: 7 * DAY_S,
      disableSessionRefresh: true,
    },
    advanced: {
      database: { generateId: 'serial' },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      useSecureCookies: https,
      // cookies know no ports: another installation on this host has its own
      cookiePrefix: `tally-${createHash('sha256').update(secret).digest('hex').slice(0, 8)}`,
      defaultCookieAttributes: {
        httpOnly: true,
        sameSite: 'strict',
        secure: https,
        path: `${pathname.replace(/\/$/, '')}/dashboard`,
      },
    },
  })
}

export type Auth = ReturnType<typeof createAuth>
