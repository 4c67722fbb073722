import type { Readable } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { EXPIRIES, expiryOf } from '../resources/organizations/expiry.ts'
import { KEY_RESOURCES, KEY_SCOPES } from '../secrets/api-key.ts'

/** The command line is wrong; the message is one line for people. */
export class UsageError extends Error {}

/** Options that a command takes: with a value, or a switch. */
export type OptionKinds = Readonly<Record<string, 'value' | 'switch'>>

export type Values = Readonly<Record<string, string | boolean | undefined>>

/**
 * Reads `--name value` options; `--json` is always allowed. `positional` names the one word without a name that a command takes.
 * Throws UsageError for anything unknown, repeated, missing or stray.
 */
export function parseOptions(argv: readonly string[], kinds: OptionKinds, positional?: string): Values {
  const options: Record<string, { type: 'string' | 'boolean' }> = { json: { type: 'boolean' } }
  for (const [name, kind] of Object.entries(kinds)) options[name] = { type: kind === 'value' ? 'string' : 'boolean' }
  try {
    const { values, tokens, positionals } = parseArgs({
      args: [...argv],
      options,
      strict: true,
      allowPositionals: positional !== undefined,
      tokens: true,
    })
    const names = tokens.filter((token) => token.kind === 'option').map((token) => token.name)
    const twice = names.find((name, index) => names.indexOf(name) !== index)
    if (twice) throw new UsageError(`--${twice} is given twice`)
    if (positional === undefined) return values
    const [word, stray] = positionals
    if (word === undefined) throw new UsageError(`${positional.toUpperCase()} is missing`)
    if (stray !== undefined) throw new UsageError(`Unexpected argument '${stray}'`)
    return { ...values, [positional]: word }
  } catch (error) {
    if (error instanceof UsageError) throw error
    const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    throw new UsageError(message.replace(/\. To specify.*$/, ''))
  }
}

/** A value that names a record. */
export const Id = z
  .string()
  .regex(/^\d{1,10}$/, 'must be an id')
  .transform(Number)
  .refine((id) => id >= 1 && id <= 2_147_483_647, 'must be an id')

/** The checked value of an option that may be left out. */
export const optional = <T extends z.ZodType>(values: Values, name: string, schema: T): z.output<T> | undefined =>
  values[name] === undefined ? undefined : required(values, name, schema)

/** A secret that was piped in. Never an argument: the process list shows those to everybody. */
export const secretFrom = async (stdin: Readable) => (await readText(stdin)).replace(/\r?\n$/, '')

/** The checked value of a required option. */
export function required<T extends z.ZodType>(values: Values, name: string, schema: T): z.output<T> {
  const given = values[name]
  if (given === undefined) throw new UsageError(`--${name} is missing`)
  const parsed = schema.safeParse(given)
  if (!parsed.success) throw new UsageError(`--${name}: ${parsed.error.issues[0]?.message ?? 'invalid'}`)
  return parsed.data
}

/** `a:read,b:write` as a list without doubles. spec: Authentication 4 */
export function parseScopes(text: string): string[] {
  const scopes = [...new Set(text.split(',').map((scope) => scope.trim()))]
  const known = new Set<string>(KEY_SCOPES)
  const bad = scopes.find((scope) => !known.has(scope))
  if (bad !== undefined)
    throw new UsageError(
      `--scopes: unknown scope "${bad}"; a scope is <resource>:read or <resource>:write with one of ${KEY_RESOURCES.join(', ')}`,
    )
  return scopes
}

const isoDate = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/

/** When a key created at `now` expires; null for never. A plain date is its midnight UTC. spec: Authentication 8 */
export function parseExpiry(text: string, now: Date): Date | null {
  if (text === 'none') return null
  const choice = EXPIRIES.find((name) => name === text)
  if (choice) return expiryOf(choice, now)
  const date = new Date(text)
  // V8 turns the 31st of February into the 2nd or 3rd of March
  const day = Number(text.slice(8, 10))
  const real = new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === day
  if (!isoDate.test(text) || !real || !(date.getUTCFullYear() <= 9999))
    throw new UsageError(
      `--expires: "${text}" is none of 7d, 30d, 60d, 90d, 1y, none or an ISO date such as 2030-01-31`,
    )
  if (date <= now) throw new UsageError(`--expires: ${text} is in the past`)
  return date
}
