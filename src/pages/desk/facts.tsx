import { Button } from '../ui/button.tsx'
import { factWords } from './buttons.ts'
import type { DeskFact, Projected } from './model.ts'
import type { Side } from './sides.ts'

const SHOWN = 200

/** All that happened, the newest first; each can be corrected and deleted. */
export function Facts({
  match,
  sides,
  onOpen,
}: {
  match: Projected
  sides: readonly Side[]
  onOpen: (fact: DeskFact) => void
}) {
  const facts = [...match.facts].reverse().slice(0, SHOWN)
  if (facts.length === 0) return <p className="pad-hint">Nothing has happened yet.</p>
  return (
    <ol className="facts">
      {facts.map((fact) => {
        const { side, player, second } = peopleOf(fact, sides)
        return (
          <li key={fact.id} className={fact.press ? 'fact-row fact-waits' : 'fact-row'}>
            <span className="fact-when tabular">{whenOf(fact)}</span>
            <span className="fact-what">
              <b>{factWords(match, fact)}</b> {side?.shortName}
              <span className="fact-who">{[player, second].filter(Boolean).join(' · ')}</span>
              {fact.press && <span className="fact-pending">Waits to be sent</span>}
            </span>
            <Button small onClick={() => onOpen(fact)}>
              Edit<span className="visually-hidden"> {factWords(match, fact)}</span>
            </Button>
          </li>
        )
      })}
    </ol>
  )
}

export const whenOf = ({ minute, addedMinute, timestamp }: DeskFact) =>
  minute === null
    ? new Date(timestamp).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
    : `${minute}${addedMinute ? `+${addedMinute}` : ''}′`

export function peopleOf(fact: DeskFact, sides: readonly Side[]) {
  const side = sides.find(({ said, players }) =>
    fact.teamId === null ? players.some(({ id }) => id === fact.playerId) : said.teamId === fact.teamId,
  )
  const named = (id: number | null) => sides.flatMap(({ players }) => players).find((player) => player.id === id)
  const words = (id: number | null) => {
    const player = named(id)
    return player && [player.number, player.name].filter(Boolean).join(' ')
  }
  return { side, player: words(fact.playerId), second: words(fact.secondaryPlayerId) }
}
