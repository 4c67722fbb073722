import { startGraphic } from '../../../graphics/runtime.ts'
import { readable, wearColours } from '../../../graphics/teams.ts'
import { element, fitText, given, setText } from '../../../graphics/text.ts'

const WHITE = { background: '#ffffff', text: '#0b1020' }

startGraphic({
  render({ variables, data }, moment) {
    const brand = data.selected?.brand ?? undefined
    const sponsor = given(variables.sponsor) ?? given(brand?.name)
    const tagline = given(variables.tagline) ?? given(brand?.tagline)
    element('card').hidden = sponsor === undefined
    wearColours(document.documentElement, 'brand', brand ? readable(brand.primaryColor, brand.textColor, WHITE) : WHITE)
    setText(element('sponsor'), sponsor ?? '', moment)
    setText(element('tagline'), tagline ?? '', moment)
    element('tagline').hidden = tagline === undefined
    showLogo(given(brand?.logoUrl))
    fitText(element('sponsor'))
    fitText(element('tagline'))
  },
})

/** One that is still on its way, or cannot be had, leaves its place empty. */
function showLogo(url: string | undefined) {
  const logo = element('logo') as HTMLImageElement
  logo.hidden = url === undefined
  if (url === undefined || logo.getAttribute('src') === url) return
  logo.classList.remove('here')
  logo.onload = () => logo.classList.add('here')
  logo.src = url
}
