import { picturedProblems } from '../live/problems.ts'
import { targetOf, useDesk } from './desk.ts'
import { Undo } from './undo.tsx'
import { TAKE_KEY } from './use-keys.ts'

/** Between the two pictures: what puts preview on air, and what goes around it. */
export function Transport() {
  const { live, outcomes, take, cutNext, setCutNext } = useDesk()
  const count = live.preview.size
  const outcome = outcomes.get(targetOf.take)
  const isWrong = ({ graphicId }: { graphicId: string }) =>
    picturedProblems(graphicId, 'preview', live.pictureProblems).length > 0
  const wrong = [...live.preview.values()].filter(isWrong).length
  return (
    <div className="transport">
      <button
        type="button"
        className={count > 0 ? 'take take-armed' : 'take'}
        // one that is disabled would lose the focus with its own press
        aria-disabled={count === 0}
        aria-busy={outcome?.phase === 'sending'}
        aria-keyshortcuts={TAKE_KEY}
        onClick={take}
      >
        <span className="take-word">
          Take
          <span className="key" aria-hidden="true">
            ↵
          </span>
        </span>
        <span className="take-count">
          {count > 0 ? `${count} on preview` : 'Nothing on preview'}
          {wrong > 0 && `, ${count === wrong ? 'with a problem' : `${wrong} with a problem`}`}
        </span>
      </button>
      <button
        type="button"
        className="cut"
        aria-pressed={cutNext}
        onClick={() => setCutNext(!cutNext)}
        title="The next preset that is pressed goes straight on air"
      >
        {cutNext ? 'Cut: next press' : 'Cut'}
        <span className="key" aria-hidden="true">
          ⇧ key
        </span>
      </button>
      <div className="transport-undo">
        <Undo />
      </div>
      {outcome?.phase === 'failed' && (
        <p className="failure transport-failure" role="alert">
          Take: {outcome.message}
        </p>
      )}
    </div>
  )
}
