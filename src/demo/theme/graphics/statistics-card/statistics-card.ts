import { startGraphic } from '../../../graphics/runtime.ts'
import { chosen, type StatisticRow } from '../../../graphics/statistics.ts'
import { barColours, colours, monogram, teamName, teamOf, wearColours } from '../../../graphics/teams.ts'
import { element, fitBlock, fitText, given, setText } from '../../../graphics/text.ts'

const SIDES = ['home', 'away'] as const

const part = (tag: string, name: string, text = '') => {
  const node = document.createElement(tag)
  node.className = name
  node.textContent = text
  return node
}

function valueCell({ shown, unit }: StatisticRow, side: 'home' | 'away', leads: boolean): HTMLElement {
  const value = part('span', `value digits${leads ? ' leads' : ''}`, shown[side])
  if (unit) value.append(part('small', '', unit))
  return value
}

function rowOf(row: StatisticRow, index: number): HTMLElement {
  const item = document.createElement('li')
  item.style.setProperty('--row', String(index))
  const values = part('div', 'values')
  values.append(
    valueCell(row, 'home', row.home >= row.away),
    part('span', 'label fit', row.label),
    valueCell(row, 'away', row.away >= row.home),
  )
  const bars = part('div', 'bars')
  const sum = row.home + row.away
  for (const side of SIDES) {
    const bar = part('i', `of-${side}`)
    bar.style.flexGrow = String(sum === 0 ? 1 : Math.max(0, row[side]) / sum)
    bars.append(bar)
  }
  item.append(values, bars)
  return item
}

startGraphic({
  render({ variables, data }, moment) {
    for (const side of SIDES) {
      const team = teamOf(data, side)
      wearColours(document.documentElement, side, colours(team, side))
      setText(element(`${side}-monogram`), monogram(team, side), moment)
      setText(element(`${side}-name`), teamName(team, side), moment)
      setText(element(`${side}-score`), String(data.match?.score?.[side] ?? 0), moment)
      fitText(element(`${side}-monogram`))
      fitBlock(element(`${side}-name`))
    }
    const bars = barColours(teamOf(data, 'home'), teamOf(data, 'away'))
    for (const side of SIDES) document.documentElement.style.setProperty(`--${side}-bar`, bars[side])
    setText(element('headline'), given(variables.headline) ?? 'Match statistics', moment)
    fitText(element('headline'))
    const { competition, round } = data.match ?? {}
    const occasion = [competition?.gfxName ?? competition?.name, round].filter(Boolean).join(' · ')
    setText(element('competition'), occasion, moment)
    fitText(element('competition'))
    const rows = chosen(data, given(variables.rows))
    const list = element('rows')
    // live data comes whole up to 20 times a second
    const key = JSON.stringify(rows)
    if (list.dataset.rows === key) return
    list.dataset.rows = key
    list.replaceChildren(...(rows.length > 0 ? rows.map(rowOf) : [part('li', 'nothing', 'No statistics yet')]))
    for (const label of list.querySelectorAll<HTMLElement>('.label')) fitText(label)
  },
})
