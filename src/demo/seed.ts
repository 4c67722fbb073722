import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, extname, join, relative, sep } from 'node:path'
import { SCOPE_RESOURCES } from '../api-key.ts'
import type { RecordContext } from '../context.ts'
import { createCodeGraphic, publishCodeGraphic, putBundle } from '../resources/code-graphics/commands.ts'
import { createCompetition } from '../resources/competitions/commands.ts'
import { createPreset, createRoom } from '../resources/control-rooms/commands.ts'
import { createMatch } from '../resources/matches/commands.ts'
import { createOfficial } from '../resources/officials/commands.ts'
import { createKey, createOrganization } from '../resources/organizations/commands.ts'
import { createOverlay } from '../resources/overlays/commands.ts'
import { createInput, createStream } from '../resources/streams/commands.ts'
import { createRosterPlayer, createTeam } from '../resources/teams/commands.ts'
import { createProfile, createTheme, publishThemeVersion } from '../resources/themes/commands.ts'
import { createVenue } from '../resources/venues/commands.ts'
import type { Blobs } from '../store/blobs.ts'
import { demoGraphics, type GraphicManifest } from './graphics/manifests.ts'
import * as production from './production.ts'

export type DemoParts = {
  db: RecordContext['db']
  blobs: Blobs
  /** Without a trailing slash. */
  publicUrl: string
  /** Where the built graphics are; left out, `dist/demo/graphics` of this package. */
  graphicsFolder?: string
}

export type Demo = Awaited<ReturnType<typeof createDemo>>

/**
 * Makes a new organization with a complete, playable football production, each part by the command that the API uses.
 * Answers what the administration CLI prints, with the API key in full.
 */
export async function createDemo(parts: DemoParts, name: string) {
  const { db, publicUrl } = parts
  const organization = await createOrganization(db, name)
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
  const scopes = SCOPE_RESOURCES.map((resource) => `${resource}:write`)
  const { key: apiKey } = await createKey(db, organization.id, { name: 'Demo key', scopes, expiresAt: null })
  const [fixture, design] = await Promise.all([createFixture(ctx), createDesign(ctx, parts)])
  const profile = await createProfile(ctx(), {
    competitionId: fixture.competitionId,
    themeId: design.themeId,
    name: 'Full graphics',
    defaultControlRoomId: design.controlRoomId,
    isDefault: true,
    values: production.profileValues,
  })
  const overlay = await createOverlay(ctx(), {
    name: 'Main output',
    matchId: fixture.matchId,
    autoMode: false,
    adType: 'noBrands',
    competitionThemeSettingId: profile.id,
    controlRoomId: design.controlRoomId,
  })
  const input = await createInput(ctx(), { name: 'Main camera' })
  const stream = await createStream(ctx(), {
    matchId: fixture.matchId,
    name: 'Match stream',
    inputId: input.id,
    overlayId: overlay.id,
    destinations: production.destinations,
  })
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

/** The theme with its graphics in version 1, and the control room with its presets. */
async function createDesign(ctx: NewContext, { blobs, graphicsFolder = builtGraphics() }: DemoParts) {
  const theme = await createTheme(ctx(), production.theme)
  const graphicIds = new Map<string, string>()
  for (const manifest of demoGraphics)
    graphicIds.set(manifest.name, await createGraphic(ctx, blobs, theme.id, manifest, graphicsFolder))
  await publishThemeVersion(ctx(), theme.id, { activate: true, notes: 'First release' })
  const room = await createRoom(ctx(), { themeId: theme.id, name: 'Match day', sections: production.sections })
  const presets = []
  for (const [index, section] of room.sections.entries())
    for (const { graphic, name, values, exposed } of production.sections[index]?.presets ?? []) {
      const graphicId = graphicIds.get(graphic)
      if (graphicId === undefined) throw new Error(`the demo has no graphic ${graphic}`)
      const { id } = await createPreset(ctx(), room.id, {
        sectionId: section.id,
        graphicId,
        name,
        variableValues: values,
        exposedVariables: exposed,
      })
      presets.push({ id, name, sectionId: section.id, graphicId, graphicName: graphic, exposedVariables: exposed })
    }
  return { themeId: theme.id, controlRoomId: room.id, sectionIds: room.sections.map(({ id }) => id), presets }
}

async function createGraphic(ctx: NewContext, blobs: Blobs, themeId: number, manifest: GraphicManifest, root: string) {
  const { name, sports, controlVariables, folder } = manifest
  const stateMachine = { runtime: { entry: 'index.html' }, controlVariables, userExpressions: [] }
  const { graphicId } = await createCodeGraphic(ctx(), themeId, { name, sports, stateMachine })
  const files = await storeFolder(blobs, join(root, folder))
  const uploaded = new Set(files.map(({ hash }) => hash))
  await putBundle(ctx(), { themeId, graphicId }, { files }, uploaded)
  await publishCodeGraphic(ctx(), themeId, graphicId)
  return graphicId
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** Every file below a folder, stored. */
async function storeFolder(blobs: Blobs, folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => {
        const path = join(entry.parentPath, entry.name)
        const { hash, size } = await blobs.put(await readFile(path))
        const name = relative(folder, path).split(sep).join('/')
        return { name, mime: TYPES[extname(name)] ?? 'application/octet-stream', size, hash }
      }),
  )
}

/** `dist/demo/graphics` of the package, whether this runs from `src` or from `dist/src`. */
function builtGraphics(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return join(folder, 'dist/demo/graphics')
}
