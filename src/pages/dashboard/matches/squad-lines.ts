import type { RosterPlayer } from './use-rosters.ts'

export type SquadLine = { number: string | null; firstName: string; lastName: string }

/** `9 Henrik Ståhlberg` in each line; the number may be left out. A player with one name has it twice. */
export function linesOf(text: string): SquadLine[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [, number = null, name = ''] = /^(?:(\d{1,3})[.)\s]+)?(.*)$/.exec(line) ?? []
      const [firstName = '', ...rest] = name.trim().split(/\s+/)
      return { number, firstName, lastName: rest.join(' ') || firstName }
    })
}

type Numbered = Pick<RosterPlayer, 'number' | 'firstName' | 'lastName'>

/** Which shirt number two players would have, in words; undefined when none. */
export function takenNumber(lines: readonly Numbered[], roster: readonly Numbered[]): string | undefined {
  const owners = new Map(roster.map((player) => [player.number, player]))
  for (const line of lines) {
    if (!line.number) continue
    const owner = owners.get(line.number)
    if (owner) return `Number ${line.number} is taken by ${owner.firstName} ${owner.lastName}`
    owners.set(line.number, line)
  }
  return undefined
}
