import type { Sql } from 'postgres'
import { z } from 'zod'
import type { Shown } from '../../../machines/overlay.ts'
import type { Log } from '../../expressions/expression-set.ts'
import { Recent } from '../../expressions/recent.ts'

import { sourceOf } from '../../motion/source-of.ts'

import { createBreaths } from '../breaths.ts'

import { GraphicExpressions } from './graphic-expressions.ts'
import { isRecordType } from './selected-records.ts'

const Variable = z.object({
  name: z.string(),
  type: z.string(),
  options: z.array(z.string()).catch([]).default([]),
  defaultValue: z.union([z.string(), z.number(), z.boolean()]).nullable().catch(null).default(null),
})
const Expression = z.object({ id: z.string(), name: z.string(), expression: z.string() })

/** A control variable of a version of a graphic. */
export type WantedVariable = z.output<typeof Variable>

const Bound = z.object({
  id: z.string(),
  name: z.string(),
  expression: z.string().catch(''),
  exposed: z
    .object({ expression: z.string().catch(''), entityType: z.string().optional().catch(undefined) })
    .optional()
    .catch(undefined),
  /** Of an asset; a binding's is that of its property. */
  type: z.string().optional().catch(undefined),
  viewModelProperty: z.object({ type: z.string() }).optional().catch(undefined),
})

/** What a motion graphic binds to expressions, as the members of `data` that carry their values. */
export const BOUND_KINDS = ['bindings', 'inputs', 'assets'] as const
export type BoundKind = (typeof BOUND_KINDS)[number]

type Given = Partial<
  Record<
    'selectedSchemas' | 'controlVariables' | 'userExpressions' | 'dataBindings' | 'stateMachineInputs' | 'assets',
    unknown
  >
>

/** What a state machine wants of the data; what is no variable or expression is left out. */
export function wantsIn(given: Given) {
  const { selectedSchemas, controlVariables, userExpressions } = given
  const variables = listOf(Variable, controlVariables)
  return {
    /** The schemas that it selects; all of them when undefined. */
    schemas: Array.isArray(selectedSchemas) ? listOf(z.string(), selectedSchemas) : undefined,
    variables,
    /** Those that name something of the match. */
    records: variables.filter(({ type }) => isRecordType(type)),
    expressions: listOf(Expression, userExpressions),
    bound: [
      ...boundIn('bindings', given.dataBindings, variables),
      ...boundIn('inputs', given.stateMachineInputs, variables),
      ...boundIn('assets', given.assets, variables),
    ],
  }
}

/** Those that something computes. */
const boundIn = (kind: BoundKind, members: unknown, variables: readonly WantedVariable[]) =>
  listOf(Bound, members).flatMap(({ id, name, type, viewModelProperty, ...bound }) => {
    const isPicture = (viewModelProperty?.type ?? type) === 'image'
    const expression = sourceOf({ ...bound, isPicture }, variables)
    return expression === '' ? [] : [{ kind, id, name, expression }]
  })

export type Wants = ReturnType<typeof wantsIn>

const listOf = <T>(schema: z.ZodType<T>, value: unknown): T[] =>
  (Array.isArray(value) ? value : []).flatMap((one) => {
    const { success, data } = schema.safeParse(one)
    return success ? [data] : []
  })

/** What one published version is given beside sport data; `expressions` and `defaults` are left out when it has none. */
export type Wanted = Pick<Wants, 'schemas' | 'records'> & {
  readonly expressions?: GraphicExpressions
  /** By the name of a control variable, the value in force while nobody has set one. */
  readonly defaults?: Readonly<Record<string, string | number | boolean>>
}

const MAX_COMPILED = 1_000
// by what they say, since a theme is read anew whenever something of its organization changes
const compiled = new Recent<GraphicExpressions>(MAX_COMPILED)

const keyOf = ({ graphicId, version }: Pick<Shown, 'graphicId' | 'version'>) => `${graphicId}/${version}`

/**
 * What the graphics of a theme want of the data, by graphic and published version: those that are on air keep theirs. The
 * expressions of those that are on air or may be shown are compiled before it answers, with breaths between them.
 */
export async function wantsOf(
  sql: Sql,
  themeId: number | null,
  log?: Log,
): Promise<(graphic: Shown) => Wanted | undefined> {
  const rows = await sql<(Given & Pick<Shown, 'graphicId' | 'version'> & { isLive: boolean })[]>`
    select v.graphic_id as "graphicId", v.version, v.state_machine->'selectedSchemas' as "selectedSchemas",
      v.state_machine->'controlVariables' as "controlVariables", v.state_machine->'userExpressions' as "userExpressions",
      v.state_machine->'dataBindings' as "dataBindings", v.state_machine->'stateMachineInputs' as "stateMachineInputs",
      v.state_machine->'assets' as assets,
      live.version is not null as "isLive"
    from graphic g
    join graphic_version v on v.graphic_id = g.id
    left join (
      select p.graphic_id, p.graphic_version::text as version
      from theme t
      join theme_version_graphic p on p.theme_id = t.id and p.version = t.active_version
      where t.id = ${themeId}
      union
      select shown.key, shown.value->>'version'
      from theme t
      join overlay o on o.organization_id = t.organization_id
      join actor a on a.ref = 'overlay/' || o.id
      cross join lateral (select a.snapshot->'context'->'graphics' as graphics) c
      cross join json_each(case when json_typeof(graphics) = 'object' then graphics else '{}' end) as shown
      where t.id = ${themeId}
    ) live on live.graphic_id = v.graphic_id and live.version = v.version::text
    where g.theme_id = ${themeId}`
  const wanted = new Map(rows.map((row) => [keyOf(row), wantedIn(keyOf(row), row, log)]))
  const breathe = createBreaths()
  for (const row of rows) if (row.isLive) await wanted.get(keyOf(row))?.expressions?.prepare(breathe)
  return (graphic) => wanted.get(keyOf(graphic))
}

/** What a state machine wants to be given; `name` tells whose it is. */
export function wantedIn(name: string, stateMachine: Given, log?: Log): Wanted {
  const wants = wantsIn(stateMachine)
  const given = wantedBeside(wants)
  if (wants.expressions.length + wants.bound.length === 0) return given
  const key = `${name} ${JSON.stringify(wants)}`
  return { ...given, expressions: compiled.get(key, () => new GraphicExpressions(wants, log)) }
}

/** What is wanted beside what expressions give. */
export function wantedBeside({ schemas, records, variables }: Wants): Wanted {
  const set = variables.flatMap(({ name: of, defaultValue }) =>
    defaultValue === null ? [] : [[of, defaultValue] as const],
  )
  return { schemas, records, ...(set.length > 0 && { defaults: Object.fromEntries(set) }) }
}
