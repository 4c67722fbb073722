import { clockText, clockValue, untilNextSecond } from '../clock.ts'
import { type Moment, startGraphic, type View } from '../runtime.ts'
import { abbreviation, colours, type Side, wearColours } from '../teams.ts'
import { element, fitText, given, setText } from '../text.ts'

const ROLL_MS = 420

function renderTeam(side: Side, { data }: View, moment: Moment) {
  const team = data.teams?.[side]
  const name = element(`${side}-name`)
  wearColours(document.documentElement, side, colours(team, side))
  setText(name, abbreviation(team, side), moment)
  fitText(name)
}

function renderScore(side: Side, { variables, data }: View, { instant }: Moment) {
  const score = given(variables[`${side}Score`]) ?? String(data.match?.score?.[side] ?? 0)
  const digits = element(`${side}-score`)
  if (digits.textContent === score) return
  digits.textContent = score
  if (instant) return
  const easing = 'cubic-bezier(0.16, 1, 0.3, 1)'
  digits.animate([{ transform: 'translateY(100%)' }, { transform: 'none' }], { duration: ROLL_MS, easing })
  const cell = element(`${side}-cell`)
  cell.classList.add('scored')
  // the flash fades by the transition of the class that leaves
  window.setTimeout(() => cell.classList.remove('scored'), ROLL_MS)
}

startGraphic({
  render(view, moment) {
    const { variables, data } = view
    for (const side of ['home', 'away'] as const) {
      renderTeam(side, view, moment)
      renderScore(side, view, moment)
    }
    element('time').hidden = variables.showClock === false
    const period = element('period')
    setText(period, given(variables.period) ?? data.match?.period?.name ?? '', moment)
    period.hidden = period.textContent === ''
    fitText(period)
    const added = given(variables.addedTime)
    if (added) setText(element('added-text'), `+${added.replace(/^\+/, '')}`, moment)
    element('added').classList.toggle('given', added !== undefined)
  },

  tick({ variables, data }, { now }) {
    const clock = data.match?.clock
    const text = given(variables.clock)
    const value = clock ? clockValue(clock, now()) : 0
    const shown = text ?? clockText(value, clock?.direction)
    const target = element('clock')
    if (target.textContent !== shown) target.textContent = shown
    return text === undefined && clock?.running ? untilNextSecond(value, clock.direction) : undefined
  },
})
