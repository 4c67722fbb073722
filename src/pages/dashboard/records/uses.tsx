import { Link } from '../router.tsx'

/** Where what a use names is found: `match 12 “North – South”`. */
const PLACES: readonly [RegExp, (id: string) => string][] = [
  [/^match (\d+)/, (id) => `/matches/${id}`],
  [/team (\d+)/, (id) => `/teams/${id}`],
  [/control room (\d+)$/, (id) => `/control-rooms/${id}`],
  [/overlay (\d+)$/, (id) => `/overlays/${id}`],
]

/** What uses a record that is not deleted for that; a press leads there. */
export const Uses = ({ uses }: { uses: readonly string[] }) => (
  <ul className="uses">
    {uses.map((use) => (
      <li key={use}>{linked(use)}</li>
    ))}
  </ul>
)

function linked(use: string) {
  for (const [pattern, pathOf] of PLACES) {
    const id = pattern.exec(use)?.[1]
    if (id) return <Link to={pathOf(id)}>{use}</Link>
  }
  return use
}
