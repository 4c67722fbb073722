type Send = (type: 'LOAD_GRAPHIC' | 'GRAPHIC_UPDATE', payload: Record<string, unknown>) => void

/** Lets CasparCG and SPX fire the bundle directly: `update` takes variables as JSON or as CasparCG's XML. */
export function casparAdapter(send: Send) {
  let variableValues: Record<string, unknown> = {}
  let onAir = false
  const update = (text: string) => {
    variableValues = { ...variableValues, ...readValues(text) }
    if (onAir) send('GRAPHIC_UPDATE', { onAir, variableValues })
  }
  const play = () => {
    onAir = true
    send('LOAD_GRAPHIC', { variableValues })
  }
  const stop = () => {
    onAir = false
    send('GRAPHIC_UPDATE', { onAir })
  }
  Object.assign(window, { update, play, stop, next: () => {} })
}

function readValues(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text)
  } catch {
    const xml = new DOMParser().parseFromString(text, 'text/xml')
    return Object.fromEntries(
      Array.from(xml.querySelectorAll('componentData'), (component) => [
        component.getAttribute('id'),
        component.querySelector('data')?.getAttribute('value'),
      ]),
    )
  }
}
