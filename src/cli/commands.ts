import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import { z } from 'zod'
import type { Ref } from '../actors/journal.ts'
import { repairActors } from '../actors/repair.ts'
import type { Config } from '../config.ts'
import * as organizations from '../resources/organizations/commands.ts'
import { listPeople } from '../resources/organizations/people.queries.ts'
import { findOrganization, listKeys } from '../resources/organizations/queries.ts'
import { Email, KeyName, LegacyAccess, LegacyKey, OrganizationName, Role } from '../resources/organizations/schema.ts'
import { createPostgresJournal, type JournalPool } from '../store/journal-postgres.ts'
import { matchProjection } from '../store/match-projection.ts'
import type { Store } from '../store/open.ts'
import { type ConnectedDatabase, connectDatabase } from '../store/postgres.ts'
import {
  Id,
  type OptionKinds,
  parseExpiry,
  parseScopes,
  required,
  secretFrom,
  UsageError,
  type Values,
} from './arguments.ts'

/** The surroundings of a command. */
export type Surroundings = {
  readonly config: Config
  readonly store: Store
  readonly log: Logger
  readonly stdin: Readable
  /** Where progress is told. */
  readonly stderr: { write(text: string): unknown }
  readonly databaseUrl: string
  /** Of the running server on this DATA_DIR, or the one it would have. Without a trailing slash. */
  readonly publicUrl: string
}

/** One administration command. Its result is the one JSON document on stdout. */
export type Command = {
  readonly name: string
  readonly usage: string
  readonly options: OptionKinds
  run(db: ConnectedDatabase, values: Values, server: Surroundings): Promise<unknown>
  /** Its result for people, who leave out `--json`; otherwise they read the same document. */
  text?(result: unknown): string
}

const isRef = (text: string): text is Ref => /^[a-z-]+\/.+$/.test(text)

const option = (values: Values, name: string) => {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

async function passwordFrom(stdin: Readable, values: Values): Promise<string> {
  if (!values['password-stdin']) throw new UsageError('--password-stdin is missing: pipe the password in')
  const password = await secretFrom(stdin)
  if (password.length === 0 || password.length > 1_024)
    throw new UsageError('the password on stdin must have 1 to 1024 characters')
  return password
}

async function organizationOf(db: ConnectedDatabase, values: Values): Promise<number> {
  const id = required(values, 'org', Id)
  if (!(await findOrganization(db.sql, id))) throw new UsageError(`There is no organization ${id}`)
  return id
}

export const commands: readonly Command[] = [
  {
    name: 'actors repair',
    usage: '[--ref KIND/ID]',
    options: { ref: 'value' },
    async run(db, values, { databaseUrl }) {
      const ref = option(values, 'ref')
      if (ref !== undefined && !isRef(ref)) throw new UsageError('--ref must look like overlay/12')
      const connect = (pool: JournalPool) => connectDatabase(databaseUrl, pool).sql
      const journal = createPostgresJournal({
        connect,
        sql: db.sql,
        secrets: db.secrets,
        projections: [matchProjection],
      })
      try {
        return await repairActors(journal, ref)
      } finally {
        await journal.close()
      }
    },
  },
  {
    name: 'orgs create',
    usage: '--name NAME',
    options: { name: 'value' },
    run: (db, values) => organizations.createOrganization(db, required(values, 'name', OrganizationName)),
  },
  {
    name: 'keys create',
    usage: '--org ID --name NAME --scopes a:read,b:write [--expires 7d|30d|60d|90d|1y|none|DATE]',
    options: { org: 'value', name: 'value', scopes: 'value', expires: 'value' },
    async run(db, values) {
      const organizationId = required(values, 'org', Id)
      const name = required(values, 'name', KeyName)
      const scopes = parseScopes(required(values, 'scopes', z.string()))
      const expiresAt = parseExpiry(option(values, 'expires') ?? '30d', new Date())
      return organizations.createKey(db, organizationId, { name, scopes, expiresAt })
    },
  },
  {
    name: 'keys import-legacy',
    usage: '--org ID --name NAME --access read|write --key service_...',
    options: { org: 'value', name: 'value', access: 'value', key: 'value' },
    async run(db, values) {
      const organizationId = required(values, 'org', Id)
      const name = required(values, 'name', KeyName)
      const access = required(values, 'access', LegacyAccess)
      const key = required(values, 'key', LegacyKey)
      return organizations.importLegacyKey(db, organizationId, { name, access, key })
    },
  },
  {
    name: 'keys list',
    usage: '--org ID',
    options: { org: 'value' },
    async run(db, values) {
      return listKeys(db.sql, await organizationOf(db, values))
    },
  },
  {
    name: 'keys delete',
    usage: '--id ID',
    options: { id: 'value' },
    run: (db, values) => organizations.deleteKey(db, required(values, 'id', Id)),
  },
  {
    name: 'users create',
    usage: '--org ID --email EMAIL --role owner|admin|user|operator --password-stdin',
    options: { org: 'value', email: 'value', role: 'value', 'password-stdin': 'switch' },
    async run(db, values, { stdin }) {
      const organizationId = required(values, 'org', Id)
      const email = required(values, 'email', Email)
      const role = required(values, 'role', Role)
      return organizations.createUser(db, organizationId, { email, role, password: await passwordFrom(stdin, values) })
    },
  },
  {
    name: 'users list',
    usage: '--org ID',
    options: { org: 'value' },
    async run(db, values) {
      const organizationId = await organizationOf(db, values)
      return (await listPeople({ db, organizationId }, { limit: 1_000, offset: 0 })).people
    },
  },
  {
    name: 'users password',
    usage: '--id ID --password-stdin',
    options: { id: 'value', 'password-stdin': 'switch' },
    async run(db, values, { stdin }) {
      const id = required(values, 'id', Id)
      return organizations.changePassword(db, id, await passwordFrom(stdin, values))
    },
  },
  {
    name: 'users delete',
    usage: '--id ID',
    options: { id: 'value' },
    run: (db, values) => organizations.deleteUser(db, required(values, 'id', Id)),
  },
]
