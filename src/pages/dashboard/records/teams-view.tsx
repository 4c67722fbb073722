import { worded } from '../../../schema/worded.ts'
import { FilterSelect } from '../filter-fields.tsx'
import { Link, navigate } from '../router.tsx'
import type { ClubList, CompetitionList, Team } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import { ClubMark, Swatches } from './club-mark.tsx'
import { SPORT_OPTIONS } from './options.ts'
import { NONE, RecordList } from './record-list.tsx'
import { TeamDialog } from './team-dialog.tsx'

/** Teams of all competitions, each with the way to its roster. */
export function TeamsView() {
  const competitions = useResource<CompetitionList>('/v1/competitions?limit=1000')
  const clubs = useResource<ClubList>('/v1/teams/clubs?limit=1000')
  const clubName = (id: number | undefined) => clubs.value?.clubs.find((club) => club.id === id)?.name
  return (
    <RecordList<Team>
      title="Teams"
      about="Names, logos and colours as graphics show them; players are on the page of their team."
      kind="team"
      path="/v1/teams"
      member="teams"
      scope="teams:write"
      importAt="/teams/import"
      nameOf={({ name }) => name}
      columns={['Team', 'Sport', 'Club', 'Colours']}
      cells={(team) => [
        <span key="name" className="record-cell">
          <ClubMark of={team} />
          <Link to={`/teams/${team.id}`}>{team.name}</Link>
        </span>,
        worded(team.sport),
        clubName(team.clubId) ?? NONE,
        <Swatches
          key="colours"
          colours={[
            team.primaryBackgroundColor,
            team.primaryTextColor,
            team.secondaryBackgroundColor,
            team.secondaryTextColor,
          ]}
        />,
      ]}
      form={(props) => (
        <TeamDialog
          {...props}
          onSaved={async (team) => {
            await props.onSaved()
            if (!props.record) navigate(`/teams/${team.id}`)
          }}
        />
      )}
      actions={({ id }) => [{ title: 'Players', onSelect: () => navigate(`/teams/${id}`) }]}
      filterNames={['competitionId', 'clubId', 'sport']}
      filterFields={(filters) => (
        <>
          <FilterSelect
            filters={filters}
            name="competitionId"
            label="Competition"
            all="All competitions"
            options={named(competitions.value?.competitions)}
          />
          <FilterSelect
            filters={filters}
            name="clubId"
            label="Club"
            all="All clubs"
            options={named(clubs.value?.clubs)}
          />
          <FilterSelect filters={filters} name="sport" label="Sport" all="All sports" options={SPORT_OPTIONS} />
        </>
      )}
      empty={<p>No teams yet. Two of them make a match.</p>}
      deletes="Its roster and its place in competitions go with it, its players stay. While a match or a graphic names the team, it stays."
    />
  )
}

const named = (records: readonly { id: number; name: string }[] = []) =>
  records.map(({ id, name }) => [String(id), name] as const)
