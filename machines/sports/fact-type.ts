/** A type of facts, in one sport. */
export type FactType = {
  /** Points of one fact. A range is open: `points` or a numeric `value` of the fact says, else `default`, else it is refused. */
  points: number | { min: number; max: number; default?: number }
  /** The side that gets the points: an own goal credits the other side. */
  credit: 'own' | 'opponent'
  /** Such a fact moves the score, or a count that the score hangs on (a ball bowled, an out): possible from start to end only. */
  scoring: boolean
  /** Such a fact drives state, period and clock. */
  structural: boolean
  /** The name it is counted under in the statistics of its side. */
  statistic: string | undefined
  /** `details.kind` or a text `value` of these counts under another name as well. */
  kinds: Readonly<Record<string, string>>
  team: 'required' | 'optional'
  player: 'optional'
}

export type FactTypes = Readonly<Record<string, FactType>>

/** `try` is counted under `tries`, `miss` under `misses`. */
const plural = (name: string) =>
  /[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : `${name}${/(s|sh|ch|x)$/.test(name) ? 'es' : 's'}`

const base: Omit<FactType, 'statistic'> = {
  points: 0,
  credit: 'own',
  scoring: false,
  structural: false,
  kinds: {},
  team: 'optional',
  player: 'optional',
}

/** Something worth points to a side. */
export const scores = (
  name: string,
  points: FactType['points'],
  more: Partial<Pick<FactType, 'credit' | 'statistic' | 'kinds' | 'team'>> = {},
): FactTypes => ({ [name]: { ...base, statistic: plural(name), scoring: true, points, team: 'required', ...more } })

/** Something that is worth nothing but that the score hangs on. */
export const plays = (...names: readonly string[]): FactTypes =>
  Object.fromEntries(names.map((name) => [name, { ...base, statistic: plural(name), scoring: true }]))

/** Things that are only counted, per side. */
export const counts = (...names: readonly string[]): FactTypes =>
  Object.fromEntries(names.map((name) => [name, { ...base, statistic: plural(name) }]))

/** One thing that is counted under a name that is not its plain plural. */
export const counted = (name: string, statistic: string): FactTypes => ({ [name]: { ...base, statistic } })

/** Things that are not even counted. */
export const notes = (...names: readonly string[]): FactTypes =>
  Object.fromEntries(names.map((name) => [name, { ...base, statistic: undefined }]))

const drives = (...names: readonly string[]): FactTypes =>
  Object.fromEntries(names.map((name) => [name, { ...base, statistic: undefined, structural: true }]))

/** Facts of every sport that drive state, period and clock. */
export const STRUCTURAL: FactTypes = {
  ...drives(
    'matchStart',
    'periodStart',
    'periodEnd',
    'breakStart',
    'matchEnd',
    'clockStart',
    'clockStop',
    'clockSet',
    'shootoutStart',
  ),
  timeout: { ...base, statistic: 'timeouts', structural: true },
}
