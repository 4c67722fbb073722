import type { Player } from '../shapes.ts'
import { RecordList } from './record-list.tsx'

const nameOf = ({ firstName, lastName }: Player) => `${firstName} ${lastName}`

/** Everybody who is on a roster, or was. */
export function PlayersView() {
  return (
    <RecordList<Player>
      title="Players"
      about="Everybody of every roster. Players are added, pasted and changed at their team."
      kind="player"
      path="/v1/players"
      member="players"
      scope="players:write"
      nameOf={nameOf}
      columns={['Player', 'Id']}
      cells={(player) => [
        nameOf(player),
        <span key="id" className="tabular cell-about">
          {player.id}
        </span>,
      ]}
      empty={<p>No players yet. Open a team, and add them or paste them from a spreadsheet.</p>}
      deletes="While a roster, a match or a preset names the player, the record stays."
    />
  )
}
