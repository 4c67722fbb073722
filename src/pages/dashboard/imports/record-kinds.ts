import { SPORTS } from '../../../../machines/sports.ts'
import { AGES, GENDERS } from '../records/options.ts'
import { type Column, choiceColumn, numberColumn, recordColumn, textColumn } from './columns.ts'
import type { Fields } from './judged.ts'
import { inBatches, type Kind, type Known } from './records.ts'
import { alike } from './sheet.ts'
import type { Club, Competition, GradeList, Official, Team, Venue } from './told.ts'

const NAME = [6, 39] as const
const GFX_NAME = [6, 19] as const
const sportColumn = choiceColumn('sport', 'Sport', Object.keys(SPORTS), 'sportart', 'game')

const COLOURS: readonly Column[] = [
  textColumn('primaryBackgroundColor', 'Colour', [1, 64], 'color', 'primarycolour', 'primarycolor', 'farbe'),
  textColumn('primaryTextColor', 'Text on it', [1, 64], 'textcolour', 'textcolor'),
  textColumn('secondaryBackgroundColor', 'Second colour', [1, 64], 'secondcolor', 'secondarycolour', 'secondarycolor'),
  textColumn('secondaryTextColor', 'Text on the second', [1, 64], 'secondtextcolour', 'secondtextcolor'),
]

const venueColumn = (venues: readonly Venue[]) =>
  recordColumn('defaultVenueId', 'Home ground', 'venue', venues, 'venue', 'ground', 'stadium', 'homevenue', 'home')

const named = { inName: ['name'], nameOf: ({ name }: Fields) => String(name ?? '') }
/** A record with its fields as the API tells them. */
const asTold = <T extends { id: number }>(records: readonly T[]): Known[] =>
  records.map((record) => ({ id: record.id, fields: record }))

/** Clubs, told apart by their names. */
export const clubKind = (clubs: readonly Club[], venues: readonly Venue[]): Kind => ({
  ...{ noun: 'club', nouns: 'clubs', needs: ['name'], identity: ['name'], defaults: {}, ...named },
  columns: [textColumn('name', 'Name', NAME, 'club', 'verein'), venueColumn(venues), ...COLOURS],
  known: asTold(clubs),
  stepsOf: inBatches('/v1/teams/clubs/batch', 'clubs'),
  example: 'Name\tColour\tHome ground\nHarbour Sports Club\t#123a6b\t',
})

/** Venues, told apart by name and city. */
export const venueKind = (venues: readonly Venue[]): Kind => ({
  ...{ noun: 'venue', nouns: 'venues', needs: ['name'], identity: ['name', 'city'], defaults: {}, ...named },
  columns: [
    textColumn('name', 'Name', NAME, 'venue', 'ground', 'stadium'),
    textColumn('city', 'City', [0, 255], 'town', 'stadt', 'place'),
    textColumn('gfxName', 'Name on graphics', GFX_NAME, 'shortname'),
    textColumn('address', 'Address', [0, 255], 'street'),
    textColumn('state', 'State or region', [0, 255], 'state', 'region'),
    textColumn('country', 'Country', [0, 255], 'land'),
    zoneColumn,
    numberColumn('latitude', 'Latitude', [-90, 90], 'lat'),
    numberColumn('longitude', 'Longitude', [-180, 180], 'lon', 'lng', 'long'),
    courtsColumn,
  ],
  known: asTold(venues),
  stepsOf: inBatches('/v1/venues/batch', 'venues'),
  example: 'Name\tCity\tTime zone\nHarbour Park\tBergen\tEurope/Oslo',
})

const zoneColumn: Column = {
  ...{ name: 'timezone', title: 'Time zone', aliases: ['zone', 'tz', 'zeitzone'] },
  read(cell) {
    try {
      if (!/^[A-Za-z]/.test(cell)) throw new RangeError()
      return { value: new Intl.DateTimeFormat('en', { timeZone: cell }).resolvedOptions().timeZone && cell }
    } catch {
      return { fault: `“${cell}” is no time zone: write it as Europe/Oslo` }
    }
  },
}

const courtsColumn: Column = {
  ...{ name: 'courts', title: 'Courts', aliases: ['court', 'pitches', 'fields'] },
  read(cell) {
    const courts = cell
      .split(/[;,\n|]/)
      .map((court) => court.trim())
      .filter(Boolean)
    const long = courts.find((court) => Array.from(court).length > 64)
    return long ? { fault: `“${long.slice(0, 20)}…” has more than 64 characters` } : { value: courts }
  },
  shown: (value) => (Array.isArray(value) ? value.join(', ') : ''),
}

const OFFICIAL_ROLES = ['referee', 'assistantReferee', 'umpire', 'videoReferee', 'scorer', 'timekeeper']

/** Officials, told apart by their names. */
export const officialKind = (officials: readonly Official[]): Kind => ({
  ...{ noun: 'official', nouns: 'officials', defaults: {} },
  needs: ['firstName', 'lastName'],
  identity: ['lastName', 'firstName'],
  inName: ['firstName', 'lastName'],
  nameOf: ({ firstName, lastName }) => [firstName, lastName].filter(Boolean).join(' '),
  columns: [
    textColumn('firstName', 'First name', [1, 35], 'first', 'givenname', 'vorname'),
    textColumn('lastName', 'Last name', [1, 35], 'last', 'surname', 'familyname', 'nachname'),
    choiceColumn('role', 'Usual role', OFFICIAL_ROLES, 'role'),
    textColumn('gfxName', 'Name on graphics', [1, 35]),
  ],
  known: asTold(officials),
  stepsOf: inBatches('/v1/officials/batch', 'officials'),
  example: 'First name\tLast name\tRole\nKari\tMoen\tReferee',
})

