import { Button } from '../ui/button.tsx'
import { Rehearsal } from '../ui/rehearsal.tsx'
import { Switch } from '../ui/switch.tsx'
import { targetOf, useDesk } from './desk.ts'

/** Over the whole page while the overlay rehearses, with the way back to the air. */
export function RehearsalBar() {
  const { live, outcomes, rehearse } = useDesk()
  if (!live.rehearsal) return null
  const outcome = outcomes.get(targetOf.rehearsal)
  return (
    <Rehearsal>
      {outcome?.phase === 'failed' && (
        <p className="failure" role="alert">
          {outcome.message}
        </p>
      )}
      <Button aria-busy={outcome?.phase === 'sending'} onClick={() => rehearse(false)}>
        End the rehearsal
      </Button>
    </Rehearsal>
  )
}

/** Begins and ends a rehearsal, which needs an empty screen. */
export function RehearsalSwitch() {
  const { live, outcomes, rehearse } = useDesk()
  const outcome = outcomes.get(targetOf.rehearsal)
  return (
    <>
      <Switch
        label="Rehearsal"
        hint="Everything works, and nothing goes to renderers, streams and the proof of play. Ending it clears what it left"
        checked={live.rehearsal}
        // a second press says the same again; one that is disabled would lose the focus with its own press
        onChange={rehearse}
      />
      {outcome?.phase === 'failed' && (
        <p className="failure" role="alert">
          {outcome.message}
        </p>
      )}
    </>
  )
}
