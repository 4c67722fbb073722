import type { Competition, Team } from '../shapes.ts'
import { inputsOf, momentOfInputs, zoneHere } from './local-time.ts'

/** A choice of a list: `''` nothing yet, `new` one that is made with the match, else an id. */
export type Choice = string
export const NEW = 'new'

export type TeamDraft = { choice: Choice; name: string; abbreviation: string; colour: string }

/** The values of the form for a match and its overlay. */
export type Draft = {
  competition: Choice
  competitionName: string
  sport: string
  home: TeamDraft
  away: TeamDraft
  /** As the inputs give them, in the time of the browser. */
  date: string
  time: string
  venue: Choice
  venueName: string
  venueCity: string
  venueZone: string
  round: string
  /** `profile:3`, or `theme:3` for a theme that the competition does not wear yet. */
  look: string
  room: Choice
  /** Empty: named after the teams. */
  overlayName: string
  delay: string
}

export const newDraft = (now: Date): Draft => ({
  competition: '',
  competitionName: '',
  sport: 'football',
  home: { choice: '', name: '', abbreviation: '', colour: '#1f6fd6' },
  away: { choice: '', name: '', abbreviation: '', colour: '#b3132b' },
  ...kickOff(now),
  venue: '',
  ...newVenue(),
  round: '',
  look: '',
  room: '',
  overlayName: '',
  delay: '0',
})

/** A venue that is not there yet: where the browser is. */
export const newVenue = () => ({ venueName: '', venueCity: '', venueZone: zoneHere() })

export type VenueDraft = Pick<Draft, 'venue' | 'venueName' | 'venueCity' | 'venueZone'>

export const venueProblems = ({ venue, venueName }: VenueDraft): Problems =>
  venue === NEW && nameProblem(venueName) ? { venueName: NAME } : {}

/** The next full hour. */
const kickOff = (now: Date) => inputsOf(new Date(now.getFullYear(), now.getMonth(), now.getDate(), now.getHours() + 1))

export const isNew = ({ choice }: { choice: Choice }) => choice === NEW

export type Problems = Readonly<Partial<Record<string, string>>>

const NAME = 'Use 6 to 39 characters'

// as the service counts: code points
const lengthOf = (text: string) => Array.from(text.trim()).length
const nameProblem = (name: string) => (lengthOf(name) < 6 || lengthOf(name) > 39 ? NAME : undefined)

/** The faults left, by the field that they are said at. */
export function problemsOf(draft: Draft): Problems {
  const problems: Record<string, string | undefined> = {
    competition: draft.competition === '' ? 'Choose a competition' : undefined,
    competitionName: draft.competition === NEW ? nameProblem(draft.competitionName) : undefined,
    ...teamProblems('home', draft.home),
    ...teamProblems('away', draft.away),
    ...venueProblems(draft),
    kickOff: Number.isNaN(momentOfInputs(draft).getTime()) ? 'Say day and time' : undefined,
    overlayName: overlayNameProblem(draft.overlayName),
    delay: /^([0-5]?\d|60)$/.test(draft.delay.trim()) ? undefined : 'Use 0 to 60',
  }
  if (draft.home.choice === draft.away.choice && !isNew(draft.home) && draft.home.choice !== '')
    problems['away.choice'] = 'A team cannot play against itself'
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined))
}

function teamProblems(side: string, team: TeamDraft) {
  const short = lengthOf(team.abbreviation)
  return {
    [`${side}.choice`]: team.choice === '' ? 'Choose a team' : undefined,
    [`${side}.name`]: isNew(team) ? nameProblem(team.name) : undefined,
    [`${side}.abbreviation`]: isNew(team) && short > 0 && (short < 2 || short > 4) ? 'Use 2 to 4 letters' : undefined,
  }
}

function overlayNameProblem(name: string) {
  const length = lengthOf(name)
  return length > 0 && (length < 5 || length > 42) ? 'Use 5 to 42 characters' : undefined
}

/** The name that an overlay gets when none is given: the teams, as far as they go into 42 characters. Empty until both are chosen. */
export function overlayNameOf(draft: Draft, teams: readonly Team[]): string {
  const nameOf = ({ choice, name }: TeamDraft) =>
    (choice === NEW ? name.trim() : teams.find(({ id }) => String(id) === choice)?.name) ?? ''
  const [home, away] = [nameOf(draft.home), nameOf(draft.away)]
  const given = draft.overlayName.trim() || (home && away && `${home} v ${away}`)
  return Array.from(given).slice(0, 42).join('').trim()
}

/** The sport that is played: that of the competition, or the one chosen for a new one. */
export const sportOf = (draft: Draft, competitions: readonly Competition[]): string =>
  competitions.find(({ id }) => String(id) === draft.competition)?.sport ?? draft.sport
