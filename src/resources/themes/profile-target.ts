import type { TransactionSql } from 'postgres'
import type { RecordContext } from '../../context.ts'
import { ownRecords } from '../ownership.ts'
import { asRead, checkTarget } from '../target.ts'
import { getProfile, type ProfilePath } from './profiles.queries.ts'

/** Locks a profile for a write. Everybody locks in this order: competition, theme, profile. Throws notFound, forbidden, targetChanged. */
export async function lockProfile(
  ctx: RecordContext,
  tx: TransactionSql,
  path: ProfilePath,
  ifUnchangedSince?: string,
) {
  await lockCompetition(ctx, tx, path.competitionId)
  const { themeId } = await getProfile(ctx, path, tx)
  await lockWorn(ctx, tx, themeId)
  const [profile] = await tx<{ unchanged: boolean; themeId: number }[]>`
    select ${asRead(tx, ifUnchangedSince)} as unchanged, theme_id as "themeId" from theme_profile
    where id = ${path.profileId} and archived_at is null for update`
  return checkTarget(profile)
}

/** One at a time, so that a competition has one default. Missing 404, foreign 403. */
export async function lockCompetition(ctx: RecordContext, tx: TransactionSql, competitionId: number) {
  await ownRecords(ctx, tx, 'competition', [competitionId])
  await tx`select from competition where id = ${competitionId} for no key update`
}

/** The variables of a theme stay as they are while values of them are written. Missing 404, foreign 403. */
export async function lockWorn(ctx: RecordContext, tx: TransactionSql, themeId: number, ifUnchangedSince?: string) {
  await ownRecords(ctx, tx, 'theme', [themeId])
  const [theme] = await tx<{ unchanged: boolean }[]>`
    select ${asRead(tx, ifUnchangedSince)} as unchanged from theme where id = ${themeId} for share`
  checkTarget(theme)
}
