import type { GraphicData, SelectedPlayer } from '../../../graphics/data.ts'
import { startGraphic, type View } from '../../../graphics/runtime.ts'
import { lastGoal, lastScore, minuteOf } from '../../../graphics/scorers.ts'
import { colours, monogram, type Side, teamName, teamOf, wearColours } from '../../../graphics/teams.ts'
import { element, fitText, given, setText } from '../../../graphics/text.ts'

type Words = { name: string | undefined; title: string | undefined; side: Side | undefined }

const KINDS: Readonly<Record<string, string>> = { ownGoal: 'Own goal', penaltyGoal: 'Penalty' }

/** `threePointer` as it is written: Three pointer. */
const kindOf = (type: string) =>
  KINDS[type] ??
  type
    .replace(/^./, (first) => first.toUpperCase())
    .replace(/[A-Z]/g, (capital, at) => (at === 0 ? capital : ` ${capital.toLowerCase()}`))

/** Before the first goal it says so; in sports without goals, the last score. Where nobody is named, the team. */
function lastGoalWords(data: Partial<GraphicData>): Words {
  const goal = lastGoal(data) ?? lastScore(data)
  if (goal) {
    const { side } = goal
    return {
      name: goal.playerName ?? (side ? teamName(teamOf(data, side), side) : undefined),
      title: `${kindOf(goal.type)} ${minuteOf(goal)}`.trim(),
      side: side ?? undefined,
    }
  }
  const { home = 0, away = 0 } = data.match?.score ?? {}
  const [one, other] = (['home', 'away'] as const).map((side) => {
    const team = teamOf(data, side)
    return team?.gfxName ?? teamName(team, side)
  })
  return {
    name: `${one} ${home}–${away} ${other}`,
    title: data.match?.sport === 'football' ? 'No goals yet' : 'No score yet',
    side: undefined,
  }
}

function coachWords(data: Partial<GraphicData>, side: Side): Words {
  const team = teamOf(data, side)
  return {
    name: team?.coach ?? undefined,
    title: team?.coach ? `Head coach, ${teamName(team, side)}` : undefined,
    side,
  }
}

/** The goal of a player who is picked as the scorer, else the number and the team. */
function playerWords(data: Partial<GraphicData>, player: SelectedPlayer, asScorer: boolean): Words {
  const { id, number, teamId } = player
  const side = (['home', 'away'] as const).find((one) => data.teams?.[one]?.id === teamId)
  const goal = asScorer ? lastGoal(data, id) : undefined
  const team = side && teamName(teamOf(data, side), side)
  return {
    name: `${player.gfxFirstName ?? player.firstName} ${player.gfxLastName ?? player.lastName}`,
    title: goal ? `${kindOf(goal.type)} ${minuteOf(goal)}`.trim() : [number, team].filter(Boolean).join(' · '),
    side,
  }
}

function aboutWords({ variables, data }: View): Words {
  const player = data.selected?.player
  if (player) return playerWords(data, player, variables.about === 'lastGoal')
  switch (variables.about) {
    case 'lastGoal':
      return lastGoalWords(data)
    case 'homeCoach':
      return coachWords(data, 'home')
    case 'awayCoach':
      return coachWords(data, 'away')
    default:
      return { name: undefined, title: undefined, side: undefined }
  }
}

/** Texts of the operator win over those of the match. */
function words(view: View): Words {
  const about = aboutWords(view)
  const { team } = view.variables
  const side = team === 'home' || team === 'away' ? team : team === 'neutral' ? undefined : about.side
  return { name: given(view.variables.name) ?? about.name, title: given(view.variables.title) ?? about.title, side }
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
