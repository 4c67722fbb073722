import { useState } from 'react'
import { api } from '../api.ts'
import { FormDialog } from '../form-dialog.tsx'
import type { Match } from '../shapes.ts'
import { useCommand } from '../use-command.ts'
import { TimesFields } from './schedule-fields.tsx'
import { isEmpty, timesOf, timesProblems } from './stream-draft.ts'

type Props = { match: Match; onClose: () => void; reload: () => Promise<void> }

/** The times by which Auto Stream starts and stops the streams of a match. */
export function MatchTimes({ match, onClose, reload }: Props) {
  const [times, setTimes] = useState(() => timesOf({ before: undefined, after: undefined }, match))
  const wrong = timesProblems(times)
  const save = useCommand(async (body: object, key) => {
    await api('POST', `/v1/matches/${match.id}`, { body, key })
    await reload()
  })
  const refused = Object.fromEntries(Object.entries(save.fields).map(([field, reason]) => [`times.${field}`, reason]))
  const submit = async () => {
    if (!isEmpty(wrong)) return
    const body = { pregameAutomationTime: Number(times.before), postgameAutomationTime: Number(times.after) }
    if (await save.run(body)) onClose()
  }
  return (
    <FormDialog
      onClose={onClose}
      title="Times of Auto Stream"
      about="The match keeps them: every stream of it that has Auto Stream follows."
      label="Save"
      command={save}
      onSubmit={submit}
    >
      <TimesFields
        times={times}
        problems={{ ...refused, ...wrong }}
        onChange={(change) => setTimes((last) => ({ ...last, ...change }))}
      />
    </FormDialog>
  )
}
