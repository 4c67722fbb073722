import type { Projected } from './model.ts'

export type DeskPlayer = { id: number; number: string | null; name: string; starting: boolean }

/** One of those who play against each other: a team, or who plays without one. */
export type Side = {
  key: string
  name: string
  shortName: string
  color: string | null
  textColor: string | null
  isHome: boolean
  /** What a fact of this side names. */
  said: { teamId?: number; playerId?: number }
  /** Who may be named: the line-up where one was set, else the squad; starters first. */
  players: readonly DeskPlayer[]
}

/** The sides of the match, the home side first. */
export function sidesOf({ desk, teams }: Projected): Side[] {
  const { competitors } = desk.match
  const sides: Side[] = []
  for (const { teamId, playerId, isHome } of competitors) {
    const key =
      teamId === null ? (desk.match.competitorsType === 'group' ? `p${playerId}` : `s${isHome}`) : `t${teamId}`
    const known = sides.find((side) => side.key === key)
    const player = desk.players.find(({ id }) => id === playerId)
    const name = player ? `${player.firstName} ${player.lastName}`.trim() : ''
    const own: DeskPlayer[] = player ? [{ id: player.id, number: null, name, starting: true }] : []
    if (known) {
      known.players = [...known.players, ...own]
      if (teamId === null) {
        known.name = `${known.name} / ${name}`
        known.shortName = `${known.shortName} / ${player?.lastName ?? ''}`
      }
      continue
    }
    const team = teams.find(({ id }) => id === teamId)
    const short = player?.lastName || name
    sides.push({
      key,
      name: team?.name ?? name,
      shortName: team?.shortName ?? short,
      color: team?.color ?? null,
      textColor: team?.textColor ?? null,
      isHome,
      said: teamId === null ? { ...(playerId !== null && { playerId }) } : { teamId },
      players: [...own, ...(team ? playersOf(team) : [])],
    })
  }
  return sides.sort((one, other) => Number(other.isHome) - Number(one.isHome))
}

function playersOf({ roster, lineup }: Projected['teams'][number]): DeskPlayer[] {
  const shown = (
    one: { id: number; number: string | null; firstName: string; lastName: string },
    starting: boolean,
  ) => ({
    id: one.id,
    number: one.number,
    name: `${one.firstName} ${one.lastName}`.trim(),
    starting,
  })
  const players = lineup?.isSet
    ? lineup.players.map((one) => shown(one, one.starting))
    : roster.map((one) => shown(one, one.starter))
  return players.sort(
    (one, other) =>
      Number(other.starting) - Number(one.starting) || numeric(one.number) - numeric(other.number) || one.id - other.id,
  )
}

const numeric = (number: string | null) => {
  const value = Number.parseInt(number ?? '', 10)
  return Number.isNaN(value) ? 1_000 : value
}
