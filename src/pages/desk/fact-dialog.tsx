import { type FormEvent, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { factWords } from './buttons.ts'
import { draftOf, saidIn } from './fact-draft.ts'
import { FactFields } from './fact-fields.tsx'
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
  const at = Date.parse(fact.timestamp)
  const [draft, setDraft] = useState(() => draftOf(fact, at))
  const save = (event: FormEvent) => {
    event.preventDefault()
    onSaid(saidIn(sport, draft, fact, at))
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={factWords(match, fact)}>
      <form className="desk-form" onSubmit={save}>
        <FactFields sport={sport} sides={sides} draft={draft} onDraft={setDraft} />
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
