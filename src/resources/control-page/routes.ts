import type { Route } from '../../http/route.ts'

/** What the page of a control room asks for, by the secret in its address: `/control/{token}/rest`. */
export const controlPageRoutes: Route[] = []
