import { createHash } from 'node:crypto'
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { told } from '../../parsing/refusals.ts'
import type { PushJob } from '../../parsing/work.ts'
import { exactly } from '../target.ts'
import { getTarget, type PushTarget } from './queries.ts'
import type { DataSourcePush, PushedDataSource } from './schema.ts'
import { TemplateChanged, untilUnchanged } from './template-changed.ts'

/**
 * Replaces the rows that a theme profile shows under an alias, also in graphics on air. Throws invalid with a place for each
 * bad cell. spec: Data source template
 */
export const pushDataSource = (
  ctx: Context,
  profileId: number,
  alias: string,
  sent: DataSourcePush,
): Promise<z.output<typeof PushedDataSource>> =>
  untilUnchanged(async () => {
    const target = await getTarget(ctx, profileId, alias)
    const { shape, schema, config } = target
    const job = { kind: 'push', shape, schema, options: config ?? {}, content: contentOf(sent) } as const
    const pushed = await told(() => ctx.parsing.run(ctx.organizationId, job))
    return store(ctx, profileId, { alias, ...target }, pushed)
  })

/** The one member that was sent: the schema of the body has seen to that. */
const contentOf = (sent: DataSourcePush) => sent as PushJob['content']

function store(
  ctx: Context,
  profileId: number,
  { alias, templateId, shape, changedAt }: PushTarget & { alias: string },
  { value, rowCount }: { value: string; rowCount: number },
) {
  const sha256 = createHash('sha256').update(value).digest('hex')
  const command = { ref: refOf(profileId), type: 'push', asked: { alias, rowCount, sha256 } }
  return ctx.db.write(ctx, command, async (tx) => {
    const [row] = await tx<{ updatedAt: string }[]>`
      insert into data_source as s (theme_profile_id, template_id, value, row_count)
      select ${profileId}, id, ${value}::text::json, ${rowCount} from data_source_template
      where id = ${templateId} and updated_at = ${changedAt}::text::timestamptz for share
      on conflict (theme_profile_id, template_id) do update set value = excluded.value, row_count = excluded.row_count,
        updated_at = greatest(clock_timestamp(), s.updated_at + interval '1 microsecond')
      returning ${exactly(tx, 's.updated_at')} as "updatedAt"`
    if (!row) throw new TemplateChanged()
    return {
      result: { alias, shape, rowCount, updatedAt: row.updatedAt },
      events: [{ type: 'dataSource.pushed', themeProfileId: profileId, alias, rowCount }],
    }
  })
}

/** All rows pushed to a profile have one ref: changes on its overlays are announced together. */
const refOf = (profileId: number) => `data-source/${profileId}`

/** Takes away the pushed rows; clearing twice changes nothing. */
export async function clearDataSource(ctx: Context, profileId: number, alias: string): Promise<undefined> {
  const { templateId } = await getTarget(ctx, profileId, alias)
  return ctx.db.write(ctx, { ref: refOf(profileId), type: 'clear', asked: { alias } }, async (tx) => {
    const cleared = await tx`
      delete from data_source where theme_profile_id = ${profileId} and template_id = ${templateId} returning template_id`
    return {
      result: undefined,
      events: cleared.map(() => ({ type: 'dataSource.cleared', themeProfileId: profileId, alias })),
    }
  })
}
