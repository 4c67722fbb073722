import type {
  GraphicData,
  GraphicFact,
  GraphicLineup,
  GraphicStanding,
  GraphicTeam,
} from '../../../src/demo/graphics/data.ts'

const names = [
  'Oduya',
  'Fraser',
  'Lindqvist',
  'Pavlović',
  'O’Rourke',
  'Giménez',
  'Çelik',
  'Vasconcelos',
  'Mensah',
  'Højberg',
]

const lineup = (from: number): GraphicLineup => ({
  formation: '4-3-3',
  players: Array.from({ length: 18 }, (_, index) => ({
    id: from + index,
    firstName: 'Sam',
    lastName: names[index % names.length] ?? '',
    gfxFirstName: null,
    gfxLastName: null,
    number: String(index + 1),
    position: index === 0 ? 'GK' : 'MF',
    starting: index < 11,
    captain: index === 4,
  })),
})

const team = (id: number, name: string, abbreviation: string, primaryBackgroundColor: string): GraphicTeam => ({
  id,
  name,
  gfxName: name,
  abbreviation,
  primaryBackgroundColor,
  primaryTextColor: '#ffffff',
  coach: 'Elena Marchetti',
})

const goals: GraphicFact[] = [
  {
    id: 1,
    type: 'goal',
    side: 'home',
    playerId: 109,
    playerName: 'Højberg',
    period: 1,
    periodType: 'half',
    minute: 23,
    addedMinute: null,
  },
  {
    id: 2,
    type: 'penaltyGoal',
    side: 'away',
    playerId: 203,
    playerName: 'Pavlović',
    period: 1,
    periodType: 'half',
    minute: 45,
    addedMinute: 2,
  },
  {
    id: 3,
    type: 'ownGoal',
    side: 'away',
    playerId: 204,
    playerName: 'O’Rourke',
    period: 2,
    periodType: 'half',
    minute: 61,
    addedMinute: null,
  },
]

const standing = (name: string, index: number): GraphicStanding => ({
  teamId: index + 1,
  shortName: `${name} Athletic`,
  primaryBackgroundColor: '#0d4fd6',
  primaryTextColor: '#ffffff',
  group: null,
  position: index + 1,
  played: 11,
  won: 8 - Math.floor(index / 2),
  drawn: 2,
  lost: 1 + Math.floor(index / 2),
  difference: 14 - 3 * index,
  points: 26 - 2 * index,
  form: ['W', 'D', 'L', 'W', 'W'],
})

/** A match in its second half, as LOAD_GRAPHIC carries it. */
export const demoData: GraphicData = {
  match: {
    id: 1,
    name: null,
    sport: 'football',
    state: 'live',
    date: '2026-11-20T19:00:00.000Z',
    round: 'Round 12',
    venue: { name: 'Harbour Park' },
    competition: { name: 'Premier Division' },
    period: { number: 2, type: 'half', name: '2nd half', endMs: 5_400_000 },
    clock: { running: false, valueMs: 4_042_000, asOf: '2026-11-20T20:00:00.000Z', direction: 'up' },
    score: { home: 2, away: 1 },
    situation: null,
    config: { periodCount: 2, useClock: true, injuryTime: true, endBehaviour: 'tickUntilEnd' },
  },
  teams: { home: team(1, 'Harbour City', 'HAR', '#0d4fd6'), away: team(2, 'Northgate United', 'NGU', '#c8102e') },
  lineups: { home: lineup(100), away: lineup(200) },
  competitors: [
    { isHome: true, name: 'Harbour City', shortName: 'Harbour City' },
    { isHome: false, name: 'Northgate United', shortName: 'Northgate United' },
  ],
  facts: goals,
  scoringFacts: goals,
  statistics: {
    home: { possession: 54, shots: 13, corners: 7, distance: 108.4 },
    away: { possession: 46, shots: 9, corners: 4, distance: 106.9 },
  },
  standings: { rows: names.map(standing), groups: [] },
}
