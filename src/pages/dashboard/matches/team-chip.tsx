import type { Team } from '../shapes.ts'

type Coloured = Pick<Team, 'name' | 'primaryBackgroundColor'>

const COLOUR = /^#[0-9a-f]{3,8}$/i

/** A team by its colour and name. */
export function TeamChip({ team, fallback }: { team: Coloured | null; fallback: string }) {
  const colour = team?.primaryBackgroundColor
  return (
    <span className="team-chip">
      <span
        className="team-colour"
        aria-hidden="true"
        {...(colour && COLOUR.test(colour) && { style: { background: colour } })}
      />
      <span className="team-name">{team?.name ?? fallback}</span>
    </span>
  )
}
