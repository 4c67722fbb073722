import { type FormEvent, type ReactNode, useState } from 'react'
import { worded } from '../../schema/worded.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { SelectField, TextField } from '../ui/field.tsx'
import { draftOf, recordedAs, saidIn } from './fact-draft.ts'
import { FactFields } from './fact-fields.tsx'
import { STATES_BY_HAND } from './hand-dialog.tsx'
import { type Projected, projected, targetIn } from './model.ts'
import type { DeskCommand, Press } from './press.ts'
import type { Side } from './sides.ts'
import { pressWords, refusalWords } from './waiting.tsx'

type Said = (command: DeskCommand) => void
type Of<Type> = Extract<DeskCommand, { type: Type }>

/** Whether there is something to put right about a press: of a deletion there is not, and line-ups are put right where they are made. */
export const isEditable = ({ command }: Press, match: Projected): boolean =>
  command.type === 'record' ||
  command.type === 'update' ||
  (command.type === 'correct' && targetIn(match.facts, command.target) !== undefined)

/** A press that the server refused, with all that it says: put right and sent again, or thrown away. show-control: Match desk */
export function PressDialog({
  press,
  match,
  sides,
  onSaid,
  onDiscard,
  onClose,
}: {
  press: Press
  match: Projected
  sides: readonly Side[]
  onSaid: Said
  onDiscard: () => void
  onClose: () => void
}) {
  const { command } = press
  const form = (asked: DeskCommand, children: ReactNode) => (
    <PressForm press={press} asked={asked} match={match} onSaid={onSaid} onDiscard={onDiscard} onClose={onClose}>
      {children}
    </PressForm>
  )
  return (
    <Dialog open onClose={onClose} title={pressWords(press)}>
      <p className="waiting-words" role="alert">
        {refusalWords(press)}
      </p>
      {command.type === 'record' && (
        <Recorded press={press} command={command} match={match} sides={sides} form={form} />
      )}
      {command.type === 'correct' && (
        <Corrected press={press} command={command} match={match} sides={sides} form={form} />
      )}
      {command.type === 'update' && <Updated command={command} form={form} />}
    </Dialog>
  )
}

type Parts<Type> = {
  command: Of<Type>
  form: (asked: DeskCommand, children: ReactNode) => ReactNode
}
type FactParts<Type> = Parts<Type> & { press: Press; match: Projected; sides: readonly Side[] }

function Recorded({ press, command, match, sides, form }: FactParts<'record'>) {
  const { sport } = match.desk.match
  const [draft, setDraft] = useState(() => draftOf(command.fact, press.at))
  const fact = recordedAs(sport, command.fact, saidIn(sport, draft, command.fact, press.at))
  return form({ ...command, fact }, <FactFields sport={sport} sides={sides} draft={draft} onDraft={setDraft} />)
}

function Corrected({ command, match, sides, form }: FactParts<'correct'>) {
  const { sport } = match.desk.match
  // as it stands now: what else was said of it since stays
  const fact = targetIn(match.facts, command.target)
  const at = Date.parse(fact?.timestamp ?? '')
  const [draft, setDraft] = useState(
    () => fact && draftOf({ ...fact, ...command.fact, type: command.fact.type ?? fact.type }, at),
  )
  if (!fact || !draft) return <p>The fact that it was about is not there any more.</p>
  return form(
    { ...command, fact: saidIn(sport, draft, fact, at) },
    <FactFields sport={sport} sides={sides} draft={draft} onDraft={setDraft} />,
  )
}

function Updated({ command, form }: Parts<'update'>) {
  const { state, score } = command
  const [chosen, setChosen] = useState(state)
  const [home, setHome] = useState(String(score?.home ?? ''))
  const [away, setAway] = useState(String(score?.away ?? ''))
  const number = (text: string, before = 0) => (/^\d{1,4}$/.test(text) ? Number(text) : before)
  const asked: DeskCommand = {
    type: 'update',
    ...(chosen !== undefined && { state: chosen }),
    ...(score !== undefined && {
      score: score && { home: number(home, score.home), away: number(away, score.away) },
    }),
  }
  return form(
    asked,
    <>
      {state !== undefined && (
        <SelectField
          label="State"
          value={chosen}
          onChange={({ target }) => setChosen([state, ...STATES_BY_HAND].find((one) => one === target.value))}
        >
          {[...new Set([state, ...STATES_BY_HAND])].map((one) => (
            <option key={one} value={one}>
              {worded(one)}
            </option>
          ))}
        </SelectField>
      )}
      {score && (
        <div className="desk-row">
          <TextField
            label="Home"
            inputMode="numeric"
            pattern="\d{1,4}"
            value={home}
            onChange={({ target }) => setHome(target.value)}
          />
          <TextField
            label="Away"
            inputMode="numeric"
            pattern="\d{1,4}"
            value={away}
            onChange={({ target }) => setAway(target.value)}
          />
        </div>
      )}
    </>,
  )
}

function PressForm({
  press,
  asked,
  match,
  onSaid,
  onDiscard,
  onClose,
  children,
}: {
  press: Press
  asked: DeskCommand
  match: Projected
  onSaid: Said
  onDiscard: () => void
  onClose: () => void
  children: ReactNode
}) {
  const { refusal: _, ...waiting } = press
  // by the server's own rules, before it is asked again
  const doubt = projected(match.desk, [...match.waiting, { ...waiting, command: asked }]).doubts.get(press.id)
  const send = (event: FormEvent) => {
    event.preventDefault()
    onSaid(asked)
    onClose()
  }
  return (
    <form className="desk-form" onSubmit={send}>
      {children}
      <p className={doubt === undefined ? 'pad-hint' : 'waiting-words'} role="status">
        {doubt === undefined ? 'It can be sent like this.' : `Not like this: ${doubt}`}
      </p>
      <div className="desk-actions">
        <Button
          look="danger"
          onClick={() => {
            onDiscard()
            onClose()
          }}
        >
          Throw away
        </Button>
        <Button look="primary" type="submit">
          Send again
        </Button>
      </div>
    </form>
  )
}
