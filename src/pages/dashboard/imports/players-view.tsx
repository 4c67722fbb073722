import { useMemo } from 'react'
import { PageHead, Waiting } from '../parts.tsx'
import { RoleLimit } from '../role-limit.tsx'
import { useMay } from '../session.tsx'
import type { Team } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import type { ViewProps } from '../view.ts'
import { ImportSteps } from './import-steps.tsx'
import { playerImporter } from './player-importer.ts'
import type { Known } from './players.ts'
import { useWhole } from './use-whole.ts'

/** Players of a team from a spreadsheet. */
export function ImportPlayersView({ params }: ViewProps) {
  const path = `/v1/teams/${params.teamId}`
  const { value: team, error, reload } = useResource<Team>(path)
  const mayChange = useMay('teams:write')
  return (
    <>
      <PageHead
        title="Import players"
        back={{ to: `/teams/${params.teamId}`, title: team?.name ?? 'Team' }}
        about={team && `To the roster of ${team.name}. Nothing is written before you have seen what changes.`}
      />
      <RoleLimit scope="teams:write" />
      {!team && <Waiting error={error} reload={reload} />}
      {team && mayChange && <ImportPlayers team={team} />}
    </>
  )
}

function ImportPlayers({ team }: { team: Team }) {
  const roster = useWhole<Known>(`/v1/teams/${team.id}/players`, 'players')
  const importer = useMemo(() => roster.value && playerImporter(team.id, roster.value), [team.id, roster.value])
  if (!importer) return <Waiting error={roster.error} reload={roster.reload} />
  return (
    <ImportSteps importer={importer} done={{ to: `/teams/${team.id}`, title: 'To the team' }} onDone={roster.reload} />
  )
}
