import { worded } from '../../schema/worded.ts'
import { SelectField, TextField } from '../ui/field.tsx'
import { factType, secondOf, typeNames, worthsOf } from './buttons.ts'
import type { FactDraft } from './fact-draft.ts'
import type { Side } from './sides.ts'

/** The fields of a fact: all that a person may put right about it. */
export function FactFields({
  sport,
  sides,
  draft,
  onDraft,
}: {
  sport: string
  sides: readonly Side[]
  draft: FactDraft
  onDraft: (draft: FactDraft) => void
}) {
  const { type, teamId, playerId, secondaryPlayerId, points, kind } = draft
  const change = (part: Partial<FactDraft>) => onDraft({ ...draft, ...part })
  const known = factType(sport, type)
  const isStructural = known?.structural === true
  const types = typeNames(sport).filter((one) => (factType(sport, one)?.structural === true) === isStructural)
  const worths = worthsOf(sport, type)
  const kinds = Object.keys(known?.kinds ?? {})
  const side = sides.find(({ said }) => said.teamId === teamId)
  const players = side?.players ?? sides.flatMap((one) => one.players)
  const second = secondOf(sport, type)
  const idOf = (value: string) => (value === '' ? null : Number(value))
  return (
    <>
      {!isStructural && (
        <>
          <SelectField
            label="What"
            value={type}
            onChange={({ target }) => {
              const [first] = worthsOf(sport, target.value)
              change({
                type: target.value,
                points: points !== undefined && worthsOf(sport, target.value).includes(points) ? points : first,
              })
            }}
          >
            {types.map((one) => (
              <option key={one} value={one}>
                {worded(one)}
              </option>
            ))}
          </SelectField>
          {worths.length > 0 && (
            <SelectField
              label="Worth"
              value={points}
              onChange={({ target }) => change({ points: Number(target.value) })}
            >
              {worths.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </SelectField>
          )}
          {kinds.length > 0 && (
            <SelectField label="How" value={kind} onChange={({ target }) => change({ kind: target.value })}>
              <option value="">Not said</option>
              {kinds.map((one) => (
                <option key={one} value={one}>
                  {worded(one)}
                </option>
              ))}
            </SelectField>
          )}
          {sides.some(({ said }) => said.teamId !== undefined) && (
            <SelectField
              label="Side"
              value={teamId ?? ''}
              onChange={({ target }) => change({ teamId: idOf(target.value), playerId: null })}
            >
              <option value="">None</option>
              {sides.map(({ said, name }) => (
                <option key={said.teamId} value={said.teamId}>
                  {name}
                </option>
              ))}
            </SelectField>
          )}
          <SelectField
            label="Who"
            value={playerId ?? ''}
            onChange={({ target }) => change({ playerId: idOf(target.value) })}
          >
            <Players players={players} />
          </SelectField>
          {second && (
            <SelectField
              label={second}
              value={secondaryPlayerId ?? ''}
              onChange={({ target }) => change({ secondaryPlayerId: idOf(target.value) })}
            >
              <Players players={sides.flatMap((one) => one.players)} />
            </SelectField>
          )}
        </>
      )}
      {type === 'clockSet' && (
        <TextField
          label="Clock"
          inputMode="numeric"
          pattern="\d{1,3}:[0-5]\d"
          value={draft.clock}
          onChange={({ target }) => change({ clock: target.value })}
        />
      )}
      <div className="desk-row">
        <TextField
          label="Minute"
          inputMode="numeric"
          pattern="\d*"
          value={draft.minute}
          onChange={({ target }) => change({ minute: target.value })}
        />
        <TextField
          label="Period"
          inputMode="numeric"
          pattern="\d*"
          value={draft.period}
          onChange={({ target }) => change({ period: target.value })}
        />
      </div>
      <TextField
        label="Time of day"
        type="time"
        step={1}
        value={draft.time}
        onChange={({ target }) => change({ time: target.value })}
      />
    </>
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
