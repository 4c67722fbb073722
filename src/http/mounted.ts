import type { ChangeEntry } from '../changelog.ts'
import type { Principal } from '../principal.ts'
import { Matcher } from './matcher.ts'
import type { HttpRequest } from './message.ts'
import { compile, type Operation } from './operation.ts'
import type { Route } from './route.ts'

/** The principal that comes in, by the values of the prefix's parameters as sent. */
type Authenticate = (request: HttpRequest, raw: readonly string[]) => Principal | Promise<Principal>

/** Where operations are reached: `/rest`, or a mount of a page. */
export type Mounted = {
  /** `/rest`, `/control/{token}/rest` */
  readonly prefix: string
  readonly operations: Matcher<Operation>
  /** On every answer. */
  readonly common: Readonly<Record<string, string>>
  readonly authenticate: Authenticate
  /** Callers come with an API key, from any origin. */
  readonly open: boolean
  /** Errors are problem details. RFC 7807 */
  readonly problems: boolean
}

/** Options that all mounts of a router share. */
export type MountOptions = { publicUrl(): string; maxBodyBytes: number; changes: readonly ChangeEntry[] }

/** Makes the operations behind one prefix ready to run. */
export function mount(
  { prefix, common, ...how }: Omit<Mounted, 'operations'>,
  routes: readonly Route[],
  options: MountOptions,
): Mounted {
  const operations = new Matcher<Operation>()
  for (const route of routes)
    operations.add(route.method.toUpperCase(), route.path, compile(route, { ...options, prefix, common }))
  return { prefix, operations, common, ...how }
}
