import { useMemo, useState } from 'react'
import type { FactButton } from './buttons.ts'
import { courseButtons, fitBeside, notingButtons, scoringButtons } from './buttons.ts'
import type { Projected } from './model.ts'
import type { DeskCommand } from './press.ts'
import type { Side } from './sides.ts'
import { sideInPlay } from './situation.ts'

type Pressed = (button: FactButton, side: Side) => void

/** The buttons of the match: its course, what a side scores with, and what is only noted. All from the sport's own table. */
export function Pad({
  match,
  sides,
  onFact,
  onCourse,
  onMore,
}: {
  match: Projected
  sides: readonly Side[]
  onFact: Pressed
  onCourse: (command: DeskCommand) => void
  onMore: () => void
}) {
  const { sport } = match.desk.match
  const { state } = match.play
  // each is judged over all facts
  const course = useMemo(() => courseButtons(match), [match])
  const isOver = ['finished', 'abandoned', 'cancelled', 'postponed'].includes(state)
  return (
    <div className="pad">
      <div className="course">
        {course.map(({ key, label, command, isNext }) => (
          <button
            type="button"
            key={key}
            className={isNext ? 'course-button course-next' : 'course-button'}
            onClick={() => onCourse(command)}
          >
            {label}
          </button>
        ))}
      </div>
      {isOver && <p className="pad-hint">The match is {state}. Facts can still be corrected in the list.</p>}
      {!isOver && state !== 'scheduled' && state !== 'delayed' && (
        <Facts sport={sport} match={match} sides={sides} onFact={onFact} />
      )}
      {(state === 'scheduled' || state === 'delayed') && (
        <p className="pad-hint">Line-ups can be made now. The buttons come with the start.</p>
      )}
      <button type="button" className="course-button course-more" onClick={onMore}>
        By hand: clock, state, score…
      </button>
    </div>
  )
}

function Facts({
  sport,
  match,
  sides,
  onFact,
}: {
  sport: string
  match: Projected
  sides: readonly Side[]
  onFact: Pressed
}) {
  const scoring = scoringButtons(sport)
  const noting = notingButtons(sport)
  const beside = fitBeside(sport) && sides.length === 2
  const inPlay = sideInPlay(match.play.situation)
  const [chosen, setChosen] = useState<{ key: string; under: string | undefined }>()
  // who bats or has the ball is shown by itself until somebody chooses otherwise
  const own = chosen && chosen.under === inPlay ? chosen.key : undefined
  const byPlay = sides.find(({ isHome }) => inPlay !== undefined && isHome === (inPlay === 'home'))
  const one = sides.find(({ key }) => key === own) ?? byPlay ?? sides[0]
  if (!one) return null
  if (beside)
    return (
      <>
        <div className="pad-sides">
          {sides.map((side) => (
            <SideButtons key={side.key} side={side} buttons={scoring} onFact={onFact} />
          ))}
        </div>
        <details className="noting">
          <summary>Other facts</summary>
          <div className="pad-sides">
            {sides.map((side) => (
              <SideButtons key={side.key} side={side} buttons={noting} onFact={onFact} small />
            ))}
          </div>
        </details>
      </>
    )
  return (
    <>
      <fieldset className="side-choice" aria-label="Whose buttons">
        {sides.map((side) => (
          <button
            type="button"
            key={side.key}
            aria-pressed={side.key === one.key}
            className="side-choice-button"
            onClick={() => setChosen({ key: side.key, under: inPlay })}
          >
            <Chip side={side} />
            {side.shortName}
          </button>
        ))}
      </fieldset>
      <SideButtons side={one} buttons={scoring} onFact={onFact} wide />
      <details className="noting">
        <summary>Other facts of {one.shortName}</summary>
        <SideButtons side={one} buttons={noting} onFact={onFact} small wide />
      </details>
    </>
  )
}

export const Chip = ({ side }: { side: Side }) => (
  <svg className="chip-of-side" viewBox="0 0 10 10" aria-hidden="true">
    <rect width="10" height="10" rx="2" fill={side.color ?? 'currentColor'} />
  </svg>
)

function SideButtons({
  side,
  buttons,
  onFact,
  small = false,
  wide = false,
}: {
  side: Side
  buttons: readonly FactButton[]
  onFact: Pressed
  small?: boolean
  wide?: boolean
}) {
  return (
    <section
      className={`facts-of-side${wide ? ' facts-wide' : ''}${small ? ' facts-small' : ''}`}
      aria-label={side.name}
    >
      {!wide && !small && (
        <h2 className="facts-team">
          <Chip side={side} />
          <span className="cut">{side.shortName}</span>
        </h2>
      )}
      {buttons.map((button) => (
        <button
          type="button"
          className={`fact-button fact-${side.isHome ? 'home' : 'away'}`}
          key={button.label}
          {...stripeOf(side)}
          onClick={() => onFact(button, side)}
        >
          {button.label}
          <span className="visually-hidden"> {side.name}</span>
        </button>
      ))}
    </section>
  )
}

const COLOUR = /^#[0-9a-f]{3,8}$/i

/** The colour of the team along its buttons: their ground stays what can be read in the sun. */
const stripeOf = ({ color }: Side) =>
  color && COLOUR.test(color) ? { style: { borderTopColor: color } as const } : undefined
