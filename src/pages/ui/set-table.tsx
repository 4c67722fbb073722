import './set-table.css'
import type { SetScore } from '../../../machines/play/set-score.ts'

type Side = { name: string; shortName: string; isHome: boolean; score: number | string | null; color: string | null }

const isLost = (set: SetScore['sets'][number], side: 'home' | 'away') =>
  set[side] < set[side === 'home' ? 'away' : 'home']

/** The score of a match in sets, as broadcasters show it: a row per side, its serve, sets won, each set, the game. */
export function SetTable({ sides, sets, game, server }: SetScore & { sides: readonly Side[] }) {
  const current = sets.at(-1)?.number
  return (
    <table className="set-table tabular">
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">Side</span>
          </th>
          <th scope="col">Sets</th>
          {sets.map(({ number, name }) => (
            <th key={number} scope="col">
              <span aria-hidden="true">{number}</span>
              <span className="visually-hidden">{name}</span>
            </th>
          ))}
          {game && <th scope="col">Game</th>}
        </tr>
      </thead>
      <tbody>
        {sides.map(({ name, shortName, isHome, score, color }) => {
          const side = isHome ? 'home' : 'away'
          return (
            <tr key={`${isHome} ${name}`}>
              <th scope="row">
                <div className="set-side">
                  <span className="set-colour" style={{ background: color ?? 'var(--edge)' }} />
                  <span className="set-name">{name}</span>
                  <span className="set-name set-name-short">{shortName || name}</span>
                  {server === side && <span className="set-server" role="img" aria-label="serves" />}
                </div>
              </th>
              <td className="set-won">{score ?? '–'}</td>
              {sets.map((set) => (
                <td key={set.number} {...(isLost(set, side) && set.number !== current && { className: 'set-lost' })}>
                  {set[side]}
                </td>
              ))}
              {game && <td className="set-game">{game[side]}</td>}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
