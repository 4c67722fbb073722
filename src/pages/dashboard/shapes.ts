import type { z } from 'zod'
import type * as brands from '../../resources/brands/schema.ts'
import type * as code from '../../resources/code-graphics/schema.ts'
import type * as competitions from '../../resources/competitions/schema.ts'
import type * as rooms from '../../resources/control-rooms/schema.ts'
import type * as gamePlans from '../../resources/game-plans/schema.ts'
import type * as facts from '../../resources/matches/facts.schema.ts'
import type * as lineups from '../../resources/matches/lineup.schema.ts'
import type * as matches from '../../resources/matches/schema.ts'
import type * as officials from '../../resources/officials/schema.ts'
import type * as ograf from '../../resources/ograf-graphics/schema.ts'
import type * as audit from '../../resources/organizations/audit.schema.ts'
import type * as keys from '../../resources/organizations/keys.schema.ts'
import type * as accounts from '../../resources/organizations/me.schema.ts'
import type * as nodes from '../../resources/organizations/nodes.schema.ts'
import type * as people from '../../resources/organizations/people.schema.ts'
import type * as asRun from '../../resources/overlays/as-run.schema.ts'
import type * as overlays from '../../resources/overlays/schema.ts'
import type * as players from '../../resources/players/schema.ts'
import type * as previews from '../../resources/previews/schema.ts'
import type * as proof from '../../resources/proof-of-play/schema.ts'
import type * as providers from '../../resources/providers/own.schema.ts'
import type * as replays from '../../resources/replays/schema.ts'
import type * as rundowns from '../../resources/rundowns/schema.ts'
import type * as scenarios from '../../resources/scenarios/schema.ts'
import type * as sponsorSlots from '../../resources/sponsor-slots/schema.ts'
import type * as destinations from '../../resources/streams/destinations.schema.ts'
import type * as inputs from '../../resources/streams/inputs.schema.ts'
import type * as monitoring from '../../resources/streams/monitoring.schema.ts'
import type * as streams from '../../resources/streams/schema.ts'
import type * as clubs from '../../resources/teams/clubs.schema.ts'
import type * as rosters from '../../resources/teams/roster.schema.ts'
import type * as teams from '../../resources/teams/schema.ts'
import type * as profiles from '../../resources/themes/profiles.schema.ts'
import type * as themes from '../../resources/themes/schema.ts'
import type * as variables from '../../resources/themes/variables.schema.ts'
import type * as versions from '../../resources/themes/versions.schema.ts'
import type * as venues from '../../resources/venues/schema.ts'
import type * as webhooks from '../../resources/webhooks/schema.ts'
import type { Value } from '../ui/value-editor.tsx'

/** The person who is signed in, with the scopes of the role. */
export type Session = z.output<typeof accounts.Me>

