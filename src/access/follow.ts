import type { Catalog } from '../catalog/catalog.ts'
import { forbidden, invalid, notFound, unauthenticated } from '../errors.ts'
import { createAuthenticator, type KeyStore } from '../http/auth.ts'
import type { Limiter } from '../http/rate-limit.ts'
import { requireScope } from '../http/scope.ts'
import type { Admission } from '../realtime/ports.ts'
import type { UpgradeRequest } from '../realtime/socket.ts'
import { OverlayParams } from '../resources/overlays/schema.ts'

export type AdmissionParts = {
  keyStore: KeyStore
  limiter: Limiter
  catalog: Pick<Catalog, 'overlay'>
  /** Rejects when the work takes too long. */
  within<T>(work: Promise<T>): Promise<T>
}

/**
 * Lets API keys with `overlays:read` follow the overlays of their organization. The order of checks is that of any operation: 401,
 * 429, 403 scope, 400 shape, 404 and 403 for the overlay's organization.
 */
export function createAdmission({ keyStore, limiter, catalog, within }: AdmissionParts) {
  const authenticate = createAuthenticator(keyStore)

  return async (request: UpgradeRequest): Promise<Admission> => {
    const credentials = credentialsOf(request)
    const principal = await within(Promise.resolve().then(() => authenticate(credentials)))
    if (limiter.enforced) await limiter.charge(principal.chargedTo, 'default', 1)
    requireScope(principal, ['overlays:read'])
    const params = OverlayParams.safeParse({ overlayId: numbered(request.params.overlayId) })
    if (!params.success)
      throw invalid({ 'path.overlayId': { message: 'must be the id of an overlay', value: request.params.overlayId } })
    const overlay = await within(Promise.resolve(catalog.overlay(params.data.overlayId)))
    if (!overlay) throw notFound()
    if (overlay.organizationId !== principal.organizationId) throw forbidden()
    return {
      overlayId: overlay.id,
      opens: () => true,
      async holds() {
        try {
          await authenticate(credentials)
          return true
        } catch (error) {
          if (isRefusal(error)) return false
          throw error
        }
      },
    }
  }
}

/** One spelling of an id, as in the paths of operations: no `05`, `5.0` or `0x5`. */
const numbered = (text = '') => (/^[1-9]\d*$/.test(text) ? Number(text) : text)

const isRefusal = (error: unknown) => error instanceof Error && 'kind' in error && error.kind === unauthenticated().kind

/** The two headers as the authenticator asks for them. */
function credentialsOf({ authorization, serviceApiKey }: UpgradeRequest) {
  const headers: Readonly<Record<string, string>> = { authorization, 'x-service-api-key': serviceApiKey }
  return { header: (name: string) => headers[name] ?? '', has: (name: string) => (headers[name] ?? '') !== '' }
}
