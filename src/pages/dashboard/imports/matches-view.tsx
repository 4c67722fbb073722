import { useMemo, useState } from 'react'
import { SelectField } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { zoneHere } from '../matches/local-time.ts'
import { PageHead, Waiting } from '../parts.tsx'
import { offered } from '../records/options.ts'
import { ZONE_OPTIONS } from '../records/zones.ts'
import { RoleLimit } from '../role-limit.tsx'
import { Link, navigate, useSearch } from '../router.tsx'
import { useMay } from '../session.tsx'
import type { Competition, CompetitionTeams, Match, Venue } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import { ImportSteps } from './import-steps.tsx'
import { kindImporter } from './kind-importer.ts'
import { matchKind } from './match-kind.ts'
import type { Sheet } from './sheet.ts'
import { type DateOrder, orderOf } from './times.ts'
import { useWhole } from './use-whole.ts'

/** The fixtures of a competition from a spreadsheet. */
export function ImportMatchesView() {
  const chosen = useSearch().get('competitionId') ?? ''
  const mayChange = useMay('matches:write')
  const competitions = useWhole<Competition>('/v1/competitions', 'competitions')
  const competition = competitions.value?.find(({ id }) => String(id) === chosen)
  return (
    <>
      <PageHead
        title="Import fixtures"
        back={competition ? { to: `/competitions/${chosen}`, title: competition.name } : { to: '/', title: 'Matches' }}
        about="The matches of a season. Nothing is written before you have seen what changes."
      />
      <RoleLimit scope="matches:write" />
      {!competitions.value && <Waiting error={competitions.error} reload={competitions.reload} />}
      {mayChange && competitions.value && (
        <>
          <Panel title="The competition" about="Its teams play the matches of the list.">
            <SelectField
              label="Competition"
              value={chosen}
              {...(competitions.value.length === 0 && { hint: 'There is none yet: make it first, with its teams' })}
              onChange={({ target }) => navigate(`/matches/import?competitionId=${target.value}`, { replace: true })}
            >
              {offered(competitions.value).map(([id, name]) => (
                <option key={id} value={id}>
                  {id === '' ? 'Choose…' : name}
                </option>
              ))}
            </SelectField>
          </Panel>
          {competition && <ImportMatches key={competition.id} competition={competition} />}
        </>
      )}
    </>
  )
}

function ImportMatches({ competition }: { competition: Competition }) {
  const { id } = competition
  const teams = useResource<CompetitionTeams>(`/v1/competitions/${id}/teams`)
  const venues = useWhole<Venue>('/v1/venues', 'venues')
  const matches = useWhole<Match>(`/v1/matches?competitionId=${id}`, 'matches')
  const [zone, setZone] = useState(zoneHere)
  const [asked, setAsked] = useState<DateOrder>()
  const [sheet, setSheet] = useState<Sheet>()
  const order = asked ?? orderOf(sheet?.rows.flatMap(({ cells }) => cells) ?? [])
  const importer = useMemo(
    () =>
      teams.value && venues.value && matches.value
        ? kindImporter(
            matchKind({
              ...{ competition, zone, order },
              ...{ teams: teams.value.teams, venues: venues.value, matches: matches.value },
            }),
          )
        : undefined,
    [competition, zone, order, teams.value, venues.value, matches.value],
  )
  const failed = [teams, venues, matches].find(({ error }) => error !== undefined)
  if (!importer) return <Waiting error={failed?.error} reload={() => failed?.reload()} />
  if (teams.value?.count === 0)
    return (
      <p className="notice">
        No team plays in {competition.name} yet.{' '}
        <Link to={`/teams/import?competitionId=${id}`}>Import its teams first</Link>
      </p>
    )
  return (
    <ImportSteps
      importer={importer}
      done={{ to: '/', title: 'To the matches' }}
      onDone={matches.reload}
      onSheet={setSheet}
      options={
        <>
          <SelectField
            label="Times are those of"
            value={zone}
            hint="Where the ground of a match does not say another"
            onChange={({ target }) => setZone(target.value)}
          >
            {ZONE_OPTIONS.slice(1).map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </SelectField>
          <SelectField
            label="3/4/2027 is"
            value={order}
            onChange={({ target }) => setAsked(target.value === 'monthFirst' ? 'monthFirst' : 'dayFirst')}
          >
            <option value="dayFirst">3 April</option>
            <option value="monthFirst">March 4</option>
          </SelectField>
        </>
      }
    />
  )
}
