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
] as const

/** Names in an expression beside them: values in force, chosen records, theme, pushed rows, earlier expressions. */
export const OTHERS = ['sport', 'variables', 'selected', 'theme', 'dataSources', 'expressions'] as const

export const SCOPE: readonly string[] = [...PARTS, ...OTHERS]

/** Values by name; those left out are null. Each must be JSON. */
export type Scope = Readonly<Partial<Record<(typeof PARTS)[number] | (typeof OTHERS)[number], unknown>>>

const NOTHING: Readonly<Record<string, null>> = Object.fromEntries(SCOPE.map((name) => [name, null]))

/** The scope with a null for each name it lacks. */
export const complete = (scope: Scope): Record<string, unknown> => ({ ...NOTHING, ...scope })
