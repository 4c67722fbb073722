import type { ComponentType } from 'react'
import { AccountView } from './account/account-view.tsx'
import { AsRunView } from './as-run/as-run-view.tsx'
import { AuditView } from './audit/audit-view.tsx'
import { BrandsView } from './brands/brands-view.tsx'
import { PlanView } from './game-plan/plan-view.tsx'
import { PlansView } from './game-plan/plans-view.tsx'
import { KeysView } from './keys/keys-view.tsx'
import { later } from './later.tsx'
import { MatchView } from './matches/match-view.tsx'
import { MatchesView } from './matches/matches-view.tsx'
import { NewMatchView } from './matches/new-match-view.tsx'
import { NodesView } from './nodes/nodes-view.tsx'
import { OverlayView } from './overlays/overlay-view.tsx'
import { OverlaysView } from './overlays/overlays-view.tsx'
import { PeopleView } from './people/people-view.tsx'
import { ProvidersView } from './providers/providers-view.tsx'
import { ClubsView } from './records/clubs-view.tsx'
import { CompetitionView } from './records/competition-view.tsx'
import { CompetitionsView } from './records/competitions-view.tsx'
import { LookView } from './records/look-view.tsx'
import { OfficialsView } from './records/officials-view.tsx'
import { PlayersView } from './records/players-view.tsx'
import { TeamView } from './records/team-view.tsx'
import { TeamsView } from './records/teams-view.tsx'
import { VenuesView } from './records/venues-view.tsx'
import { RoomView } from './rooms/room-view.tsx'
import { RoomsView } from './rooms/rooms-view.tsx'
import { RundownView } from './rundown/rundown-view.tsx'
import { SlotsView } from './sponsor-slots/slots-view.tsx'
import { NewStreamView } from './streams/new-stream-view.tsx'
import { StreamView } from './streams/stream-view.tsx'
import { StreamsView } from './streams/streams-view.tsx'
import { ThemeView } from './themes/theme-view.tsx'
import { ThemesView } from './themes/themes-view.tsx'
import type { ViewProps } from './view.ts'
import { WebhookView } from './webhooks/webhook-view.tsx'
import { WebhooksView } from './webhooks/webhooks-view.tsx'

const ImportMatchesView = later(async () => (await import('./imports/matches-view.tsx')).ImportMatchesView)
const ImportPlayersView = later(async () => (await import('./imports/players-view.tsx')).ImportPlayersView)
const ImportRecordsView = later(async () => (await import('./imports/records-view.tsx')).ImportRecordsView)

type ViewRoute = {
  /** Below `/dashboard`, `{name}` for parameters. */
  readonly path: string
  readonly view: ComponentType<ViewProps>
  /** The entry of the navigation that it belongs to. */
  readonly section: string
}

