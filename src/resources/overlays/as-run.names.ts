import type { Values } from '../../../machines/overlay/model.ts'
import { findBrandsOfMatch } from '../../catalog/queries.ts'
import type { Context } from '../../context.ts'
import { shownBrands } from '../brands/shown.ts'
import { type RecordNames, recordNames } from '../matches/record-names.ts'
import { findSportData } from '../matches/sport-data.ts'
import { wantsIn } from '../matches/wants.ts'

type Row = { graphicId: string | null; version: number | null; values: Values | null }

/** Reads the names of records in the values of many rows at once; answers a function that gives those of one row. */
export type NamesOf = (rows: readonly Row[]) => Promise<(row: Row) => { names?: RecordNames }>

export const nameless: NamesOf = async () => () => ({})

const keyOf = ({ graphicId, version }: Row) => `${graphicId}/${version}`

/** The names of records that values name in a match of the organization: the match is read once, when a row names one. */
export function namesIn(ctx: Pick<Context, 'db' | 'organizationId' | 'publicUrl'>, matchId: number): NamesOf {
  return async (rows) => {
    const variables = await recordVariables(ctx, rows)
    const found = variables.size > 0 ? await findSportData(ctx.db.sql, ctx.publicUrl, matchId) : undefined
    if (found?.organizationId !== ctx.organizationId) return () => ({})
    const data = { ...found.data, brands: shownBrands(await findBrandsOfMatch(ctx.db.sql, matchId), ctx.publicUrl) }
    return (row) => {
      const names = recordNames(row.values ?? {}, variables.get(keyOf(row)) ?? [], data)
      return Object.keys(names).length > 0 ? { names } : {}
    }
  }
}

/** The control variables that name something of the match, by graphic and version; graphics without any are left out. */
async function recordVariables({ db, organizationId }: Pick<Context, 'db' | 'organizationId'>, rows: readonly Row[]) {
  const shown = [...new Map(rows.filter(({ version }) => version !== null).map((row) => [keyOf(row), row])).values()]
  if (shown.length === 0) return new Map<string, ReturnType<typeof wantsIn>['records']>()
  const found = await db.sql<{ graphicId: string; version: number; controlVariables: unknown }[]>`
    select v.graphic_id as "graphicId", v.version, v.state_machine->'controlVariables' as "controlVariables"
    from unnest(${shown.map(({ graphicId }) => graphicId ?? '')}::text[], ${shown.map(({ version }) => version ?? 0)}::int[])
      as one (graphic_id, version)
    join graphic_version v using (graphic_id, version)
    join graphic g on g.id = v.graphic_id
    join theme t on t.id = g.theme_id
    where t.organization_id = ${organizationId}`
  const variables = found.map((row) => [keyOf({ ...row, values: null }), wantsIn(row).records] as const)
  return new Map(variables.filter(([, records]) => records.length > 0))
}
