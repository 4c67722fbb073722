import { startGraphic } from '../../../graphics/runtime.ts'
import { element, fitText, given, setText } from '../../../graphics/text.ts'

startGraphic({
  render({ variables }, moment) {
    const tagline = given(variables.tagline)
    const sponsor = given(variables.sponsor)
    element('card').hidden = sponsor === undefined
    setText(element('sponsor'), sponsor ?? '', moment)
    setText(element('tagline'), tagline ?? '', moment)
    element('tagline').hidden = tagline === undefined
    fitText(element('sponsor'))
    fitText(element('tagline'))
  },
})
