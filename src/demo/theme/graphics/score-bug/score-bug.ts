import { type Moment, startGraphic, type View } from '../../../graphics/runtime.ts'
import { sideInPlay } from '../../../graphics/situation.ts'
import { abbreviation, colours, type Side, teamOf, wearColours } from '../../../graphics/teams.ts'
import { element, fitText, given, setText } from '../../../graphics/text.ts'
import { timeFace } from '../../../graphics/time-face.ts'

const ROLL_MS = 420

function renderTeam(side: Side, { data }: View, moment: Moment) {
  const team = teamOf(data, side)
  const name = element(`${side}-name`)
  wearColours(document.documentElement, side, colours(team, side))
  const { classList } = element(`${side}-team`)
  classList.toggle('people', !data.teams?.[side] && team !== undefined)
  classList.toggle('in-play', data.match !== undefined && sideInPlay(data.match) === side)
  const text = abbreviation(team, side)
  // two players stand one above the other
  classList.toggle('pair', text.includes(' / '))
  setText(name, text.replace(' / ', '\n'), moment)
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

/** Text that changes by itself is not animated: a clock does not rise into place each second. */
function write(id: string, text: string) {
  const target = element(id)
  if (target.textContent !== text) target.textContent = text
  target.hidden = text === ''
}

function renderTime(view: View, now: number): number | undefined {
  const { main, label, added, againMs } = timeFace(view, now)
  const shown = view.variables.showClock !== false
  element('time').hidden = !shown || (main === '' && label === '')
  write('clock', main)
  // the text on screen stays while the box closes
  if (added) {
    write('added-text', added.main)
    write('added-detail', added.detail)
  }
  element('added').classList.toggle('given', shown && added !== undefined)
  for (const id of ['clock', 'period']) fitText(element(id))
  return againMs
}

startGraphic({
  render(view, moment) {
    for (const side of ['home', 'away'] as const) {
      renderTeam(side, view, moment)
      renderScore(side, view, moment)
    }
    const { label } = timeFace(view, moment.now())
    const period = element('period')
    period.hidden = label === ''
    setText(period, label, moment)
    renderTime(view, moment.now())
  },
  tick: (view, { now }) => renderTime(view, now()),
})