/** Answers of the API, as its schemas say. */
export type Brand = z.output<typeof brands.Brand>
export type BrandList = z.output<typeof brands.BrandList>
export type GamePlanProblems = z.output<typeof gamePlans.GamePlanProblems>
export type Rundown = z.output<typeof rundowns.Rundown>
export type SponsorSlots = z.output<typeof sponsorSlots.SponsorSlots>
export type Stream = z.output<typeof streams.StreamSettings>
export type StreamList = z.output<typeof streams.StreamList>
export type StreamInput = z.output<typeof inputs.StreamInput>
export type StreamInputList = z.output<typeof inputs.StreamInputList>
export type StreamDestination = z.output<typeof destinations.StreamDestination>
export type StreamMonitoring = z.output<typeof monitoring.StreamMonitoring>
export type DestinationReports = z.output<typeof destinations.StreamDestinationReports>
export type Theme = z.output<typeof themes.Theme>
export type ThemeList = z.output<typeof themes.ThemeList>
export type ThemeVersion = z.output<typeof versions.ThemeVersion>
export type ThemeVersionList = z.output<typeof versions.ThemeVersionList>
export type ActivatedTheme = z.output<typeof versions.ActivatedTheme>
/** A published version of a graphic; of a motion graphic the members that both kinds have. */
export type GraphicVersion = Pick<z.output<typeof code.CodeGraphicVersion>, 'graphicId' | 'version'> & {
  stateMachine?: z.output<typeof code.CodeGraphicVersion>['stateMachine']
  /** Of an OGraf graphic, which has no state machine. */
  controlVariables?: z.output<typeof ograf.OgrafVersion>['controlVariables']
}
export type ControlVariable = {
  name: string
  type: string
  description?: string | undefined
  options?: string[] | undefined
  defaultValue?: Value | undefined
  title?: string | undefined
  gddType?: string | undefined
  schema?: Readonly<Record<string, unknown>> | undefined
}
export type OgrafGraphicList = z.output<typeof ograf.OgrafGraphicList>
export type ImportedOgraf = z.output<typeof ograf.ImportedOgraf>
export type ThemeVariable = z.output<typeof variables.ThemeVariable>
export type ThemeVariableList = z.output<typeof variables.ThemeVariableList>
export type ThemeProfile = z.output<typeof profiles.ThemeProfile>
export type ThemeProfileList = z.output<typeof profiles.ThemeProfileList>
export type RoomList = z.output<typeof rooms.ControlRoomList>
export type Preview = z.output<typeof previews.Preview>
export type Room = z.output<typeof rooms.ControlRoom>
export type RoomDetail = z.output<typeof rooms.ControlRoomDetail>
export type Preset = RoomDetail['presets'][number]
export type Section = z.output<typeof rooms.Section>
export type Match = z.output<typeof matches.MatchV1>
export type MatchList = z.output<typeof matches.MatchV1List>
export type Competition = z.output<typeof competitions.Competition>
export type CompetitionList = z.output<typeof competitions.CompetitionList>
export type CompetitionTeams = z.output<typeof competitions.CompetitionTeams>
export type GradeList = z.output<typeof competitions.GradeList>
export type Club = z.output<typeof clubs.Club>
export type ClubList = z.output<typeof clubs.ClubList>
export type OfficialList = z.output<typeof officials.OfficialList>
export type Official = z.output<typeof officials.Official>
export type Player = z.output<typeof players.Player>
export type PlayerList = z.output<typeof players.PlayerList>
export type ProviderConnection = z.output<typeof providers.ProviderConnection>
export type ProviderConnectionList = z.output<typeof providers.ProviderConnectionList>
export type Team = z.output<typeof teams.Team>
export type TeamList = z.output<typeof teams.TeamList>
export type RosterPlayerList = z.output<typeof rosters.RosterPlayerList>
export type MatchLineup = z.output<typeof lineups.MatchLineup>
export type Venue = z.output<typeof venues.Venue>
export type VenueList = z.output<typeof venues.VenueList>
export type Fact = z.output<typeof facts.Fact>
export type FactList = z.output<typeof facts.FactList>
export type CreatedOverlay = z.output<typeof overlays.CreatedOverlay>
export type Overlay = z.output<typeof overlays.OverlayV2>
export type OverlayList = z.output<typeof overlays.OverlayV2List>
export type AsRunLog = z.output<typeof asRun.AsRunLog>
export type AsRunEntry = z.output<typeof asRun.AsRunEntry>
export type ProofOfPlay = z.output<typeof proof.ProofOfPlay>
export type ScenarioList = z.output<typeof scenarios.ScenarioList>
export type ReplayAddress = z.output<typeof replays.ReplayAddress>
export type ApiKey = z.output<typeof keys.KeyShown>
export type ApiKeyList = z.output<typeof keys.KeyList>
export type ApiKeyCreated = z.output<typeof keys.KeyCreated>
export type Person = z.output<typeof people.Person>
export type PersonList = z.output<typeof people.PersonList>
export type PersonWithPassword = z.output<typeof people.PersonWithPassword>
export type ServiceNode = z.output<typeof nodes.ServiceNode>
export type NodeList = z.output<typeof nodes.NodeList>
export type Takeover = z.output<typeof nodes.Takeover>
export type AuditEntry = z.output<typeof audit.AuditEntry>
export type AuditList = z.output<typeof audit.AuditList>
export type Webhook = z.output<typeof webhooks.Webhook>
export type WebhookList = z.output<typeof webhooks.WebhookList>
export type WebhookWithSecret = z.output<typeof webhooks.WebhookWithSecret>
export type WebhookDelivery = z.output<typeof webhooks.WebhookDelivery>
export type WebhookDeliveryList = z.output<typeof webhooks.WebhookDeliveryList>
export type WebhookSchemas = z.output<typeof webhooks.WebhookSchemas>
