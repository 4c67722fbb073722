import type { ISql } from 'postgres'

/** SQL: the kind of the graphic `g`. One of OGraf is stored as what it is for a release that does not know them. */
export const kindOf = (sql: ISql) => sql`case when g.ograf_id is null then g.kind else 'ograf' end`