const ageColumn = { ...choiceColumn('age', 'Age', AGES, 'agegroup'), onlyNew: true }
const genderColumn = { ...choiceColumn('gender', 'Gender', GENDERS, 'sex'), onlyNew: true }
const gradeColumn = (grades: GradeList) => ({
  ...recordColumn('gradeId', 'Grade', 'grade', grades, 'level', 'grade'),
  onlyNew: true,
})

/** Competitions, told apart by name and sport. */
export const competitionKind = (competitions: readonly Competition[], grades: GradeList): Kind => ({
  ...{ noun: 'competition', nouns: 'competitions', needs: ['name', 'sport'], identity: ['name', 'sport'], ...named },
  defaults: {
    ...{ age: 'Unknown', gender: 'Unknown' },
    gradeId: (grades.find(({ name }) => name === 'Other') ?? grades[0])?.id,
  },
  columns: [
    textColumn('name', 'Name', NAME, 'competition', 'league', 'liga'),
    { ...sportColumn, onlyNew: true },
    textColumn('gfxName', 'Name on graphics', GFX_NAME, 'shortname'),
    ageColumn,
    genderColumn,
    gradeColumn(grades),
  ],
  known: asTold(competitions),
  stepsOf: inBatches('/v1/competitions/batch', 'competitions'),
  example: 'Name\tSport\tAge\nCoast League\tFootball\tSenior',
})

type ForTeams = {
  teams: readonly Team[]
  clubs: readonly Club[]
  venues: readonly Venue[]
  competitions: readonly Competition[]
  grades: GradeList
  /** The ids of the teams of each competition. */
  membersOf: ReadonlyMap<number, readonly number[]>
  /** The competition that the list is of. */
  into?: Competition | undefined
}

/** Teams, told apart by name and sport; with their managers, and the competition that they play in. */
export function teamKind({ teams, clubs, venues, competitions, grades, membersOf, into }: ForTeams): Kind {
  const playsIn = recordColumn('competitionIds', 'Plays in', 'competition', competitions, 'competition', 'league')
  return {
    ...{ noun: 'team', nouns: 'teams', needs: ['name', 'sport'], identity: ['name', 'sport'], ...named },
    defaults: into ? { sport: into.sport } : {},
    always: into ? { competitionIds: into.id } : {},
    columns: [
      textColumn('name', 'Name', NAME, 'team', 'teamname', 'mannschaft'),
      textColumn('abbreviation', 'Short', [2, 4], 'abbr', 'abbrev', 'code', 'kürzel'),
      { ...sportColumn, onlyNew: true },
      recordColumn('clubId', 'Club', 'club', clubs, 'verein'),
      textColumn('gfxName', 'Name on graphics', GFX_NAME, 'shortname'),
      textColumn('gfxFullName', 'Full name on graphics', [6, 35], 'fullname', 'longname'),
      venueColumn(venues),
      {
        ...playsIn,
        has: (known, value) => Array.isArray(known) && known.includes(value),
        shown: (value) =>
          [value]
            .flat()
            .map((id) => playsIn.shown?.(id, {}))
            .join(', '),
      },
      ...COLOURS,
      personColumn('manager', 'Manager', 'coach', 'headcoach', 'trainer'),
      personColumn('assistantManager', 'Assistant manager', 'assistant', 'assistantcoach'),
      ageColumn,
      genderColumn,
      gradeColumn(grades),
    ],
    known: teams.map((team) => ({
      id: team.id,
      fields: {
        ...team,
        competitionIds: [...membersOf].flatMap(([id, members]) => (members.includes(team.id) ? [id] : [])),
        manager: staffOf(team, 'manager'),
        assistantManager: staffOf(team, 'assistantManager'),
      },
    })),
    sentOf: asTeam,
    stepsOf: inBatches('/v1/teams/batch', 'teams'),
    example: 'Name\tShort\tSport\tClub\tColour\tManager\nHarbour United\tHAR\tFootball\t\t#123a6b\tIda Holm',
  }
}

type StaffRole = NonNullable<Team['nonPlayerStaff']>[number]['role']

const staffOf = ({ nonPlayerStaff = [] }: Team, role: StaffRole) => {
  const one = nonPlayerStaff.find((member) => member.role === role)
  return one && `${one.firstName} ${one.lastName}`.trim()
}

const personColumn = (name: StaffRole, title: string, ...aliases: string[]): Column => ({
  ...textColumn(name, title, [1, 255], ...aliases),
  has: (known, value) => alike(String(known ?? '')) === alike(String(value)),
})

/** Of the staff only whoever has a role that the row names is replaced. */
function asTeam({ manager, assistantManager, competitionIds, ...fields }: Fields, known: Known | undefined): Fields {
  const named = Object.entries({ manager, assistantManager }).flatMap(([role, name]) => {
    if (typeof name !== 'string') return []
    const [firstName = '', ...rest] = name.split(/\s+/)
    return [{ firstName, lastName: rest.join(' '), role }]
  })
  const before = Array.isArray(known?.fields.nonPlayerStaff) ? known.fields.nonPlayerStaff : []
  const kept = before.filter(({ role }: { role: string }) => !named.some((one) => one.role === role))
  return {
    ...fields,
    ...(competitionIds !== undefined && { competitionIds: [competitionIds] }),
    ...(named.length > 0 && { nonPlayerStaff: [...named, ...kept] }),
  }
}
