import type { Competition, CreatedOverlay, Match, Team, ThemeProfile, Venue } from '../shapes.ts'
import { type Draft, isNew, NEW, overlayNameOf, type TeamDraft, type VenueDraft } from './draft.ts'
import { momentOfInputs, zoneHere } from './local-time.ts'
import type { Steps } from './steps.ts'

/** The records that the form was filled from. */
export type Known = {
  sport: string
  gradeId: number | undefined
  teams: readonly Team[]
  /** Teams that play in the chosen competition already. */
  inCompetition: ReadonlySet<number>
  /** Name of the theme in `theme:3`. */
  themeName: string
}

/** Makes competition, teams, theme profile and venue where new, then the match and its overlay. Answers the overlay's id. */
export async function createProduction(steps: Steps, draft: Draft, known: Known): Promise<number> {
  const competitionId = await competitionOf(steps, draft, known)
  const homeTeamId = await teamOf(steps, draft.home, competitionId, known)
  const awayTeamId = await teamOf(steps, draft.away, competitionId, known)
  const profileId = await profileOf(steps, draft, competitionId, known)
  const venueId = await venueOf(steps, draft)
  const match = await steps.take<Match>('POST', '/v1/matches', {
    competitionId,
    homeTeamId,
    awayTeamId,
    date: momentOfInputs(draft).toISOString(),
    // a ground brings its own
    ...(venueId === null ? { timezone: zoneHere() } : { venueId }),
    ...(draft.round.trim() && { round: draft.round.trim() }),
  })
  const overlay = await steps.take<CreatedOverlay>('POST', '/v1/overlays', {
    name: overlayNameOf(draft, known.teams),
    matchId: match.id,
    autoMode: false,
    adType: 'brands',
    encodingDelay: Number(draft.delay),
    ...(profileId !== undefined && { competitionThemeSettingId: profileId }),
    ...(draft.room !== '' && { controlRoomId: Number(draft.room) }),
  })
  return overlay.id
}

/** The venue that is chosen; a new one is made. Null for none. */
export async function venueOf(steps: Steps, { venue, venueName, venueCity, venueZone }: VenueDraft) {
  if (venue === '') return null
  if (venue !== NEW) return Number(venue)
  const made = await steps.take<Venue>('POST', '/v1/venues', {
    name: venueName.trim(),
    ...(venueCity.trim() && { city: venueCity.trim() }),
    timezone: venueZone,
  })
  return made.id
}

async function competitionOf(steps: Steps, draft: Draft, { gradeId }: Known): Promise<number> {
  if (draft.competition !== NEW) return Number(draft.competition)
  const made = await steps.take<Competition>('POST', '/v1/competitions', {
    name: draft.competitionName.trim(),
    sport: draft.sport,
    age: 'Unknown',
    gender: 'Unknown',
    gradeId,
  })
  return made.id
}

async function teamOf(steps: Steps, team: TeamDraft, competitionId: number, known: Known): Promise<number> {
  if (isNew(team)) {
    const abbreviation = team.abbreviation.trim().toUpperCase()
    const made = await steps.take<Team>('POST', '/v1/teams', {
      name: team.name.trim(),
      sport: known.sport,
      ...(abbreviation && { abbreviation }),
      primaryBackgroundColor: team.colour,
      primaryTextColor: readableOn(team.colour),
      competitionIds: [competitionId],
    })
    return made.id
  }
  const id = Number(team.choice)
  if (!known.inCompetition.has(id)) await steps.take('PUT', `/v1/competitions/${competitionId}/teams/${id}`)
  return id
}

async function profileOf(steps: Steps, draft: Draft, competitionId: number, { themeName }: Known) {
  const [kind, id] = draft.look.split(':')
  if (kind === 'profile') return Number(id)
  if (kind !== 'theme' || draft.room === '') return undefined
  const made = await steps.take<ThemeProfile>('POST', `/v2/competitions/${competitionId}/theme-profiles`, {
    themeId: Number(id),
    name: themeName,
    defaultControlRoomId: Number(draft.room),
  })
  return made.id
}

/** Black or white, whichever is easier to read on `#rrggbb`. */
function readableOn(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff'
}
