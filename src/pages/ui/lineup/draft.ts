import { lineupErrors } from '../../../resources/matches/lineup.rules.ts'

/** A player of the squad, as the team lists him. */
export type Squad = readonly {
  id: number
  firstName: string
  lastName: string
  number: string | null
  position: string | null
  starter: boolean
  bench: boolean
  captain: boolean
}[]

/** A line-up as it is read. */
export type Fielded = {
  formation: string | null
  players: readonly {
    id: number
    number: string | null
    position: string | null
    starting: boolean
    captain: boolean
  }[]
}

/** A line-up as it is sent. */
export type SentLineup = {
  teamId: number
  formation: string | null
  players: { playerId: number; number: string | null; position: string | null; starting: boolean; captain: boolean }[]
}

export type Entry = { number: string; position: string }

/** Marks in the order of all players: who stands behind the first is on the bench, behind the second not in the squad of the day. */
export const BENCH = '#bench'
export const OUT = '#out'

/** A line-up in work. `order`: ids of players as text, and the two marks. */
export type Draft = {
  formation: string
  order: readonly string[]
  entries: Readonly<Record<string, Entry>>
  captain: string | undefined
}

export type Sizes = { startingSize: number; benchSize: number }

const worn = (number: string | null) => {
  const value = Number.parseInt(number ?? '', 10)
  return Number.isNaN(value) ? 1_000 : value
}

/** The draft of a line-up over a squad; players of it that left the squad are left out. */
export function draftOf(squad: Squad, fielded: Fielded | null): Draft {
  const known = new Map(squad.map((player) => [player.id, player]))
  const inSquad = (fielded?.players ?? []).filter(({ id }) => known.has(id))
  const named = new Set(inSquad.map(({ id }) => id))
  const rest = squad
    .filter(({ id }) => !named.has(id))
    .sort((one, other) => worn(one.number) - worn(other.number) || one.id - other.id)
  const keys = (players: readonly { id: number }[]) => players.map(({ id }) => String(id))
  const given = new Map(inSquad.map((player) => [player.id, player]))
  return {
    formation: fielded?.formation ?? '',
    order: [
      ...keys(inSquad.filter(({ starting }) => starting)),
      BENCH,
      ...keys(inSquad.filter(({ starting }) => !starting)),
      OUT,
      ...keys(rest),
    ],
    entries: Object.fromEntries(
      squad.map(({ id, number, position }) => {
        const own = given.get(id)
        return [String(id), { number: own?.number ?? number ?? '', position: own?.position ?? position ?? '' }]
      }),
    ),
    captain: keys(inSquad.filter(({ captain }) => captain))[0],
  }
}

/** The draft that the squad itself says: its usual starters and bench, filled up by number to the size of the sport. */
export function usual(squad: Squad, { startingSize, benchSize }: Sizes): Draft {
  const byNumber = [...squad].sort((one, other) => worn(one.number) - worn(other.number) || one.id - other.id)
  const chosen = byNumber.filter(({ starter }) => starter)
  const others = byNumber.filter(({ starter }) => !starter)
  const starters = [...chosen, ...others].slice(0, startingSize)
  const left = byNumber.filter((player) => !starters.includes(player))
  const bench = [...left.filter((one) => one.bench), ...left.filter((one) => !one.bench)].slice(0, benchSize)
  const players = [
    ...starters.map((player) => ({ ...player, starting: true })),
    ...bench.map((player) => ({ ...player, starting: false })),
  ]
  const captain = players.findIndex((one) => one.captain)
  return draftOf(squad, {
    formation: null,
    players: players.map((player, index) => ({ ...player, captain: index === captain })),
  })
}

/** The draft over the squad as it is by now: who has left it is gone, who has come to it is not in the squad of the day. The same where nothing has changed. */
export function fitted(draft: Draft, squad: Squad): Draft {
  const known = new Map(squad.map((player) => [String(player.id), player]))
  const stays = draft.order.filter((id) => id === BENCH || id === OUT || known.has(id))
  const came = [...known].filter(([id]) => !draft.order.includes(id))
  if (came.length === 0 && stays.length === draft.order.length) return draft
  const { captain } = draft
  return {
    ...draft,
    order: [...stays, ...came.map(([id]) => id)],
    entries: {
      ...draft.entries,
      ...Object.fromEntries(
        came.map(([id, { number, position }]) => [id, { number: number ?? '', position: position ?? '' }]),
      ),
    },
    captain: captain !== undefined && known.has(captain) ? captain : undefined,
  }
}

export const startersOf = ({ order }: Draft) => order.slice(0, order.indexOf(BENCH))
export const benchOf = ({ order }: Draft) => order.slice(order.indexOf(BENCH) + 1, order.indexOf(OUT))
export const outOf = ({ order }: Draft) => order.slice(order.indexOf(OUT) + 1)

/** The draft with a player or mark at another place. The marks keep their order. */
export function moved(draft: Draft, id: string, to: number): Draft {
  const order = draft.order.filter((one) => one !== id)
  order.splice(to, 0, id)
  return order.indexOf(BENCH) < order.indexOf(OUT) ? { ...draft, order } : draft
}

/** The draft with a player at the end of a part. */
export function sentTo(draft: Draft, id: string, part: 'starters' | 'bench' | 'out'): Draft {
  const order = draft.order.filter((one) => one !== id)
  const at = part === 'starters' ? order.indexOf(BENCH) : part === 'bench' ? order.indexOf(OUT) : order.length
  order.splice(at, 0, id)
  return { ...draft, order, captain: part === 'out' && draft.captain === id ? undefined : draft.captain }
}

/** What is sent. A number or position that is the squad's own is left to the squad, so that it follows it. */
export function sentOf(teamId: number, squad: Squad, draft: Draft): SentLineup {
  const known = new Map(squad.map((player) => [String(player.id), player]))
  const fielded = (starting: boolean) => (id: string) => {
    const { number = '', position = '' } = draft.entries[id] ?? {}
    const own = known.get(id)
    return {
      playerId: Number(id),
      number: number.trim() === (own?.number ?? '') ? null : number.trim(),
      position: position.trim() === (own?.position ?? '') || position.trim() === '' ? null : position.trim(),
      starting,
      captain: draft.captain === id,
    }
  }
  const formation = draft.formation.trim() === '' ? null : draft.formation.trim()
  const players = [...startersOf(draft).map(fielded(true)), ...benchOf(draft).map(fielded(false))]
  return { teamId, formation, players }
}

/** What is wrong, in the words of the server, by the id of the player. */
export function faultsOf(sent: SentLineup, squad: Squad, sizes: Sizes): ReadonlyMap<string, readonly string[]> {
  const rosters = new Map([[sent.teamId, new Map(squad.map(({ id, number }) => [id, number]))]])
  return byPlayer(sent, lineupErrors({ teams: [sent] }, { ...sizes, teamIds: [sent.teamId], rosters }))
}

/** Faults by their path in a request (`body.teams[0].players[3].number`), by the id of the player. */
export function byPlayer(
  { players }: SentLineup,
  details: Readonly<Record<string, { message: string }>>,
): ReadonlyMap<string, readonly string[]> {
  const faults = new Map<string, string[]>()
  for (const [path, { message }] of Object.entries(details)) {
    const index = /\.players\[(\d+)\]/.exec(path)?.[1]
    const id = index === undefined ? '' : String(players[Number(index)]?.playerId ?? '')
    faults.set(id, [...(faults.get(id) ?? []), message])
  }
  return faults
}
