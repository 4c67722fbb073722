import { useState } from 'react'
import { worded } from '../../schema/worded.ts'
import { asksForBoth, type FactButton } from './buttons.ts'
import type { FactSaid } from './press.ts'
import type { Side } from './sides.ts'

/** Who it was, asked after it was counted: the score never waits for a name. */
export function WhoSheet({
  button,
  side,
  onSaid,
  onClose,
}: {
  button: FactButton
  side: Side
  onSaid: (fact: FactSaid) => void
  onClose: () => void
}) {
  const both = asksForBoth(button.type)
  const [first, setFirst] = useState<number>()
  const [kind, setKind] = useState<string>()
  const details = (next = kind) => (next === undefined ? {} : { details: { kind: next } })
  const choose = (playerId: number) => {
    if (both && first === undefined) {
      setFirst(playerId)
      onSaid({ playerId })
      return
    }
    onSaid(both ? { playerId: first ?? null, secondaryPlayerId: playerId } : { playerId, ...details() })
    onClose()
  }
  const question = both ? (first === undefined ? 'Who comes on?' : 'Who goes off?') : 'Who was it?'
  const players = side.players.filter(({ id }) => id !== first)
  return (
    <section className="sheet" role="dialog" aria-label={question}>
      <header className="sheet-head">
        <div>
          <p className="sheet-done">
            {button.label} · {side.shortName}
          </p>
          <h2 className="sheet-title">{question}</h2>
        </div>
        <button type="button" className="sheet-skip" onClick={onClose}>
          Skip
        </button>
      </header>
      {button.kinds.length > 0 && (
        <fieldset className="kinds" aria-label="How">
          {button.kinds.map((one) => (
            <button
              type="button"
              key={one}
              className="kind"
              aria-pressed={kind === one}
              onClick={() => {
                setKind(one)
                onSaid(details(one))
              }}
            >
              {worded(one)}
            </button>
          ))}
        </fieldset>
      )}
      {players.length === 0 && <p className="pad-hint">Nobody is in the squad of {side.name}.</p>}
      <ul className="who">
        {players.map(({ id, number, name, starting }) => (
          <li key={id}>
            <button
              type="button"
              className={starting ? 'who-player' : 'who-player who-bench'}
              onClick={() => choose(id)}
            >
              <span className="who-number tabular">{number ?? '–'}</span>
              <span className="who-name">{name}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