/** Every view, by its path; the first that fits is shown. */
export const viewRoutes: readonly ViewRoute[] = [
  { path: '/', view: MatchesView, section: '/' },
  { path: '/matches/new', view: NewMatchView, section: '/' },
  { path: '/matches/import', view: ImportMatchesView, section: '/' },
  { path: '/matches/{matchId}', view: MatchView, section: '/' },
  { path: '/overlays', view: OverlaysView, section: '/overlays' },
  { path: '/overlays/{overlayId}', view: OverlayView, section: '/overlays' },
  { path: '/overlays/{overlayId}/rundown', view: RundownView, section: '/overlays' },
  { path: '/streams', view: StreamsView, section: '/streams' },
  { path: '/streams/new', view: NewStreamView, section: '/streams' },
  { path: '/streams/{streamId}', view: StreamView, section: '/streams' },
  { path: '/competitions', view: CompetitionsView, section: '/competitions' },
  { path: '/competitions/import', view: ImportRecordsView, section: '/competitions' },
  { path: '/competitions/{competitionId}', view: CompetitionView, section: '/competitions' },
  { path: '/competitions/{competitionId}/looks/{profileId}', view: LookView, section: '/competitions' },
  { path: '/clubs', view: ClubsView, section: '/clubs' },
  { path: '/clubs/import', view: ImportRecordsView, section: '/clubs' },
  { path: '/teams', view: TeamsView, section: '/teams' },
  { path: '/teams/import', view: ImportRecordsView, section: '/teams' },
  { path: '/teams/{teamId}', view: TeamView, section: '/teams' },
  { path: '/teams/{teamId}/import', view: ImportPlayersView, section: '/teams' },
  { path: '/players', view: PlayersView, section: '/players' },
  { path: '/venues', view: VenuesView, section: '/venues' },
  { path: '/venues/import', view: ImportRecordsView, section: '/venues' },
  { path: '/officials', view: OfficialsView, section: '/officials' },
  { path: '/officials/import', view: ImportRecordsView, section: '/officials' },
  { path: '/themes', view: ThemesView, section: '/themes' },
  { path: '/themes/{themeId}', view: ThemeView, section: '/themes' },
  { path: '/control-rooms', view: RoomsView, section: '/control-rooms' },
  { path: '/control-rooms/{roomId}', view: RoomView, section: '/control-rooms' },
  { path: '/game-plans', view: PlansView, section: '/game-plans' },
  { path: '/game-plans/{competitionId}/{profileId}', view: PlanView, section: '/game-plans' },
  { path: '/brands', view: BrandsView, section: '/brands' },
  { path: '/sponsor-slots/{competitionId}/{profileId}', view: SlotsView, section: '/brands' },
  { path: '/as-run', view: AsRunView, section: '/as-run' },
  { path: '/providers', view: ProvidersView, section: '/providers' },
  { path: '/keys', view: KeysView, section: '/keys' },
  { path: '/webhooks', view: WebhooksView, section: '/webhooks' },
  { path: '/webhooks/{webhookId}', view: WebhookView, section: '/webhooks' },
  { path: '/people', view: PeopleView, section: '/people' },
  { path: '/audit', view: AuditView, section: '/audit' },
  { path: '/nodes', view: NodesView, section: '/nodes' },
  { path: '/account', view: AccountView, section: '' },
]

type Section = {
  readonly path: string
  readonly title: string
  /** Only people whose role opens this scope see the view. */
  readonly scope: string
}

/** The navigation: groups from above to below. */
export const sections: readonly { readonly title: string; readonly entries: readonly Section[] }[] = [
  {
    title: 'Production',
    entries: [
      { path: '/', title: 'Matches', scope: 'matches:read' },
      { path: '/overlays', title: 'Overlays', scope: 'overlays:read' },
      { path: '/streams', title: 'Streams', scope: 'streams:read' },
      { path: '/as-run', title: 'As-run', scope: 'overlays:read' },
    ],
  },
  {
    title: 'Records',
    entries: [
      { path: '/competitions', title: 'Competitions', scope: 'competitions:read' },
      { path: '/teams', title: 'Teams', scope: 'teams:read' },
      { path: '/clubs', title: 'Clubs', scope: 'teams:read' },
      { path: '/players', title: 'Players', scope: 'players:read' },
      { path: '/officials', title: 'Officials', scope: 'players:read' },
      { path: '/venues', title: 'Venues', scope: 'venues:read' },
    ],
  },
  {
    title: 'Design',
    entries: [
      { path: '/themes', title: 'Themes', scope: 'themes:read' },
      { path: '/game-plans', title: 'Game plans', scope: 'competitions:read' },
      { path: '/control-rooms', title: 'Control rooms', scope: 'themes:read' },
      { path: '/brands', title: 'Brands', scope: 'themes:read' },
    ],
  },
  {
    title: 'Organization',
    entries: [
      { path: '/keys', title: 'API keys', scope: 'keys:write' },
      { path: '/providers', title: 'Data providers', scope: 'provider-connections:read' },
      { path: '/webhooks', title: 'Webhooks', scope: 'webhooks:read' },
      { path: '/people', title: 'People', scope: 'people:write' },
      { path: '/audit', title: 'Audit', scope: 'audit:read' },
      { path: '/nodes', title: 'Nodes', scope: 'nodes:read' },
    ],
  },
]
