/** The parts of sport data, as `GET /v2/schemas/sports/{sport}` describes them. */
export const PARTS = [
  'match',
  'competition',
  'venue',
  'teams',
  'competitors',
  'players',
  'lineups',
  'facts',
  'scoringFacts',
  'period',
  'periods',
  'score',
  'clock',
  'statistics',
  'officials',
  'situation',
  'standings',
] as const

/** Names in an expression beside them: values in force, chosen records, theme, pushed rows, earlier expressions. */
export const OTHERS = ['sport', 'variables', 'selected', 'theme', 'dataSources', 'expressions'] as const

export const SCOPE: readonly string[] = [...PARTS, ...OTHERS]

/** What rules of a game plan see beside the sport data: the fact of a fact trigger. */
export const RULE_SCOPE: readonly string[] = [...PARTS, 'sport', 'fact']

/** Values by name; those left out are null. Each must be JSON. */
export type Scope = Readonly<Partial<Record<(typeof PARTS)[number] | (typeof OTHERS)[number] | 'fact', unknown>>>

const nothing = (scope: readonly string[]): Readonly<Record<string, null>> =>
  Object.fromEntries(scope.map((name) => [name, null]))
const NOTHING = nothing(SCOPE)
const NOTHING_OF_RULES = nothing(RULE_SCOPE)

/** The scope with a null for each name it lacks. */
export const complete = (scope: Scope, ofRule = false): Record<string, unknown> => ({
  ...(ofRule ? NOTHING_OF_RULES : NOTHING),
  ...scope,
})
