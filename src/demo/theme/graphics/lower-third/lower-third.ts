import type { GraphicData, GraphicFact, SelectedPlayer } from '../../../graphics/data.ts'
import { startGraphic, type View } from '../../../graphics/runtime.ts'
import { lastScore, minuteOf } from '../../../graphics/scorers.ts'
import { scoreHeadline, situationFace, teamFouls } from '../../../graphics/situation.ts'
import { colours, monogram, type Side, teamName, teamOf, wearColours } from '../../../graphics/teams.ts'
import { element, fitText, given, setText } from '../../../graphics/text.ts'

type Words = { name: string | undefined; title: string | undefined; side: Side | undefined }

const KINDS: Readonly<Record<string, string>> = {
  penaltyGoal: 'Penalty',
  twoPointer: 'Two-pointer',
  threePointer: 'Three-pointer',
  sevenMetreGoal: '7-metre goal',
}

/** `dropGoal` as it is written: Drop goal. */
const kindOf = (type: string) =>
  KINDS[type] ??
  type
    .replace(/^./, (first) => first.toUpperCase())
    .replace(/[A-Z]/g, (capital, at) => (at === 0 ? capital : ` ${capital.toLowerCase()}`))

const kindAndMinute = (fact: GraphicFact) => `${kindOf(fact.type)} ${minuteOf(fact)}`.trim()

/** The scores that are meant; none are goals, or any. */
const wantedScores = ({ variables }: View): string[] =>
  (given(variables.scores) ?? '')
    .split(',')
    .map((type) => type.trim())
    .filter((type) => type !== '')

const shortName = (data: Partial<GraphicData>, side: Side) => {
  const team = teamOf(data, side)
  return team?.gfxName ?? teamName(team, side)
}

/** `Harbour 4–3 Northgate`, each with a number of its own. */
function both(data: Partial<GraphicData>, { home, away }: Readonly<Record<Side, number | string>>): string {
  return `${shortName(data, 'home')} ${home}–${away} ${shortName(data, 'away')}`
}

const scoreLine = (data: Partial<GraphicData>) => both(data, data.match?.score ?? { home: 0, away: 0 })

/** Before the first goal it says so; in sports without goals, the last score. Where nobody is named, the team. */
function lastGoalWords(view: View): Words {
  const { data } = view
  const types = wantedScores(view)
  const goal = lastScore(data, { types })
  if (goal) {
    const { side } = goal
    return {
      name: goal.playerName ?? (side ? teamName(teamOf(data, side), side) : undefined),
      title: kindAndMinute(goal),
      side: side ?? undefined,
    }
  }
  const [type] = types
  const kind = types.length === 1 && type !== undefined ? kindOf(type).toLowerCase() : 'score'
  const title = types.length === 0 && data.match?.sport === 'football' ? 'No goals yet' : `No ${kind} yet`
  return { name: scoreLine(data), title, side: undefined }
}

function coachWords(data: Partial<GraphicData>, side: Side): Words {
  const team = teamOf(data, side)
  return {
    name: team?.coach ?? undefined,
    title: team?.coach ? `Head coach, ${teamName(team, side)}` : undefined,
    side,
  }
}

/** Who meets whom, with the occasion, and from the start the score, with how it stands. */
function matchWords(data: Partial<GraphicData>): Words {
  const { match } = data
  if (!match?.period) {
    const occasion = [match?.competition?.gfxName ?? match?.competition?.name, match?.round].filter(Boolean).join(' · ')
    const sides = `${shortName(data, 'home')} v ${shortName(data, 'away')}`
    return { name: sides, title: occasion === '' ? undefined : occasion, side: undefined }
  }
  const face = match.state === 'live' ? situationFace(match) : undefined
  const title = [scoreHeadline(match), face?.main].filter(Boolean).join(' · ')
  return { name: scoreLine(data), title, side: undefined }
}

function foulWords(data: Partial<GraphicData>): Words {
  const fouls = (data.match && teamFouls(data.match)) ?? { home: 0, away: 0 }
  return { name: both(data, fouls), title: 'Team fouls', side: undefined }
}

/** The goal of a player who is picked as the scorer, else the number and the team. */
function playerWords(view: View, player: SelectedPlayer): Words {
  const { data, variables } = view
  const { id, number, teamId } = player
  const side = (['home', 'away'] as const).find((one) => data.teams?.[one]?.id === teamId)
  const goal = variables.about === 'lastGoal' ? lastScore(data, { types: wantedScores(view), playerId: id }) : undefined
  const team = side && teamName(teamOf(data, side), side)
  return {
    name: `${player.gfxFirstName ?? player.firstName} ${player.gfxLastName ?? player.lastName}`,
    title: goal ? kindAndMinute(goal) : [number, team].filter(Boolean).join(' · '),
    side,
  }
}

function aboutWords(view: View): Words {
  const { variables, data } = view
  if (variables.about === 'match') return matchWords(data)
  if (variables.about === 'teamFouls') return foulWords(data)
  const player = data.selected?.player
  if (player) return playerWords(view, player)
  switch (variables.about) {
    case 'lastGoal':
      return lastGoalWords(view)
    case 'homeCoach':
      return coachWords(data, 'home')
    case 'awayCoach':
      return coachWords(data, 'away')
    default:
      return { name: undefined, title: undefined, side: undefined }
  }
}

/** Texts of the operator win over those of the match. What happened to a team, where nobody is named, has the name of the team. */
function words(view: View): Words {
  const about = aboutWords(view)
  const { team } = view.variables
  const chosen = team === 'home' || team === 'away' ? team : undefined
  const title = given(view.variables.title) ?? about.title
  const ofTeam = title !== undefined && chosen ? teamName(teamOf(view.data, chosen), chosen) : undefined
  return {
    name: given(view.variables.name) ?? about.name ?? ofTeam,
    title,
    side: team === 'neutral' ? undefined : (chosen ?? about.side),
  }
}

startGraphic({
  render(view, moment) {
    const { name, title, side } = words(view)
    element('team').hidden = side === undefined
    if (side) {
      const team = teamOf(view.data, side)
      wearColours(document.documentElement, 'team', colours(team, side))
      setText(element('monogram'), monogram(team, side), moment)
      fitText(element('monogram'))
    }
    element('card').hidden = name === undefined && title === undefined
    element('name-line').hidden = name === undefined
    element('title-line').hidden = title === undefined
    setText(element('name'), name ?? '', moment)
    setText(element('title'), title ?? '', moment)
    fitText(element('name'))
    fitText(element('title'))
  },
})
