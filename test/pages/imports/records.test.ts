import { describe, expect, it } from 'vitest'
import type { Judged } from '../../../src/pages/dashboard/imports/judged.ts'
import { matchKind } from '../../../src/pages/dashboard/imports/match-kind.ts'
import {
  clubKind,
  competitionKind,
  officialKind,
  teamKind,
  venueKind,
} from '../../../src/pages/dashboard/imports/record-kinds.ts'
import { judgeRecords, type Kind, sheetOf } from '../../../src/pages/dashboard/imports/records.ts'

const VENUES = [
  { id: 3, name: 'Harbour Park', city: 'Bergen', timezone: 'Europe/Oslo' },
  { id: 4, name: 'Southern Oval', city: 'Hobart', timezone: 'Australia/Hobart' },
].map((one) => ({
  ...{ gfxName: null, address: null, state: null, country: null, latitude: null, longitude: null, courts: [] },
  ...one,
}))
const CLUBS = [{ id: 8, name: 'Harbour Sports Club' }]
const GRADES = [
  { id: 1, name: 'Premier' },
  { id: 2, name: 'Other' },
]
const COMPETITIONS = [
  { id: 5, name: 'Coast League', gfxName: null, sport: 'football' as const },
  { id: 6, name: 'Coast Cup 2027', gfxName: null, sport: 'football' as const },
]
const TEAMS = [
  {
    ...{ id: 11, name: 'Harbour United', abbreviation: 'HAR', sport: 'football' as const, clubId: 8 },
    nonPlayerStaff: [
      { firstName: 'Ida', lastName: 'Holm', role: 'manager' as const },
      { firstName: 'Bo', lastName: 'Lie', role: 'assistantManager' as const },
    ],
  },
  { id: 12, name: 'Northgate Rovers', gfxName: 'Northgate', sport: 'football' as const },
]

const judged = (kind: Kind, text: string) => {
  const { rows, mapping } = sheetOf(kind, text)
  return judgeRecords(kind, rows, mapping)
}
const reasons = (all: readonly Judged[]) => all.map((row) => (row.is === 'wrong' ? row.reasons : row.is))
const teams = (more: Partial<Parameters<typeof teamKind>[0]> = {}) =>
  teamKind({
    ...{ teams: TEAMS, clubs: CLUBS, venues: VENUES, competitions: COMPETITIONS, grades: GRADES },
    ...{ membersOf: new Map([[5, [11, 12]]]), ...more },
  })

describe('[issue 21.5] teams from a list', () => {
  it('are found by name and sport, and get what the row says: by names of what is there', () => {
    const all = judged(
      teams(),
      [
        'Team;Short;Sport;Club;Home ground;League;Coach',
        'HARBOUR united;HAR;football;;;Coast League;Ida Holm',
        'Northgate Rovers;NGR;Football;Harbour Sports Club;harbour park;Coast Cup 2027;',
        'Eastfield Town;EAS;futsal;8;;;Ola Nord Mann',
      ].join('\n'),
    )
    expect(all).toMatchObject([
      // of the same name in other letters, and all that it says is so
      { line: 2, is: 'changed', id: 11, fields: { name: 'HARBOUR united' } },
      {
        ...{ line: 3, is: 'changed', id: 12 },
        body: { abbreviation: 'NGR', clubId: 8, defaultVenueId: 3, competitionIds: [6] },
      },
      {
        ...{ line: 4, is: 'new', name: 'Eastfield Town' },
        body: {
          ...{ name: 'Eastfield Town', abbreviation: 'EAS', sport: 'futsal', clubId: 8 },
          nonPlayerStaff: [{ firstName: 'Ola', lastName: 'Nord Mann', role: 'manager' }],
        },
      },
    ])
    expect(teams().stepsOf(all)).toMatchObject([
      {
        lines: [2, 3, 4],
        path: '/v1/teams/batch',
        body: { teams: [{ id: 11 }, { id: 12 }, { name: 'Eastfield Town' }] },
      },
    ])
  })

  it('a new coach leaves the rest of the staff', () => {
    const [row] = judged(teams(), 'name,sport,manager\nHarbour United,football,Eva Dahl')
    expect(row).toMatchObject({
      is: 'changed',
      fields: { manager: 'Eva Dahl' },
      before: { manager: 'Ida Holm' },
      body: {
        nonPlayerStaff: [
          { firstName: 'Eva', lastName: 'Dahl', role: 'manager' },
          { firstName: 'Bo', lastName: 'Lie', role: 'assistantManager' },
        ],
      },
    })
  })

  it('tell everything that is wrong, by column and line', () => {
    const all = judged(
      teams(),
      [
        'name,sport,short,club,id',
        'Short,footbal,TOOLONG,Nobody FC,',
        ',football,,,',
        'Nameless Town,,,,',
        'Harbour United,football,,,99',
        'Eastfield Town,football,,,',
        'EASTFIELD  town,football,,,',
        'B\ufffdd Encoding,football,,,',
      ].join('\n'),
    )
    expect(reasons(all)).toEqual([
      [
        'Name: has 5 characters, and needs 6 to 39',
        'Short: has 7 characters, and needs 2 to 4',
        expect.stringMatching(/^Sport: “footbal” is none of Football, /),
        'Club: “Nobody FC” is no club that is there',
      ],
      ['Name: is missing'],
      ['Sport: is missing'],
      ['Id: there is no team 99'],
      'new',
      ['The same team as in line 6'],
      [expect.stringContaining('save the file as UTF-8')],
    ])
  })

  it('of a competition have its sport, and play in it', () => {
    const all = judged(teams({ into: COMPETITIONS[1] }), 'name\nHarbour United\nEastfield Town')
    expect(all).toMatchObject([
      { is: 'changed', id: 11, body: { competitionIds: [6] } },
      { is: 'new', body: { name: 'Eastfield Town', sport: 'football', competitionIds: [6] } },
    ])
    const again = judged(teams({ into: COMPETITIONS[0] }), 'name\nHarbour United')
    expect(reasons(again)).toEqual(['same'])
  })
})

