import { type FormEvent, useState } from 'react'
import { worded } from '../../schema/worded.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { factType, factWords, secondOf, typeNames, worthsOf } from './buttons.ts'
import type { DeskFact, Projected } from './model.ts'
import type { FactSaid } from './press.ts'
import type { Side } from './sides.ts'

/** Everything that can be put right about a fact. */
export function FactDialog({
  fact,
  match,
  sides,
  onSaid,
  onErase,
  onClose,
}: {
  fact: DeskFact
  match: Projected
  sides: readonly Side[]
  onSaid: (fact: FactSaid) => void
  onErase: () => void
  onClose: () => void
}) {
  const { sport } = match.desk.match
  const [type, setType] = useState(fact.type)
  const [teamId, setTeam] = useState(fact.teamId)
  const [playerId, setPlayer] = useState(fact.playerId)
  const [secondId, setSecond] = useState(fact.secondaryPlayerId)
  const [points, setPoints] = useState(fact.points)
  const [minute, setMinute] = useState(fact.minute === null ? '' : String(fact.minute))
  const [period, setPeriod] = useState(String(fact.period))
  const isStructural = factType(sport, fact.type)?.structural === true
  const types = typeNames(sport).filter((one) => (factType(sport, one)?.structural === true) === isStructural)
  const worths = worthsOf(sport, type)
  const side = sides.find(({ said }) => said.teamId === teamId)
  const players = side?.players ?? sides.flatMap((one) => one.players)
  const second = secondOf(sport, type)
  const idOf = (value: string) => (value === '' ? null : Number(value))
  const save = (event: FormEvent) => {
    event.preventDefault()
    onSaid({
      ...(type !== fact.type && { type }),
      ...(teamId !== fact.teamId && { teamId }),
      ...(playerId !== fact.playerId && { playerId }),
      ...(secondId !== fact.secondaryPlayerId && { secondaryPlayerId: secondId }),
      ...(worths.length > 0 && (points !== fact.points || type !== fact.type) && { points }),
      ...(minute !== '' && Number(minute) !== fact.minute && { minute: Number(minute) }),
      ...(Number(period) !== fact.period && { period: Number(period) }),
    })
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={factWords(match, fact)}>
      <form className="desk-form" onSubmit={save}>
        {!isStructural && (
          <>
            <SelectField label="What" value={type} onChange={(event) => setType(event.target.value)}>
              {types.map((one) => (
                <option key={one} value={one}>
                  {worded(one)}
                </option>
              ))}
            </SelectField>
            {worths.length > 0 && (
              <SelectField label="Worth" value={points} onChange={(event) => setPoints(Number(event.target.value))}>
                {worths.map((one) => (
                  <option key={one} value={one}>
                    {one}
                  </option>
                ))}
              </SelectField>
            )}
            {sides.some(({ said }) => said.teamId !== undefined) && (
              <SelectField
                label="Side"
                value={teamId ?? ''}
                onChange={(event) => {
                  setTeam(idOf(event.target.value))
                  setPlayer(null)
                }}
              >
                <option value="">None</option>
                {sides.map(({ said, name }) => (
                  <option key={said.teamId} value={said.teamId}>
                    {name}
                  </option>
                ))}
              </SelectField>
            )}
            <SelectField label="Who" value={playerId ?? ''} onChange={(event) => setPlayer(idOf(event.target.value))}>
              <Players players={players} />
            </SelectField>
            {second && (
              <SelectField
                label={second}
                value={secondId ?? ''}
                onChange={(event) => setSecond(idOf(event.target.value))}
              >
                <Players players={sides.flatMap((one) => one.players)} />
              </SelectField>
            )}
          </>
        )}
        <div className="desk-row">
          <TextField
            label="Minute"
            inputMode="numeric"
            pattern="\d*"
            value={minute}
            onChange={(event) => setMinute(event.target.value)}
          />
          <TextField
            label="Period"
            inputMode="numeric"
            pattern="\d+"
            value={period}
            onChange={(event) => setPeriod(event.target.value)}
          />
        </div>
        <div className="desk-actions">
          <Button
            look="danger"
            onClick={() => {
              onErase()
              onClose()
            }}
          >
            Delete
          </Button>
          <Button look="primary" type="submit">
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const Players = ({ players }: { players: Side['players'] }) => (
  <>
    <option value="">Nobody</option>
    {players.map(({ id, number, name }) => (
      <option key={id} value={id}>
        {[number, name].filter(Boolean).join(' ')}
      </option>
    ))}
  </>
)
