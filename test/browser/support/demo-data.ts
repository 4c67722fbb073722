import type { GraphicData, GraphicLineup, GraphicTeam } from '../../../src/demo/graphics/data.ts'

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

/** A match in its second half, as LOAD_GRAPHIC carries it. */
export const demoData: GraphicData = {
  match: {
    id: 1,
    name: null,
    state: 'live',
    date: '2026-11-20T19:00:00.000Z',
    round: 'Round 12',
    venue: { name: 'Harbour Park' },
    competition: { name: 'Premier Division' },
    period: { number: 2, type: 'half', name: '2nd half' },
    clock: { running: false, valueMs: 4_042_000, asOf: '2026-11-20T20:00:00.000Z', direction: 'up' },
    score: { home: 2, away: 1 },
  },
  teams: { home: team(1, 'Harbour City', 'HAR', '#0d4fd6'), away: team(2, 'Northgate United', 'NGU', '#c8102e') },
  lineups: { home: lineup(100), away: lineup(200) },
  facts: [
    { id: 1, type: 'goal', teamId: 1, playerId: 109, minute: 23, addedMinute: null },
    { id: 2, type: 'penaltyGoal', teamId: 2, playerId: 203, minute: 45, addedMinute: 2 },
    { id: 3, type: 'ownGoal', teamId: 2, playerId: 204, minute: 61, addedMinute: null },
  ],
}
