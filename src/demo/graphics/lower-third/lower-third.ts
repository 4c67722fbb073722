import { startGraphic } from '../runtime.ts'
import { abbreviation, colours, wearColours } from '../teams.ts'
import { element, fitText, given, setText } from '../text.ts'

startGraphic({
  render({ variables, data }, moment) {
    const side = variables.team === 'home' || variables.team === 'away' ? variables.team : undefined
    element('team').hidden = side === undefined
    if (side) {
      const team = data.teams?.[side]
      wearColours(document.documentElement, 'team', colours(team, side))
      setText(element('monogram'), abbreviation(team, side), moment)
      fitText(element('monogram'))
    }
    const name = given(variables.name)
    const title = given(variables.title)
    element('card').hidden = name === undefined && title === undefined
    element('name-line').hidden = name === undefined
    element('title-line').hidden = title === undefined
    setText(element('name'), name ?? '', moment)
    setText(element('title'), title ?? '', moment)
    fitText(element('name'))
    fitText(element('title'))
  },
})
