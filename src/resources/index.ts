import type { Route } from '../http/route.ts'
import { overlayRoutes } from './overlays/routes.ts'

/** Every operation of the API. */
export const routes: Route[] = [...overlayRoutes]
