import type { Competitor } from '../../../machines/match-model.ts'
import { exampleValues } from '../../../machines/statistics/names.ts'
import { SPORTS, type SportKey } from '../../schema/sport.ts'
import type { Composed } from '../matches/compose-sport-data.ts'
import { type Name, nameOf, type Pool, peopleOf } from './people.ts'
import { tableOf } from './table.ts'

export type Side = 'home' | 'away'
type Player = Composed['lineups'][number]['players'][number]

type Club = {
  name: string
  gfxName: string
  gfxFullName?: string
  abbreviation: string
  /** Ground and text, then the second pair. */
  colours: readonly [string, string, string, string]
  coach: string
  formation?: string
}

/** Invented teams, players, venues and competitions. */
export type Cast = {
  competition: readonly [name: string, gfxName: string]
  round: string
  /** ISO 8601, UTC. */
  date: string
  venue: { name: string; gfxName?: string; city: string; country: string; timezone: string; courts?: readonly string[] }
  pool: Pool
  /** Where among the people the home side begins. */
  from: number
  /** Left out, players compete without teams. */
  clubs?: Readonly<Record<Side, Club>>
  /** Players a side when there are no clubs. */
  alone?: 1 | 2
  /** `GK:goalkeeper RB:defender`: place by place of the starters, then of the bench. */
  positions?: string
  /** Shirt numbers by place; left out, from 1. */
  numbers?: Readonly<Partial<Record<Side, string>>>
  captain?: number
  /** Roles of the officials. */
  officials: readonly string[]
  /** Which places facts of a type fall to; others to all starters but the first. */
  by?: Readonly<Record<string, readonly number[]>>
}

/** On the roster, and not in the line-up. */
const LEFT_OUT = 2

/** The records around a match of this cast; its state is the story's. */
export type Production = Omit<Composed, 'match'> & {
  competitors: readonly Competitor[]
  /** Everyone of a side in the order of the line-up. */
  players: Readonly<Record<Side, readonly Player[]>>
  createdAt: string
}

/** Ids of a sport's records follow it. */
const baseOf = (sport: SportKey) => (SPORTS.indexOf(sport) + 1) * 1_000

/** Makes the records of the `number`th match of a sport. Ids are the same each time. */
export function produce(sport: SportKey, cast: Cast, number: number): Production {
  const base = baseOf(sport)
  const { competition, venue, officials } = cast
  const sides = { home: sideOf(sport, cast, 'home'), away: sideOf(sport, cast, 'away') }
  const referees = peopleOf(cast.pool === 'men' ? 'women' : 'men', cast.from + 7, officials.length)
  const both = [sides.home, sides.away]
  return {
    row: {
      id: base + number,
      organizationId: base,
      name: null,
      sport,
      competitorsType: cast.clubs ? 'teams' : cast.alone === 2 ? 'doubles' : 'singles',
      startsAt: new Date(cast.date),
      timezone: venue.timezone,
      round: cast.round,
      competition: { id: base + 50, name: competition[0], gfxName: competition[1] },
      venue: {
        id: base + 60,
        name: venue.gfxName ?? venue.name,
        fullName: venue.name,
        city: venue.city,
        country: venue.country,
        courts: [...(venue.courts ?? [])],
      },
      officials: officials.map((role, index) => {
        const { firstName, lastName } = referees[index] ?? nameOf('Sam Field')
        return { id: base + 70 + index, role, firstName, lastName, gfxName: `${firstName[0]}. ${lastName}` }
      }),
      competitors: both.flatMap(({ competitors }) => competitors).map((one, order) => ({ ...one, order })),
    },
    teams: both.flatMap(({ team }) => (team ? [team] : [])),
    lineups: both.flatMap(({ lineup }) => (lineup ? [lineup] : [])),
    roster: both.flatMap(({ roster }) => roster),
    standings: tableOf(sport, cast, base),
    given: givenOf(sport, both),
    competitors: both
      .flatMap(({ competitors }) => competitors)
      .map(({ entityType, teamId, playerId, isHome }) => ({ entityType, teamId, playerId, isHome })),
    players: { home: sides.home.players, away: sides.away.players },
    createdAt: new Date(Date.parse(cast.date) - 7 * 86_400_000).toISOString(),
  }
}

