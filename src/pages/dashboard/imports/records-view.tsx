import { useMemo, useState } from 'react'
import { PageHead, Waiting } from '../parts.tsx'
import { type LimitedScope, RoleLimit } from '../role-limit.tsx'
import { usePath, useSearch } from '../router.tsx'
import { useMay } from '../session.tsx'
import type { Club, Competition, GradeList, Official, Team, Venue } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import { ImportSteps } from './import-steps.tsx'
import { kindImporter } from './kind-importer.ts'
import { clubKind, competitionKind, officialKind, teamKind, venueKind } from './record-kinds.ts'
import type { Kind } from './records.ts'
import type { Sheet } from './sheet.ts'
import { useMembers } from './use-members.ts'
import { useWhole } from './use-whole.ts'

/** A list that an import needs, before it can judge anything. */
type Needed = { value: unknown; error: unknown; reload: () => unknown }

type Loaded = {
  kind: Kind | undefined
  needed: readonly Needed[]
  reload: () => Promise<void>
  onSheet?: (sheet: Sheet) => void
}

type Page = { title: string; nouns: string; scope: LimitedScope; useKind: () => Loaded }

/** What can be imported, by the path of its list. */
const PAGES: Readonly<Record<string, Page>> = {
  '/clubs': { title: 'Clubs', nouns: 'clubs', scope: 'teams:write', useKind: useClubs },
  '/teams': { title: 'Teams', nouns: 'teams', scope: 'teams:write', useKind: useTeams },
  '/venues': { title: 'Venues', nouns: 'venues', scope: 'venues:write', useKind: useVenues },
  '/officials': { title: 'Officials', nouns: 'officials', scope: 'players:write', useKind: useOfficials },
  '/competitions': {
    title: 'Competitions',
    nouns: 'competitions',
    scope: 'competitions:write',
    useKind: useCompetitions,
  },
}

/** Records of one kind from a spreadsheet. */
export function ImportRecordsView() {
  const list = usePath().replace(/\/import$/, '')
  const page = PAGES[list]
  const into = useInto()
  const mayChange = useMay(page?.scope ?? 'teams:write')
  if (!page) return null
  const back = into.value
    ? { to: `/competitions/${into.value.id}`, title: into.value.name }
    : { to: list, title: page.title }
  return (
    <>
      <PageHead
        title={`Import ${page.nouns}`}
        back={back}
        about={`${into.value ? `Into ${into.value.name}. ` : ''}Nothing is written before you have seen what changes.`}
      />
      <RoleLimit scope={page.scope} />
      {mayChange && <ImportRecords key={list} page={page} done={back} />}
    </>
  )
}

function ImportRecords({ page, done }: { page: Page; done: { to: string; title: string } }) {
  const { kind, needed, reload, onSheet } = page.useKind()
  const importer = useMemo(() => kind && kindImporter(kind), [kind])
  if (!importer) {
    const failed = needed.find(({ error }) => error !== undefined)
    return <Waiting error={failed?.error} reload={() => failed?.reload()} />
  }
  return (
    <ImportSteps
      importer={importer}
      done={{ to: done.to, title: `To ${done.title}` }}
      onDone={reload}
      {...(onSheet && { onSheet })}
    />
  )
}

/** The competition that a list of teams is put into, when the address names one. */
function useInto() {
  const id = useSearch().get('competitionId')
  return useResource<Competition>(id ? `/v1/competitions/${id}` : undefined)
}

function useClubs(): Loaded {
  const clubs = useWhole<Club>('/v1/teams/clubs', 'clubs')
  const venues = useWhole<Venue>('/v1/venues', 'venues')
  const kind = useMemo(
    () => clubs.value && venues.value && clubKind(clubs.value, venues.value),
    [clubs.value, venues.value],
  )
  return { kind, needed: [clubs, venues], reload: clubs.reload }
}

function useVenues(): Loaded {
  const venues = useWhole<Venue>('/v1/venues', 'venues')
  const kind = useMemo(() => venues.value && venueKind(venues.value), [venues.value])
  return { kind, needed: [venues], reload: venues.reload }
}

function useOfficials(): Loaded {
  const officials = useWhole<Official>('/v1/officials', 'officials')
  const kind = useMemo(() => officials.value && officialKind(officials.value), [officials.value])
  return { kind, needed: [officials], reload: officials.reload }
}

function useCompetitions(): Loaded {
  const competitions = useWhole<Competition>('/v1/competitions', 'competitions')
  const grades = useResource<GradeList>('/v1/competitions/grades')
  const kind = useMemo(
    () => competitions.value && grades.value && competitionKind(competitions.value, grades.value),
    [competitions.value, grades.value],
  )
  return { kind, needed: [competitions, grades], reload: competitions.reload }
}

function useTeams(): Loaded {
  const into = useInto()
  const named = useSearch().get('competitionId') !== null
  const teams = useWhole<Team>('/v1/teams', 'teams')
  const clubs = useWhole<Club>('/v1/teams/clubs', 'clubs')
  const venues = useWhole<Venue>('/v1/venues', 'venues')
  const competitions = useWhole<Competition>('/v1/competitions', 'competitions')
  const grades = useResource<GradeList>('/v1/competitions/grades')
  const [sheet, setSheet] = useState<Sheet>()
  const members = useMembers(competitions.value ?? [], sheet, into.value?.id)
  const kind = useMemo(
    () =>
      teams.value && clubs.value && venues.value && competitions.value && grades.value && !(named && !into.value)
        ? teamKind({
            ...{ teams: teams.value, clubs: clubs.value, venues: venues.value, competitions: competitions.value },
            ...{ grades: grades.value, membersOf: members.value, into: into.value },
          })
        : undefined,
    [teams.value, clubs.value, venues.value, competitions.value, grades.value, members.value, named, into.value],
  )
  return {
    ...{ kind, needed: [teams, clubs, venues, competitions, grades, ...(named ? [into] : [])], onSheet: setSheet },
    reload: async () => {
      await Promise.all([teams.reload(), members.reload()])
    },
  }
}
