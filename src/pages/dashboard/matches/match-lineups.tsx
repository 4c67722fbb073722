import { useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { byPlayer, type Fielded, type SentLineup } from '../../ui/lineup/draft.ts'
import { LineupEditor } from '../../ui/lineup/lineup-editor.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Refusal } from '../../ui/request.ts'
import { api } from '../api.ts'
import { Failure } from '../parts.tsx'
import { useMay } from '../session.tsx'
import type { Match, MatchLineup, Team } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { useResource } from '../use-resource.ts'
import type { RosterOf } from './use-rosters.ts'

/** Who starts and who is on the bench, per team, with the editor of the match desk. */
export function MatchLineups({ match, rosterOf }: { match: Match; rosterOf: RosterOf }) {
  const mayWrite = useMay('matches:write')
  const lineups = useResource<MatchLineup>(`/v1/matches/${match.id}/lineup`)
  const [open, setOpen] = useState<Team>()
  const teams = [match.homeTeam, match.awayTeam].filter((team) => team !== null)
  if (teams.length === 0) return null
  const of = (teamId: number) => lineups.value?.lineups.find((one) => one.teamId === teamId)
  return (
    <Panel title="Line-ups" about="As graphics and the match desk know them">
      <ul className="side-list">
        {teams.map((team) => {
          const lineup = of(team.id)
          const starters = lineup?.players.filter(({ starting }) => starting).length ?? 0
          return (
            <li className="side-row" key={team.id}>
              <span>
                <b>{team.name}</b> {lineup?.formation && <Badge>{lineup.formation}</Badge>}
                {lineup && ` ${starters} start, ${lineup.players.length - starters} on the bench`}
              </span>
              {mayWrite && lineup && rosterOf(team.id) && (
                <Button small onClick={() => setOpen(team)}>
                  Edit…<span className="visually-hidden"> the line-up of {team.name}</span>
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      {open && (
        <Edited
          match={match}
          team={open}
          roster={rosterOf(open.id) ?? []}
          lineup={of(open.id) ?? null}
          onClose={() => setOpen(undefined)}
          onSaved={lineups.reload}
        />
      )}
    </Panel>
  )
}

function Edited({
  match,
  team,
  roster,
  lineup,
  onClose,
  onSaved,
}: {
  match: Match
  team: Team
  roster: NonNullable<ReturnType<RosterOf>>
  lineup: Fielded | null
  onClose: () => void
  onSaved: () => Promise<void>
}) {
  const [sent, setSent] = useState<SentLineup>()
  const save = useCommand(async (asked: SentLineup, key) => {
    await api('PUT', `/v2/matches/${match.id}/lineup`, { body: { teams: [asked] }, key })
    await onSaved()
  })
  const refused = save.error instanceof Refusal && sent ? byPlayer(sent, save.error.details) : undefined
  return (
    <Dialog open onClose={onClose} title={`Line-up of ${team.name}`} wide>
      <LineupEditor
        team={{ id: team.id, name: team.name, roster, lineup }}
        sizes={match.config}
        earlier={async () => {
          const path = `/v2/matches/${match.id}/teams/${team.id}/earlier-lineup`
          return (await api<{ lineup: Fielded | null }>('GET', path)).lineup ?? undefined
        }}
        refused={refused}
        busy={save.busy}
        onSave={async (asked) => {
          setSent(asked)
          if (await save.run(asked)) onClose()
        }}
      />
      {!refused?.size && <Failure error={save.error} />}
    </Dialog>
  )
}
