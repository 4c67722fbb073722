import type { LineupPlayer } from '../../../graphics/data.ts'
import { startGraphic } from '../../../graphics/runtime.ts'
import { colours, monogram, teamName, teamOf, wearColours } from '../../../graphics/teams.ts'
import { element, fitBlock, fitText, setText } from '../../../graphics/text.ts'

/** Australian rules have the most. */
const MOST_STARTERS = 18
const MOST_SUBSTITUTES = 15
/** Of more the rows are lower, and lower still. */
const [USUAL, MANY] = [11, 15]

const part = (name: string, text: string, tag = 'span') => {
  const node = document.createElement(tag)
  node.className = name
  node.textContent = text
  return node
}

function row(player: LineupPlayer, index: number): HTMLElement {
  const item = document.createElement('li')
  item.style.setProperty('--row', String(index))
  const name = part('player fit', '')
  const first = player.gfxFirstName ?? player.firstName
  if (first) name.append(part('', first, 'i'))
  name.append(part('', player.gfxLastName ?? player.lastName, 'b'))
  item.append(part('number digits', player.number || '–'), name)
  if (player.captain) item.append(part('captain', 'C'))
  if (player.starting && player.position) item.append(part('position', player.position))
  return item
}

/** A last name that would become small beside the first one has only its initial. */
function fitName(name: HTMLElement) {
  fitText(name)
  const first = name.querySelector('i')
  if (name.style.fontSize === '' || !first?.textContent) return
  first.textContent = `${Array.from(first.textContent)[0]}.`
  fitText(name)
}

function fill(list: HTMLElement, players: LineupPlayer[]) {
  // live data comes whole up to 20 times a second
  const key = JSON.stringify(players)
  if (list.dataset.players === key) return
  list.dataset.players = key
  list.classList.toggle('many', players.length > USUAL && players.length <= MANY)
  list.classList.toggle('most', players.length > MANY)
  list.replaceChildren(...players.map(row))
  for (const name of list.querySelectorAll<HTMLElement>('.player')) fitName(name)
}

startGraphic({
  render({ variables, data }, moment) {
    const side = variables.team === 'away' ? 'away' : 'home'
    const team = teamOf(data, side)
    const lineup = data.lineups?.[side]
    const players = lineup?.players ?? []
    wearColours(document.documentElement, 'team', colours(team, side))
    element('monogram').textContent = monogram(team, side)
    fitText(element('monogram'))
    setText(element('team-name'), teamName(team, side), moment)
    fitBlock(element('team-name'))
    const { competition, round } = data.match ?? {}
    setText(
      element('competition'),
      [competition?.gfxName ?? competition?.name, round].filter(Boolean).join(' · '),
      moment,
    )
    for (const [id, text] of [
      ['formation', lineup?.formation],
      ['coach', team?.coach],
    ] as const) {
      element(`${id}-line`).hidden = !text
      setText(element(id), text ?? '', moment)
      fitText(element(id))
    }
    const substitutes = players.filter(({ starting }) => !starting).slice(0, MOST_SUBSTITUTES)
    element('bench').hidden = substitutes.length === 0
    const starters = players.filter(({ starting }) => starting).slice(0, MOST_STARTERS)
    element('eleven').hidden = starters.length === 0
    fill(element('starters'), starters)
    fill(element('substitutes'), substitutes)
  },
})
