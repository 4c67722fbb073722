import type { GraphicData, GraphicStanding } from '../../../graphics/data.ts'
import { startGraphic } from '../../../graphics/runtime.ts'
import { readable, wearColours } from '../../../graphics/teams.ts'
import { element, fitText, given, setText } from '../../../graphics/text.ts'

const MOST = 20
/** Room for the rows of the table, and their height where there are few. */
const [ROOM, TALLEST] = [860, 68]
const NEUTRAL = { background: '#59627a', text: '#ffffff' }

const cell = (name: string, text = '') => {
  const node = document.createElement('span')
  node.className = name
  node.textContent = text
  return node
}

const signed = (value: number) => (value > 0 ? `+${value}` : value < 0 ? `−${-value}` : '0')

function rowOf(team: GraphicStanding, index: number, playing: boolean): HTMLElement {
  const row = document.createElement('li')
  row.className = `line digits${playing ? ' playing' : ''}`
  row.style.setProperty('--row', String(index))
  const chip = cell('chip')
  wearColours(chip, 'team', readable(team.primaryBackgroundColor, team.primaryTextColor, NEUTRAL))
  const form = cell('form')
  for (const outcome of team.form) {
    const mark = document.createElement('i')
    mark.className = outcome
    mark.textContent = outcome
    form.append(mark)
  }
  row.append(
    cell('position', String(team.position)),
    chip,
    cell('team fit', team.shortName),
    ...[team.played, team.won, team.drawn, team.lost].map((count) => cell('count', String(count))),
    cell('count', signed(team.difference)),
    form,
    cell('points', String(team.points)),
  )
  return row
}

/** The rows of one group: the one that is named, else that of a team of the match, else the first. */
function shown({ standings, teams }: Partial<GraphicData>, named: string | undefined) {
  const { rows = [], groups = [] } = standings ?? {}
  const playing = [teams?.home?.id, teams?.away?.id]
  const asked = groups.find((name) => name.toLowerCase() === named?.toLowerCase())
  const own = rows.find(({ teamId, group }) => group !== null && playing.includes(teamId))?.group
  const group = groups.length === 0 ? null : (asked ?? own ?? groups[0] ?? null)
  return { group, rows: rows.filter((row) => row.group === group).slice(0, MOST), playing }
}

startGraphic({
  render({ variables, data }, moment) {
    const { group, rows, playing } = shown(data, given(variables.group))
    setText(element('headline'), given(variables.headline) ?? 'Standings', moment)
    fitText(element('headline'))
    const { competition, round } = data.match ?? {}
    const occasion = [competition?.gfxName ?? competition?.name, group, round].filter(Boolean).join(' · ')
    setText(element('competition'), occasion, moment)
    fitText(element('competition'))
    const list = element('rows')
    // live data comes whole up to 20 times a second
    const key = JSON.stringify([rows, playing])
    if (list.dataset.rows === key) return
    list.dataset.rows = key
    const height = Math.min(TALLEST, Math.floor(ROOM / Math.max(1, rows.length)))
    document.querySelector('main')?.style.setProperty('--height', `${height}px`)
    list.classList.toggle('small', height < 50)
    const nobody = document.createElement('li')
    nobody.className = 'nothing'
    nobody.textContent = 'No teams yet'
    list.replaceChildren(
      ...(rows.length > 0 ? rows.map((row, index) => rowOf(row, index, playing.includes(row.teamId))) : [nobody]),
    )
    for (const name of list.querySelectorAll<HTMLElement>('.team')) fitText(name)
  },
})