describe('[issue 21.5] clubs, venues, officials and competitions from a list', () => {
  it('are made or changed, and nobody is doubled', () => {
    expect(
      judged(clubKind(CLUBS, VENUES), 'Club\tColour\tGround\nHarbour Sports Club\t#123\tHarbour Park'),
    ).toMatchObject([{ is: 'changed', id: 8, fields: { primaryBackgroundColor: '#123', defaultVenueId: 3 } }])
    const venues = 'name,city,lat,tz,courts\nHarbour Park,,"60,39",Europe/Oslo,1; 2\nEast Arena,Bergen,91,Mars/Base,'
    expect(judged(venueKind(VENUES), venues)).toMatchObject([
      { is: 'changed', id: 3, fields: { latitude: 60.39, courts: ['1', '2'] }, before: { latitude: null } },
      {
        is: 'wrong',
        reasons: [
          'Time zone: “Mars/Base” is no time zone: write it as Europe/Oslo',
          'Latitude: “91” is no number of -90 to 90',
        ],
      },
    ])
    const kari = { id: 2, firstName: 'Kari', lastName: 'Moen', role: null, gfxName: null }
    const officials = 'First name,Surname,Role\nkari,moen,Assistant referee\nOla,,umpire'
    expect(judged(officialKind([kari]), officials)).toMatchObject([
      { is: 'changed', id: 2, fields: { role: 'assistantReferee' } },
      { is: 'wrong', reasons: ['Last name: is missing'] },
    ])
    const competitions =
      'League;Sport;Grade\nCoast League;football;Premier\nCoast League;futsal;Premier\nNew League;cricket;'
    expect(judged(competitionKind(COMPETITIONS, GRADES), competitions)).toMatchObject([
      { is: 'same', id: 5 },
      { is: 'new', body: { sport: 'futsal', gradeId: 1, age: 'Unknown' } },
      { is: 'new', body: { sport: 'cricket', gradeId: 2 } },
    ])
  })

  it('of one name twice need an id', () => {
    const twins = [...CLUBS, { id: 9, name: 'Harbour Sports Club' }]
    expect(reasons(judged(clubKind(twins, VENUES), 'name,id\nHarbour Sports Club,\nHarbour Sports Club,9'))).toEqual([
      ['2 clubs could be meant: the id must say which'],
      'same',
    ])
  })
})

