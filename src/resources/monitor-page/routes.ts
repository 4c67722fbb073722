import type { Route } from '../../http/route.ts'

/** What the monitoring page asks for, by the secret in its address: `/monitor/{token}/rest`. It reads; nothing there writes. */
export const monitorPageRoutes: Route[] = []
