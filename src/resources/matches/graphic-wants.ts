import type { Sql } from 'postgres'
import type { Shown, Value } from '../../../machines/overlay/model.ts'
import type { Log } from '../../expressions/expression-set.ts'
import { Recent } from '../../expressions/recent.ts'
import { createBreaths } from '../breaths.ts'
import { GraphicExpressions } from './graphic-expressions.ts'
import { type Given, type Wants, wantsIn } from './wants.ts'

/** The data that one published version is given beside sport data; `expressions` and `defaults` are left out when it has none. */
export type Wanted = Pick<Wants, 'schemas' | 'records'> & {
  readonly expressions?: GraphicExpressions
  /** By the name of a control variable, the value in force while nobody has set one. */
  readonly defaults?: Readonly<Record<string, Value>>
}

const MAX_COMPILED = 1_000
// by their text, since a theme is read anew with every change in its organization
const compiled = new Recent<GraphicExpressions>(MAX_COMPILED)

const keyOf = ({ graphicId, version }: Pick<Shown, 'graphicId' | 'version'>) => `${graphicId}/${version}`

/**
 * The parts of the data that the graphics of a theme want, by graphic and published version: those that are on air keep theirs. The
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
      cross join lateral (
        select coalesce(a.snapshot->'context'->'rehearsal'->'graphics', a.snapshot->'context'->'graphics') as graphics) c
      cross join json_each(case when json_typeof(graphics) = 'object' then graphics else '{}' end) as shown
      where t.id = ${themeId}
    ) live on live.graphic_id = v.graphic_id and live.version = v.version::text
    where g.theme_id = ${themeId}`
  const wanted = new Map(rows.map((row) => [keyOf(row), wantedIn(keyOf(row), row, log)]))
  const breathe = createBreaths()
  for (const row of rows) if (row.isLive) await wanted.get(keyOf(row))?.expressions?.prepare(breathe)
  return (graphic) => wanted.get(keyOf(graphic))
}

/** The data that a state machine wants; `name` is that of its graphic. */
export function wantedIn(name: string, stateMachine: Given, log?: Log): Wanted {
  const wants = wantsIn(stateMachine)
  const given = wantedBeside(wants)
  if (wants.expressions.length + wants.bound.length === 0) return given
  const key = `${name} ${JSON.stringify(wants)}`
  return { ...given, expressions: compiled.get(key, () => new GraphicExpressions(wants, log)) }
}

/** The wanted data beside results of expressions. */
export function wantedBeside({ schemas, records, variables }: Wants): Wanted {
  const set = variables.flatMap(({ name: of, defaultValue }) =>
    defaultValue === null ? [] : [[of, defaultValue] as const],
  )
  return { schemas, records, ...(set.length > 0 && { defaults: Object.fromEntries(set) }) }
}
