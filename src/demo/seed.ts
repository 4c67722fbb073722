import { randomUUID } from 'node:crypto'
import type { RecordContext } from '../context.ts'
import type { HttpReply, HttpRequest } from '../http/message.ts'
import { createCompetition } from '../resources/competitions/commands.ts'
import { createMatch } from '../resources/matches/commands.ts'
import { createOfficial } from '../resources/officials/commands.ts'
import { completeOrganization, createKey, createOrganization } from '../resources/organizations/commands.ts'
import { insertOverlay } from '../resources/overlays/commands.ts'
import { seedStream } from '../resources/streams/commands.ts'
import { seedInput } from '../resources/streams/inputs.commands.ts'
import { createTeam } from '../resources/teams/commands.ts'
import { createRosterPlayer } from '../resources/teams/roster.commands.ts'
import { createProfile } from '../resources/themes/profiles.commands.ts'
import { createVenue } from '../resources/venues/commands.ts'
import { KEY_RESOURCES } from '../secrets/api-key.ts'
import { Api } from '../theme-files/api.ts'
import { builtTheme, createDesign, createGamePlan } from './design.ts'
import { inProcess } from './in-process.ts'
import * as production from './production.ts'
import { createRundown } from './rundown.ts'
import { createSponsors } from './sponsors.ts'

export type DemoParts = {
  db: RecordContext['db']
  /** Answers one request; the theme is published over the API. */
  request: (request: HttpRequest) => Promise<HttpReply>
  /** Without a trailing slash. */
  publicUrl: string
  /** Where the theme is; left out, the built one of this package. */
  themeFolder?: string
}

export type Demo = Awaited<ReturnType<typeof createDemo>>

/**
 * Makes a new organization with a complete, playable football production, its theme through the API, all else by the commands that the API uses.
 * Answers the lines that the administration CLI prints, with the API key in full.
 */
export async function createDemo({ db, request, publicUrl, themeFolder = builtTheme() }: DemoParts, name: string) {
  const organization = await createOrganization(db, name, { complete: false })
  const ctx = (): RecordContext => ({
    organizationId: organization.id,
    actor: { type: 'system', name: 'demo' },
    requestId: `demo-${organization.id}`,
    commandId: randomUUID(),
    db,
    publicUrl,
    // nobody can have read anything of an organization that is being made
    catalog: { forget: () => {} },
  })
  const scopes = KEY_RESOURCES.map((resource) => `${resource}:write`)
  const { key: apiKey } = await createKey(db, organization.id, { name: 'Demo key', scopes, expiresAt: null })
  const api = new Api({ transport: inProcess(request, publicUrl), url: publicUrl, key: apiKey })
  const [fixture, design] = await Promise.all([createFixture(ctx), createDesign(api, themeFolder)])
  const profile = await createProfile(ctx(), fixture.competitionId, {
    themeId: design.themeId,
    name: 'Full graphics',
    defaultControlRoomId: design.controlRoomId,
    isDefault: true,
    themeVariableValues: Object.entries(production.profileValues).map(([variableId, value]) => ({ variableId, value })),
  })
  await createSponsors(api, themeFolder, { competitionId: fixture.competitionId, profileId: profile.id })
  await createGamePlan(api, design, fixture.competitionId)
  const overlay = await insertOverlay(ctx(), {
    name: 'Main output',
    matchId: fixture.matchId,
    autoMode: false,
    adType: 'brands',
    competitionThemeSettingId: profile.id,
    controlRoomId: design.controlRoomId,
  })
  await createRundown(api, overlay.id, design)
  const input = await seedInput(ctx(), 'Main camera')
  const stream = await seedStream(ctx(), {
    matchId: fixture.matchId,
    name: 'Match stream',
    inputId: input.id,
    overlayId: overlay.id,
    destinations: production.destinations,
  })
  await completeOrganization(db, organization.id)
  return {
    organizationId: organization.id,
    apiKey,
    ...fixture,
    themeId: design.themeId,
    themeProfileId: profile.id,
    controlRoomId: design.controlRoomId,
    sectionIds: design.sectionIds,
    presets: design.presets,
    overlay: {
      id: overlay.id,
      key: overlay.key,
      url: `${publicUrl}/overlay/${overlay.key}`,
      controlRoomUrl: overlay.controlRoomUrl,
      monitoringUrl: overlay.monitoringUrl,
    },
    streamSettingsId: stream.streamSettingsId,
    inputId: input.id,
    destinationIds: stream.destinationIds,
  }
}

type NewContext = () => RecordContext

/** The match and all that it needs. */
async function createFixture(ctx: NewContext) {
  const { db } = ctx()
  const [grade] = await db.sql<{ id: number }[]>`select id from grade order by id limit 1`
  const gradeId = grade?.id ?? 1
  const competition = await createCompetition(ctx(), { ...production.competition, gradeId })
  const venue = await createVenue(ctx(), production.venue)
  const officials: { id: number; role: string }[] = []
  for (const official of production.officials)
    officials.push({ ...(await createOfficial(ctx(), official)), role: official.role })
  const teamIds: number[] = []
  const playerIds: Record<string, number[]> = {}
  for (const { team, squad, captain } of production.teams) {
    const { id } = await createTeam(ctx(), {
      ...team,
      nonPlayerStaff: [...team.nonPlayerStaff],
      sport: 'football',
      age: 'Senior',
      gender: 'Male',
      gradeId,
      competitionIds: [competition.id],
      ...(teamIds.length === 0 && { defaultVenueId: venue.id }),
    })
    teamIds.push(id)
    playerIds[id] = await createSquad(ctx, id, squad, captain)
  }
  const [homeTeamId, awayTeamId] = teamIds
  const match = await createMatch(ctx(), {
    competitionId: competition.id,
    date: kickOff(new Date()),
    timezone: production.venue.timezone,
    round: 'Round 14',
    venueId: venue.id,
    homeTeamId,
    awayTeamId,
    officials,
    config: { benchSize: 7 },
    pregameAutomationTime: 15,
    postgameAutomationTime: 10,
  })
  return {
    competitionId: competition.id,
    gradeId,
    venueId: venue.id,
    teamIds,
    playerIds,
    officialIds: officials.map(({ id }) => id),
    matchId: match.id,
  }
}

const QUARTER_HOUR_MS = 900_000

/** A full quarter of an hour, about one hour ahead. */
const kickOff = (now: Date) =>
  new Date(Math.ceil(now.getTime() / QUARTER_HOUR_MS) * QUARTER_HOUR_MS + 4 * QUARTER_HOUR_MS).toISOString()

async function createSquad(
  ctx: NewContext,
  teamId: number,
  squad: (typeof production.teams)[number]['squad'],
  captain: string,
) {
  const ids: number[] = []
  for (const [index, [number, firstName, lastName, position, positionType]] of squad.entries()) {
    const player = await createRosterPlayer(ctx(), teamId, {
      firstName,
      lastName,
      number,
      position,
      positionType,
      defaultStarter: index < 11,
      defaultBench: index >= 11,
      captain: number === captain,
    })
    ids.push(player.id)
  }
  return ids
}
