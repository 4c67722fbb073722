import { TextField } from '../../ui/field.tsx'
import { Switch } from '../../ui/switch.tsx'
import type { Match } from '../shapes.ts'
import { type Problems, type StreamDraft, timesOf } from './stream-draft.ts'

type Props = {
  draft: StreamDraft
  match: Match | undefined
  problems: Problems
  onChange: (change: Partial<StreamDraft>) => void
}

/** Whether the stream starts and stops by itself, and when. */
export function ScheduleFields({ draft, match, problems, onChange }: Props) {
  const { before, after } = timesOf(draft, match)
  return (
    <>
      <Switch
        label="Start and stop by itself"
        hint="At the times of the match, live on every destination"
        checked={draft.autoStream}
        onChange={(checked) => onChange({ autoStream: checked })}
      />
      {draft.autoStream && (
        <>
          <TimesFields times={{ before, after }} problems={problems} onChange={onChange} />
          <p className="field-hint">
            The match keeps these times: every stream of it that has Auto Stream follows them.
          </p>
        </>
      )}
    </>
  )
}

type Times = { before: string; after: string }

/** When Auto Stream starts and stops, from the match's start and end. */
export function TimesFields({
  times: { before, after },
  problems,
  onChange,
}: {
  times: Times
  problems: Problems
  onChange: (change: Partial<Times>) => void
}) {
  return (
    <div className="pair">
      <TextField
        label="Minutes before the start"
        name="times.pregameAutomationTime"
        inputMode="numeric"
        error={problems['times.pregameAutomationTime']}
        value={before}
        onChange={(event) => onChange({ before: event.target.value })}
      />
      <TextField
        label="Minutes after the end"
        name="times.postgameAutomationTime"
        inputMode="numeric"
        error={problems['times.postgameAutomationTime']}
        value={after}
        onChange={(event) => onChange({ after: event.target.value })}
      />
    </div>
  )
}
