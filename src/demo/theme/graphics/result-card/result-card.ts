import { startGraphic } from '../../../graphics/runtime.ts'
import { scorers } from '../../../graphics/scorers.ts'
import { scoreHeadline, shootoutResult } from '../../../graphics/situation.ts'
import { colours, monogram, teamName, teamOf, wearColours } from '../../../graphics/teams.ts'
import { element, fitBlock, fitText, given, setText } from '../../../graphics/text.ts'

const MOST_SCORERS = 8

function scorerRow({ name, minutes }: { name: string; minutes: string }): HTMLElement {
  const row = document.createElement('li')
  row.className = 'fit'
  // a name that is written from right to left keeps its minutes behind it
  const who = document.createElement('bdi')
  who.textContent = name
  const when = document.createElement('b')
  when.className = 'digits'
  when.textContent = minutes
  row.append(who, ' ', when)
  return row
}

startGraphic({
  render({ variables, data }, moment) {
    let rows = 0
    for (const side of ['home', 'away'] as const) {
      const team = teamOf(data, side)
      wearColours(document.documentElement, side, colours(team, side))
      setText(element(`${side}-monogram`), monogram(team, side), moment)
      setText(element(`${side}-name`), teamName(team, side), moment)
      setText(
        element(`${side}-score`),
        given(variables[`${side}Score`]) ?? String(data.match?.score?.[side] ?? 0),
        moment,
      )
      fitText(element(`${side}-monogram`))
      fitBlock(element(`${side}-name`))
      const list = scorers(data, side).slice(0, MOST_SCORERS)
      element(`${side}-scorers`).replaceChildren(...list.map(scorerRow))
      rows += list.length
    }
    element('scorers').hidden = rows === 0
    const headline = given(variables.headline) ?? (data.match ? scoreHeadline(data.match) : '')
    setText(element('headline'), headline, moment)
    fitText(element('headline'))
    const { competition, round, venue } = data.match ?? {}
    const decided = data.match && shootoutResult(data.match)
    setText(
      element('competition'),
      [competition?.gfxName ?? competition?.name, round, decided].filter(Boolean).join(' · '),
      moment,
    )
    fitText(element('competition'))
    element('venue-line').hidden = !venue?.name
    setText(element('venue'), venue?.name ?? '', moment)
  },
})