describe('[issue 21.5] fixtures of a competition', () => {
  const match = (id: number, date: string, more: object = {}) => ({
    ...{
      id,
      competitionId: 5,
      name: null,
      homeTeamId: 11,
      awayTeamId: 12,
      date,
      timezone: 'Europe/Oslo',
      venueId: null,
    },
    ...{ round: null, state: 'scheduled', homeTeam: TEAMS[0], awayTeam: TEAMS[1], ...more },
  })
  const fixtures = (matches: readonly object[] = [], zone = 'Europe/Oslo') =>
    matchKind({
      ...{ competition: COMPETITIONS[0] ?? never(), teams: TEAMS, venues: VENUES, zone, order: 'dayFirst' },
      // the fields that the import looks at
      matches: matches as Parameters<typeof matchKind>[0]['matches'],
    })

  it('are made at the time of their ground, else of the chosen zone, all in one request', () => {
    const kind = fixtures()
    const all = judged(
      kind,
      [
        'Date,Time,Home,Away,Venue,Round',
        '6.3.2027,18:00,Harbour United,Northgate,,Round 1',
        '3.4.2027,14:30,northgate rovers,HAR,Southern Oval,Round 2',
      ].join('\n'),
    )
    const teamsOf = (homeTeamId: number, awayTeamId: number) => ({ competitionId: 5, homeTeamId, awayTeamId })
    expect(kind.stepsOf(all)).toEqual([
      {
        ...{ lines: [2, 3], method: 'POST', path: '/v2/matches/batch' },
        body: {
          matches: [
            { ...teamsOf(11, 12), date: '2027-03-06T17:00:00.000Z', timezone: 'Europe/Oslo', round: 'Round 1' },
            { ...teamsOf(12, 11), date: '2027-04-03T03:30:00.000Z', venueId: 4, round: 'Round 2' },
          ],
        },
      },
    ])
  })

  it('that are there are moved, not doubled: of the same round, or on the same day', () => {
    const kind = fixtures([
      match(1, '2027-03-06T17:00:00.000Z', { round: 'Round 1' }),
      match(2, '2027-05-01T17:00:00.000Z'),
      match(3, '2027-06-01T17:00:00.000Z', { state: 'finished' }),
    ])
    const line = (date: string, round: string) => `${date},Harbour United,Northgate Rovers,${round}`
    const all = judged(
      kind,
      [
        'date,home,away,round',
        line('2027-03-13 20:00', 'round 1'),
        line('2027-05-01 15:00', ''),
        line('2027-05-08 15:00', ''),
      ]
        .concat([line('2027-06-01 19:00', ''), line('2027-06-01 20:00', '')])
        .join('\n'),
    )
    expect(all).toMatchObject([
      { is: 'changed', id: 1, body: { date: '2027-03-13T19:00:00.000Z' } },
      { is: 'changed', id: 2, body: { date: '2027-05-01T13:00:00.000Z' } },
      { is: 'new' },
      { is: 'same', id: 3 },
      { is: 'wrong' },
    ])
    expect(kind.stepsOf(all).map(({ path, lines }) => [path, lines])).toEqual([
      ['/v2/matches/batch', [4]],
      ['/v2/matches/1', [2]],
      ['/v2/matches/2', [3]],
    ])
    const late = judged(kind, `date,home,away\n2027-06-01 20:00,HAR,Northgate`)
    expect(reasons(late)).toEqual([['The match is finished: it is changed on its own page']])
  })

  it('tell what is wrong by column: days, times, teams', () => {
    const all = judged(
      fixtures(),
      [
        'date,time,home,away',
        '31.2.2027,18:00,Harbour United,Northgate Rovers',
        '6.3.2027,late,Harbour United,Northgate Rovers',
        '6.3.2027,,Harbour United,Northgate Rovers',
        '6.3.2027,18:00,Harbour United,HAR',
        '6.3.2027,18:00,Harbour United,Strangers',
        ',,Harbour United,Northgate Rovers',
      ].join('\n'),
    )
    // each is called as the file calls it
    expect(all[4]?.name).toBe('Harbour United – Strangers')
    expect(reasons(all)).toEqual([
      ['Date: “31.2.2027” is no day: write it as 2027-03-06, or 6.3.2027 18:00'],
      ['Time: “late” is no time of day: write it as 18:00'],
      ['Time: is missing'],
      ['Away: a team cannot play against itself'],
      ['Away: “Strangers” is no team of the competition that is there'],
      ['Date: is missing'],
    ])
  })
})

const never = () => {
  throw new Error('the list is empty')
}
