import './rundown.css'
import { useEffect, useRef } from 'react'
import { type OperatedRundown, targetOf, useDesk } from './desk.ts'
import type { RundownItem } from './model.ts'
import { NEXT_KEY, PREVIOUS_KEY } from './use-keys.ts'

/** The rundown of the overlay beside the presets: how far it has come, and one press to its next item. */
export function RundownColumn() {
  const { live, rundown, outcomes } = useDesk()
  if (!rundown) return null
  const { items, cued, following } = rundown
  const outcome = outcomes.get(targetOf.rundown)
  const busy = outcome?.phase === 'sending'
  return (
    <section className="rundown" aria-labelledby="rundown">
      <div className="rundown-head">
        <h2 id="rundown">Rundown</h2>
        <span className="rundown-count tabular">
          {placeOf(rundown)} of {items.length}
        </span>
      </div>
      <ol className="rundown-list">
        {items.map((item, index) => (
          <Item key={item.id} item={item} number={index + 1} rundown={rundown} rehearsal={live.rehearsal} />
        ))}
      </ol>
      <div className="rundown-foot">
        {outcome?.phase === 'failed' && (
          <p className="failure" role="alert">
            {outcome.message}
          </p>
        )}
        <button
          type="button"
          className={cued ? 'rundown-next rundown-next-armed' : 'rundown-next'}
          // one that is disabled would lose the focus with its own press
          aria-disabled={!cued && !following}
          aria-busy={busy}
          aria-keyshortcuts={NEXT_KEY}
          onClick={() => rundown.next()}
        >
          <span className="rundown-next-word">
            Next
            <span className="key" aria-hidden="true">
              Pg Dn
            </span>
          </span>
          <span className="rundown-next-does">
            {cued ? (
              <>
                Takes <b>{rundown.nameOf(cued)}</b>
              </>
            ) : following ? (
              <>
                Cues <b>{rundown.nameOf(following)}</b>
              </>
            ) : (
              'The end of the rundown'
            )}
          </span>
        </button>
        <button
          type="button"
          className="button rundown-back"
          aria-keyshortcuts={PREVIOUS_KEY}
          aria-busy={busy}
          onClick={() => rundown.previous()}
        >
          Back
          <span className="key" aria-hidden="true">
            Pg Up
          </span>
        </button>
      </div>
    </section>
  )
}

/** How many have been on air. */
const placeOf = ({ items, takenId }: OperatedRundown) => items.findIndex(({ id }) => id === takenId) + 1

type Line = { item: RundownItem; number: number; rundown: OperatedRundown; rehearsal: boolean }

function Item({ item, number, rundown, rehearsal }: Line) {
  const { id, problem, durationSeconds } = item
  const isCued = rundown.cued?.id === id
  const isOnAir = rundown.isOnAir(item)
  const line = useRef<HTMLLIElement>(null)
  const isNext = isCued || rundown.following?.id === id
  useEffect(() => {
    // what comes after it is to be seen, too
    if (isNext) line.current?.scrollIntoView({ block: 'center' })
  }, [isNext])
  const state = problem !== null ? 'broken' : isOnAir ? 'on-air' : isCued ? 'cued' : 'waiting'
  const about = [rundown.aboutOf(item), durationSeconds !== undefined && `${durationSeconds} s`].filter(Boolean)
  return (
    <li ref={line} className={`rundown-line rundown-${state}`} aria-current={isCued ? 'step' : undefined}>
      <button
        type="button"
        className="rundown-item"
        aria-disabled={problem !== null}
        title={problem === null ? 'Cue it: the rundown goes on from here' : undefined}
        onClick={() => problem === null && rundown.cue(id)}
      >
        <span className="rundown-number tabular">{number}</span>
        <span className={about.length > 0 || problem !== null ? 'rundown-told' : 'rundown-told rundown-told-short'}>
          <span className="rundown-name">{rundown.nameOf(item)}</span>
          <span className="rundown-below">
            {problem === null ? (
              about.length > 0 && <span className="rundown-about">{about.join(' · ')}</span>
            ) : (
              <span className="rundown-problem">Skipped: {problem}</span>
            )}
            {isOnAir && <span className="rundown-lamp rundown-lamp-air">{rehearsal ? 'Shown' : 'On air'}</span>}
            {isCued && <span className="rundown-lamp rundown-lamp-cued">Next</span>}
          </span>
        </span>
      </button>
    </li>
  )
}
