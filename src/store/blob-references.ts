import type { Sql, TransactionSql } from 'postgres'

/**
 * The uploaded files that rows name, by hash. `expected` is false for one whose bytes are perhaps still on their way, or that we
 * wrote ourselves and keep in a row. A new column that names a file belongs here, or its files are neither kept nor backed up.
 */
export const blobReferences = (sql: Sql | TransactionSql) => sql<{ hash: string; expected: boolean }[]>`
  with quoted as (
    -- wherever in a description a hash stands: a file, its source, what was laid aside
    select (regexp_matches(text, '"([0-9a-f]{64})"', 'g'))[1] as hash from (
      select files::text as text from bundle
      union all select assets::text from graphic_draft
      union all select motion::text from graphic_draft
      union all select motion::text from graphic_version
      union all select candidate::text from motion_import
    ) descriptions
  ), named as (
    select hash, true as expected from quoted
    union all select hash, true from image
    union all select sha256, state <> 'opened' from upload
    union all select sha256, candidate is not null from motion_import
  )
  select hash, bool_or(expected) and not exists (select from generated_file g where g.hash = named.hash) as expected
  from named where hash ~ '^[0-9a-f]{64}$' group by hash order by hash`
