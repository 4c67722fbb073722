import type { ISql } from 'postgres'
import type { z } from 'zod'
import type { ReadContext } from '../../context.ts'
import { exactly } from '../target.ts'
import { getProfile, type ProfilePath } from '../themes/profiles.queries.ts'
import type { SponsorSlot, SponsorSlots } from './schema.ts'

/** The sponsor slots of a theme profile. Throws as `getProfile`. */
export async function getSponsorSlots(
  ctx: ReadContext,
  path: ProfilePath,
  sql: ISql = ctx.db.sql,
): Promise<z.output<typeof SponsorSlots>> {
  await getProfile(ctx, path, sql)
  const [row] = await sql<{ slots: z.output<typeof SponsorSlot>[]; updatedAt: string }[]>`
    select coalesce(s.slots, '[]'::json) as slots,
      coalesce(${exactly(sql, 's.updated_at')}, ${exactly(sql, 'p.created_at')}) as "updatedAt"
    from theme_profile p left join sponsor_slots s on s.theme_profile_id = p.id where p.id = ${path.profileId}`
  if (!row) throw new Error('a profile that was read is gone')
  return { competitionThemeSettingId: path.profileId, ...row }
}
