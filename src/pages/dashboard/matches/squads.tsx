import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { RoleLimit } from '../role-limit.tsx'
import { useMay } from '../session.tsx'
import type { Match, Team } from '../shapes.ts'
import { SquadAddition } from './squad-addition.tsx'
import { SquadChange } from './squad-change.tsx'
import type { RosterOf } from './use-rosters.ts'

/** How many players each team has; a list of names makes them, and each can be corrected or taken off. */
export function Squads({
  match: { homeTeam, awayTeam, config },
  rosterOf,
  onChanged,
}: {
  match: Match
  rosterOf: RosterOf
  onChanged: () => Promise<void>
}) {
  const mayWrite = useMay('teams:write')
  const [open, setOpen] = useState<{ team: Team; adding: boolean }>()
  const teams = [homeTeam, awayTeam].filter((team) => team !== null)
  if (teams.length === 0) return null
  const shown = open && { team: open.team, roster: rosterOf(open.team.id) ?? [], onClose: () => setOpen(undefined) }
  return (
    <Panel title="Players" about="For line-ups, scorers and name graphics">
      <ul className="side-list">
        {teams.map((team) => {
          const count = rosterOf(team.id)?.length
          return (
            <li className="side-row" key={team.id}>
              <span>
                <b>{team.name}</b> {count !== undefined && (count === 1 ? '1 player' : `${count} players`)}
              </span>
              {mayWrite && count !== undefined && (
                <span className="side-buttons">
                  {count > 0 && (
                    <Button small onClick={() => setOpen({ team, adding: false })}>
                      Edit…<span className="visually-hidden"> players of {team.name}</span>
                    </Button>
                  )}
                  <Button small onClick={() => setOpen({ team, adding: true })}>
                    Add…<span className="visually-hidden"> players of {team.name}</span>
                  </Button>
                </span>
              )}
            </li>
          )
        })}
      </ul>
      <RoleLimit scope="teams:write" />
      {shown && open.adding && <SquadAddition {...shown} starters={config.startingSize} onChanged={onChanged} />}
      {shown && !open.adding && <SquadChange {...shown} onChanged={onChanged} />}
    </Panel>
  )
}
