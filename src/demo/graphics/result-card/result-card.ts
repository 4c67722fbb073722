import type { GraphicData, GraphicFact } from '../data.ts'
import { startGraphic } from '../runtime.ts'
import { abbreviation, colours, type Side, teamName, wearColours } from '../teams.ts'
import { element, fitBlock, fitText, given, setText } from '../text.ts'

const MOST_SCORERS = 4
const MARKS: Readonly<Record<string, string>> = { goal: '', penaltyGoal: ' (pen)', ownGoal: ' (og)' }

/** The scorers of a side in match order, each once with all minutes; an own goal counts for the other side. */
function scorers(data: Partial<GraphicData>, side: Side): { name: string; minutes: string }[] {
  const players = [...(data.lineups?.home?.players ?? []), ...(data.lineups?.away?.players ?? [])]
  const teamId = data.teams?.[side]?.id
  const bySide = (fact: GraphicFact) => (fact.type === 'ownGoal' ? fact.teamId !== teamId : fact.teamId === teamId)
  const minutes = new Map<string, string[]>()
  for (const fact of data.facts ?? []) {
    const mark = MARKS[fact.type]
    if (mark === undefined || !bySide(fact)) continue
    const player = players.find(({ id }) => id === fact.playerId)
    const name = fact.playerName ?? player?.gfxLastName ?? player?.lastName
    if (!name) continue
    const minute = fact.minute === null ? '' : `${fact.minute}${fact.addedMinute ? `+${fact.addedMinute}` : ''}’`
    minutes.set(name, [...(minutes.get(name) ?? []), `${minute}${mark}`])
  }
  return Array.from(minutes, ([name, each]) => ({ name, minutes: each.join(', ') }))
}

function scorerRow({ name, minutes }: { name: string; minutes: string }): HTMLElement {
  const row = document.createElement('li')
  row.className = 'fit'
  const when = document.createElement('b')
  when.className = 'digits'
  when.textContent = minutes
  row.append(`${name} `, when)
  return row
}

startGraphic({
  render({ variables, data }, moment) {
    let rows = 0
    for (const side of ['home', 'away'] as const) {
      const team = data.teams?.[side]
      wearColours(document.documentElement, side, colours(team, side))
      setText(element(`${side}-monogram`), abbreviation(team, side), moment)
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
    setText(element('headline'), given(variables.headline) ?? 'Full time', moment)
    fitText(element('headline'))
    const { competition, round, venue } = data.match ?? {}
    setText(
      element('competition'),
      [competition?.gfxName ?? competition?.name, round].filter(Boolean).join(' · '),
      moment,
    )
    fitText(element('competition'))
    element('venue-line').hidden = !venue?.name
    setText(element('venue'), venue?.name ?? '', moment)
  },
})
