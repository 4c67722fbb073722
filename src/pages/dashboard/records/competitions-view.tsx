import { worded } from '../../../schema/worded.ts'
import { FilterSelect } from '../filter-fields.tsx'
import { Link, navigate } from '../router.tsx'
import type { Competition } from '../shapes.ts'
import { CompetitionDialog } from './competition-dialog.tsx'
import { SPORT_OPTIONS } from './options.ts'
import { NONE, RecordList } from './record-list.tsx'

/** Competitions, each with the way to its teams and looks. */
export function CompetitionsView() {
  return (
    <RecordList<Competition>
      title="Competitions"
      about="A competition has a sport, teams, and the look of its graphics."
      kind="competition"
      path="/v1/competitions"
      member="competitions"
      scope="competitions:write"
      importAt="/competitions/import"
      nameOf={({ name }) => name}
      columns={['Competition', 'Sport', 'On graphics']}
      cells={(competition) => [
        <Link key="name" to={`/competitions/${competition.id}`}>
          {competition.name}
        </Link>,
        worded(competition.sport),
        competition.gfxName ?? NONE,
      ]}
      form={(props) => (
        <CompetitionDialog
          {...props}
          onSaved={async (competition) => {
            await props.onSaved()
            if (!props.record) navigate(`/competitions/${competition.id}`)
          }}
        />
      )}
      actions={({ id }) => [{ title: 'Teams and looks', onSelect: () => navigate(`/competitions/${id}`) }]}
      filterNames={['sport']}
      filterFields={(filters) => (
        <FilterSelect filters={filters} name="sport" label="Sport" all="All sports" options={SPORT_OPTIONS} />
      )}
      empty={<p>No competitions yet. Every match is of one; a friendly needs one, too.</p>}
      deletes="Its looks, with their game plans and sponsor slots, go with it; its teams stay. While it has matches, it stays."
    />
  )
}
