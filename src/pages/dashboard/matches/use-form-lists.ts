import type {
  CompetitionList,
  CompetitionTeams,
  GradeList,
  RoomList,
  TeamList,
  ThemeList,
  ThemeProfileList,
  VenueList,
} from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import { type Draft, NEW, sportOf } from './draft.ts'

/** The lists that the form for a match offers, by the choices in it so far. */
export function useFormLists(draft: Draft) {
  const competitions = useResource<CompetitionList>('/v1/competitions?limit=1000')
  const sport = sportOf(draft, competitions.value?.competitions ?? [])
  const competitionId = /^\d+$/.test(draft.competition) ? draft.competition : undefined
  const teams = useResource<TeamList>(`/v1/teams?limit=1000&sport=${sport}`)
  const members = useResource<CompetitionTeams>(competitionId && `/v1/competitions/${competitionId}/teams`)
  const profiles = useResource<ThemeProfileList>(competitionId && `/v2/competitions/${competitionId}/theme-profiles`)
  const themes = useResource<ThemeList>('/v2/themes?limit=1000')
  const rooms = useResource<RoomList>('/v2/control-rooms')
  const venues = useResource<VenueList>('/v1/venues?limit=1000')
  const grades = useResource<GradeList>(draft.competition === NEW ? '/v1/competitions/grades' : undefined)
  return {
    sport,
    competitions: competitions.value?.competitions,
    teams: teams.value?.teams ?? [],
    inCompetition: new Set(members.value?.teams.map(({ id }) => id)),
    profiles: profiles.value ?? [],
    /** Whether the looks of the chosen competition are known. */
    looksKnown: (competitionId === undefined || profiles.value !== undefined) && themes.value !== undefined,
    themes: (themes.value?.themes ?? []).filter(({ activeVersion }) => activeVersion !== null),
    rooms: rooms.value ?? [],
    venues: venues.value?.venues ?? [],
    gradeId: grades.value?.[0]?.id,
    error: [competitions, teams, themes, rooms].find(({ error }) => error !== undefined)?.error,
    reload: competitions.reload,
  }
}

export type FormLists = ReturnType<typeof useFormLists>
