import type { ProviderName } from '../schema/provider.ts'
import type { Outbound } from '../store/outbound.ts'
import type { ProviderConnector } from './connector.ts'
import { customConnector } from './custom.ts'

/** The only list of the providers that can be connected. */
export const connectorsOf = (outbound: Outbound): ReadonlyMap<ProviderName, ProviderConnector> =>
  new Map([customConnector(outbound)].map((connector) => [connector.name, connector]))