/** Values that somebody tells of both sides. */
function givenOf(sport: SportKey, [home, away]: readonly SideRecords[]): Composed['given'] {
  const examples = Object.entries(exampleValues(sport))
  const ofSide = (index: 0 | 1) => Object.fromEntries(examples.map(([name, both]) => [name, both[index]]))
  const told = [home, away].map((side, index) => {
    const [competitor] = side?.competitors ?? []
    const id = competitor?.teamId ?? competitor?.playerId
    return { [competitor?.teamId ? 'teams' : 'players']: { [String(id)]: ofSide(index === 0 ? 0 : 1) } }
  })
  return {
    teams: Object.assign({}, ...told.map((one) => one.teams)),
    players: Object.assign({}, ...told.map((one) => one.players)),
  }
}

type SideRecords = {
  competitors: Omit<Composed['row']['competitors'][number], 'order'>[]
  team: Composed['teams'][number] | undefined
  lineup: Composed['lineups'][number] | undefined
  roster: Composed['roster'][number][]
  players: Player[]
}

function sideOf(sport: SportKey, cast: Cast, side: Side): SideRecords {
  const base = baseOf(sport)
  const isHome = side === 'home'
  const club = cast.clubs?.[side]
  const places = cast.positions?.split(' ') ?? Array.from({ length: cast.alone ?? 1 }, () => '')
  const names = peopleOf(cast.pool, cast.from + (isHome ? 0 : places.length + LEFT_OUT), places.length + LEFT_OUT)
  const teamId = base + (isHome ? 11 : 12)
  const playerId = base + (isHome ? 100 : 200)
  if (!club) {
    const alone = names.slice(0, places.length)
    return {
      competitors: alone.map((player, index) => ({
        entityType: 'player',
        teamId: null,
        playerId: playerId + index,
        isHome,
        player,
      })),
      team: undefined,
      lineup: undefined,
      roster: alone.map((name, index) => ({ ...blank(name, playerId + index), teamId: null })),
      players: alone.map((name, index) => ({ ...blank(name, playerId + index), teamId, starting: true })),
    }
  }
  const numbers = cast.numbers?.[side]?.split(' ')
  const starters = places.indexOf('|')
  const named = places.filter((place) => place !== '|')
  const players = named.map((place, index): Player => {
    const [position = '', positionType = ''] = place.split(':')
    return {
      ...blank(names[index] ?? nameOf('Sam Field'), playerId + index),
      teamId,
      number: numbers?.[index] ?? String(index + 1),
      position: position || null,
      positionType: positionType || null,
      captain: index + 1 === (cast.captain ?? 4),
      starting: index < starters,
    }
  })
  const left = names.slice(named.length).map((name, index) => ({ ...blank(name, playerId + 80 + index), teamId }))
  const staff = [{ ...nameOf(club.coach), role: 'manager' as const }]
  return {
    competitors: [{ entityType: 'team', teamId, playerId: null, isHome, player: null }],
    team: teamOf(sport, club, teamId),
    lineup: { teamId, formation: club.formation ?? null, players, staff },
    roster: [...players.map(({ starting: _, ...player }) => player), ...left],
    players,
  }
}

function teamOf(sport: SportKey, club: Club, id: number): Composed['teams'][number] {
  const { name, gfxName, gfxFullName, abbreviation, colours, coach } = club
  return {
    id,
    name,
    gfxName,
    ...(gfxFullName !== undefined && { gfxFullName }),
    abbreviation,
    primaryBackgroundColor: colours[0],
    primaryTextColor: colours[1],
    secondaryBackgroundColor: colours[2],
    secondaryTextColor: colours[3],
    sport,
    nonPlayerStaff: [{ ...nameOf(coach), role: 'manager' }],
  }
}

const LONGEST_GFX_NAME = 16

/** A last name that is too long for most graphics has a shorter one for them, if it comes in parts. */
const blank = ({ firstName, lastName }: Name, id: number) => ({
  id,
  firstName,
  lastName,
  gfxFirstName: null,
  gfxLastName:
    Array.from(lastName).length > LONGEST_GFX_NAME && lastName.includes('-') ? (lastName.split('-')[0] ?? null) : null,
  number: null,
  position: null,
  positionType: null,
  captain: false,
})
