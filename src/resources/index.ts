import type { Route } from '../http/route.ts'
import { brandRoutes } from './brands/routes.ts'
import { evaluationRoutes } from './code-graphics/evaluate.routes.ts'
import { codeGraphicRoutes } from './code-graphics/routes.ts'
import { competitionRoutes } from './competitions/routes.ts'
import { controlRoomRoutes } from './control-rooms/routes.ts'
import { dataSourceRoutes } from './data-sources/routes.ts'
import { dataSourceTemplateRoutes } from './data-sources/templates.routes.ts'
import { gamePlanRoutes } from './game-plans/routes.ts'
import { lineupRoutes } from './matches/lineup.routes.ts'
import { matchRoutes } from './matches/routes.ts'
import { motionImportRoutes } from './motion-graphics/imports.routes.ts'
import { motionPartRoutes } from './motion-graphics/parts.routes.ts'
import { motionGraphicRoutes } from './motion-graphics/routes.ts'
import { officialRoutes } from './officials/routes.ts'
import { ografGraphicRoutes } from './ograf-graphics/routes.ts'
import { dashboardRoutes } from './organizations/routes.ts'
import { overlayRoutes } from './overlays/routes.ts'
import { playerRoutes } from './players/routes.ts'
import { previewRoutes } from './previews/routes.ts'
import { proofOfPlayRoutes } from './proof-of-play/routes.ts'
import { connectionRoutes } from './providers/own.routes.ts'
import { providerRoutes } from './providers/routes.ts'
import { replayRoutes } from './replays/routes.ts'
import { rundownRoutes } from './rundowns/routes.ts'
import { scenarioRoutes } from './scenarios/routes.ts'
import { schemaRoutes } from './schemas/routes.ts'
import { sponsorSlotRoutes } from './sponsor-slots/routes.ts'
import { standingsRoutes } from './standings/routes.ts'
import { streamDestinationRoutes } from './streams/destinations.routes.ts'
import { streamInputRoutes } from './streams/inputs.routes.ts'
import { streamMonitoringRoutes } from './streams/monitoring.routes.ts'
import { streamRoutes } from './streams/routes.ts'
import { streamRunRoutes } from './streams/run.routes.ts'
import { clubRoutes } from './teams/clubs.routes.ts'
import { logoRoutes } from './teams/logo.routes.ts'
import { rosterRoutes } from './teams/roster.routes.ts'
import { teamRoutes } from './teams/routes.ts'
import { themeProfileRoutes } from './themes/profiles.routes.ts'
import { themeRoutes } from './themes/routes.ts'
import { themeVariableRoutes } from './themes/variables.routes.ts'
import { themeVersionRoutes } from './themes/versions.routes.ts'
import { venueRoutes } from './venues/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

export { webhookSchemas } from './webhooks/events.schema.ts'

/** Every operation of the API. */
export const routes: Route[] = [
  ...overlayRoutes,
  ...rundownRoutes,
  ...proofOfPlayRoutes,
  ...replayRoutes,
  ...controlRoomRoutes,
  ...themeRoutes,
  ...themeVersionRoutes,
  ...themeVariableRoutes,
  ...themeProfileRoutes,
  ...brandRoutes,
  ...sponsorSlotRoutes,
  ...gamePlanRoutes,
  ...dataSourceTemplateRoutes,
  ...dataSourceRoutes,
  ...schemaRoutes,
  ...scenarioRoutes,
  ...codeGraphicRoutes,
  ...evaluationRoutes,
  ...motionGraphicRoutes,
  ...ografGraphicRoutes,
  ...motionPartRoutes,
  ...motionImportRoutes,
  ...previewRoutes,
  ...competitionRoutes,
  ...standingsRoutes,
  ...clubRoutes,
  ...teamRoutes,
  ...logoRoutes,
  ...matchRoutes,
  ...lineupRoutes,
  ...rosterRoutes,
  ...playerRoutes,
  ...officialRoutes,
  ...venueRoutes,
  ...providerRoutes,
  ...streamRoutes,
  ...streamRunRoutes,
  ...streamInputRoutes,
  ...streamDestinationRoutes,
  ...streamMonitoringRoutes,
  ...webhookRoutes,
]

/** Operations that only people who are signed in at the dashboard have. */
export const signedInRoutes: readonly Route[] = [...dashboardRoutes, ...connectionRoutes]
