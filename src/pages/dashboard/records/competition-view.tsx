import './records.css'
import { useState } from 'react'
import { worded } from '../../../schema/worded.ts'
import { Button } from '../../ui/button.tsx'
import { PageHead, Waiting } from '../parts.tsx'
import { RoleLimit } from '../role-limit.tsx'
import { Link } from '../router.tsx'
import { useMay } from '../session.tsx'
import type { Competition } from '../shapes.ts'
import { useResource } from '../use-resource.ts'
import type { ViewProps } from '../view.ts'
import { CompetitionDialog } from './competition-dialog.tsx'
import { CompetitionLooks } from './competition-looks.tsx'
import { CompetitionTeams } from './competition-teams.tsx'

const BACK = { to: '/competitions', title: 'Competitions' }

/** One competition: who plays in it, and how its graphics look. */
export function CompetitionView({ params }: ViewProps) {
  const path = `/v1/competitions/${params.competitionId}`
  const { value: competition, error, reload } = useResource<Competition>(path)
  const mayChange = useMay('competitions:write')
  const mayMakeMatches = useMay('matches:write')
  const [editing, setEditing] = useState(false)
  if (!competition)
    return (
      <>
        <PageHead title="Competition" back={BACK} />
        <Waiting error={error} reload={reload} />
      </>
    )
  return (
    <>
      <PageHead title={competition.name} back={BACK} about={worded(competition.sport)}>
        {mayMakeMatches && (
          <Link className="button" to={`/matches/import?competitionId=${competition.id}`}>
            Import fixtures…
          </Link>
        )}
        {mayChange && <Button onClick={() => setEditing(true)}>Edit the competition</Button>}
        <RoleLimit scope="competitions:write" />
      </PageHead>
      <CompetitionTeams competition={competition} />
      <CompetitionLooks competition={competition} mayChange={mayChange} />
      {editing && <CompetitionDialog record={competition} onClose={() => setEditing(false)} onSaved={reload} />}
    </>
  )
}
